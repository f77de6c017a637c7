// The balance of a user with many records: their sums are carried from part to part.
import type { Tx } from "../../postgres/postgres.ts";
import { bool, statement, text } from "../../postgres/statement.ts";
import { DIFFERING, DIFFERS, RECORD, orderedOf } from "./balances.store.ts";
import { inPart, valuesOf } from "./by-record.store.ts";
import { DIFFERENCE, breaks, differencesOf } from "./check.ts";
import type { Difference, Part } from "./check.ts";

/** The sums of all earlier records, and the last one: JSON ($4) that only PostgreSQL reads, so no digit is lost. */
const CARRIED = `carried AS (
           SELECT * FROM jsonb_to_record($4::jsonb) AS carried (records bigint, other_records bigint,
             last_sequence bigint, points numeric, lifetime_points numeric, carbon_points numeric, green_products numeric,
             last_at timestamptz, last_id uuid, application_id uuid, is_mixed boolean, expiries bigint[]))`;
const NONE = JSON.stringify({
  records: 0,
  other_records: 0,
  last_sequence: 0,
  points: 0,
  lifetime_points: 0,
  carbon_points: 0,
  green_products: 0,
  is_mixed: false,
  expiries: [],
});
const ORDERED = `ordered AS (${orderedOf(inPart("records"), {
  id: "(SELECT last_id FROM carried)",
  at: "(SELECT last_at FROM carried)",
  applicationId: "(SELECT application_id FROM carried)",
  points: "(SELECT points FROM carried)",
})})`;
/** The records up to the end of the part: one row, also of a part without records. */
const SUMMED = `summed AS (
           SELECT min(carried.records) + count(ordered.id) AS records,
                  min(carried.other_records)
                    + count(*) FILTER (WHERE operation <> 1 OR source = 'manual') AS other_records,
                  coalesce(max(sequence), min(carried.last_sequence)) AS last_sequence,
                  min(carried.points) + coalesce(sum(total_points), 0) AS points,
                  min(carried.lifetime_points)
                    + coalesce(sum(total_points) FILTER (WHERE is_lifetime), 0) AS lifetime_points,
                  min(carried.carbon_points) + coalesce(sum(ordered.carbon_points), 0) AS carbon_points,
                  min(carried.green_products) + coalesce(sum(ordered.green_products), 0) AS green_products,
                  coalesce(max(created_at) FILTER (WHERE is_last), min(carried.last_at)) AS last_at,
                  coalesce((array_agg(ordered.id) FILTER (WHERE is_last))[1], (array_agg(last_id))[1]) AS last_id,
                  coalesce((array_agg(ordered.application_id) FILTER (WHERE is_last))[1],
                           (array_agg(carried.application_id))[1]) AS application_id,
                  bool_or(is_mixed OR coalesce(ordered.application_id <> earlier_application_id, false)) AS is_mixed,
                  coalesce(bool_or(ordered.breaks), false) AS is_broken,
                  count(ordered.id) = 0 AS is_empty,
                  (SELECT expiries FROM carried) || array_agg(sequence ORDER BY sequence) FILTER (WHERE operation = 5)
                    AS expiries
           FROM carried LEFT JOIN (SELECT *, ${breaks(RECORD)} AS breaks FROM ordered) AS ordered ON true
         )`;

const CARRY = statement(
  "ledger.verify-balance-part",
  { carried: text, isBroken: bool, isEmpty: bool },
  `WITH ${CARRIED}, ${ORDERED}, ${SUMMED}
         SELECT to_jsonb(summed)::text AS carried, is_broken AS "isBroken", is_empty AS "isEmpty" FROM summed`,
);
const FIND_RECORDS = statement(
  "ledger.verify-records-in-part",
  DIFFERENCE,
  `WITH ${CARRIED}, ${ORDERED} ${differencesOf("ordered", RECORD)}`,
);
const FIND_BALANCE = statement(
  "ledger.verify-balance-in-parts",
  DIFFERENCE,
  `WITH ${CARRIED}, ${ORDERED}, ${SUMMED}
         SELECT held.user_id AS "userId", ${DIFFERING} AS what
         FROM balances AS held JOIN users ON users.id = held.user_id CROSS JOIN summed
         WHERE held.user_id = $1 AND users.id = $1 AND (${DIFFERS})`,
);

/** Checks the balance of one user against all of the user's records, and each of them: part after part. */
export class BalanceInParts {
  #carried = NONE;
  /** Whether the latest part had no record: the balance then counts more than there are. */
  isEmpty = false;

  /** The numbers of the expiries of all parts so far. */
  get expiries(): readonly number[] {
    return (JSON.parse(this.#carried) as { expiries: number[] }).expiries;
  }

  /** A part before the last one: its records never change, so that they may be read at any time. */
  async next(tx: Tx, part: Part): Promise<Difference[]> {
    const before = this.#carried;
    const [summed] = await tx.query(CARRY, [...valuesOf(part), before]);
    this.#carried = summed!.carried;
    this.isEmpty = summed!.isEmpty;
    return summed!.isBroken ? tx.query(FIND_RECORDS, [...valuesOf(part), before]) : [];
  }

  /** The last part, with all records that came meanwhile: in one snapshot with the balance. */
  async last(tx: Tx, part: Part): Promise<Difference[]> {
    const before = this.#carried;
    const balance = await tx.query(FIND_BALANCE, [...valuesOf(part), before]);
    return [...balance, ...(await this.next(tx, part))];
  }
}
