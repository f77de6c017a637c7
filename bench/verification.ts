import { readFileSync } from "node:fs";
import { openDatabase } from "../src/postgres/postgres.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { fillLedger } from "../test/support/ledger.ts";
import { cpuMsOfTree } from "./cpu.ts";
import type { Figure } from "./figures.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

const RECORDS = 1_000_000;
const FEW = 1_000;
/** Users who share the records: several slices, and many users in each. */
const USERS = 100;
const SAMPLE_MS = 20;

/** Measures `ledger verify` over a million records: with and without reading each in full, and its memory. */
export async function measureVerification(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  progress("verify: booking a food to copy");
  await subject.endOf(await subject.track("to-copy"));
  const connection = { connectionString: subject.databaseUrl! };
  // Prepared statements live as long as their connection, so each run has its own.
  const withDatabase = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
    const database = openDatabase({ connection, connectionsMax: 1, onError: () => {} });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const fill = (count: number, from: number) =>
    withDatabase(async (database) => {
      for (const [i, userId] of subject.userIds.slice(from, from + USERS - 1).entries()) {
        progress(`verify: records of user ${i + 1} of ${USERS - 1}`);
        const like = { userId, likeUserId: subject.userIds[0]!, until: new Date() };
        await fillLedger(database, { ...like, count });
      }
      await database.query({ name: "bench.vacuum", text: "VACUUM (ANALYZE) records" });
    });
  const verify = (isDeep: boolean) => withDatabase((database) => measureRun(database, isDeep));
  await fill(Math.round(FEW / USERS), 1);
  const few = await verify(true);
  await fill(Math.round(RECORDS / USERS), USERS);
  progress("verify: a million records");
  const sums = await verify(false);
  const all = await verify(true);
  return [
    {
      name: "ledger verify of a million records, PostgreSQL",
      value: all.cpuMs / 1_000,
      unit: "s",
      note: "processor time",
    },
    { name: "… without reading each record in full", value: sums.cpuMs / 1_000, unit: "s", note: "processor time" },
    {
      name: "memory of its connection, a million records against a thousand",
      value: all.peakKb / few.peakKb,
      unit: "×",
      aim: { below: 3 },
      note: `at most ${Math.round(all.peakKb / 1_024)} against ${Math.round(few.peakKb / 1_024)} MB`,
    },
  ];
}

/** Processor time of the connection's server process, and the most memory of its own (RssAnon). */
async function measureRun(database: Database, isDeep: boolean): Promise<{ cpuMs: number; peakKb: number }> {
  const [row] = await database.query<{ pid: number }>({ name: "bench.pid", text: "SELECT pg_backend_pid() AS pid" });
  const pid = row!.pid;
  let peakKb = 0;
  const sample = () => {
    const [, kb = "0"] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    peakKb = Math.max(peakKb, Number(kb));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const beforeMs = cpuMsOfTree(pid);
  try {
    const { differences } = await verifyLedger(database, undefined, () => isDeep);
    if (differences.length > 0) throw new Error(JSON.stringify(differences.slice(0, 3)));
    return { cpuMs: cpuMsOfTree(pid) - beforeMs, peakKb };
  } finally {
    clearInterval(timer);
  }
}
