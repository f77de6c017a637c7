import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { findTables, keyOf, removalOf } from "../src/moving/rows.store.ts";
import { inOrder, isRemoved } from "../src/moving/rules.ts";
import { declaredStatements } from "../src/postgres/statement.ts";
import { refusedOf, statementsOf } from "./support/citus-migrations.ts";
import { readAfterChange, readCatalog, refusals } from "./support/citus-rules.ts";
import type { Catalog } from "./support/citus-rules.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { openParser } from "./support/parse-trees.ts";

// A cell may be a schema of a Citus cluster: docs/operations.md. No cluster is needed here, and none is tried.

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");
/** Earlier ones run before a schema is distributed, and cannot be changed. */
const FIRST_MIGRATION = "0096";

let own: TestDatabase;
let parser: Awaited<ReturnType<typeof openParser>>;
let catalog: Catalog;
before(async () => {
  own = await createTestDatabase();
  parser = await openParser(own.url);
  catalog = await readCatalog(parser.client);
  for (const file of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
    const isSource = file.endsWith(".ts") && !file.endsWith(".test.ts");
    if (isSource && /\bstatement\(/.test(readFileSync(join(SRC, file), "utf8"))) {
      await import(pathToFileURL(join(SRC, file)).href);
    }
  }
});
after(async () => {
  await parser.close();
  await own.drop();
});

/** These set, lock or measure, and have no tree. */
const isPlanned = (text: string): boolean => !/^\s*(?:SET|LOCK|ANALYZE|VACUUM)\b/i.test(text);

async function ofEach(rule: typeof refusals): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, text } of declaredStatements().filter(({ text: sql }) => isPlanned(sql))) {
    const ofOne = rule(await parser.parse(text), catalog);
    if (ofOne.length > 0) found[name] = ofOne;
  }
  return found;
}

test("no statement has what Citus refuses", async () => {
  assert.ok(declaredStatements().length > 400, `${declaredStatements().length} statements`);
  assert.deepEqual(await ofEach(refusals), {});
});

test("nor has any that is made for a table, to remove the rows of an application", async () => {
  const tables = inOrder(await findTables(own.database)).filter(isRemoved);
  assert.ok(tables.length > 50);
  for (const table of tables) {
    const tree = await parser.parse(removalOf(table, await keyOf(own.database, table)));
    assert.deepEqual([refusals(tree, catalog), readAfterChange(tree, catalog)], [[], []], table.name);
  }
});

test("no part of a statement reads what an earlier part has changed, but for those to which it is the same", async () => {
  assert.deepEqual(await ofEach(readAfterChange), {
    // They leave out the events of their own lease, which are the ones that they have stored.
    "webhooks.append-events": ["events"],
    "webhooks.append-traced-events": ["events"],
  });
  const tree = await parser.parse(
    "WITH gone AS (DELETE FROM balances WHERE user_id = $1) SELECT count(*) FROM balances",
  );
  assert.deepEqual(readAfterChange(tree, catalog), ["balances"]);
});

const LOGGED = "jsonb_build_array(d.last_attempt_at)";
const SENT = "SELECT * FROM unnest($1::uuid[], $2::text[]) AS sent (id, email)";
/** Statements that each break one rule, some of them as the service once had them. */
const BAD: Readonly<Record<string, string>> = {
  "SELECT id FROM users WHERE EXISTS (SELECT FROM balances WHERE user_id = users.id)": "SELECT of no column",
  "SELECT count(*) FROM (SELECT FROM users LIMIT 3) AS first": "SELECT of no column",
  "DELETE FROM users WHERE ctid = ANY (ARRAY(SELECT ctid FROM users LIMIT 1))": "ctid or tableoid",
  "SELECT tableoid FROM events": "ctid or tableoid",
  "UPDATE users SET erased_at = CASE WHEN id = $1 THEN now() END": "UPDATE: now in CASE or COALESCE",
  "UPDATE users SET erased_at = coalesce(erased_at, CURRENT_TIMESTAMP)": "UPDATE: current_… in CASE or COALESCE",
  "DELETE FROM users WHERE CASE WHEN id = $1 THEN created_at < now() END": "DELETE: now in CASE or COALESCE",
  [`UPDATE deliveries d SET earlier_attempts = CASE WHEN attempts = 0 THEN NULL ELSE ${LOGGED} END`]:
    "UPDATE: jsonb_build_array in CASE or COALESCE",
  [`UPDATE deliveries d SET earlier_attempts = ${LOGGED}`]: "UPDATE: jsonb_build_array of a column",
  "UPDATE endpoints e SET disabled_at = $1 FROM users u WHERE e.failing_since <= u.created_at - $2::interval":
    "UPDATE: timestamptz_mi_interval of a column",
  "UPDATE users SET email = created_at::text": "UPDATE: a cast by text of a column",
  "UPDATE users SET erased_at = clock_timestamp()": "UPDATE: clock_timestamp is volatile",
  "UPDATE users SET id = gen_random_uuid()": "UPDATE: gen_random_uuid is volatile",
  "DELETE FROM users WHERE random() < 0.5": "DELETE: random is volatile",
  "UPDATE voucher_codes SET place = nextval('voucher_codes_place_seq')": "UPDATE: nextval is volatile",
  "DELETE FROM users WHERE id = $1 RETURNING now()": "DELETE: now in RETURNING or ON CONFLICT",
  "INSERT INTO balances (user_id) VALUES ($1) ON CONFLICT (user_id) DO UPDATE SET last_award_at = now()":
    "INSERT: now in RETURNING or ON CONFLICT",
  "INSERT INTO report_gaps VALUES ($1, coalesce($2, now()))": "INSERT: now in CASE or COALESCE",
  "INSERT INTO balances (user_id) VALUES ((SELECT id FROM users LIMIT 1))": "INSERT: a sub-select in VALUES",
  [`WITH sent AS (${SENT}) INSERT INTO user_emails (application_id, email, user_id) SELECT $3, email, id FROM sent`]:
    "INSERT from sent, which is not MATERIALIZED",
  [`WITH sent AS (${SENT}), kept AS (
      INSERT INTO balances (user_id) SELECT id FROM (SELECT id FROM users JOIN sent USING (id)) AS known
    ) SELECT email FROM sent`]: "INSERT from sent, which is not MATERIALIZED",
  "SELECT pg_notify('a', name) FROM applications": "pg_notify beside tables",
  "SELECT pg_advisory_xact_lock(1) FROM users": "pg_advisory_xact_lock beside tables",
};

test("each rule finds what it is about, and nothing in what is allowed", async () => {
  const findings = async (sql: string) => refusals(await parser.parse(sql), catalog);
  for (const [sql, finding] of Object.entries(BAD)) assert.deepEqual(await findings(sql), [finding], sql);
  const allowed = [
    "UPDATE users SET erased_at = now() WHERE created_at < now() - interval '1 day'",
    "UPDATE balances SET records = CASE WHEN records > 3 THEN 3 ELSE coalesce(records, 0) END",
    `WITH sent AS MATERIALIZED (${SENT}) INSERT INTO balances (user_id) SELECT id FROM sent`,
    "WITH gone AS (DELETE FROM users RETURNING id) INSERT INTO balances (user_id) SELECT id FROM gone",
    "SELECT now(), random(), CASE WHEN random() < 1 THEN now() END FROM users",
    "SELECT pg_try_advisory_xact_lock(hashtext(current_schema())) AS locked",
  ];
  for (const sql of allowed) assert.deepEqual(await findings(sql), [], sql);
});

test("no new migration has what Citus refuses", () => {
  const names = readdirSync(join(ROOT, "migrations")).filter((name) => name >= FIRST_MIGRATION);
  assert.ok(names.length > 0);
  for (const name of names) {
    assert.deepEqual(refusedOf(readFileSync(join(ROOT, "migrations", name), "utf8")), [], name);
  }
});

test("each rule of migrations finds what it is about, and nothing in what is allowed", () => {
  const bad: Record<string, string> = {
    "ALTER TABLE a ADD COLUMN b int, ADD COLUMN c numeric(3, 2)": "several subcommands in an ALTER",
    "ALTER TABLE a DROP CONSTRAINT b, ADD CONSTRAINT b CHECK (c > 0)": "several subcommands in an ALTER",
    "CREATE TABLE a (b uuid PRIMARY KEY)": "PRIMARY KEY without a name",
    "CREATE TABLE a (b int, CHECK (b > 0))": "CHECK ( without a name",
    "CREATE TABLE a (b uuid REFERENCES c (id))": "REFERENCES without a name",
    "CREATE TABLE a (b uuid CONSTRAINT d REFERENCES c (id), e int UNIQUE)": "UNIQUE without a name",
    "ALTER TABLE a ADD UNIQUE (b)": "UNIQUE without a name",
    "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c (id)": "FOREIGN KEY without a name",
    "ALTER TABLE a ADD COLUMN b int CONSTRAINT c CHECK (b > 0)": "a column that is added with a constraint",
    "ALTER TABLE a ADD b bigint GENERATED ALWAYS AS IDENTITY": "numbers in a column that is added",
    "CREATE TABLE a (b int GENERATED ALWAYS AS IDENTITY)": "numbers that are no bigint",
    "CREATE TABLE a (b serial)": "numbers that are no bigint",
    "CREATE TEMPORARY TABLE a (b int)": "a temporary table, or one from a SELECT",
    "CREATE TABLE a AS SELECT 1 AS one": "a temporary table, or one from a SELECT",
    "INSERT INTO a SELECT b FROM c WHERE NOT EXISTS (SELECT FROM a)": "SELECT of no column",
    "DELETE FROM a WHERE ctid = '(0,1)'": "ctid",
    "CREATE FUNCTION a() RETURNS trigger AS $$ BEGIN IF TG_TABLE_NAME = 'a' THEN RETURN OLD; END IF; END $$":
      "the exact name of a table",
  };
  for (const [sql, finding] of Object.entries(bad)) assert.deepEqual(refusedOf(`${sql};`), [finding], sql);
  const allowed = `-- The table's rows, of more than one: PRIMARY KEY, UNIQUE
    CREATE TABLE a (b uuid NOT NULL, c bigint GENERATED ALWAYS AS IDENTITY, CONSTRAINT a_pkey PRIMARY KEY (b, c),
      CONSTRAINT a_c CHECK (c > 0), CONSTRAINT a_b FOREIGN KEY (b) REFERENCES d (id));
    ALTER TABLE a ADD COLUMN e numeric(3, 2) NOT NULL DEFAULT 0;
    ALTER TABLE a ADD CONSTRAINT a_e CHECK (e > 0);
    CREATE UNIQUE INDEX a_by_e ON a (e);
    COMMENT ON COLUMN a.e IS 'UNIQUE, CHECK (nothing); PRIMARY KEY';`;
  assert.deepEqual(refusedOf(allowed), []);
  assert.equal(statementsOf(allowed).length, 5);
});
