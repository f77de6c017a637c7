import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { migrate, MigrationError } from "../src/postgres/migrations.ts";
import { openDatabase } from "../src/postgres/postgres.ts";
import { PRE_RELEASE_CHECKSUM } from "../src/postgres/pre-release.ts";
import { createTestDatabase, emptyCell, silent } from "./support/database.ts";

const MIGRATIONS = join(import.meta.dirname, "../migrations");

const dirs: string[] = [];
after(() => dirs.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

function migrationsDir(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "rewards-migrations-"));
  dirs.push(dir);
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(dir, name), sql);
  return dir;
}

async function emptyDatabase(t: { after(fn: () => Promise<void>): void }) {
  const test = await createTestDatabase();
  t.after(() => test.drop());
  // Only the record of applied migrations: the tables of these tests have other names than the service's.
  await test.database.pool.query("TRUNCATE migrations");
  return test;
}

test("the service's own migrations all run, and a second time there is nothing to do", async (t) => {
  const { database } = await emptyDatabase(t);
  await emptyCell(database);
  assert.deepEqual(await migrate(database, MIGRATIONS, silent), readdirSync(MIGRATIONS));
  assert.deepEqual(await migrate(database, MIGRATIONS, silent), []);
});

test("files run in order, each once, and a new one runs on the next start", async (t) => {
  const { database } = await emptyDatabase(t);
  const files = { "0002_b.sql": "INSERT INTO steps VALUES (2)", "0001_a.sql": "CREATE TABLE steps (n int)" };
  assert.deepEqual(await migrate(database, migrationsDir(files), silent), ["0001_a.sql", "0002_b.sql"]);
  const grown = migrationsDir({ ...files, "0003_c.sql": "INSERT INTO steps VALUES (3); INSERT INTO steps VALUES (4)" });
  assert.deepEqual(await migrate(database, grown, silent), ["0003_c.sql"]);
  const { rows } = await database.pool.query("SELECT n FROM steps ORDER BY n");
  assert.deepEqual(rows, [{ n: 2 }, { n: 3 }, { n: 4 }]);
});

test("eight processes that start together run each migration once", async (t) => {
  const { database, connection } = await emptyDatabase(t);
  await database.pool.query("DROP TABLE migrations");
  const dir = migrationsDir({
    "0001_a.sql": "CREATE TABLE steps (n int)",
    "0002_b.sql": "INSERT INTO steps VALUES (2)",
    "0003_c.sql": "INSERT INTO steps VALUES (3)",
  });
  const others = Array.from({ length: 8 }, () =>
    openDatabase({ connection, schema: database.schema, connectionsMax: 1, onError: () => {} }),
  );
  t.after(() => Promise.all(others.map((other) => other.close())));
  const applied = await Promise.all(others.map((other) => migrate(other, dir, silent)));
  assert.deepEqual(applied.flat().sort(), ["0001_a.sql", "0002_b.sql", "0003_c.sql"]);
  const { rows } = await database.pool.query("SELECT n FROM steps ORDER BY n");
  assert.deepEqual(rows, [{ n: 2 }, { n: 3 }]);
});

test("a migration that fails leaves nothing behind, names itself, and runs once it is corrected", async (t) => {
  const { database } = await emptyDatabase(t);
  const broken = migrationsDir({ "0001_a.sql": "CREATE TABLE half (n int); SELECT 1 / 0" });
  await assert.rejects(migrate(database, broken, silent), (error) => {
    assert.ok(error instanceof MigrationError);
    assert.match(error.message, /0001_a\.sql failed.*division by zero/);
    return true;
  });
  const { rows } = await database.pool.query("SELECT to_regclass('half') AS half, (SELECT count(*) FROM migrations)");
  assert.deepEqual(rows, [{ half: null, count: "0" }]);
  const corrected = migrationsDir({ "0001_a.sql": "CREATE TABLE half (n int)" });
  assert.deepEqual(await migrate(database, corrected, silent), ["0001_a.sql"]);
});

test("a database made before the first release is refused with the way to keep its data", async (t) => {
  const { database, drop } = await createTestDatabase();
  t.after(() => drop());
  await database.pool.query("UPDATE migrations SET checksum = $1 WHERE name = $2", [
    PRE_RELEASE_CHECKSUM,
    "0001_applications.sql",
  ]);
  await assert.rejects(
    migrate(database, MIGRATIONS, silent),
    /made by a version before the first release.*`backup create` with the version that made it.*`backup restore`/,
  );
});

test("a migration that was changed after it ran is refused; other line endings are no change", async (t) => {
  const { database } = await emptyDatabase(t);
  await migrate(database, migrationsDir({ "0001_a.sql": "CREATE TABLE a (n int);\nSELECT 1;\n" }), silent);
  const converted = migrationsDir({ "0001_a.sql": "CREATE TABLE a (n int);\r\nSELECT 1;\r\n" });
  assert.deepEqual(await migrate(database, converted, silent), []);
  const changed = migrationsDir({ "0001_a.sql": "CREATE TABLE a (n bigint);\nSELECT 1;\n" });
  await assert.rejects(migrate(database, changed, silent), /0001_a\.sql was changed after it had run/);
});

test("files that are misnamed or share a number are refused before anything runs", async (t) => {
  const { database } = await emptyDatabase(t);
  await assert.rejects(migrate(database, migrationsDir({ "1_a.sql": "" }), silent), /not named like/);
  const conflicting = migrationsDir({ "0001_a.sql": "CREATE TABLE a (n int)", "0001_b.sql": "" });
  await assert.rejects(migrate(database, conflicting, silent), /number 0001: 0001_a\.sql and 0001_b\.sql/);
});
