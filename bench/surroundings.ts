import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Load, Sent } from "./generator.ts";
import { startProgram } from "./program.ts";
import type { Tally } from "./receiver.ts";

/** What a measured service has beside it. */
export interface Surroundings {
  /** Empty, unless it was kept. */
  readonly dataDir: string;
  readonly receiver: ReturnType<typeof startProgram<{ subject?: string }, Tally>>;
  readonly generator: ReturnType<typeof startProgram<Load, Sent>>;
  /** Whatever is started later adds how it is ended. */
  readonly closers: (() => Promise<unknown>)[];
  /** Ends all of it, the last first, and removes the folder. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a service with a folder, a webhook receiver and a generator of its own. They end if `start` fails. `keptDir`
 * is used in place of a new folder, and stays.
 */
export async function withSurroundings<Started>(
  folder: string,
  start: (surroundings: Surroundings) => Promise<Started>,
  keptDir?: string,
): Promise<Started> {
  if (keptDir !== undefined) mkdirSync(keptDir, { recursive: true });
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), folder));
  const receiver = startProgram<{ subject?: string }, Tally>("receiver.ts");
  const generator = startProgram<Load, Sent>("generator.ts");
  const closers: Surroundings["closers"] = [
    async () => {
      if (keptDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
    generator.stop,
    receiver.stop,
  ];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    return await start({ dataDir, receiver, generator, closers, close });
  } catch (error) {
    await close();
    throw error;
  }
}
