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

const COPY = `
  WITH copies AS (SELECT generate_series($1::int, $2::int) AS copy),
  people AS (
    SELECT copy, users.*, (left(id::text, 24) || substr(md5(copy || ' ' || id), 1, 12))::uuid AS own_id
    FROM copies CROSS JOIN users WHERE application_id = $3 AND id = ANY ($4)
  ), new_users AS (
    INSERT INTO users (id, application_id, email, first_name, last_name, country, created_at, updated_at)
    SELECT own_id, application_id, copy || '-' || email, first_name, last_name, country, created_at, updated_at FROM people
  ), new_emails AS (
    INSERT INTO user_emails (application_id, email, user_id)
    SELECT application_id, copy || '-' || email, own_id FROM people
  ), new_balances AS (
    INSERT INTO balances (user_id, records, lifetime_points, available_points, carbon_points, green_products,
                          last_record_id, last_record_at)
    SELECT own_id, records, lifetime_points, available_points, carbon_points, green_products, last_record_id, last_record_at
    FROM people JOIN balances ON balances.user_id = people.id
  )
  INSERT INTO records (user_id, sequence, id, application_id, source, submission_id, operation, status, health_points,
                       carbon_points, bonus_points, other_points, total_points, green_products, healthy_products, co2e_mg,
                       body, packed, rule, rule_inputs, explained, inputs, evidence, catalogue_version, created_at)
  SELECT own_id, sequence, (left(records.id::text, 24) || tail)::uuid, records.application_id, source,
         (left(submission_id::text, 24) || tail)::uuid, operation, status, health_points, carbon_points, bonus_points,
         other_points, total_points, green_products, healthy_products, co2e_mg,
         replace(body::text, submission_id::text, left(submission_id::text, 24) || tail)::jsonb,
         packed, rule, rule_inputs, explained, inputs, evidence, catalogue_version, records.created_at
  FROM people JOIN records ON records.user_id = people.id
    CROSS JOIN LATERAL (SELECT substr(md5(copy || ' ' || submission_id), 1, 12) AS tail) AS new
  ORDER BY records.created_at`;

/** Books a history of some users, and copies it. Returns the number of records. */
async function fill(database: Database, records: number): Promise<number> {
  const catalogue = readCatalogue();
  const now = Date.now();
  const sampled = fc.sample(anyHistory(DAYS - 13), { numRuns: SUBMISSIONS / 50, seed: 7 });
  const submissions = sampled.flatMap((history) => history.submissions);
  const history: History = {
    ...sampled[0]!,
    countries: Array.from({ length: USERS }, () => "GB"),
    submissions: submissions.map((each, i) => ({ ...each, user: i % USERS })),
    hasProgram: false,
    batch: 50,
  };
  const [twin] = await createTwins(database, {
    resolver: createResolver(catalogue),
    groupOf: foodGroupsOf(catalogue).groupOf,
    history,
    fromMs: now - 40 * DAY_MS,
    untilMs: now,
  });
  await twin.submit();
  const copies = Math.ceil(records / submissions.length) - 1;
  for (let from = 1; from <= copies; from += COPIES_AT_ONCE) {
    const till = Math.min(copies, from + COPIES_AT_ONCE - 1);
    await database.pool.query(COPY, [from, till, twin.applicationId, twin.userIds]);
    process.stderr.write(`\r${till * submissions.length} records`);
  }
  process.stderr.write("\n");
  await database.pool.query("VACUUM ANALYZE");
  return (copies + 1) * submissions.length;
}

async function measure(url: string, file: string, clientId: string, postgresPid: number): Promise<object> {
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
  const { total, users } = JSON.parse(Buffer.concat(chunks).toString()) as {
    total: { records: number };
    users: { count: number };
  };
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
  await fill(database, Number(values.records));
  const { rows } = await database.pool.query<{ clientId: string }>(
    `SELECT client_id AS "clientId" FROM applications JOIN users ON application_id = applications.id
     GROUP BY client_id ORDER BY count(*) DESC LIMIT 1`,
  );
  const draft = join(folder, "draft.json");
  const { campaigns: _campaigns, ...plain } = DRAFT;
  const files = { "all parts, in the order of booking": DRAFT, "without campaigns, by user": plain };
  for (const [name, definition] of values.file ? [[values.file, null] as const] : Object.entries(files)) {
    if (definition) writeFileSync(draft, JSON.stringify(definition));
    console.log(name, await measure(url, values.file ?? draft, rows[0]!.clientId, postmasterPid(folder)!));
  }
  await database.close();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
