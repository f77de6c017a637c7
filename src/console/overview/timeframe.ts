// The timeframe of the overview, and the one before it to compare with. Pure.
import { PERIODS, spanOf, startOf } from "../../reports/periods.ts";
import type { Period } from "../../reports/periods.ts";
import { DAY_MS } from "../../time.ts";

/** The presets, and the periods that suit each. */
export const PRESETS = { "7d": "day", "30d": "day", "90d": "week", "12m": "month" } as const satisfies Record<
  string,
  Period
>;
export type Preset = keyof typeof PRESETS;
const PRESET_DEFAULT: Preset = "30d";
const DAYS: Readonly<Record<Preset, number>> = { "7d": 7, "30d": 30, "90d": 90, "12m": 0 };

/** Bars of more periods could not be distinguished. */
const SHOWN_MAX = 100;
/** From and to may be this far apart: a report reads twice as much, and at most ten years. */
const OWN_DAYS_MAX = 1_800;

/** What is shown: whole periods, and as many before them. */
export interface Frame {
  /** Null: own days. */
  readonly preset: Preset | null;
  readonly by: Period;
  /** The first days of the periods. */
  readonly starts: readonly string[];
  readonly from: string;
  readonly till: string;
  /** The first days of the periods before, and the last day of the last. */
  readonly before: readonly string[];
  readonly beforeTill: string;
  /** The period that was asked for would have been too short. */
  readonly isCoarser: boolean;
}

/** What was asked for, with its problem where it cannot be shown. */
export interface AskedFrame {
  readonly frame: Frame;
  /** As typed, for the form. */
  readonly typed: { readonly from: string; readonly till: string };
  readonly problem: "day" | "order" | "long" | null;
}

/** Reads the timeframe of an address; whatever cannot be read is the last 30 days. */
export function frameOf(query: URLSearchParams, now: Date): AskedFrame {
  const wanted = PERIODS.find((each) => each === query.get("by")) ?? null;
  const typed = { from: query.get("from") ?? "", till: query.get("till") ?? "" };
  if (typed.from === "" && typed.till === "") {
    const preset = isPreset(query.get("last")) ? (query.get("last") as Preset) : PRESET_DEFAULT;
    return { frame: presetFrame(preset, wanted, now), typed, problem: null };
  }
  const today = startOf(now, "day");
  const till = typed.till === "" ? today : parsedDay(typed.till);
  const own = { from: parsedDay(typed.from), till: till && till > today ? today : till };
  const problem = problemOf(own);
  if (problem !== null || !own.from || !own.till) {
    return { frame: presetFrame(PRESET_DEFAULT, wanted, now), typed, problem };
  }
  const days = Math.round((own.till.getTime() - own.from.getTime()) / DAY_MS) + 1;
  const suited = days <= 62 ? "day" : days <= 366 ? "week" : "month";
  return { frame: framed(null, own.from, own.till, wanted ?? suited), typed, problem: null };
}

/** The query of a report for both timeframes. */
export function reportQuery({ before, till, by }: Frame): Record<string, string> {
  return { timeframe: `${before[0]}/${till}`, by };
}

function isPreset(text: string | null): boolean {
  return text !== null && Object.hasOwn(PRESETS, text);
}

function problemOf({ from, till }: { from: Date | null; till: Date | null }): AskedFrame["problem"] {
  if (!from || !till) return "day";
  if (from > till) return "order";
  return till.getTime() - from.getTime() > OWN_DAYS_MAX * DAY_MS ? "long" : null;
}

function presetFrame(preset: Preset, wanted: Period | null, now: Date): Frame {
  const till = startOf(now, "day");
  const from =
    preset === "12m"
      ? new Date(Date.UTC(till.getUTCFullYear(), till.getUTCMonth() - 11, 1))
      : new Date(till.getTime() - (DAYS[preset] - 1) * DAY_MS);
  return framed(preset, from, till, wanted ?? PRESETS[preset]);
}

function framed(preset: Preset | null, from: Date, till: Date, by: Period): Frame {
  const shown = [by, ...PERIODS.slice(PERIODS.indexOf(by) + 1)];
  for (const each of shown) {
    const range = { from, before: new Date(till.getTime() + DAY_MS) };
    const span = spanOf(range, each, { now: till, first: from });
    if (!span || span.starts.length > SHOWN_MAX) continue;
    const first = span.starts[0]!;
    const before = startsBefore(first, each, span.starts.length);
    const beforeTill = new Date(Date.parse(first) - DAY_MS).toISOString().slice(0, 10);
    return {
      preset,
      by: each,
      starts: span.starts,
      till: span.till,
      from: first,
      before,
      beforeTill,
      isCoarser: each !== by,
    };
  }
  throw new Error("months of five years are few enough");
}

/** The first days of the `count` periods before one. */
function startsBefore(first: string, by: Period, count: number): string[] {
  const starts: string[] = [];
  for (let start = new Date(first); starts.length < count;) {
    start = startOf(new Date(start.getTime() - DAY_MS), by);
    starts.unshift(start.toISOString().slice(0, 10));
  }
  return starts;
}

/** Returns a day typed as `YYYY-MM-DD`, if there is one. */
function parsedDay(text: string): Date | null {
  const date = /^(?:19|20)\d\d-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : null;
}
