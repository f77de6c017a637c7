import { bool, bytea, float8, int4, neverNull, statement, uuid } from "../../postgres/statement.ts";
import type { RowOf } from "../../postgres/statement.ts";
import { unpackBody } from "../packed-body.ts";
import type { RecordBody } from "../record.ts";
import { isSumOfItems } from "./bodies.ts";
import { checkOfRecords, inPart, valuesOf } from "./by-record.store.ts";
import { DIFFERENCES_MAX, differencesOf, inSeventh } from "./check.ts";
import type { Check, Difference } from "./check.ts";

/** Of records whose content is JSON. */
const AS_JSON = checkOfRecords(
  "ledger.verify-bodies",
  // A body is read once, since each reading decompresses it: OFFSET 0 keeps that step apart.
  ({ records, users }) => `WITH read AS (
           SELECT records.user_id, records.id, operation, records.health_points, records.carbon_points,
                  records.bonus_points, records.co2e_mg, records.green_products, records.healthy_products, erased_at,
                  body.items IS NULL AS is_empty, body.granted, summed.*
           FROM records
           JOIN LATERAL (
             SELECT records.body -> 'items' AS items,
                    CASE source WHEN 'manual' THEN coalesce((records.body #>> '{bonus,points}')::int, 0) ELSE 0 END
                      AS granted
             OFFSET 0
           ) AS body ON true
           JOIN LATERAL (
             SELECT coalesce(sum((item ->> 'healthPoints')::int), 0) AS health,
                    coalesce(sum((item ->> 'carbonPoints')::int), 0) AS carbon,
                    coalesce(sum((item ->> 'bonusPoints')::int), 0) AS bonus,
                    coalesce(sum((item ->> 'co2eMg')::bigint), 0) AS co2e,
                    count(*) FILTER (WHERE (item ->> 'carbonRating')::int <= 2) AS green,
                    count(*) FILTER (WHERE (item ->> 'healthRating')::int <= 2) AS healthy
             FROM jsonb_array_elements(body.items) AS item
           ) AS summed ON true
           JOIN users ON users.id = records.user_id
           WHERE ${records("records")} AND ${users("users.id")} AND records.packed IS NULL
         )
         ${differencesOf("read", {
           "its content is missing": "is_empty AND erased_at IS NULL",
           "its items do not sum up to it": `NOT is_empty AND (health <> health_points OR carbon <> carbon_points
             OR bonus + granted <> bonus_points OR co2e <> co2e_mg
             OR operation IN (1, 6) AND (green * CASE operation WHEN 6 THEN -1 ELSE 1 END <> green_products
                                         OR healthy * CASE operation WHEN 6 THEN -1 ELSE 1 END <> healthy_products))`,
         })}`,
);
/** The largest packed body has 80 kB. */
const PAGE = 250;
const PACKED = {
  userId: uuid,
  sequence: float8,
  id: uuid,
  submissionId: uuid,
  isAward: bool,
  isTwice: bool,
  healthPoints: int4,
  carbonPoints: int4,
  bonusPoints: int4,
  greenProducts: int4,
  healthyProducts: int4,
  co2eMg: float8,
  packed: neverNull(bytea),
};
const SELECT_PACKED = `SELECT user_id AS "userId", sequence::float8 AS sequence, id, submission_id AS "submissionId",
                operation = 1 AND source <> 'manual' AS "isAward", body IS NOT NULL AS "isTwice",
                health_points AS "healthPoints", carbon_points AS "carbonPoints", bonus_points AS "bonusPoints",
                green_products AS "greenProducts", healthy_products AS "healthyProducts", co2e_mg::float8 AS "co2eMg", packed
         FROM records`;
const PACKED_OF_SLICE = statement(
  "ledger.verify-packed-bodies",
  PACKED,
  `${SELECT_PACKED}
         WHERE ${inSeventh("user_id")} AND (user_id, sequence) > ($4, $5) AND packed IS NOT NULL
         ORDER BY user_id, sequence LIMIT ${PAGE}`,
);
const PACKED_OF_PART = statement(
  "ledger.verify-packed-bodies-in-part",
  PACKED,
  `${SELECT_PACKED} WHERE ${inPart("records")} AND packed IS NOT NULL ORDER BY sequence LIMIT ${PAGE}`,
);
const SEQUENCE_MAX = "9223372036854775807";

type PackedRow = RowOf<typeof PACKED>;

/** Of records whose content is packed: it is read by Node, a page at a time. */
const AS_PACKED: Required<Check> = {
  find: (tx, { above, upTo, seventh }) =>
    inPages((last) =>
      tx.query(PACKED_OF_SLICE, [above, upTo, seventh, last?.userId ?? above, last?.sequence ?? SEQUENCE_MAX]),
    ),
  findInPart: (tx, part) =>
    inPages((last) => tx.query(PACKED_OF_PART, valuesOf({ ...part, after: last?.sequence ?? part.after }))),
};

async function inPages(read: (last: PackedRow | undefined) => Promise<PackedRow[]>): Promise<Difference[]> {
  const differences: Difference[] = [];
  let last: PackedRow | undefined;
  for (;;) {
    const rows = await read(last);
    differences.push(...rows.flatMap(differencesOfPacked).slice(0, DIFFERENCES_MAX - differences.length));
    last = rows.at(-1);
    if (rows.length < PAGE) return differences;
  }
}

/** The items of a record, or its bonus, sum up to it. An erasure removes them, and nothing else does. */
export const BODIES: Required<Check> = {
  find: (tx, slice) => both(AS_JSON.find(tx, slice), () => AS_PACKED.find(tx, slice)),
  findInPart: (tx, part) => both(AS_JSON.findInPart(tx, part), () => AS_PACKED.findInPart(tx, part)),
};

async function both(first: Promise<Difference[]>, second: () => Promise<Difference[]>): Promise<Difference[]> {
  return [...(await first), ...(await second())].slice(0, DIFFERENCES_MAX);
}

function differencesOfPacked(row: PackedRow): { userId: string; what: string }[] {
  const body = readable(row.packed, row.submissionId);
  const broken = [
    ...(row.isTwice || !row.isAward ? ["its content is packed, and must not be"] : []),
    ...(body ? [] : ["its content cannot be read"]),
    ...(body && !isSumOfItems(row, body) ? ["its items do not sum up to it"] : []),
  ];
  return broken.length > 0 ? [{ userId: row.userId, what: `record ${row.id}: ${broken.join(", ")}` }] : [];
}

/** A packed body; null: it is none of this submission. */
export function readable(packed: Buffer, submissionId: string): RecordBody | null {
  try {
    return unpackBody(packed, submissionId);
  } catch {
    return null;
  }
}
