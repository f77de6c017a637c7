// Streaks: days or weeks in a row. What counts is the set of days with a green or healthy product, in whatever order
// they become known: a run of days has given as many bonuses as the length of the streak fits into it. A new day
// extends a run or joins two, so it adds one bonus at most. Any order of booking ends with the same number.
import { DAY_MS } from "../../time.ts";
import { periodOf } from "../limits/periods.ts";
import type { StreakRule, StreakUnit } from "./rules.ts";

/** Days, or weeks, in a row: the numbers of the first and of the last. */
export interface Run {
  readonly first: number;
  readonly last: number;
}

/** Days from Monday 1969-12-29 to 1970-01-01. */
const FIRST_MONDAY_DAYS = 3;
const WEEK_DAYS = 7;

/** The number of the day since 1970-01-01, or of the week since that of 1969-12-29, in a time zone. */
export function unitOf(ms: number, every: StreakUnit, timeZone: string): number {
  const day = Date.parse(periodOf(ms, every, timeZone).first) / DAY_MS;
  return every === "day" ? day : (day + FIRST_MONDAY_DAYS) / WEEK_DAYS;
}

/** The first day of a day or week, as in 2026-10-25. */
export function firstDayOf(unit: number, every: StreakUnit): string {
  const day = every === "day" ? unit : unit * WEEK_DAYS - FIRST_MONDAY_DAYS;
  return dayText(day);
}

/** The last day of a day or week. */
export function lastDayOf(unit: number, every: StreakUnit): string {
  return every === "day" ? dayText(unit) : dayText((unit + 1) * WEEK_DAYS - FIRST_MONDAY_DAYS - 1);
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Which streak it is: all that decides what counts. A version of the programme that changes one of these begins a count
 * of its own. Other points do not.
 */
export function streakKey({ id, every, length, sources }: StreakRule, timeZone: string): string {
  return [id, every, length, timeZone, [...sources].sort().join("+")].join(" ");
}

/** The bonuses that a run has given. */
export function bonusesOfRun({ first, last }: Run, length: number): number {
  return Math.floor((last - first + 1) / length);
}

export interface AddedUnit {
  /** All runs after it. */
  readonly runs: readonly Run[];
  /** The one that the new day or week is in. */
  readonly run: Run;
  /** Runs that it has joined or extended, by their first. */
  readonly replaced: readonly number[];
  /** Whether it makes a bonus due. */
  readonly isDue: boolean;
}

/** Adds a day or week to runs that do not touch each other. Null: it is in one of them already. */
export function withUnit(runs: readonly Run[], unit: number, length: number): AddedUnit | null {
  if (runs.some(({ first, last }) => first <= unit && unit <= last)) return null;
  const joined = runs.filter(({ first, last }) => last === unit - 1 || first === unit + 1);
  const run = {
    first: Math.min(unit, ...joined.map(({ first }) => first)),
    last: Math.max(unit, ...joined.map(({ last }) => last)),
  };
  const before = joined.reduce((sum, each) => sum + bonusesOfRun(each, length), 0);
  return {
    runs: [...runs.filter((each) => !joined.includes(each)), run],
    run,
    replaced: joined.map(({ first }) => first),
    isDue: bonusesOfRun(run, length) > before,
  };
}
