import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

/** Continues an attack until the signal aborts. */
export type Strike = (signal: AbortSignal, note: Note) => Promise<void>;

/** Counts a response of the service to the attacker, by its status; 0 is a connection without a response. */
export type Note = (status: number) => void;

/** An attack on the running service. */
export interface Attack {
  readonly name: string;
  /** One line for the list. */
  readonly about: string;
  /** Prepares what the attack needs; the measurement begins with the strike. */
  readonly prepare: (target: Target) => Promise<Strike>;
  /** The other application's receipt must be finished while the attack goes on, not only accepted. */
  readonly mustFinish?: boolean;
}

/** Pause after a failed request, so that a refused attacker does not only measure its own speed. */
const PAUSE_MS = 20;

/** Sends requests in `lanes` at once, each the next one when it has a response, until the signal aborts. */
export async function repeat(
  lanes: number,
  signal: AbortSignal,
  note: Note,
  send: (lane: number) => Promise<Response>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (!signal.aborted) {
        const sent = send(lane).then(async (response) => {
          await response.arrayBuffer();
          return response.status;
        });
        // What still waits for a response when the time is over is left.
        const status = await Promise.race([sent.catch(() => 0), aborted(signal)]);
        if (status === null) return;
        note(status);
        if (status === 0 || status >= 400) await sleep(PAUSE_MS);
      }
    }),
  );
}

/** Resolves with null when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** Runs `work` for each number below `count`, at most `lanes` at once. */
export async function each(count: number, lanes: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
