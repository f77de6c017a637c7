// Moves the application of a story from cell to cell, by a command that is killed at any moment and run again.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Topology } from "./topology.ts";

/** A cell that applications move to and from. */
export interface Station {
  readonly schema: string;
  readonly topology: Topology;
  /** Runs a command of the operator, whose standard error is read. */
  command(...args: string[]): ChildProcess;
}

/** Where the application of a story is, and the command that moves it. */
export interface Traveller {
  /** The application that moves from now on. */
  begin(clientId: string): void;
  /** The cell that it is in. */
  schema(): string;
  /** Moves it to the next cell, with interruptions, and removes what is left of it. */
  move(random: () => number): Promise<void>;
  /** How often the command was killed, and a move undone. */
  readonly interruptions: { killed: number; undone: number };
}

/** A whole move takes six seconds and more. */
const KILLED_MS_MAX = 9_000;
const KILLED_SHARE = 0.5;
const UNDONE_SHARE = 0.3;
/** Some of what the command needs may be struck again and again meanwhile. */
const MOVE_MS_MAX = 600_000;
const AGAIN_MS = 500;

/** Returns the traveller of the story that begins at the cell with this number. */
export function createTraveller(stations: readonly Station[], start: number): Traveller {
  let at = start;
  let clientId: string | null = null;
  const interruptions = { killed: 0, undone: 0 };

  const move = async (random: () => number): Promise<void> => {
    if (clientId === null) return;
    const [here, there] = [stations[at]!, stations[(at + 1) % stations.length]!];
    const command = ["app", "move", "--client-id", clientId];
    const to = ["--to-schema", there.schema];
    const moving = [...command, ...to, "--address", there.topology.urls()[0]!];
    const deadline = Date.now() + MOVE_MS_MAX;
    for (;;) {
      const isKilled = random() < KILLED_SHARE;
      const ended = await run(here, moving, isKilled ? random() * KILLED_MS_MAX : null);
      if (ended.code === 0) break;
      if (ended.code === null) interruptions.killed += 1;
      if (random() < UNDONE_SHARE && (await run(here, [...command, ...to, "--undo"], null)).code === 0) {
        interruptions.undone += 1;
      }
      if (Date.now() > deadline) throw new Error(`${here.schema} to ${there.schema}: ${ended.said}`);
      await sleep(AGAIN_MS);
    }
    at = (at + 1) % stations.length;
    for (;;) {
      const ended = await run(here, [...command, "--clean"], random() < KILLED_SHARE ? random() * KILLED_MS_MAX : null);
      // A command that was killed may have done it.
      if (ended.code === 0 || /nothing of a move is left here/.test(ended.said)) break;
      if (ended.code === null) interruptions.killed += 1;
      if (Date.now() > deadline) throw new Error(`cleaning ${here.schema}: ${ended.said}`);
      await sleep(AGAIN_MS);
    }
  };
  return {
    begin: (id) => {
      clientId = id;
      at = start;
    },
    schema: () => stations[at]!.schema,
    move,
    interruptions,
  };
}

/** Runs a command, and kills it after a time. The code is null if it was killed. */
async function run(
  { command }: Station,
  args: readonly string[],
  killedAfterMs: number | null,
): Promise<{ code: number | null; said: string }> {
  const child = command(...args);
  let said = "";
  child.stderr!.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const timer = killedAfterMs === null ? undefined : setTimeout(() => child.kill("SIGKILL"), killedAfterMs);
  await once(child, "close");
  clearTimeout(timer);
  return { code: child.exitCode, said: said.slice(-1_000) };
}
