// Checks that look at each record by itself: of a user with many records they read a part at a time.
import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, inSeventh, inSlice } from "./check.ts";
import type { Check, Part } from "./check.ts";

/** Limits the records, and the users, that a check reads. */
export interface Scope {
  records(table: string): string;
  users(column: string): string;
}

const OF_SLICE: Scope = { records: (table) => inSeventh(`${table}.user_id`), users: inSlice };
const OF_PART: Scope = { records: inPart, users: (column) => `${column} = $1` };

/** A check that reads records in full, each by itself. */
export function checkOfRecords(name: string, textFor: (scope: Scope) => string): Required<Check> {
  const ofSlice = statement(name, DIFFERENCE, textFor(OF_SLICE));
  const ofPart = statement(`${name}-in-part`, DIFFERENCE, textFor(OF_PART));
  return {
    find: (tx, { above, upTo, seventh }) => tx.query(ofSlice, [above, upTo, seventh]),
    findInPart: (tx, part) => tx.query(ofPart, valuesOf(part)),
  };
}

/** Limits the records of a table to a part: $1, $2 and $3. An equal user lets the index begin at the number. */
export function inPart(table: string): string {
  return `${table}.user_id = $1 AND ${table}.sequence > $2::bigint AND ${table}.sequence <= $3::bigint`;
}

export function valuesOf({ userId, after, upTo }: Part): unknown[] {
  return [userId, after, upTo];
}
