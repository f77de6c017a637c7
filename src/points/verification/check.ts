// What the checks of the ledger share: their rows, the users that one of them looks at, and the form of their SQL.
import { orNull, text, uuid } from "../../postgres/statement.ts";
import type { Tx } from "../../postgres/postgres.ts";

/** The columns of a check's rows: one row for each difference. */
export const DIFFERENCE = { userId: uuid, what: text };
/** Of a check that is of no user. */
export const DIFFERENCE_OF_NONE = { userId: orNull(uuid), what: text };

/** A member of the ledger that is not what its records say. */
export interface Difference {
  /** Null: it is of no user, but of a reward. */
  readonly userId: string | null;
  readonly what: string;
}

/** A difference in words. */
export function differenceText({ userId, what }: Difference): string {
  return userId === null ? what : `user ${userId}: ${what}`;
}

/** The most differences that one verification reports. */
export const DIFFERENCES_MAX = 1_000;

/** Users above one id and up to another. */
export interface Slice {
  readonly above: string;
  readonly upTo: string;
  /** The seventh of the users whose records are read in full, 0 to 6; null: all of them. */
  readonly seventh: number | null;
}

/** Records of one user with many of them: by their number above one and up to another. */
export interface Part {
  readonly userId: string;
  readonly after: number;
  readonly upTo: number;
}

/** One kind of verification. */
export interface Check {
  /**
   * The differences of a slice, at most DIFFERENCES_MAX. The service books meanwhile: what is compared must come from
   * one statement, which has one snapshot.
   */
  find(tx: Tx, slice: Slice): Promise<Difference[]>;
  /** The same for a part of a user's records, where each record is checked by itself. */
  findInPart?(tx: Tx, part: Part): Promise<Difference[]>;
}

type Find = (tx: Tx, values: readonly unknown[]) => Promise<Difference[]>;

/** A check of every user of a slice: $1 and $2. */
export function checkOfAll(find: Find): Check {
  return { find: (tx, { above, upTo }) => find(tx, [above, upTo]) };
}

/** A check that reads records in full, of the users of a seventh: $1, $2 and $3. */
export function checkInDepth(find: Find): Check {
  return { find: (tx, { above, upTo, seventh }) => find(tx, [above, upTo, seventh]) };
}

/** Limits a column to the users of a slice. Every table of a check has it, or PostgreSQL joins all its users. */
export function inSlice(column: string): string {
  return `${column} > $1 AND ${column} <= $2`;
}

/**
 * The same, and to those of a seventh: by the last byte of the id, which is random. Reading in full costs several times
 * as much as all sums.
 */
export function inSeventh(column: string): string {
  return `${inSlice(column)} AND ${isOfSeventh(column)}`;
}

/** The same in TypeScript. */
export function isUserOfSeventh(userId: string, seventh: number | null): boolean {
  return seventh === null || Number.parseInt(userId.slice(-2), 16) % 7 === seventh;
}

/** Whether a user is of the seventh, without the limits of the slice. */
export function isOfSeventh(column: string): string {
  return `($3::int IS NULL OR get_byte(uuid_send(${column}), 15) % 7 = $3)`;
}

/** What is wrong with a row, each with the condition of it. */
export type Rules = Readonly<Record<string, string>>;

/** The condition of a row that breaks at least one rule. */
export function breaks(rules: Rules): string {
  return Object.values(rules)
    .map((condition) => `(${condition})`)
    .join(" OR ");
}

/** The rules that a row breaks, as a text. */
export function brokenOf(rules: Rules): string {
  const texts = Object.entries(rules).map(([what, condition]) => `CASE WHEN ${condition} THEN '${what}' END`);
  return `concat_ws(', ', ${texts.join(", ")})`;
}

/**
 * Selects a difference for each row that breaks rules, with all that are broken. The rows have `user_id` and `id`. No
 * index has the order of a text: for that of the id, PostgreSQL would read a million records to find the first 20,000.
 */
export function differencesOf(rows: string, rules: Rules, subject = "'record ' || id"): string {
  return `SELECT user_id AS "userId", ${subject} || ': ' || ${brokenOf(rules)} AS what
          FROM ${rows} WHERE ${breaks(rules)} ORDER BY user_id, id::text LIMIT ${DIFFERENCES_MAX}`;
}
