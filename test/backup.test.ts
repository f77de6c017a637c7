import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readEnv, toConfig } from "../src/config.ts";
import { dumpTables, loadTables } from "../src/postgres/dump.ts";
import type { DumpedTable } from "../src/postgres/dump.ts";
import { migrate } from "../src/postgres/migrations.ts";
import { FIRST_RELEASE } from "../src/postgres/pre-release.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { Refusal } from "../src/cli/command.ts";
import { runCommand } from "./support/commands.ts";
import { createTestDatabase, emptyCell, silent } from "./support/database.ts";
import { createCustomer } from "../faults/customer.ts";
import type { Credentials } from "../faults/customer.ts";
import { freePort, runCli, startProcess } from "./support/processes.ts";
import type { ProcessSettings } from "./support/processes.ts";

const MIGRATIONS = join(import.meta.dirname, "../migrations");

const scratch = mkdtempSync(join(tmpdir(), "rewards-backup-"));
const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Where a command works, and on which database. */
interface Place {
  readonly settings: ProcessSettings;
  readonly database: Database;
}

async function place(name: string): Promise<Place> {
  const { database, env, drop } = await createTestDatabase();
  closers.push(drop);
  const settings = { dataDir: join(scratch, name), port: await freePort(), env };
  return { settings, database };
}

/** Where the service has its images. */
function filesDirOf({ dataDir, env = {} }: ProcessSettings): string {
  return join(toConfig(readEnv({ ...env, DATA_DIR: dataDir })).dataDir, "files");
}

/** Each table's rows as one text, whatever their order. */
async function contentOf(database: Database): Promise<Record<string, string>> {
  const tables = await database.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_stat_user_tables WHERE schemaname = current_schema() ORDER BY relname",
  );
  const content: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const without = name === "migrations" ? "name" : "to_jsonb(t)::text";
    const { rows } = await database.pool.query<{ all: string }>(
      `SELECT coalesce(string_agg(${without}, ' ' ORDER BY ${without}), '') AS all FROM "${name}" AS t`,
    );
    // Parts by day are made ahead of time: at midnight one database has an empty one more.
    if (rows[0]!.all !== "" || !/_\d{8}$/.test(name)) content[name] = rows[0]!.all;
  }
  return content;
}

/** Runs a command in this process. */
async function run<Printed extends object>({ settings, database }: Place, ...args: string[]): Promise<Printed> {
  const env = { ...settings.env, DATA_DIR: settings.dataDir };
  return (await runCommand<Printed>(database, args, { env }))[0]!;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail("it was not refused"),
    (thrown: Error) => thrown,
  );
  assert.ok(error instanceof Refusal, error.message);
  return error.message;
}

const backup = join(scratch, "first");
let original: Place;

before(async () => {
  original = await place("original");
  const service = await startProcess(original.settings);
  const app = await runCli<Credentials>(
    original.settings,
    "app",
    "create",
    "--name",
    "Kept",
    "--sandbox",
    "--webhook-url",
    "http://127.0.0.1:9/",
  );
  const userIds: string[] = [];
  const customer = createCustomer({ urls: () => [service.url], credentials: app, userIds, pictures: [] });
  for (const i of [0, 1]) userIds.push(await customer.enrol(`user-${i}@example.org`));
  // What some readers of lines take for the end of one.
  await original.database.pool.query("UPDATE users SET first_name = E'A\\u2028d\\u2029a\\u0085\\r\\n'");
  for (let i = 0; i < 20; i++) {
    const source = i % 2 === 0 ? "meal" : "food";
    await customer.submit({ kind: "intake", source, reference: `kept-${i}`, recipe: i % 5, user: i % 2, copies: 1 });
  }
  const form = new FormData();
  const fields = { userId: userIds[0]!, transactionId: "r", amount: "1", merchantName: "Shop" };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("transactionTimestamp", new Date().toISOString());
  const upload = await fetch(`${service.url}/track/receipts?api-version=1.0&testBlobUri=sample:completed`, {
    method: "POST",
    headers: { "x-client-id": app.clientId, "x-client-secret": app.clientSecret },
    body: form,
  });
  assert.ok(upload.ok, await upload.text());
  // While the service runs and works.
  await runCli(original.settings, "backup", "create", "--to", backup);
  await service.stop();
  // One that stopped while it read may leave a lease. The first release had no column for it.
  await original.database.pool.query("UPDATE receipts SET leased_until = NULL");
  await run(original, "backup", "create", "--to", `${backup}-stopped`);
});

test("what was backed up while the service ran is one moment: restored, its ledger is sound", async () => {
  const empty = await place("of-a-moment");
  const args = ["backup", "restore", "--from", backup];
  const restored = await run<{ ok: boolean; users: number; images: number }>(empty, ...args);
  assert.deepEqual([restored.ok, restored.users, restored.images], [true, 2, 1]);
});

test("with the service's database and another DATA_DIR nothing is backed up or erased without its images", async () => {
  const dataDir = join(scratch, "elsewhere");
  const elsewhere = { ...original, settings: { ...original.settings, dataDir } };
  const { rows } = await original.database.pool.query<{ id: string }>("SELECT user_id AS id FROM receipts");
  const [withoutImages, halfErased] = await Promise.all([
    refusal(run(elsewhere, "backup", "create", "--to", join(scratch, "without-images"))),
    refusal(run(elsewhere, "user", "erase", "--user-id", rows[0]!.id)),
  ]);
  for (const said of [withoutImages, halfErased])
    assert.match(said, /no folder .*elsewhere\/(?:\w+\/)?files: set DATA_DIR/);
  assert.ok(!existsSync(dataDir));
});

test("every row and every image comes back as it was, and the service goes on with it", async () => {
  const { settings, database } = await place("whole");
  await runCli(settings, "backup", "restore", "--from", `${backup}-stopped`);
  assert.deepEqual(await contentOf(database), await contentOf(original.database));
  const imagesIn = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jpg"))
      .sort();
  const images = imagesIn(filesDirOf(settings));
  assert.equal(images.length, 1);
  assert.deepEqual(images, imagesIn(filesDirOf(original.settings)));
  for (const image of images) {
    const bytes = (of: ProcessSettings) => readFileSync(join(filesDirOf(of), image));
    assert.deepEqual(bytes(settings), bytes(original.settings));
  }
  const service = await startProcess(settings);
  assert.equal(await service.stop(), 0);
});

test("symbolic links in a manipulated backup are not restored: they would show any file as an image", async () => {
  const { settings, database } = await place("linked");
  const linked = join(scratch, "with-links");
  cpSync(`${backup}-stopped`, linked, { recursive: true });
  symlinkSync("/etc", join(linked, "files", "receipts", "zz"));
  symlinkSync("/etc", join(linked, "files", "more"));
  symlinkSync("/etc/hostname", join(linked, "files", "receipts", "passwd.jpg"));
  await run({ settings, database }, "backup", "restore", "--from", linked);
  const restored = readdirSync(filesDirOf(settings), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    restored.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name),
    [],
  );
  assert.equal(restored.filter(({ name }) => name.endsWith(".jpg")).length, 1);
});

test("a backup of an earlier release is migrated when it is restored", async () => {
  const { database: earlier } = await place("earlier");
  await emptyCell(earlier);
  const migrations = await migrate(earlier, MIGRATIONS, silent, (name) => name < "0002");
  const dir = mkdtempSync(join(scratch, "earlier-"));
  const tables = await dumpTables(earlier, dir, ["migrations"], () => {});
  const manifest = { ...manifestOf(backup), images: undefined, migrations, tables };
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  const { settings, database } = await place("up-to-date");
  await emptyCell(database);
  await run({ settings, database }, "backup", "restore", "--from", dir);
  const [then, now] = [await contentOf(earlier), await contentOf(database)];
  assert.equal(now["installation"], then["installation"]);
  assert.equal(now["migrations"]?.split(" ").length, readdirSync(MIGRATIONS).length);
});

test("what triggers have written is restored once", async () => {
  const [from, to] = [await place("counted"), await place("counted-again")];
  const name = (database: Database) =>
    database.pool.query(
      `INSERT INTO unknown_names (user_id, submission_id, name_id, application_id, name, name_key, source, merchant_key,
                                  amount_minor, seen_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, $1, 'Zzq', 'zzq', 'food', '', 0, now() FROM generate_series(1, 3)`,
      ["019e8f2d-0b12-7003-8c3f-1d2e3f405162"],
    );
  const counted = async ({ database }: Place) =>
    (await database.pool.query<{ times: number }>("SELECT times FROM unknown_name_changes")).rows.map(
      ({ times }) => times,
    );
  await name(from.database);
  const dir = mkdtempSync(join(scratch, "counted-"));
  const tables = await dumpTables(from.database, dir, ["migrations"], () => {});
  await loadTables(to.database, dir, tables, ["migrations"], () => {});
  assert.deepEqual(await counted(to), [3]);
  await name(to.database);
  assert.deepEqual(await counted(to), [3, 3], "after it they write again");
});

test("a backup made before the first release is restored without the column that nothing read", async () => {
  const { database: earlier } = await place("pre-release");
  await emptyCell(earlier);
  await migrate(earlier, MIGRATIONS, silent, (name) => FIRST_RELEASE.includes(name));
  const columns = await columnsOf(earlier);
  const known = manifestOf(`${backup}-stopped`).tables.flatMap((table) => {
    const names = table.columns.filter((column) => columns.has(`${table.name}.${column}`));
    return names.length > 0 ? [{ ...table, columns: names }] : [];
  });
  // What explains an award was in rule_inputs then, and all events were text.
  await earlier.pool.query("ALTER TABLE records ALTER COLUMN rule_inputs DROP NOT NULL");
  await earlier.pool.query("ALTER TABLE events ALTER COLUMN body DROP NOT NULL");
  await earlier.pool.query("ALTER TABLE records ALTER COLUMN body DROP NOT NULL");
  await earlier.pool.query("ALTER TABLE intakes ALTER COLUMN submission DROP NOT NULL");
  await loadTables(earlier, `${backup}-stopped`, known, ["migrations"], () => {});
  await earlier.pool.query("UPDATE records SET rule_inputs = '{}' WHERE rule_inputs IS NULL");
  await earlier.pool.query("UPDATE events SET body = '{}' WHERE body IS NULL");
  await earlier.pool.query("UPDATE records SET body = '{}' WHERE body IS NULL");
  await earlier.pool.query("UPDATE intakes SET submission = '{}' WHERE submission IS NULL");
  await earlier.pool.query("ALTER TABLE deliveries ADD COLUMN id uuid");
  const dir = mkdtempSync(join(scratch, "pre-release-"));
  const tables = await dumpTables(earlier, dir, ["migrations"], () => {});
  assert.ok(tables.find(({ name }) => name === "deliveries")?.columns.includes("id"));
  const migrations = ["0001_applications.sql", "0010_erasure.sql", "0042_day_limits.sql"];
  const manifest = { ...manifestOf(backup), images: undefined, migrations, tables };
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  const { settings, database } = await place("first-release");
  await emptyCell(database);
  await run({ settings, database }, "backup", "restore", "--from", dir);
  const [restored, wanted] = [await contentOf(database), await contentOf(original.database)];
  // Columns of later releases.
  const ofThen = (name: string, rows = ""): string =>
    rows
      .replaceAll(/"last_award_at": "[^"]*"/g, '"last_award_at": null')
      .replaceAll(/"lease_id": \d+/g, '"lease_id": null')
      .replaceAll(/"(explained|inputs|evidence|packed|page)": "(?:[^"\\]|\\.)*"/g, '"$1": null')
      .replaceAll('"rule_inputs": null', '"rule_inputs": {}')
      .replaceAll('"submission": null', '"submission": {}')
      .replaceAll('"body": null', name === "events" ? '"body": "{}"' : '"body": {}');
  for (const { name } of tables) assert.equal(restored[name], ofThen(name, wanted[name]), name);
});

test("nothing is overwritten, and anything but a backup of this or an earlier release is refused with its reason", async () => {
  assert.match(await refusal(run(original, "backup", "create", "--to", backup)), /exists already/);
  const restoring = (into: Place, from: string) => refusal(run(into, "backup", "restore", "--from", from));
  assert.match(await restoring(original, backup), /has images/);
  const other = { ...original, settings: { ...original.settings, dataDir: join(scratch, "other") } };
  assert.match(await restoring(other, backup), /has 1 applications/);
  const free = await place("untouched");
  const untouched = await contentOf(free.database);
  assert.match(await restoring(free, scratch), /is no backup/);
  const manifest = manifestOf(backup);
  const later = join(scratch, "later");
  cpSync(backup, later, { recursive: true });
  const migrations = [...manifest.migrations, "9999_later.sql"];
  writeFileSync(join(later, "manifest.json"), JSON.stringify({ ...manifest, migrations }));
  assert.match(await restoring(free, later), /9999_later.sql is unknown/);
  const cut = join(scratch, "cut");
  cpSync(backup, cut, { recursive: true });
  truncateSync(join(cut, "users.jsonl.gz"), 20);
  assert.match(await restoring(free, cut), /nothing was restored/);
  assert.deepEqual(await contentOf(free.database), untouched);
});

interface Manifest {
  readonly migrations: readonly string[];
  readonly tables: readonly DumpedTable[];
}

function manifestOf(dir: string): Manifest {
  return JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as Manifest;
}

/** The columns of all tables, each as `table.column`. */
async function columnsOf(database: Database): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = current_schema()",
  );
  return new Set(rows.map(({ name }) => name));
}
