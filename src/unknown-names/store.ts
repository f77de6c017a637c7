import { arrayColumns } from "../postgres/array-columns.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, float8, int4, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { TimeRange } from "../lists/timeframe.ts";
import type { NameSource } from "../foods/matching/match.ts";
import { sightingsOf } from "./sightings.ts";
import { summaryOf } from "./summary.ts";
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

/** Rows that one statement reads at most. The job of the night leaves fewer. */
const READ_MAX = 400_000;
/** $1: application, $2 and $3: time. */
const WITHIN = `seen.application_id = $1 AND ($2::timestamptz IS NULL OR seen.seen_at >= $2)
             AND ($3::timestamptz IS NULL OR seen.seen_at < $3)`;
/** Rows of the names $4. */
const NAMED = `(SELECT * FROM unknown_names AS seen WHERE ${WITHIN} AND name_id = ANY ($4) LIMIT ${READ_MAX})`;
/** As nameIdOf. */
const NAME_ID = `overlay(overlay(encode(sha256(convert_to(application_id || E'\\n' || name_key, 'UTF8')), 'hex')
                    PLACING '8' FROM 13) PLACING '8' FROM 17)`;
const COUNTS = `count(*)::int AS times, min(seen_at) AS first_seen, max(seen_at) AS last_seen,
                coalesce(sum(amount_minor) FILTER (WHERE currency = $4), 0) AS spend`;

const PAGE = statement(
  "unknown-names.page",
  {
    total: int4,
    nameId: orNull(uuid),
    times: orNull(int4),
    firstSeen: orNull(timestamptz),
    lastSeen: orNull(timestamptz),
  },
  // All names are counted in an index alone; only those with aliases at single merchants are read themselves.
  `WITH aliased AS MATERIALIZED (
           SELECT name_id, array_agg(merchant_key) AS merchants
           FROM (SELECT left(${NAME_ID}, 32)::uuid AS name_id, merchant_key FROM aliases WHERE application_id = $1) AS each
           GROUP BY name_id
         ), names AS MATERIALIZED (
           SELECT counted.* FROM (
             SELECT name_id, ${COUNTS}
             FROM (SELECT name_id, seen_at, currency, amount_minor FROM unknown_names AS seen WHERE ${WITHIN}
                   LIMIT ${READ_MAX}) AS counted_rows GROUP BY name_id
           ) AS counted LEFT JOIN aliased USING (name_id) WHERE aliased.name_id IS NULL
           UNION ALL
           SELECT name_id, ${COUNTS} FROM aliased JOIN unknown_names AS seen USING (name_id)
           WHERE ${WITHIN} AND '' <> ALL (merchants) AND merchant_key <> ALL (merchants) GROUP BY name_id
         )
         SELECT total, name_id AS "nameId", times, first_seen AS "firstSeen", last_seen AS "lastSeen"
         FROM (SELECT count(*)::int AS total FROM names) AS all_names LEFT JOIN LATERAL (
           SELECT * FROM names ORDER BY CASE WHEN $4::text IS NOT NULL THEN spend END DESC, times DESC, last_seen DESC, name_id
           OFFSET $5 LIMIT $6
         ) AS page ON true`,
);
/** The rows of names that are alike but for their user and time. One with an alias, there or anywhere, is known. */
const ALIKE = statement(
  "unknown-names.alike",
  {
    nameId: uuid,
    name: text,
    source: oneOf(["receipt", "meal", "food"]),
    merchantKey: text,
    merchantName: orNull(text),
    currency: orNull(text),
    times: int4,
    amountMinor: float8,
    firstSeen: timestamptz,
    lastSeen: timestamptz,
    isKnown: bool,
  },
  // Aliases are looked up for what is alike: that is far less.
  `SELECT name_id AS "nameId", name, source, merchant_key AS "merchantKey", merchant_name AS "merchantName", currency,
                times, amount AS "amountMinor", first_seen AS "firstSeen", last_seen AS "lastSeen",
                EXISTS (SELECT FROM aliases WHERE aliases.application_id = $1 AND aliases.name_key = alike.name_key
                        AND aliases.merchant_key IN ('', alike.merchant_key)) AS "isKnown"
         FROM (
           SELECT name_id, name, name_key, source, merchant_key, merchant_name, currency, count(*)::int AS times,
                  sum(amount_minor)::float8 AS amount, min(seen_at) AS first_seen, max(seen_at) AS last_seen
           FROM ${NAMED} AS seen GROUP BY name_id, name, name_key, source, merchant_key, merchant_name, currency
         ) AS alike`,
);
const USERS = statement(
  "unknown-names.users",
  { nameId: uuid, users: int4 },
  // In the index alone, but for the names $5, which have aliases at some merchants.
  `SELECT name_id AS "nameId", count(*)::int AS users FROM (
           SELECT DISTINCT name_id, user_id FROM (
             SELECT name_id, user_id FROM unknown_names AS seen WHERE ${WITHIN} AND name_id = ANY ($4) LIMIT ${READ_MAX}
           ) AS of_any
           UNION
           SELECT DISTINCT name_id, user_id FROM unknown_names AS seen
           WHERE ${WITHIN} AND name_id = ANY ($5)
             AND NOT EXISTS (SELECT FROM aliases WHERE aliases.application_id = $1 AND aliases.name_key = seen.name_key
                             AND aliases.merchant_key = seen.merchant_key)
         ) AS naming GROUP BY name_id`,
);

/** The requested part of the list. `currency`: by what was spent in it; null: by the number of submissions. */
export interface NamesQuery extends TimeRange {
  readonly applicationId: string;
  readonly currency: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** A name with its counts. */
export interface UnknownName {
  readonly nameId: string;
  /** As it is written most often. */
  readonly name: string;
  readonly times: number;
  readonly users: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly sources: Readonly<Record<NameSource, number>>;
  readonly merchants: readonly { readonly merchantName: string; readonly times: number }[];
  readonly spend: readonly { readonly currency: string; readonly amountMinor: number }[];
}

/** A page of an application's unknown names, and the number of all. */
export async function unknownNames(tx: Tx, query: NamesQuery): Promise<{ total: number; names: UnknownName[] }> {
  const { applicationId, from, before, currency, offset, limit } = query;
  const rows = await tx.query(PAGE, [applicationId, from, before, currency, offset, limit]);
  const ids = rows.flatMap(({ nameId }) => nameId ?? []);
  if (ids.length === 0) return { total: rows[0]?.total ?? 0, names: [] };
  const { alike, users } = await detailsOf(tx, [applicationId, from, before], ids);
  const names = rows.flatMap(({ nameId, times, firstSeen, lastSeen }): UnknownName[] => {
    const found = nameId === null ? undefined : alike.get(nameId);
    // Erased between two statements.
    if (!found || nameId === null || times === null || !firstSeen || !lastSeen) return [];
    return [{ nameId, times, firstSeen, lastSeen, users: users.get(nameId) ?? 0, ...summaryOf(found) }];
  });
  return { total: rows[0]?.total ?? 0, names };
}

/** What is alike of names that are not known, and their numbers of users. */
async function detailsOf(tx: Tx, within: readonly unknown[], ids: readonly string[]) {
  const found = await tx.query(ALIKE, [...within, ids]);
  const alike = Map.groupBy(
    found.filter(({ isKnown }) => !isKnown),
    ({ nameId }) => nameId,
  );
  const partly = [...new Set(found.flatMap(({ nameId, isKnown }) => (isKnown ? nameId : [])))];
  const wholly = ids.filter((id) => !partly.includes(id));
  const counted = await tx.query(USERS, [...within, wholly, partly]);
  return { alike, users: new Map(counted.map(({ nameId, users }) => [nameId, users])) };
}

/** One of the names of the list, by its id. Null: it is not listed. */
export async function listedName(tx: Tx, applicationId: string, nameId: string): Promise<UnknownName | null> {
  const { alike, users } = await detailsOf(tx, [applicationId, null, null], [nameId]);
  const found = alike.get(nameId);
  if (!found) return null;
  const times = found.reduce((sum, row) => sum + row.times, 0);
  const firstSeen = new Date(Math.min(...found.map((row) => row.firstSeen.getTime())));
  const lastSeen = new Date(Math.max(...found.map((row) => row.lastSeen.getTime())));
  return { nameId, times, firstSeen, lastSeen, users: users.get(nameId) ?? 0, ...summaryOf(found) };
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
