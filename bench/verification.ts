import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../src/postgres/postgres.ts";
import type { Database, Tx } from "../src/postgres/postgres.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import type { VerificationOptions } from "../src/points/verification.store.ts";
import { cpuMsOfTree } from "./cpu.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import { copyLedger } from "./ledger-copies.ts";
import { bookModels } from "./ledger-models.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

const FEW = 100_000;
const MANY = 1_000_000;
const SAMPLE_MS = 20;
/** Meals are accepted in rounds, alternately beside a verification and without one. */
const ROUNDS = 3;
const ROUND_MS = 5_000;
const CONNECTIONS = 4;
/**
 * Copies have the same items as their model. PostgreSQL would remember their sums, which real records never let it do.
 */
const WITHOUT_MEMORY = "&options=-c%20enable_memoize%3Doff";

/** Measures `ledger verify` and the daily verification over a million records, and what accepting meals notices. */
export async function measureVerification(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  const url = subject.databaseUrl! + WITHOUT_MEMORY;
  const open = () => openDatabase({ connection: { connectionString: url }, connectionsMax: 1, onError: () => {} });
  const database = open();
  try {
    const models = await bookModels(subject, database, progress);
    const copies = await copyLedger(database, models, { first: 1, count: FEW, progress });
    progress("verify: 100,000 records, by the command");
    const few = await runCommand(subject, url);
    await copyLedger(database, models, { first: copies + 1, count: MANY - FEW, progress });
    progress("verify: a million records, by the command");
    const many = await runCommand(subject, url);
    progress("verify: a million records, as each day");
    const daily = await measureRun(open(), database, { seventh: 3 });
    const accepting = await measureAccepting(subject, open, progress);
    return [...figuresOf(few, many), ...figuresOfDay(daily), ...accepting];
  } finally {
    await database.close();
  }
}

interface CommandRun {
  readonly records: number;
  readonly wallMs: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly peakKb: number;
}

/** Runs `ledger verify` in a process of its own. */
async function runCommand(subject: Subject, url: string): Promise<CommandRun> {
  const before = subject.cpu().postgresMs;
  const startMs = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, "../src/cli.ts"), "ledger", "verify", "--json"], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [peakKb, nodeMs] = [0, 0];
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, memoryKb(child.pid!, "VmHWM"));
    nodeMs = Math.max(nodeMs, cpuMsOfTree(child.pid!));
  }, SAMPLE_MS);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((done) => void child.on("close", done));
  clearInterval(timer);
  const output = Buffer.concat(chunks).toString();
  if (code !== 0) throw new Error(`ledger verify ended with ${code}: ${output.slice(0, 1_000)}`);
  const { records } = JSON.parse(output) as { records: number };
  return {
    records,
    wallMs: performance.now() - startMs,
    nodeMs,
    postgresMs: subject.cpu().postgresMs - before,
    peakKb,
  };
}

interface DailyRun {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakKb: number;
  readonly longestMs: number;
  readonly tempBytes: number;
}

/** Verifies on a connection of its own: the processor time and the memory of its server process. */
async function measureRun(own: Database, beside: Database, options: VerificationOptions): Promise<DailyRun> {
  try {
    const [row] = await own.query<{ pid: number }>({ name: "bench.pid", text: "SELECT pg_backend_pid() AS pid" });
    const pid = row!.pid;
    let [peakKb, longestMs] = [0, 0];
    const timer = setInterval(() => (peakKb = Math.max(peakKb, memoryKb(pid, "RssAnon"))), SAMPLE_MS);
    const timed: Tx = {
      query: async (statement, values) => {
        const startMs = performance.now();
        const rows = await own.query(statement, values);
        longestMs = Math.max(longestMs, performance.now() - startMs);
        return rows;
      },
      afterCommit: own.afterCommit,
      origin: own.origin,
    };
    const [beforeMs, temporary, startMs] = [cpuMsOfTree(pid), await tempBytes(beside), performance.now()];
    const { differences } = await verifyLedger(timed, options).finally(() => clearInterval(timer));
    if (differences.length > 0) throw new Error(JSON.stringify(differences.slice(0, 3)));
    const wallMs = performance.now() - startMs;
    const cpuMs = cpuMsOfTree(pid) - beforeMs;
    await own.close();
    return { wallMs, cpuMs, peakKb, longestMs, tempBytes: (await tempBytes(beside)) - temporary };
  } finally {
    await own.close().catch(() => {});
  }
}

/** Bytes that connections which have ended wrote to temporary files, and those of others as far as they reported. */
async function tempBytes(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: number }>({
    name: "bench.temp-bytes",
    text: "SELECT temp_bytes::float8 AS bytes FROM pg_stat_database WHERE datname = current_database()",
  });
  return row!.bytes;
}

/** Accepts meals, in alternate rounds beside a verification as of each day. */
async function measureAccepting(subject: Subject, open: () => Database, progress: Progress): Promise<Figure[]> {
  const timings: Record<"alone" | "beside", { median: number[]; p99: number[] }> = {
    alone: { median: [], p99: [] },
    beside: { median: [], p99: [] },
  };
  for (let round = 0; round < ROUNDS * 2; round++) {
    const kind = round % 2 === 0 ? "alone" : "beside";
    progress(`verify: accepting meals, ${kind}, round ${round + 1} of ${ROUNDS * 2}`);
    const ending = new AbortController();
    const database = open();
    const verifying =
      kind === "beside"
        ? verifyLedger(database, { seventh: round % 7, rests: true, signal: ending.signal }).catch((error: unknown) => {
            if (!ending.signal.aborted) throw error;
          })
        : Promise.resolve();
    const sent = await subject.send({ kind: "meal", connections: CONNECTIONS, durationMs: ROUND_MS });
    ending.abort();
    await verifying;
    await database.close();
    await subject.settled();
    timings[kind].median.push(sent.medianMs);
    timings[kind].p99.push(sent.p99Ms);
  }
  const { alone, beside } = timings;
  return [
    {
      name: `accepting a meal beside the verification of a day, ${CONNECTIONS} at once: median`,
      value: median(beside.median) / median(alone.median),
      unit: "×",
      note:
        `${median(beside.median).toFixed(1)} against ${median(alone.median).toFixed(1)} ms; ` +
        `p99 ${median(beside.p99).toFixed(0)} against ${median(alone.p99).toFixed(0)} ms`,
    },
  ];
}

function figuresOf(few: CommandRun, many: CommandRun): Figure[] {
  const megabytes = (kb: number) => Math.round(kb / 1_024);
  return [
    { name: "ledger verify of a million records", value: many.wallMs / 1_000, unit: "s" },
    { name: "… processor time, PostgreSQL", value: many.postgresMs / 1_000, unit: "s" },
    { name: "… processor time, Node", value: many.nodeMs / 1_000, unit: "s" },
    {
      name: "most memory of its process, a million records against 100,000",
      value: many.peakKb / few.peakKb,
      unit: "×",
      aim: { below: 1.25 },
      note: `${megabytes(many.peakKb)} against ${megabytes(few.peakKb)} MB`,
    },
  ];
}

function figuresOfDay({ wallMs, cpuMs, peakKb, longestMs, tempBytes: temporary }: DailyRun): Figure[] {
  return [
    {
      name: "verification of a day, PostgreSQL",
      value: cpuMs / 1_000,
      unit: "s",
      note: `${Math.round(wallMs)} ms in all`,
    },
    { name: "… its longest statement", value: longestMs, unit: "ms" },
    { name: "… most memory of its server process", value: peakKb / 1_024, unit: "MB", note: "RssAnon" },
    { name: "… temporary files", value: temporary / 1_048_576, unit: "MB", aim: { below: 1 } },
  ];
}

function memoryKb(pid: number, member: string): number {
  try {
    return Number(new RegExp(`${member}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
