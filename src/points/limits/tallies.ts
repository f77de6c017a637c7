// What a user was awarded in the periods that limits are for. Pure.
import { timeOfId } from "../../ids.ts";
import type { Source } from "../award.ts";
import { NO_TALLY, tallied } from "./limits.ts";
import type { LimitedPeriod, Limits, PeriodLimits, Tally } from "./limits.ts";
import { PERIODS, periodOf } from "./periods.ts";
import type { PeriodRange } from "./periods.ts";

/** The tally of a time; several limits may be for the same. */
export interface RangeTally extends Pick<PeriodRange, "fromMs" | "untilMs"> {
  readonly tally: Tally;
}

/** The tallies of one user, by `rangeKey`. */
export type Tallies = ReadonlyMap<string, RangeTally>;

/** A limited period without its tally. */
export interface LimitedRange extends Omit<LimitedPeriod, "tally"> {
  readonly range: PeriodRange;
}

export function rangeKey({ fromMs, untilMs }: Pick<PeriodRange, "fromMs" | "untilMs">): string {
  return `${fromMs} ${untilMs}`;
}

/** The limited periods of a submission: those of its application, by day, and those of its programme. */
export function limitedRanges(
  submissionId: string,
  { ofApplication, ofProgram }: { readonly ofApplication: Limits | null; readonly ofProgram: PeriodLimits | null },
): LimitedRange[] {
  const ms = timeOfId(submissionId);
  const limitedIn = (period: (typeof PERIODS)[number], zone: string, limits: Limits): LimitedRange => {
    const range = periodOf(ms, period, zone);
    return { period, day: range.first, ...(zone !== "UTC" && { timeZone: zone }), limits, range };
  };
  return [
    ...(ofApplication ? [limitedIn("day", "UTC", ofApplication)] : []),
    ...PERIODS.filter((period) => ofProgram !== null && isLimited(ofProgram[period])).map((period) =>
      limitedIn(period, ofProgram!.timeZone, ofProgram![period]),
    ),
  ];
}

function isLimited({ points, meals, foodPoints }: Limits): boolean {
  return points !== null || meals !== null || foodPoints !== null;
}

/** The periods with what was awarded in them; nothing in those that have no tally. */
export function withTallies(ranges: readonly LimitedRange[], tallies: Tallies): LimitedPeriod[] {
  return ranges.map(({ range, ...period }) => ({ ...period, tally: tallies.get(rangeKey(range))?.tally ?? NO_TALLY }));
}

/** The tallies after a record of `earned` points: each of its time, also those of other versions of the programme. */
export function talliesAfter(
  tallies: Tallies,
  ranges: readonly LimitedRange[],
  { submissionId, source, earned }: { readonly submissionId: string; readonly source: Source; readonly earned: number },
): Tallies {
  const after = new Map(tallies);
  for (const { range } of ranges) {
    const { fromMs, untilMs } = range;
    if (!after.has(rangeKey(range))) after.set(rangeKey(range), { fromMs, untilMs, tally: NO_TALLY });
  }
  for (const [key, each] of after) {
    if (isWithin(submissionId, each)) after.set(key, { ...each, tally: tallied(each.tally, source, earned) });
  }
  return after;
}

/** Whether a submission was accepted in the time. */
export function isWithin(submissionId: string, { fromMs, untilMs }: Pick<PeriodRange, "fromMs" | "untilMs">): boolean {
  const ms = timeOfId(submissionId);
  return fromMs <= ms && ms < untilMs;
}
