import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { shareKeptFiles } from "./kept-files.ts";
import { keepOutput } from "./privacy-run.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The service as people run it: a process with its bundled PostgreSQL under `dataDir`. */
export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it wrote, for a failing test's message. */
  output(): string;
  /** Asks it to stop and gives its exit code. */
  stop(): Promise<number | null>;
}

export interface ProcessSettings {
  /** What the process is to do; "start", which is everything, without. */
  role?: "start" | "serve" | "work";
  dataDir: string;
  port: number;
  env?: Record<string, string>;
  /** Root of another tree whose programs run, by its own bin/run.mjs; this one without. */
  root?: string;
}

export function environment({ dataDir, port, env }: ProcessSettings): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: process.env["TMPDIR"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    DATA_DIR: dataDir,
    PORT: String(port),
    WEBHOOK_ALLOW_NETS: "127.0.0.0/8",
    ...env,
  };
}

/** Of a machine that is busy with thirty other things: a start took more than a minute there, and takes two seconds. */
const START_MS_MAX = 180_000;

/** Starts `main.ts` and waits until it is ready. */
export function startProcess(settings: ProcessSettings): Promise<ServiceProcess> {
  return serviceOf(spawnService(settings), settings);
}

/** Waits until the service of a process is ready. */
export async function serviceOf(child: ChildProcess, settings: ProcessSettings, pollMs = 50): Promise<ServiceProcess> {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      chunks.push(String(chunk));
      keepOutput(child.pid, String(chunk));
    });
  const url = `http://127.0.0.1:${settings.port}`;
  const output = () => chunks.join("");
  // One that only works in the background has no address: it says that it has begun.
  const isReady = async (): Promise<boolean> =>
    settings.role === "work"
      ? output().includes("background work has started")
      : await fetch(`${url}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
  for (const deadline = Date.now() + START_MS_MAX; ; await sleep(pollMs)) {
    if (await isReady()) break;
    if (hasEnded(child) || Date.now() > deadline) {
      // Otherwise the test's process would wait for it, and never end.
      child.kill("SIGKILL");
      throw new Error(`the service did not start:\n${output()}`);
    }
  }
  return {
    url,
    child,
    output,
    stop: async () => {
      if (!hasEnded(child)) child.kill("SIGTERM");
      await ended(child);
      return child.exitCode;
    },
  };
}

/** Starts the service without waiting for anything. */
export function spawnService(settings: ProcessSettings): ChildProcess {
  shareKeptFiles(settings.dataDir);
  return spawn(process.execPath, [...programOf(settings, "src/main.ts"), settings.role ?? "start"], {
    env: environment(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts a CLI command without waiting for anything. What it prints is dropped, but for its standard error. */
export function spawnCli(settings: ProcessSettings, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [...programOf(settings, "src/cli.ts"), ...args], {
    env: environment(settings),
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Runs a CLI command with --json and gives what it printed. Rejects when it exits with another code than 0. */
export async function runCli<Output>(settings: ProcessSettings, ...args: string[]): Promise<Output> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...programOf(settings, "src/cli.ts"), ...args, "--json"],
    {
      env: environment(settings),
    },
  );
  return JSON.parse(stdout) as Output;
}

function programOf({ root }: ProcessSettings, file: string): string[] {
  return root === undefined ? [join(ROOT, file)] : [join(root, "bin/run.mjs"), join(root, file)];
}

/** Ends the service, its reading processes and its PostgreSQL at once, as a power cut would. */
export async function killEverything({ child }: Pick<ServiceProcess, "child">, dataDir: string): Promise<void> {
  const postmaster = postmasterPid(dataDir);
  const pids = [
    child.pid!,
    ...descendants(child.pid!),
    ...(postmaster ? [postmaster, ...descendants(postmaster)] : []),
  ];
  for (const pid of pids) kill(pid);
  await ended(child);
}

/** Whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Resolves when a process has ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, "exit");
}

/** The process id of the PostgreSQL that runs on a data folder, null when none is noted. */
export function postmasterPid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n", 1)[0]);
  } catch {
    return null;
  }
}

/** All processes below one, by /proc; none where there is no /proc. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readProc()) {
    children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry.pid]);
  }
  const below = (parent: number): number[] => (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

function readProc(): { pid: number; parent: number }[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, "utf8");
          return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }];
        } catch {
          return [];
        }
      });
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile, which is what was wanted.
  }
}

/** Below the ports that a system gives to connections and to who asks for any: those of Linux begin at 32,768. */
const PORTS = [10_000, 32_000] as const;

/**
 * A port of loopback that was free a moment ago. Tests of other processes do not get it before its service listens,
 * which may take seconds: they ask for any port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const probe = createServer();
    const isFree = once(probe, "listening").then(
      () => true,
      () => false,
    );
    probe.listen(port, "127.0.0.1");
    if (!(await isFree)) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
