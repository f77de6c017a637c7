// A move of a large application to another cell: how long it is closed, what it takes, and what a kill leaves behind.
import type { ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import {
  descendants,
  ended,
  freePort,
  hasEnded,
  postmasterPid,
  spawnCli,
  startProcess,
} from "../test/support/processes.ts";
import type { ProcessSettings } from "../test/support/processes.ts";
import { cpuMsOfTree } from "./cpu.ts";
import { columns } from "./figures.ts";
import type { Grown } from "./growth/fill.ts";
import { fillWhileDown, startFilled } from "./growth/filled.ts";
import { bookOriginals } from "./growth/models.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

/** Of a thousand submissions: with 100,000 records there are 4,900 receipts, each with its image. */
const RECEIPTS = 50;
const TARGET = "south";
const SAMPLE_MS = 50;

/** A command of the move, until it ended or was killed. */
export interface MoveStep {
  readonly name: string;
  readonly seconds: number;
  readonly commandCpuSeconds: number;
  readonly postgresCpuSeconds: number;
  /** The most that the command ever had, and the most that one connection of PostgreSQL had of its own. */
  readonly commandMegabytes: number;
  readonly backendMegabytes: number;
  /** What a call to the cell that is left gets afterwards. */
  readonly statusHere: number;
}

export interface AppMove {
  readonly grown: Grown;
  readonly images: number;
  readonly steps: readonly MoveStep[];
  /** Rows of both cells at the end. */
  readonly left: Readonly<Record<string, number>>;
}

/**
 * Moves an application with `records` records: killed, undone, killed, run to the end, cleaned. The command reports
 * every two seconds, and is killed by what it reports: with fewer than some 20,000 records it has ended by then.
 */
export async function measureAppMove(records: number, progress: Progress, signal: AbortSignal): Promise<AppMove> {
  let started: ProcessSettings | undefined;
  const filling = {
    folder: undefined,
    name: "app-move.json",
    env: {},
    isSandbox: true,
    fill: async (subject: Subject, client: Client) => {
      await bookOriginals(subject, progress);
      const { rows } = await client.query<{ id: string }>("SELECT id FROM applications");
      const submissions = Math.ceil(records / 10) * 10;
      const growth = { submissions, applicationIds: [rows[0]!.id], receipts: RECEIPTS, progress };
      return { grown: await fillWhileDown(subject, client, growth) };
    },
    find: async (subject: Subject, client: Client, { grown }: { grown: Grown }) => {
      progress("app-move: copying images");
      const images = await copyPictures(client, join(subject.dataDir, "files"));
      await subject.restart(async (settings) => startProcess((started = settings)));
      return { grown, images };
    },
  };
  const side = await startFilled(filling, signal);
  const { subject, client, grown, images } = side;
  const close = (): void => void side.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    await subject.cli("cell", "create", "--schema", TARGET);
    const env = { ...started!.env, DATABASE_SCHEMA: TARGET };
    const there = await startProcess({ ...started!, role: "serve", port: await freePort(), env });
    try {
      const move = moverOf(subject, started!, progress);
      const to = ["--to-schema", TARGET, "--address", there.url];
      const steps = [
        await move("killed while images are copied", to, /^\d+ images copied/m),
        await move("undone", ["--to-schema", TARGET, "--undo"]),
        await move("killed while rows are copied", to, /^\w+: \d+ rows copied/m),
        // Nothing was committed there: it takes what a move takes that nothing interrupts.
        await move("run again, to the end", to),
      ];
      await requireThere(subject, there.url);
      steps.push(await move("cleaned", ["--clean"]));
      return { grown, images, steps, left: await leftIn(client) };
    } finally {
      await there.stop();
    }
  } finally {
    signal.removeEventListener("abort", close);
    await side.close();
  }
}

/** Each receipt gets the image of a receipt that was read. */
async function copyPictures(client: Client, files: string): Promise<number> {
  const { rows } = await client.query<{ key: string; reference: string }>(
    "SELECT image_key AS key, reference FROM receipts ORDER BY id",
  );
  const originals = rows.filter(({ reference }) => !reference.startsWith("grown-"));
  for (const [i, { key, reference }] of rows.entries()) {
    if (!reference.startsWith("grown-")) continue;
    mkdirSync(dirname(join(files, key)), { recursive: true });
    copyFileSync(join(files, originals[i % originals.length]!.key), join(files, key));
  }
  return rows.length;
}

/** Runs `app move` with options, and kills it when what it reports matches. */
function moverOf(subject: Subject, settings: ProcessSettings, progress: Progress) {
  return async (name: string, options: readonly string[], killAt?: RegExp): Promise<MoveStep> => {
    progress(`app-move: ${name}`);
    const startMs = performance.now();
    const server = postmasterPid(subject.dataDir)!;
    const postgresBefore = cpuMsOfTree(server);
    const child = spawnCli(settings, "app", "move", "--client-id", subject.clientId, ...options);
    let said = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      said += String(chunk);
      if (killAt?.test(said) === true) child.kill("SIGKILL");
    });
    const used = await sampled(child, server);
    if (killAt === undefined ? child.exitCode !== 0 : child.signalCode !== "SIGKILL") {
      throw new Error(`${name}: the command ended with ${child.exitCode ?? child.signalCode}\n${said}`);
    }
    const { status } = await fetch(`${subject.url}/users/${subject.userIds[0]!}/summary?api-version=1.0`, {
      headers: { ...subject.headers },
    });
    return {
      name,
      seconds: (performance.now() - startMs) / 1_000,
      ...used,
      postgresCpuSeconds: (cpuMsOfTree(server) - postgresBefore) / 1_000,
      statusHere: status,
    };
  };
}

/** Watches a command until its end. */
async function sampled(child: ChildProcess, server: number) {
  let [cpuMs, commandKilobytes, backendKilobytes] = [0, 0, 0];
  for (; !hasEnded(child); await sleep(SAMPLE_MS)) {
    cpuMs = Math.max(cpuMs, cpuMsOfTree(child.pid!));
    commandKilobytes = Math.max(commandKilobytes, kilobytesOf(child.pid!, "VmHWM"));
    // Without the shared buffers, which are of no connection.
    for (const pid of descendants(server)) backendKilobytes = Math.max(backendKilobytes, kilobytesOf(pid, "RssAnon"));
  }
  await ended(child);
  return {
    commandCpuSeconds: cpuMs / 1_000,
    commandMegabytes: commandKilobytes / 1_000,
    backendMegabytes: backendKilobytes / 1_000,
  };
}

function kilobytesOf(pid: number, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The other cell responds for the application, with its users. */
async function requireThere({ headers, userIds }: Subject, url: string): Promise<void> {
  const response = await fetch(`${url}/users/${userIds[0]!}/summary?api-version=1.0`, { headers: { ...headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the other cell responded with ${response.status}: ${text}`);
}

async function leftIn(client: Client): Promise<Record<string, number>> {
  const tables = ["records", "receipts", "users"];
  const counts = [`public`, TARGET].flatMap((schema) =>
    tables.map((table) => `(SELECT count(*)::int FROM ${schema}.${table}) AS "${table} of ${schema}"`),
  );
  return (await client.query<Record<string, number>>(`SELECT ${counts.join(", ")}`)).rows[0]!;
}

/** The steps for people. */
export function appMoveText({ grown, images, steps, left }: AppMove): string {
  const { submissions, users, bytes } = grown;
  const rows = steps.map((step) => [
    step.name,
    `${step.seconds.toFixed(1)} s`,
    `${step.commandCpuSeconds.toFixed(1)} s`,
    `${step.postgresCpuSeconds.toFixed(1)} s`,
    `${step.commandMegabytes.toFixed(0)} MB`,
    `${step.backendMegabytes.toFixed(0)} MB`,
    String(step.statusHere),
  ]);
  return [
    `${submissions.toLocaleString("en")} records of ${users.toLocaleString("en")} users, ${(bytes / 1e6).toFixed(0)} MB, ${images} images`,
    "",
    columns([
      ["app move", "in all", "its CPU", "CPU of PostgreSQL", "its memory", "a connection's", "calls get"],
      ...rows,
    ]),
    "",
    ...Object.entries(left).map(([what, count]) => `${what}: ${count}`),
  ].join("\n");
}
