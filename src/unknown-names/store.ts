import { arrayColumns } from "../postgres/array-columns.ts";
import type { Tx } from "../postgres/postgres.ts";
import { oneOf, statement, text, uuid } from "../postgres/statement.ts";
import type { NameSource } from "../foods/matching/match.ts";
import { sightingsOf } from "./sightings.ts";
import type { Sighted, Sighting } from "./sightings.ts";

const SIGHTINGS = arrayColumns<Sighting>({
  user_id: ["uuid", ({ userId }) => userId],
  submission_id: ["uuid", ({ submissionId }) => submissionId],
  name_id: ["uuid", ({ nameId }) => nameId],
  application_id: ["uuid", ({ applicationId }) => applicationId],
  name: ["text", ({ name }) => name],
  name_key: ["text", (each) => each.nameKey],
  source: ["text", ({ source }) => source],
  merchant_name: ["text", ({ merchantName }) => merchantName],
  merchant_key: ["text", (each) => each.merchantKey],
  currency: ["text", ({ currency }) => currency],
  amount_minor: ["bigint", ({ amountMinor }) => amountMinor],
});
const RECORD = statement(
  "unknown-names.record",
  {},
  `INSERT INTO unknown_names (${SIGHTINGS.names}, seen_at)
         SELECT *, $${SIGHTINGS.next}::timestamptz FROM ${SIGHTINGS.unnest} ON CONFLICT DO NOTHING`,
);

/**
 * Stores the unknown names of finished submissions, in one statement; none where all is known. The caller holds the
 * submissions, so that no other tx adds the same rows, and an erasure deletes them after this.
 */
export async function recordUnknownNames(tx: Tx, submissions: readonly Sighted[], at: Date): Promise<void> {
  const rows = sightingsOf(submissions);
  if (rows.length > 0) await tx.query(RECORD, [...SIGHTINGS.values(rows), at]);
}

const NAME = statement(
  "unknown-names.name",
  { name: text },
  `SELECT mode() WITHIN GROUP (ORDER BY name) AS name FROM unknown_names
         WHERE application_id = $1 AND name_id = $2 HAVING count(*) > 0`,
);
const SUBMISSIONS = statement(
  "unknown-names.submissions",
  { userId: uuid, submissionId: uuid, source: oneOf(["receipt", "meal", "food"]) },
  `SELECT user_id AS "userId", submission_id AS "submissionId", source FROM unknown_names
         WHERE application_id = $1 AND name_id = $2 AND ($3 = '' OR merchant_key = $3)
         ORDER BY seen_at DESC, submission_id LIMIT $4`,
);

/** The name of this id, as it is written most often; null: the application has none. */
export async function unknownName(tx: Tx, applicationId: string, nameId: string): Promise<string | null> {
  return (await tx.query(NAME, [applicationId, nameId]))[0]?.name ?? null;
}

/** The newest submissions with a name, at one merchant or, with "", at any. */
export async function submissionsNaming(
  tx: Tx,
  applicationId: string,
  nameId: string,
  merchantKey: string,
  limit: number,
): Promise<{ userId: string; submissionId: string; source: NameSource }[]> {
  return tx.query(SUBMISSIONS, [applicationId, nameId, merchantKey, limit]);
}

/** What the job of the night leaves of each application. */
export interface Kept {
  readonly since: Date;
  readonly namesMax: number;
  readonly rowsMax: number;
  readonly rowsOfNameMax: number;
}

const CHUNK = 5_000;
const DELETE_OLD = statement(
  "unknown-names.delete-old",
  { nameId: uuid },
  `WITH chunk AS (SELECT user_id, submission_id, name_id FROM unknown_names WHERE seen_at < $1 LIMIT ${CHUNK})
         DELETE FROM unknown_names AS gone USING chunk
         WHERE gone.user_id = chunk.user_id AND gone.submission_id = chunk.submission_id AND gone.name_id = chunk.name_id
         RETURNING gone.name_id AS "nameId"`,
);
// The oldest of a name above its number of rows; then names above the number of names, or of rows of all: the rarest,
// of these the oldest.
const DELETE_EXCESS = statement(
  "unknown-names.delete-excess",
  { nameId: uuid },
  `WITH numbered AS (
           SELECT user_id, submission_id, name_id, application_id, seen_at,
                  row_number() OVER (PARTITION BY application_id, name_id ORDER BY seen_at DESC, submission_id) AS place
           FROM unknown_names
         ), names AS (
           SELECT application_id, name_id, row_number() OVER by_use AS rank, sum(count(*)) OVER by_use AS running
           FROM numbered WHERE place <= $1 GROUP BY application_id, name_id
           WINDOW by_use AS (PARTITION BY application_id ORDER BY count(*) DESC, max(seen_at) DESC, name_id)
         ), chunk AS (
           SELECT user_id, submission_id, name_id FROM numbered JOIN names USING (application_id, name_id)
           WHERE place > $1 OR rank > $2 OR running > $3 LIMIT ${CHUNK}
         )
         DELETE FROM unknown_names AS gone USING chunk
         WHERE gone.user_id = chunk.user_id AND gone.submission_id = chunk.submission_id AND gone.name_id = chunk.name_id
         RETURNING gone.name_id AS "nameId"`,
);

/** Deletes what is not kept, some thousand rows at a time. Returns their number. Stops when it is aborted. */
export async function trimUnknownNames(tx: Tx, kept: Kept, stopped: AbortSignal): Promise<number> {
  const { since, namesMax, rowsMax, rowsOfNameMax } = kept;
  const old = () => tx.query(DELETE_OLD, [since]);
  const excess = () => tx.query(DELETE_EXCESS, [rowsOfNameMax, namesMax, rowsMax]);
  let deleted = 0;
  for (const remove of [old, excess]) {
    for (let n = CHUNK; n === CHUNK && !stopped.aborted;) {
      n = (await remove()).length;
      deleted += n;
    }
  }
  return deleted;
}
