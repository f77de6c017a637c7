import type { NameSource } from "../foods/matching/match.ts";
import type { TimeRange } from "../lists/timeframe.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, float8, int4, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { summaryOf } from "./summary.ts";

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
const ROW_COUNTS = `count(*)::int AS times, min(seen_at) AS first_seen, max(seen_at) AS last_seen,
                coalesce(sum(amount_minor) FILTER (WHERE currency = $2), 0) AS spend`;
/** Names that have an alias, and the merchants at which they have one: "" is any. */
const ALIASED = `SELECT name_id, array_agg(merchant_key) AS merchants
           FROM (SELECT left(${NAME_ID}, 32)::uuid AS name_id, merchant_key FROM aliases WHERE application_id = $1) AS each
           GROUP BY name_id`;

/** How the names of a page are counted. */
interface Counting {
  /** Names whose rows are read themselves, and the merchants where they are known. */
  readonly apart: string;
  /** The counts of names, those apart among them or not. */
  readonly counted: string;
  /** The rows of `seen` that count. */
  readonly within: string;
}

const PAGE_COLUMNS = {
  total: int4,
  nameId: orNull(uuid),
  times: orNull(int4),
  firstSeen: orNull(timestamptz),
  lastSeen: orNull(timestamptz),
};
/** A page of names. $1: application, $2: currency, $3 and $4: offset and limit, $5 and $6: time. */
const pageOf = ({ apart, counted, within }: Counting): string =>
  `WITH apart AS MATERIALIZED (${apart}), names AS MATERIALIZED (
           SELECT counted.* FROM (${counted}) AS counted LEFT JOIN apart USING (name_id) WHERE apart.name_id IS NULL
           UNION ALL
           SELECT name_id, ${ROW_COUNTS} FROM apart JOIN unknown_names AS seen USING (name_id)
           WHERE ${within} AND '' <> ALL (merchants) AND merchant_key <> ALL (merchants) GROUP BY name_id
         )
         SELECT total, name_id AS "nameId", times, first_seen AS "firstSeen", last_seen AS "lastSeen"
         FROM (SELECT count(*)::int AS total FROM names) AS all_names LEFT JOIN LATERAL (
           SELECT * FROM names ORDER BY CASE WHEN $2::text IS NOT NULL THEN spend END DESC, times DESC, last_seen DESC, name_id
           OFFSET $3 LIMIT $4
         ) AS page ON true`;

const KEPT = "name_id, currency, times, amount_minor, first_seen, last_seen";
/** Of all time: by the counts that are kept (sums/store.ts). Names that have lost rows are counted here until then. */
const PAGE = statement(
  "unknown-names.page",
  PAGE_COLUMNS,
  pageOf({
    apart: `SELECT name_id, coalesce(merchants, '{}') AS merchants FROM (${ALIASED}) AS aliased
           FULL JOIN (SELECT DISTINCT name_id FROM unknown_name_changes WHERE application_id = $1 AND times < 0) AS removed
             USING (name_id)`,
    counted: `SELECT name_id, sum(times)::int AS times, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
                  coalesce(sum(amount_minor) FILTER (WHERE currency = $2), 0) AS spend
           FROM (SELECT ${KEPT} FROM unknown_name_sums WHERE application_id = $1
                 UNION ALL SELECT ${KEPT} FROM unknown_name_changes WHERE application_id = $1
                 LIMIT ${READ_MAX}) AS kept GROUP BY name_id`,
    within: "seen.application_id = $1",
  }),
);
const IN_TIME = `seen.application_id = $1 AND seen.seen_at >= coalesce($5::timestamptz, '-infinity')
             AND seen.seen_at < coalesce($6::timestamptz, 'infinity')`;
/** Of some time: its rows, in an index alone. */
const PAGE_IN_TIME = statement(
  "unknown-names.page-in-time",
  PAGE_COLUMNS,
  pageOf({
    apart: ALIASED,
    counted: `SELECT name_id, ${ROW_COUNTS}
           FROM (SELECT name_id, seen_at, currency, amount_minor FROM unknown_names AS seen WHERE ${IN_TIME}
                 LIMIT ${READ_MAX}) AS counted_rows GROUP BY name_id`,
    within: IN_TIME,
  }),
);
const ALIKE_COLUMNS = {
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
};
/** Aliases are looked up for what is alike: that is far less. One with an alias, there or anywhere, is known. */
const withKnown = (alike: string): string =>
  `SELECT name_id AS "nameId", name, source, merchant_key AS "merchantKey", merchant_name AS "merchantName",
                nullif(currency, '') AS currency, times::int AS times, amount::float8 AS "amountMinor",
                first_seen AS "firstSeen", last_seen AS "lastSeen",
                EXISTS (SELECT 1 FROM aliases WHERE aliases.application_id = $1 AND aliases.name_key = alike.name_key
                        AND aliases.merchant_key IN ('', alike.merchant_key)) AS "isKnown"
         FROM (${alike}) AS alike`;
const SAME = "name_id, name, name_key, source, merchant_key, merchant_name, currency";
const alikeRows = (from: string): string =>
  `SELECT ${SAME}, count(*) AS times, sum(amount_minor) AS amount, min(seen_at) AS first_seen, max(seen_at) AS last_seen
           FROM ${from} AS seen GROUP BY ${SAME}`;
/** The rows of names $2 that are alike but for their user and time, by the counts that are kept. */
const ALIKE = statement(
  "unknown-names.alike",
  ALIKE_COLUMNS,
  `WITH removed AS MATERIALIZED (
           SELECT DISTINCT name_id FROM unknown_name_changes
           WHERE application_id = $1 AND times < 0 AND name_id = ANY ($2::uuid[])
         ) ${withKnown(
           `SELECT ${SAME}, sum(times) AS times, sum(amount_minor) AS amount, min(first_seen) AS first_seen,
                  max(last_seen) AS last_seen
           FROM (SELECT ${SAME}, times, amount_minor, first_seen, last_seen FROM unknown_name_kinds
                 WHERE application_id = $1 AND name_id = ANY ($2)
                 UNION ALL SELECT ${SAME}, times, amount_minor, first_seen, last_seen FROM unknown_name_changes
                 WHERE application_id = $1 AND name_id = ANY ($2)) AS kept
           WHERE name_id NOT IN (SELECT name_id FROM removed) GROUP BY ${SAME}
           UNION ALL ${alikeRows(
             `(SELECT * FROM unknown_names WHERE application_id = $1 AND name_id IN (SELECT name_id FROM removed)
                 LIMIT ${READ_MAX})`,
           )}`,
         )}`,
);
/** Those of some time, by their rows. */
const ALIKE_IN_TIME = statement("unknown-names.alike-in-time", ALIKE_COLUMNS, withKnown(alikeRows(NAMED)));
const USERS = statement(
  "unknown-names.users",
  { nameId: uuid, users: int4 },
  // In the index alone and in its order, but for the names $5, which have aliases at some merchants.
  `SELECT name_id AS "nameId", count(DISTINCT user_id)::int AS users FROM (
           SELECT name_id, user_id FROM unknown_names AS seen WHERE ${WITHIN} AND name_id = ANY ($4)
           ORDER BY name_id, user_id LIMIT ${READ_MAX}
         ) AS of_any GROUP BY name_id
         UNION ALL
         SELECT name_id, count(DISTINCT user_id)::int FROM unknown_names AS seen
         WHERE ${WITHIN} AND name_id = ANY ($5)
           AND NOT EXISTS (SELECT 1 FROM aliases WHERE aliases.application_id = $1 AND aliases.name_key = seen.name_key
                           AND aliases.merchant_key = seen.merchant_key)
         GROUP BY name_id`,
);

interface NamesWithin extends TimeRange {
  readonly applicationId: string;
}

/** The requested part of the list. `currency`: by what was spent in it; null: by the number of submissions. */
export interface NamesQuery extends NamesWithin {
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
  const part = [applicationId, currency, offset, limit];
  const rows = await (from || before ? tx.query(PAGE_IN_TIME, [...part, from, before]) : tx.query(PAGE, part));
  const ids = rows.flatMap(({ nameId }) => nameId ?? []);
  if (ids.length === 0) return { total: rows[0]?.total ?? 0, names: [] };
  const { alike, users } = await detailsOf(tx, query, ids);
  const names = rows.flatMap(({ nameId, times, firstSeen, lastSeen }): UnknownName[] => {
    const found = nameId === null ? undefined : alike.get(nameId);
    // Erased between two statements.
    if (!found || nameId === null || times === null || !firstSeen || !lastSeen) return [];
    return [{ nameId, times, firstSeen, lastSeen, users: users.get(nameId) ?? 0, ...summaryOf(found) }];
  });
  return { total: rows[0]?.total ?? 0, names };
}

/** What is alike of names that are not known, and their numbers of users. */
async function detailsOf(tx: Tx, within: NamesWithin, ids: readonly string[]) {
  const { applicationId, from, before } = within;
  const inTime = [applicationId, from, before];
  const found = await (from || before
    ? tx.query(ALIKE_IN_TIME, [...inTime, ids])
    : tx.query(ALIKE, [applicationId, ids]));
  const alike = Map.groupBy(
    found.filter(({ isKnown }) => !isKnown),
    ({ nameId }) => nameId,
  );
  const partly = [...new Set(found.flatMap(({ nameId, isKnown }) => (isKnown ? nameId : [])))];
  const wholly = ids.filter((id) => !partly.includes(id));
  const counted = await tx.query(USERS, [...inTime, wholly, partly]);
  return { alike, users: new Map(counted.map(({ nameId, users }) => [nameId, users])) };
}

/** One of the names of the list, by its id. Null: it is not listed. */
export async function listedName(tx: Tx, applicationId: string, nameId: string): Promise<UnknownName | null> {
  const { alike, users } = await detailsOf(tx, { applicationId, from: null, before: null }, [nameId]);
  const found = alike.get(nameId);
  if (!found) return null;
  const times = found.reduce((sum, row) => sum + row.times, 0);
  const firstSeen = new Date(Math.min(...found.map((row) => row.firstSeen.getTime())));
  const lastSeen = new Date(Math.max(...found.map((row) => row.lastSeen.getTime())));
  return { nameId, times, firstSeen, lastSeen, users: users.get(nameId) ?? 0, ...summaryOf(found) };
}
