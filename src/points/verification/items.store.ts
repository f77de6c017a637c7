import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, bytea, json, neverNull, orNull, statement, uuid } from "../../postgres/statement.ts";
import type { RowOf } from "../../postgres/statement.ts";
import { HAS_CONTENT } from "../stored-body.ts";
import { brokenItems } from "./bodies.ts";
import type { CreditedRecord } from "./bodies.ts";
import { readable } from "./bodies.store.ts";
import { DIFFERENCES_MAX, checkInDepth, inSeventh } from "./check.ts";
import type { Difference } from "./check.ts";

const PAGE = 250;
const PLACES = arrayColumns<RowOf<typeof PLACE>>({
  user_id: ["uuid", ({ userId }) => userId],
  id: ["uuid", ({ id }) => id],
});
const PLACE = { userId: uuid, id: neverNull(uuid) };
const NEXT = statement(
  "ledger.verify-items-page",
  PLACE,
  `SELECT DISTINCT user_id AS "userId", related_id AS id FROM records
         WHERE ${inSeventh("user_id")} AND (user_id, related_id) > ($4, $5) AND related_id IS NOT NULL
           AND operation IN (3, 6)
         ORDER BY user_id, related_id LIMIT ${PAGE}`,
);
const CREDITED = {
  userId: uuid,
  id: uuid,
  submissionId: uuid,
  items: orNull(json<CreditedRecord["items"]>()),
  packed: orNull(bytea),
  isReversed: bool,
  later: orNull(json<CreditedRecord["later"]>()),
};
// One statement for what is compared: the service books meanwhile.
const READ = statement(
  "ledger.verify-items",
  CREDITED,
  `SELECT first.user_id AS "userId", first.id, first.submission_id AS "submissionId", first.body -> 'items' AS items,
                first.packed,
                EXISTS (SELECT 1 FROM record_changes WHERE record_changes.user_id = first.user_id
                        AND record_id = first.id AND status = 4) AS "isReversed",
                (SELECT jsonb_agg(jsonb_build_object('isReversal', later.operation = 6, 'items', later.body -> 'items')
                                  ORDER BY later.sequence)
                 FROM records AS later WHERE later.user_id = first.user_id AND later.related_id = first.id
                   AND later.operation IN (3, 6)) AS later
         FROM ${PLACES.unnest} AS wanted (${PLACES.names})
           JOIN records AS first ON first.user_id = wanted.user_id AND first.id = wanted.id
         WHERE first.operation IN (1, 3) AND ${HAS_CONTENT}
         ORDER BY first.user_id, first.id`,
);

/**
 * An item is credited once and taken back at most once, by as much as it gave. A record is marked as reversed exactly
 * when a reversal left no item of it: after a correction that leaves none, another one may add some. Records whose
 * items were erased are left out.
 */
export const ITEMS = checkInDepth(async (tx, values) => {
  const differences: Difference[] = [];
  let after: readonly unknown[] = [values[0], "ffffffff-ffff-ffff-ffff-ffffffffffff"];
  for (;;) {
    const places = await tx.query(NEXT, [...values, ...after]);
    const last = places.at(-1);
    if (!last) return differences;
    differences.push(...(await differencesOf(tx, places)).slice(0, DIFFERENCES_MAX - differences.length));
    if (places.length < PAGE) return differences;
    after = [last.userId, last.id];
  }
});

async function differencesOf(tx: Tx, places: readonly RowOf<typeof PLACE>[]): Promise<Difference[]> {
  const rows = await tx.query(READ, PLACES.values(places));
  return rows.flatMap(({ userId, id, submissionId, items, packed, isReversed, later }) => {
    // What cannot be read is a difference of the record itself.
    const own = packed ? (readable(packed, submissionId)?.items ?? null) : items;
    const broken = own ? brokenItems({ isReversed, items: own, later: later ?? [] }) : [];
    return broken.length > 0 ? [{ userId, what: `record ${id}: ${broken.join(", ")}` }] : [];
  });
}
