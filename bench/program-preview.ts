// node bin/run.mjs bench/program-preview.ts [--records 1000000] [--file draft.json]
// Measures `program preview` over any number of records: copies of some hundred that were booked, by INSERT … SELECT.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { foodGroupsOf } from "../src/foods/catalogue/groups.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { createResolver } from "../src/foods/lookup/resolve.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { openDatabase } from "../src/postgres/postgres.ts";
import { migrate } from "../src/postgres/migrations.ts";
import { startEmbedded, urlOf } from "../src/postgres/embedded/embedded.ts";
import { DAY_MS } from "../src/time.ts";
import { anyHistory } from "../test/support/any-program.ts";
import type { History } from "../test/support/any-program.ts";
import { silent } from "../test/support/database.ts";
import { createTwins } from "../test/support/twins.ts";
import { postmasterPid } from "../test/support/processes.ts";
import { cpuMsOfTree } from "./cpu.ts";
import { shippedMatcherOf } from "../src/foods/matching/learned/store.ts";

const SAMPLE_MS = 100;
const DAYS = 30;
const USERS = 40;
const SUBMISSIONS = 1_000;
const COPIES_AT_ONCE = 20;

/** Every part that costs: limits, what is eligible, and a budget that users share, so that the order is global. */
const DRAFT = {
  name: "All parts",
  timeZone: "Europe/London",
  points: { receipt: { multiplier: 1.5 }, food: { multiplier: 1.25 } },
  limits: { day: { points: 60 }, week: { points: 300 }, month: { foodPoints: 200 } },
  eligible: { foodGroups: { except: ["cheese"] } },
  campaigns: [
    {
      id: "fruit",
      name: "Fruit",
      from: "2020-01-01",
      till: "2099-12-31",
      when: { foodGroups: ["fruit"] },
      effect: { multiplier: 2 },
      budget: 1_000_000_000,
    },
  ],
};

/** Who has what is copied: `people` in `copyOf`. What is not named here is copied as it is. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: { id: "own_id", email: "copy || '-' || source.email" },
  user_emails: { user_id: "own_id", email: "copy || '-' || source.email" },
  balances: { user_id: "own_id" },
  records: {
    user_id: "own_id",
    id: "(left(source.id::text, 24) || tail)::uuid",
    submission_id: "(left(submission_id::text, 24) || tail)::uuid",
    body: "replace(body::text, submission_id::text, left(submission_id::text, 24) || tail)::jsonb",
  },
};

/** Copies some users with all that they have, by INSERT … SELECT of every column, also of those to come. */
async function copyOf(database: Database, table: string, userId: string): Promise<string> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const own = OWN[table]!;
  const missing = Object.keys(own).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${table} has no column ${missing.join(", ")}`);
  const tail =
    table === "records"
      ? "CROSS JOIN LATERAL (SELECT substr(md5(copy || ' ' || submission_id), 1, 12) AS tail) AS new"
      : "";
  return `INSERT INTO ${table} (${names.join(", ")})
    SELECT ${names.map((name) => own[name] ?? `source.${name}`).join(", ")}
    FROM (
      SELECT copy, users.id AS user_id, (left(id::text, 24) || substr(md5(copy || ' ' || id), 1, 12))::uuid AS own_id
      FROM generate_series($1::int, $2::int) AS copy CROSS JOIN users WHERE application_id = $3 AND id = ANY ($4)
    ) AS people JOIN ${table} AS source ON source.${userId} = people.user_id ${tail}`;
}

/** Books a history of some users, and copies it. Returns the number of records. */
async function fill(database: Database, records: number): Promise<number> {
  const catalogue = readCatalogue();
  const now = Date.now();
  const sampled = fc.sample(anyHistory(DAYS - 13), { numRuns: SUBMISSIONS / 50, seed: 7 });
  const submissions = sampled.flatMap((history) => history.submissions);
  const history: History = {
    ...sampled[0]!,
    countries: Array.from({ length: USERS }, () => "GB"),
    // All within the days that are replayed.
    submissions: submissions.map((each, i) => ({
      ...each,
      user: i % USERS,
      agoMs: each.agoMs % ((DAYS - 1) * DAY_MS),
    })),
    hasProgram: false,
    batch: 50,
  };
  const [twin] = await createTwins(database, {
    resolver: createResolver(catalogue, shippedMatcherOf(catalogue)),
    groupOf: foodGroupsOf(catalogue).groupOf,
    history,
    fromMs: now - 40 * DAY_MS,
    untilMs: now,
  });
  await twin.submit();
  const { rows } = await database.pool.query<{ booked: number }>("SELECT count(*)::int AS booked FROM records");
  const { booked } = rows[0]!;
  const copies = Math.ceil(records / booked) - 1;
  const statements = [
    await copyOf(database, "users", "id"),
    await copyOf(database, "user_emails", "user_id"),
    await copyOf(database, "balances", "user_id"),
    await copyOf(database, "records", "user_id"),
  ];
  for (let from = 1; from <= copies; from += COPIES_AT_ONCE) {
    const till = Math.min(copies, from + COPIES_AT_ONCE - 1);
    for (const each of statements) await database.pool.query(each, [from, till, twin.applicationId, twin.userIds]);
    process.stderr.write(`\r${(till + 1) * booked} records`);
  }
  process.stderr.write("\n");
  await database.pool.query("VACUUM ANALYZE");
  return (copies + 1) * booked;
}

/** Measures one preview. Throws unless it has replayed all `records`. */
async function measure(
  url: string,
  file: string,
  { clientId, records }: { readonly clientId: string; readonly records: number },
  postgresPid: number,
): Promise<object> {
  const before = cpuMsOfTree(postgresPid);
  const args = ["src/cli.ts", "program", "preview", "--file", file, "--client-id", clientId, "--json"];
  const startMs = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [peakKb, cpuMs] = [0, 0];
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, peakOf(child.pid!));
    cpuMs = Math.max(cpuMs, cpuMsOfTree(child.pid!));
  }, SAMPLE_MS);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((done) => void child.on("close", done));
  clearInterval(timer);
  const { total, users, notReplayed } = JSON.parse(Buffer.concat(chunks).toString()) as {
    total: { records: number };
    users: { count: number };
    notReplayed: { withoutInputs: number };
  };
  if (total.records !== records || notReplayed.withoutInputs > 0) {
    throw new Error(`of ${records} records ${total.records} were replayed, ${JSON.stringify(notReplayed)}`);
  }
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    records: total.records,
    users: users.count,
    seconds: Math.round(seconds),
    postgresSeconds: Math.round((cpuMsOfTree(postgresPid) - before) / 1_000),
    recordsPerSecond: Math.round(total.records / seconds),
    cpuSeconds: Math.round(cpuMs / 1_000),
    peakMb: Math.round(peakKb / 1_024),
  };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const { values } = parseArgs({
  options: { records: { type: "string", default: "1000000" }, file: { type: "string" } },
});
const folder = mkdtempSync(join(tmpdir(), "bench-preview-"));
const server = await startEmbedded({ dataDir: folder, log: silent, isForTests: true });
try {
  const url = urlOf(server.connection);
  const database = openDatabase({ connection: { connectionString: url }, connectionsMax: 2, onError: () => {} });
  await migrate(database, join(import.meta.dirname, "../migrations"), silent);
  const records = await fill(database, Number(values.records));
  const { rows } = await database.pool.query<{ clientId: string }>(
    `SELECT client_id AS "clientId" FROM applications JOIN users ON application_id = applications.id
     GROUP BY client_id ORDER BY count(*) DESC LIMIT 1`,
  );
  const draft = join(folder, "draft.json");
  const { campaigns: _campaigns, ...plain } = DRAFT;
  const files = { "all parts, in the order of booking": DRAFT, "without campaigns, by user": plain };
  for (const [name, definition] of values.file ? [[values.file, null] as const] : Object.entries(files)) {
    if (definition) writeFileSync(draft, JSON.stringify(definition));
    const about = { clientId: rows[0]!.clientId, records };
    console.log(name, await measure(url, values.file ?? draft, about, postmasterPid(folder)!));
  }
  await database.close();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
