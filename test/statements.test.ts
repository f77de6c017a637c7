import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { declaredStatements, float8, orNull, oneOf, text, timestamptz, uuid } from "../src/postgres/statement.ts";
import type { Columns } from "../src/postgres/statement.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { differences, errorsOf, holdingRows, openDescriber } from "./support/statements.ts";

const SRC = join(import.meta.dirname, "../src");

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, source: readFileSync(join(SRC, file), "utf8") }));

/** These send SQL that knows no table of the service: migrations, locks, roles, and dumps of any tables. */
const LOW_LEVEL = [
  "postgres/postgres.ts",
  "postgres/statement.ts",
  "postgres/migrations.ts",
  "postgres/embedded/access.ts",
  "postgres/embedded/embedded.ts",
  "postgres/dump.ts",
  "postgres/connection.ts",
  "postgres/cells.store.ts",
  "moving/rows.store.ts",
];

let own: TestDatabase;
let describer: Awaited<ReturnType<typeof openDescriber>>;
before(async () => {
  own = await createTestDatabase();
  describer = await openDescriber(own.url);
  const declaring = sources.filter(({ file, source }) => !LOW_LEVEL.includes(file) && /\bstatement\(/.test(source));
  for (const { file } of declaring) await import(pathToFileURL(join(SRC, file)).href);
});
after(async () => {
  await describer.close();
  await own.drop();
});

test("every statement gives the columns it declares: names, types, whether they may be null, closed lists", async () => {
  const statements = declaredStatements();
  const wrong: Record<string, string[]> = {};
  for (const { name, text, columns } of statements) {
    const found = await describer.describe(text).then(
      (described) => differences(columns, described),
      (error: Error) => [error.message],
    );
    if (found.length > 0) wrong[name] = found;
  }
  assert.deepEqual(wrong, {});
  assert.ok(statements.length > 90, `${statements.length} statements`);
});

test("no statement of the service goes undeclared, and none is typed where it is sent", () => {
  const wrong = sources
    .filter(({ file }) => !LOW_LEVEL.includes(file))
    .flatMap(({ file, source }) => {
      const sent = [...source.matchAll(/\.query(<[^;(]*>)?\(\s*([^,)\s]+)/g)];
      return sent
        .filter(([, type, what]) => type !== undefined || !isDeclared(source, what!))
        .map(([call]) => `${file}: ${call}`);
    });
  assert.deepEqual(wrong.toSorted(), [
    // Declared, with the name of another schema in it.
    "metrics/store.ts: .query({",
    // pg-boss' own SQL on our connection.
    "queue/boss.ts: .query<Record<string, unknown>>({",
    // DDL, with names of partitions.
    "webhooks/parts/store.ts: .query({",
  ]);
});

function isDeclared(source: string, what: string): boolean {
  const list = new RegExp(`\\b${what}\\]? of (?:Object\\.entries\\()?([A-Z_]+)`).exec(source)?.[1];
  const declaration = list === undefined ? `const ${what} = statement\\(` : `const ${list}\\b[^]*?\\bstatement\\(`;
  return new RegExp(declaration).test(source);
}

test("a changed column is seen: its type, its nulls, its name, its closed list", async (t) => {
  const changed = await createTestDatabase();
  t.after(() => changed.drop());
  const columns: Columns = {
    id: uuid,
    reference: text,
    state: oneOf(["accepted", "received", "completed", "failed"]),
    at: timestamptz,
  };
  const seen = async (text = "SELECT id, reference, state, accepted_at AS at FROM intakes", declared = columns) => {
    const { describe, close } = await openDescriber(changed.url);
    const described = await describe(text).catch(() => null);
    await close();
    return described ? differences(declared, described) : ["cannot be prepared"];
  };
  const change = (sql: string) => changed.database.pool.query(`ALTER TABLE intakes ${sql}`);
  assert.deepEqual(await seen(), []);
  await change("ALTER COLUMN reference TYPE varchar(10)");
  assert.deepEqual(await seen(), ["reference is varchar, not text"]);
  await change("ALTER COLUMN reference TYPE text");
  await change("ALTER COLUMN reference DROP NOT NULL");
  assert.deepEqual(await seen(), ["reference may be null"]);
  await change("ALTER COLUMN reference SET NOT NULL");
  await change("DROP CONSTRAINT intakes_state_check");
  await change(
    "ADD CONSTRAINT intakes_state_check CHECK (state IN ('accepted', 'received', 'completed', 'failed', 'lost'))",
  );
  assert.deepEqual(await seen(), ["state is one of accepted, completed, failed, lost, received"]);
  await change("RENAME COLUMN accepted_at TO taken_at");
  assert.deepEqual(await seen(), ["cannot be prepared"]);
  const points = "SELECT lifetime_points::float8 AS points FROM balances";
  assert.deepEqual(await seen(points, { points: orNull(float8) }), ["points is never null"]);
});

test("constraints that the schema lacks are checked for each row in all tests", async () => {
  const held = holdingRows(own.database);
  const [known] = declaredStatements().filter(({ name }) => name === "health.ready");
  assert.deepEqual(await held.query(known!), [{ one: 1 }]);
  const wrong = { name: "test.wrong", text: "SELECT NULL::float8 AS one", columns: { one: float8 } };
  await assert.rejects(held.query(wrong), /test\.wrong: one is null/);
  await assert.rejects(
    held.tx((tx) => tx.query(wrong)),
    /test\.wrong: one is null/,
  );
  assert.deepEqual(errorsOf({ ...wrong, columns: { one: oneOf(["a"]) } }, [{ one: "b" }]), [
    "test.wrong: one is string",
  ]);
});
