import { text, uuid } from "../../postgres/statement.ts";
import type { Tx } from "../../postgres/postgres.ts";

/** The columns of a check's rows: one row for each difference. */
export const DIFFERENCE = { userId: uuid, what: text };

/** A member of the ledger that is not what its records say. */
export interface Difference {
  readonly userId: string;
  readonly what: string;
}

/** The most differences that one verification reports. */
export const DIFFERENCES_MAX = 1_000;

/** One kind of verification. */
export interface Check {
  /** Whether it reads every record in full: it costs several times as much as the sums. */
  readonly isDeep: boolean;
  /**
   * The differences of users above one id and up to another, at most DIFFERENCES_MAX. The service books meanwhile:
   * what is compared must come from one statement.
   */
  find(tx: Tx, above: string, upTo: string): Promise<Difference[]>;
}
