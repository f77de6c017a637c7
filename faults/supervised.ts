import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ended, hasEnded, spawnService } from "../test/support/processes.ts";
import type { ProcessSettings } from "../test/support/processes.ts";

/** A process that a supervisor starts again whenever it ends, as systemd and Kubernetes do. */
export interface Supervised {
  readonly settings: ProcessSettings;
  /** The end of what each process wrote that ended by itself: one does that at a start without a database. */
  readonly ownExits: readonly string[];
  signal(name: NodeJS.Signals): void;
  /** Ends it by a signal, and starts it again. */
  restart(name: NodeJS.Signals): Promise<void>;
  /** Resolves when it is ready to serve; at once for one that does not. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = 500;
/** On a machine that is busy with other things a start takes a minute. */
const READY_MS_MAX = 180_000;
const OUTPUT_MAX = 3_000;

export function supervise(settings: ProcessSettings): Supervised {
  const ownExits: string[] = [];
  /** The process whose end is no news. */
  let asked: ChildProcess | undefined;
  let isStopped = false;
  let output = "";
  const start = (): ChildProcess => {
    const next = spawnService(settings);
    output = "";
    // One whose output nobody reads waits for a reader once the pipe is full.
    for (const stream of [next.stdout, next.stderr]) {
      stream?.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-OUTPUT_MAX)));
    }
    next.once("exit", (code, signal) => {
      if (isStopped || next === asked) return;
      ownExits.push(`${settings.role} ended with ${code ?? signal}: ${output.trim().split("\n").at(-1)}`);
      void sleep(PAUSE_MS).then(() => {
        if (!isStopped) child = start();
      });
    });
    return next;
  };
  const end = async (name: NodeJS.Signals) => {
    // One that has just ended by itself is being started.
    while (!isStopped && hasEnded(child)) await sleep(PAUSE_MS);
    asked = child;
    child.kill(name);
    await ended(child);
  };
  let child = start();
  return {
    settings,
    ownExits,
    signal: (name) => void child.kill(name),
    restart: async (name) => {
      await end(name);
      child = start();
    },
    ready: async () => {
      if (settings.role !== "serve") return;
      for (const deadline = Date.now() + READY_MS_MAX; ; await sleep(50)) {
        const response = await fetch(`http://127.0.0.1:${settings.port}/health/ready`).catch(() => null);
        if (response?.ok) return;
        assert.ok(Date.now() < deadline, `the service was not ready in time:\n${output}`);
      }
    },
    stop: async () => {
      isStopped = true;
      await end("SIGTERM");
    },
  };
}
