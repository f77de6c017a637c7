import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readEnv, toConfig } from "../../src/config.ts";
import { connect } from "../../src/database.ts";
import { NO_LOG } from "../../src/log.ts";
import type { Attack } from "./attack.ts";
import { filesBelow, startCosts } from "./processes.ts";
import type { Cost } from "./processes.ts";
import { startTarget } from "./target.ts";
import type { Target } from "./target.ts";
import { startVictim } from "./victim.ts";
import type { Seen } from "./victim.ts";

/** What one attack did to the service. */
export interface Outcome extends Cost {
  readonly attack: string;
  readonly seen: Seen;
  /** Responses to the attacker by status. */
  readonly responses: ReadonlyMap<number, number>;
  /** Growth of the tables in rows, of the database in MB, and of the folder of images in files. */
  readonly rows: number;
  readonly databaseMb: number;
  readonly files: number;
  /** Promises that were broken; empty: it withstood. */
  readonly broken: readonly string[];
}

/** Longest time that `GET /health/live` may take, in ms. */
export const LIVE_MS_MAX = 250;
/** A receipt of the other application may take this many times its usual time. */
const FINISH_FACTOR = 2;
/** PostgreSQL publishes the counters of its tables about once a second. */
const COUNTERS_MS = 1_200;

/** Runs an attack on a service of its own for `seconds`, and measures what another application saw meanwhile. */
export async function measure(options: {
  attack: Attack;
  seconds: number;
  pictures: readonly Buffer[];
  /** Time that a receipt takes without any attack; null: not known yet. */
  usualFinishMs: number | null;
}): Promise<Outcome> {
  const { attack, seconds, pictures, usualFinishMs } = options;
  const folder = mkdtempSync(join(tmpdir(), "rewards-attack-"));
  const target = await startTarget(folder);
  try {
    const victim = await target.newParty("Victim");
    const userId = await victim.enrol();
    const strike = await attack.prepare(target);
    const before = await stored(target);
    const costs = startCosts(target);
    const waitsForReceipt = attack.mustFinish ?? false;
    const watching = startVictim({ url: target.url, userId, headers: victim.headers, pictures, waitsForReceipt });
    const over = new AbortController();
    const responses = new Map<number, number>();
    const struck = strike(over.signal, (status) => responses.set(status, (responses.get(status) ?? 0) + 1));
    await Promise.race([sleep(seconds * 1_000), struck]);
    const seen = waitsForReceipt ? await watching.end() : await withinAttack(watching, over);
    over.abort();
    await struck.catch(() => {});
    const cost = costs.end();
    const after = await stored(target);
    const growth = {
      rows: after.rows - before.rows,
      databaseMb: Math.round(after.databaseMb - before.databaseMb),
      files: after.files - before.files,
    };
    const finishMsMax = waitsForReceipt && usualFinishMs !== null ? usualFinishMs * FINISH_FACTOR : Infinity;
    return { attack: attack.name, seen, responses, ...cost, ...growth, broken: brokenBy(seen, finishMsMax) };
  } finally {
    await target.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The other application ends first: its last requests are still under attack. */
async function withinAttack(watching: { end: () => Promise<Seen> }, over: AbortController): Promise<Seen> {
  const seen = await watching.end();
  over.abort();
  return seen;
}

function brokenBy({ live, meals, uploads, finishedMs }: Seen, finishMsMax: number): string[] {
  const broken: string[] = [];
  const slowest = Math.round(Math.max(...live));
  if (slowest > LIVE_MS_MAX) broken.push(`/health/live took ${slowest} ms`);
  for (const [name, calls] of Object.entries({ meal: meals, upload: uploads })) {
    const failed = calls.filter(({ status }) => status < 200 || status >= 300);
    if (failed.length > 0) {
      const statuses = [...new Set(failed.map(({ status }) => (status === 0 ? "no response" : status)))].join(", ");
      broken.push(`${failed.length} of ${calls.length} ${name}s failed: ${statuses}`);
    }
  }
  if (finishMsMax !== Infinity && (finishedMs === null || finishedMs > finishMsMax)) {
    const seconds = finishedMs === null ? "not at all" : `after ${(finishedMs / 1_000).toFixed(1)} s`;
    broken.push(`the receipt was finished ${seconds}, not within ${(finishMsMax / 1_000).toFixed(1)} s`);
  }
  return broken;
}

/** Rows and bytes in the database, and files of images. */
async function stored({ dataDir }: Target): Promise<{ rows: number; databaseMb: number; files: number }> {
  await sleep(COUNTERS_MS);
  const { database, close } = await connect(toConfig(readEnv({ DATA_DIR: dataDir })), "command", NO_LOG);
  try {
    const [row] = await database.query<{ rows: number; bytes: number }>({
      name: "attacks.stored",
      text: `SELECT sum(n_tup_ins - n_tup_del)::float8 AS rows, pg_database_size(current_database())::float8 AS bytes
             FROM pg_stat_user_tables`,
    });
    return { rows: row!.rows, databaseMb: row!.bytes / 1024 / 1024, files: filesBelow(join(dataDir, "files")) };
  } finally {
    await close();
  }
}
