// Fills a database with submissions as a service would have left them after 400 days: several applications, one of them
// large, users of one to a tenth of all submissions, events and deliveries of the last 30 days.
import type { Client } from "pg";
import { copyStatement, idAt } from "../copying.ts";
import type { OwnValues } from "../copying.ts";
import type { Progress } from "../progress.ts";
import { share, withoutIndexes } from "./indexes.ts";
import { TABLES, readOriginals } from "./models.ts";
import { classesFor, firstOf, placeOf } from "./shape.ts";

const DAYS = 400;
const EVENT_DAYS = 30;
const SLICE = 100_000;
/** Of a thousand submissions that are no redemption: receipts, and meals. The rest are foods. */
const RECEIPTS = 10;
const MEALS = 20;
/** Each 50th record of a user is a redemption: they have the points by then. */
const REDEMPTION_EACH = 50;
const PRODUCTS = 0.068;
const SESSIONS = 0.005;
const KEYS = 0.01;

/** What only the fill needs, in a schema of its own: both connections use it. */
const SCHEMA = "CREATE SCHEMA bench";
/** STABLE, so it is inlined. */
const ID_AT = `CREATE FUNCTION bench.id_at(at timestamptz, text) RETURNS uuid STABLE LANGUAGE sql AS $$
  SELECT ${idAt("$1", "$2")} $$`;
const OWNER = { user_id: "slice.user_id", application_id: "slice.application_id" };
const RECEIPT = { ...OWNER, receipt_id: "slice.submission_id" };
const RECORD = { ...OWNER, record_id: "slice.record_id", reference: "'grown-' || slice.n" };
const SUBJECT = `CASE source.subject WHEN slice.original_record_id THEN slice.record_id ELSE slice.submission_id END`;
const HASHED = (column: string): string => `sha256(source.${column} || convert_to(slice.n::text, 'UTF8'))`;

/** What a copy has of its own, and how it finds its source. */
const COPIES: Readonly<Record<string, { readonly own: OwnValues; readonly of: string; readonly isEvent?: boolean }>> = {
  records: {
    own: {
      ...OWNER,
      id: "slice.record_id",
      sequence: "slice.sequence",
      body: `CASE source.source WHEN 'reward' THEN jsonb_set(jsonb_set(source.body, '{reward,voucherIdentifier}',
               to_jsonb(slice.submission_id::text)), '{reference}', to_jsonb('grown-' || slice.n)) ELSE source.body END`,
      submission_id: `CASE source.submission_id WHEN source.id THEN slice.record_id ELSE slice.submission_id END`,
    },
    of: "source.id = slice.original_record_id",
  },
  intakes: {
    own: { ...OWNER, id: "slice.submission_id", reference: "'grown-' || slice.n" },
    of: "source.id = slice.original_id",
  },
  submission_references: {
    own: { ...OWNER, reference: "'grown-' || slice.n", submission_id: "slice.submission_id" },
    of: "source.submission_id = slice.original_id",
  },
  receipts: {
    own: {
      ...OWNER,
      id: "slice.submission_id",
      reference: "'grown-' || slice.n",
      image_key: "replace(source.image_key, source.id::text, slice.submission_id::text)",
      image_sha256: HASHED("image_sha256"),
    },
    of: "source.id = slice.original_id",
  },
  receipt_findings: { own: RECEIPT, of: "source.receipt_id = slice.original_id" },
  receipt_images: { own: { ...RECEIPT, sha256: HASHED("sha256") }, of: "source.receipt_id = slice.original_id" },
  receipt_facts: {
    own: { ...RECEIPT, fingerprint: HASHED("fingerprint") },
    of: "source.receipt_id = slice.original_id",
  },
  receipt_prints: {
    own: { ...RECEIPT, keys: "ARRAY(SELECT hashint8extended(key, slice.n) FROM unnest(source.keys) AS key)" },
    of: "source.receipt_id = slice.original_id",
  },
  receipt_purchases: {
    own: { ...RECEIPT, fingerprint: HASHED("fingerprint") },
    of: "source.receipt_id = slice.original_id",
  },
  redemptions: {
    own: { ...RECORD, id: `CASE source.id WHEN source.record_id THEN slice.record_id ELSE slice.submission_id END` },
    of: "source.record_id = slice.original_record_id",
  },
  record_references: { own: RECORD, of: "source.record_id = slice.original_record_id" },
  events: {
    own: {
      ...OWNER,
      subject: SUBJECT,
      id: `bench.id_at(source.created_at + slice.later, slice.n || '/' || source.id)`,
    },
    of: "source.subject IN (slice.original_id, slice.original_record_id)",
    isEvent: true,
  },
  deliveries: {
    own: { ...OWNER, subject: SUBJECT, endpoint_id: "slice.endpoint_id" },
    of: "source.subject IN (slice.original_id, slice.original_record_id)",
    isEvent: true,
  },
};

/** The largest first: the second connection does the others meanwhile. */
const BY_SIZE = ["records", "intakes", ...TABLES.filter((table) => table !== "records" && table !== "intakes")];

export interface Grown {
  readonly submissions: number;
  readonly users: number;
  readonly bytes: number;
  readonly seconds: number;
}

export interface Growth {
  /** A multiple of ten. */
  readonly submissions: number;
  /** The user whose submissions are copied. */
  readonly userId: string;
  /** The first is the large one, or the only one. */
  readonly applicationIds: readonly string[];
  /** Receipts of a thousand submissions; RECEIPTS without it. */
  readonly receipts?: number;
  readonly progress: Progress;
}

/** Fills the database, while the service is not running. */
export async function fill(clients: readonly Client[], growth: Growth): Promise<Grown> {
  const { submissions, userId } = growth;
  const client = clients[0]!;
  const startMs = performance.now();
  const elapsed = () => `${((performance.now() - startMs) / 1_000).toFixed(0)} s`;
  const progress: Progress = (text) => growth.progress(`growth: ${text} (${elapsed()})`);
  // A fill that a power cut ends is made again.
  for (const each of clients) {
    await each.query(
      "SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET jit = off",
    );
  }
  await client.query(SCHEMA);
  await client.query(ID_AT);
  await readOriginals(client, userId);
  progress("dropping indexes");
  const createIndexes = await withoutIndexes(client, [...TABLES, "products"]);
  await setAutovacuum(client, "SET (autovacuum_enabled = false)");
  const users = await fillUsers(client, growth, progress);
  await fillSubmissions(clients, growth, progress);
  progress("balances");
  await fillBalances(client);
  progress("sessions, keys and products");
  await fillBeside(client, submissions);
  // As autovacuum leaves them: with their visibility maps. Before the indexes, so that each page is written once.
  await share(clients, BY_SIZE, async (each, table) => {
    progress(`VACUUM ${table}`);
    await each.query(`VACUUM ${table}`);
  });
  await createIndexes(clients, progress);
  progress("ANALYZE");
  await client.query("ANALYZE");
  await setAutovacuum(client, "RESET (autovacuum_enabled)");
  await client.query("DROP SCHEMA bench CASCADE");
  const { rows } = await client.query<{ bytes: number }>(
    "SELECT pg_database_size(current_database())::float8 AS bytes",
  );
  const seconds = (performance.now() - startMs) / 1_000;
  return { submissions, users, bytes: rows[0]!.bytes, seconds };
}

/** A partitioned table has no such setting. */
async function setAutovacuum(client: Client, how: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE oid = ANY ($1::regclass[]) AND relkind = 'r'",
    [TABLES],
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} ${how}`);
}

const stepMsOf = (submissions: number): number => (DAYS * 86_400_000) / submissions;
/** The time of submission `n`; the last one was five minutes ago. */
const timeOf = (n: string, submissions: number): string =>
  `(clock.until - make_interval(secs => (${submissions} - ${n}) * ${stepMsOf(submissions) / 1_000}))`;

async function fillUsers(client: Client, growth: Growth, progress: Progress): Promise<number> {
  const { submissions, applicationIds } = growth;
  await client.query("CREATE TABLE bench.clock AS SELECT now() - interval '5 minutes' AS until");
  await client.query(`CREATE UNLOGGED TABLE bench.growing
    (kind int, number bigint, user_id uuid, application_id uuid, endpoint_id uuid, at timestamptz)`);
  let users = 0;
  for (const [kind, each] of classesFor(submissions).entries()) {
    progress(`${each.users.toLocaleString("en")} ${each.name} users`);
    // Seven of ten are of the large application, and the largest user is.
    await client.query(
      `INSERT INTO bench.growing
       SELECT ${kind}, number, bench.id_at(at, 'user ${kind}/' || number), application.id,
              (SELECT id FROM endpoints WHERE application_id = application.id ORDER BY id LIMIT 1), at
       FROM generate_series(0, ${each.users - 1}) AS number
         CROSS JOIN LATERAL (SELECT ${timeOf(firstOf(each, "number"), submissions)} - interval '1 minute' AS at FROM bench.clock) AS first
         JOIN unnest($1::uuid[]) WITH ORDINALITY AS application (id, place)
           ON place = CASE WHEN $2::int = 0 OR number % 10 < 7 THEN 1 ELSE 2 + number % $2::int END`,
      [applicationIds, applicationIds.length - 1],
    );
    users += each.users;
  }
  await client.query("ALTER TABLE bench.growing ADD PRIMARY KEY (kind, number)");
  await client.query("ANALYZE bench.growing");
  progress("storing the users");
  const email = "growing.user_id || '@example.org'";
  const own = { id: "growing.user_id", user_id: "growing.user_id", application_id: "growing.application_id", email };
  for (const table of ["users", "user_emails"]) {
    const from = `bench.growing CROSS JOIN bench.original_${table} AS source`;
    const later = table === "users" ? "(growing.at - source.created_at)" : "interval '0'";
    await client.query(await copyStatement(client, table, { own, from, later }));
  }
  return users;
}

async function fillSubmissions(clients: readonly Client[], growth: Growth, progress: Progress): Promise<void> {
  const { submissions, receipts = RECEIPTS } = growth;
  const client = clients[0]!;
  const statements: { text: string; isEvent: boolean }[] = [];
  for (const [table, { own, of, isEvent = false }] of Object.entries(COPIES)) {
    const from = `slice JOIN bench.original_${table} AS source ON ${of}${isEvent ? " WHERE slice.has_events" : ""}`;
    statements.push({ text: await copyStatement(client, table, { own, from, later: "slice.later" }), isEvent });
  }
  await client.query(`CREATE UNLOGGED TABLE bench.booked
    (user_id uuid, sequence bigint, record_id uuid, at timestamptz, original_record_id uuid)`);
  const eventsFrom = Math.floor(submissions * (1 - EVENT_DAYS / DAYS));
  const slices = Array.from({ length: Math.ceil(submissions / SLICE) }, (_, i) => i * SLICE);
  const startMs = performance.now();
  let done = 0;
  await share(clients, slices, async (each, from) => {
    const to = Math.min(submissions, from + SLICE);
    await each.query("DROP TABLE IF EXISTS slice");
    await each.query(sliceOf({ from, to, submissions, eventsFrom, receipts }));
    await each.query("ANALYZE slice");
    for (const { text, isEvent } of statements) if (!isEvent || to > eventsFrom) await each.query(text);
    await each.query(`INSERT INTO bench.booked SELECT user_id, sequence, record_id, at, original_record_id FROM slice`);
    done += to - from;
    const leftSeconds = ((submissions - done) / done) * ((performance.now() - startMs) / 1_000);
    const [count, all] = [done.toLocaleString("en"), submissions.toLocaleString("en")];
    progress(`${count} of ${all}, about ${leftSeconds.toFixed(0)} s left, then indexes`);
  });
  for (const each of clients) await each.query("DROP TABLE IF EXISTS slice");
}

/** The submissions from `from` to before `to`, each with its user, its ids and its original. */
function sliceOf(of: { from: number; to: number; submissions: number; eventsFrom: number; receipts: number }): string {
  const { from, to, submissions, eventsFrom, receipts } = of;
  const { kind, user, nth } = placeOf(classesFor(submissions), "n");
  // MATERIALIZED: what is used several times is computed once.
  return `
    CREATE TEMP TABLE slice AS
    WITH placed AS MATERIALIZED (
      SELECT n, ${kind} AS kind, ${user} AS number, ${nth} AS nth, ${timeOf("n", submissions)} AS at,
             abs(hashint8(n)::bigint) % 1000 AS part, abs(hashint8(n)::bigint) / 1000 AS part_of
      FROM generate_series(${from}::bigint, ${to - 1}) AS n CROSS JOIN bench.clock
    )
    SELECT n, growing.user_id, growing.application_id, growing.endpoint_id, placed.nth AS sequence,
           n >= ${eventsFrom} AS has_events, originals.submission_id AS original_id,
           originals.record_id AS original_record_id, placed.at - originals.at AS later,
           bench.id_at(placed.at, 'submission ' || n) AS submission_id,
           bench.id_at(placed.at, 'record ' || n) AS record_id, placed.at
    FROM placed JOIN bench.growing USING (kind, number)
      JOIN bench.originals ON originals.kind =
             CASE WHEN placed.nth % ${REDEMPTION_EACH} = 0 THEN 'reward' WHEN part < ${receipts} THEN 'receipt'
                  WHEN part < ${receipts + MEALS} THEN 'meal' ELSE 'food' END
        AND originals.nth = part_of % originals.count`;
}

async function fillBalances(client: Client): Promise<void> {
  const from = `(
    SELECT booked.user_id, count(*) AS records, count(*) FILTER (WHERE operation <> 1) AS other_records,
           coalesce(sum(total_points) FILTER (WHERE is_lifetime), 0) AS lifetime_points, sum(total_points) AS available_points,
           sum(carbon_points) AS carbon_points, sum(green_products) AS green_products,
           max(record_id::text COLLATE "C")::uuid AS last_record_id, max(booked.at) AS last_record_at
    FROM bench.booked JOIN bench.original_records ON original_records.id = original_record_id GROUP BY booked.user_id
  ) AS sums CROSS JOIN bench.original_balances AS source`;
  const names = ["user_id", "records", "other_records", "lifetime_points", "available_points", "carbon_points"];
  const all = [...names, "green_products", "last_record_id", "last_record_at"];
  const own = Object.fromEntries(all.map((name) => [name, `sums.${name}`]));
  await client.query(await copyStatement(client, "balances", { own, from }));
  await client.query("DROP TABLE bench.booked");
}

/** Sessions and idempotency keys of the last days, and products of a supermarket or ten. */
async function fillBeside(client: Client, submissions: number): Promise<void> {
  const rows = (table: string, share: number, hours: number): string =>
    `(SELECT n, make_interval(secs => n * ${(hours * 3_600) / (submissions * share)}) AS ago
      FROM generate_series(1, ${Math.round(submissions * share)}) AS n) AS made CROSS JOIN bench.clock
     CROSS JOIN (SELECT * FROM bench.original_${table} LIMIT 1) AS source`;
  const token = "sha256(convert_to('grown ' || n, 'UTF8'))";
  const keys = { key_hash: token, id: "gen_random_uuid()", created_at: "clock.until - ago" };
  await client.query(
    await copyStatement(client, "idempotency_keys", { own: keys, from: rows("idempotency_keys", KEYS, 20) }),
  );
  const sessions = {
    token_hash: token,
    id: "gen_random_uuid()",
    request: "'{}'",
    created_at: "clock.until - ago - interval '1 hour'",
    expires_at: "clock.until - ago",
    expired_at: "clock.until - ago",
  };
  await client.query(
    await copyStatement(client, "sessions", { own: sessions, from: rows("sessions", SESSIONS, 24 * 20) }),
  );
  await client.query(`INSERT INTO product_sources (id, name, licence, attribution, created_at, imported_at)
    VALUES (gen_random_uuid(), 'Grown', '', '', now(), now())`);
  await client.query(`
    INSERT INTO products (source_id, code, gtin, name, brand, name_key, nutrition, revision)
    SELECT product_sources.id, n::text, lpad((4000000000000 + n)::text, 14, '0'),
           initcap(brand) || ' ' || kinds[1 + n % cardinality(kinds)] || ' ' || initcap(variety), brand,
           brand || ' ' || variety || ' ' || n % 97, '{"energyKcal": 80, "proteinG": 3.4, "carbsG": 18, "fatG": 1.2}', 1
    FROM generate_series(1, ${Math.round(submissions * PRODUCTS)}) AS n
      CROSS JOIN LATERAL (SELECT substr(md5('brand' || n % 3001), 1, 8) AS brand, substr(md5('variety' || n), 1, 5) AS variety) AS words
      CROSS JOIN (SELECT array['bread', 'milk', 'lentils', 'yoghurt', 'chocolate', 'cheese', 'rice', 'juice', 'crackers',
                               'biscuits', 'sauce', 'soup', 'pizza', 'ham', 'muesli', 'tea', 'coffee', 'water', 'wine', 'crisps'] AS kinds) AS names
      CROSS JOIN product_sources WHERE product_sources.name = 'Grown'`);
}
