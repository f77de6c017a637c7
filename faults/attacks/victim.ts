import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A request of the other application. Status 0: no response. */
export interface Call {
  readonly status: number;
  readonly ms: number;
}

/** The other application and its receipts. */
export interface VictimTask {
  readonly url: string;
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pictures: readonly Uint8Array[];
  /** Waits for the end of the first receipt, even beyond the attack. */
  readonly waitsForReceipt: boolean;
}

/** What the other application saw. */
export interface Seen {
  /** Times of `GET /health/live` in ms. */
  readonly live: readonly number[];
  readonly meals: readonly Call[];
  readonly uploads: readonly Call[];
  /** Time from the first upload to its end; null: it was not finished. */
  readonly finishedMs: number | null;
}

/** Starts the other application in a thread; `end` stops it and returns what it saw. */
export function startVictim(task: VictimTask): { end: () => Promise<Seen> } {
  const thread = new Worker(new URL("./victim-thread.ts", import.meta.url), { workerData: task, execArgv: [] });
  const seen = once(thread, "message") as Promise<[Seen]>;
  seen.catch(() => {});
  return {
    end: async () => {
      thread.postMessage("end");
      const [message] = await seen;
      await thread.terminate();
      return message;
    },
  };
}
