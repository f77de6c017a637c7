import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  descendants,
  ended,
  freePort,
  killEverything,
  postmasterPid,
  runCli,
  spawnCli,
  spawnService,
  startProcess,
} from "../test/support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "../test/support/processes.ts";
import type { Station, Traveller } from "./cell-moves.ts";
import { supervise } from "./supervised.ts";
import type { Supervised } from "./supervised.ts";

/** The processes of the service, and the ways to strike them. */
export interface Topology<Fault extends string = string> {
  readonly faults: readonly Fault[];
  /** Addresses of the service. At least one of them responds, sooner or later. */
  urls(): readonly string[];
  cli<Output>(...args: string[]): Promise<Output>;
  /** Injects a fault and restarts what a supervisor would restart; done when the service is ready again. */
  strike(fault: Fault, random: () => number): Promise<void>;
  stop(): Promise<void>;
  /** The last lines of processes that ended by themselves, and were started again. */
  ownExits?(): readonly string[];
  /** The addresses of the cell whose address an application has moved to. */
  follow?(address: string): readonly string[];
  /** Where the application of the story is, which moves by a fault. */
  readonly traveller?: Traveller;
}

export type EmbeddedFault = "everything" | "node" | "postgres" | "reader" | "start" | "sigterm";

/** Longest time before a start is cut off: a complete one takes about two seconds. */
const START_MS_MAX = 2_500;
const STOP_MS_MAX = 15_000;

/** A short time-out: what a killed process has leased is free after twice that and 5 s, and a story ends after it. */
const ENVIRONMENT = {
  WEBHOOK_RETRY_SCHEDULE: "0,1,1,1,2,2,4,4,8,8",
  WEBHOOK_TIMEOUT_SECONDS: "1",
  LOG_LEVEL: "warn",
};

/** `npm start`: one process with the bundled PostgreSQL. */
export async function startTogether(dataDir: string): Promise<Topology<EmbeddedFault>> {
  const settings: ProcessSettings = { dataDir, port: await freePort(), env: ENVIRONMENT };
  let service = await startProcess(settings);
  const start = async () => {
    service = await startProcess(settings);
  };
  const strikes: Record<EmbeddedFault, (random: () => number) => Promise<void>> = {
    everything: async () => {
      await killEverything(service, dataDir);
      await start();
    },
    node: async () => {
      service.child.kill("SIGKILL");
      await ended(service.child);
      await start();
    },
    postgres: async () => {
      const pid = postmasterPid(dataDir);
      if (pid !== null) process.kill(pid, "SIGKILL");
      await readyAgain(service);
    },
    reader: async () => {
      const readers = descendants(service.child.pid!).filter(isReader);
      for (const pid of readers.slice(0, 1)) process.kill(pid, "SIGKILL");
    },
    start: async (random) => {
      await killEverything(service, dataDir);
      const child = spawnService(settings);
      await sleep(random() * START_MS_MAX);
      await killEverything({ child }, dataDir);
      await start();
    },
    sigterm: async () => {
      const below = descendants(service.child.pid!);
      const since = Date.now();
      assert.equal(await service.stop(), 0, `asked to stop it ends well:\n${service.output()}`);
      assert.ok(Date.now() - since < STOP_MS_MAX, "asked to stop it ends in 15 seconds");
      assert.deepEqual(below.filter(isRunning), [], "no process is left");
      await start();
    },
  };
  return {
    faults: Object.keys(strikes) as EmbeddedFault[],
    urls: () => [`http://127.0.0.1:${settings.port}`],
    cli: (...args) => runCli(settings, ...args),
    strike: (fault, random) => strikes[fault](random),
    stop: async () => {
      await service.stop();
    },
  };
}

export type SplitFault = "serve" | "work" | "sigterm" | "suspend";

/** Longest time of a suspension: longer than the leases. */
const SUSPENDED_MS_MAX = 12_000;

/**
 * Two processes that serve and three that work, on one external PostgreSQL and one folder of files. `settings` has the
 * DATABASE_URL, and whatever else they have.
 */
export async function startSplit(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Topology<SplitFault> & Pick<Station, "command">> {
  const env = { ...ENVIRONMENT, ...settings, OCR_PROCESSES: "1" };
  const work: ProcessSettings = { role: "work", dataDir, port: 0, env };
  const serving: Supervised[] = [];
  const working: Supervised[] = [];
  const stop = async () => {
    await Promise.all([...serving, ...working].map((each) => each.stop()));
  };
  try {
    for (let i = 0; i < 2; i++) {
      serving.push(supervise({ role: "serve", dataDir, port: await freePort(), env }));
      await serving[i]!.ready();
    }
    for (let i = 0; i < 3; i++) working.push(supervise(work));
  } catch (error) {
    await stop();
    throw error;
  }
  const oneOf = (some: readonly Supervised[], random: () => number) => some[Math.floor(random() * some.length)]!;
  const signal = async (struck: Supervised, name: NodeJS.Signals) => {
    await struck.restart(name);
    await struck.ready();
  };
  return {
    faults: ["serve", "work", "sigterm", "suspend"],
    urls: () => serving.map(({ settings: { port } }) => `http://127.0.0.1:${port}`),
    cli: (...args) => runCli(serving[0]!.settings, ...args),
    command: (...args) => spawnCli(serving[0]!.settings, ...args),
    strike: async (fault, random) => {
      if (fault === "suspend") await suspend(oneOf(working, random), random);
      else if (fault === "sigterm") await signal(oneOf([...serving, ...working], random), "SIGTERM");
      else await signal(oneOf(fault === "serve" ? serving : working, random), "SIGKILL");
    },
    stop,
    ownExits: () => [...serving, ...working].flatMap(({ ownExits }) => ownExits),
  };
}

/** Suspends a process, as a machine without memory or a moved virtual machine is, and lets it go on. */
async function suspend(struck: Supervised, random: () => number): Promise<void> {
  struck.signal("SIGSTOP");
  await sleep(random() * SUSPENDED_MS_MAX);
  struck.signal("SIGCONT");
}

/** Of what a service wrote, its end. */
const OUTPUT_MAX = 3_000;

async function readyAgain(service: ServiceProcess): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    assert.equal(service.child.exitCode, null, `it outlives its PostgreSQL:\n${service.output().slice(-OUTPUT_MAX)}`);
    const response = await fetch(`${service.url}/health/ready`).catch(() => null);
    if (response?.ok) return;
    assert.ok(Date.now() < deadline, "it was not ready again within a minute");
  }
}

function isReader(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("ocr/child.ts");
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    // A process that has ended, but was not waited for yet, does not count.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
