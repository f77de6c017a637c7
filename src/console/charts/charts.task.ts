import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import type { ChartSpec, DrawnChart } from "./chart.ts";

/** Asks the thread for a chart. */
export interface DrawingRequest {
  readonly id: number;
  readonly spec: ChartSpec;
}

/** What the thread returns. */
export type DrawingReply =
  | { readonly id: number; readonly chart: DrawnChart }
  | { readonly id: number; readonly error: string };

/** Draws charts. */
export interface Charts {
  /** Null: it could not be drawn in time. The page has its numbers as a table in any case. */
  draw(spec: ChartSpec): Promise<DrawnChart | null>;
  stop(): Promise<void>;
}

/** The library is loaded with the first chart: 0.1 to 0.8 s. */
const WAIT_MS = 8_000;
/** The thread takes up to 94 MB (docs/decisions/0004-libraries.md). */
const IDLE_MS = 5 * 60_000;
/** Of the thread; without a bound it keeps what it no longer needs. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };
/** Some of about 30 kB each. */
const KEPT = 100;
/** Charts that wait, of all pages together. */
const WAITING_MAX = 64;

/**
 * Draws charts in a thread of its own, which starts with the first one and ends when none was asked for in a while:
 * requests of the API don't wait while one is drawn, and the start of the service does not load the library.
 */
export function createCharts(
  log: Pick<Log, "error">,
  threadUrl = new URL("./drawing.task.ts", import.meta.url),
): Charts {
  const waiting = new Map<number, (chart: DrawnChart | null) => void>();
  /** The last ones that were drawn, by what they show. A failure is not kept: the next page asks again. */
  const kept = new Map<string, DrawnChart>();
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    for (const done of waiting.values()) done(null);
    await ending?.terminate();
  };
  const failed = (error: unknown): void => {
    log.error({ err: error }, "charts cannot be drawn");
    void end();
  };
  const started = (): Worker => {
    if (thread) return thread;
    const begun = new Worker(threadUrl, { execArgv: [], resourceLimits: MEMORY });
    begun.unref();
    begun.on("error", (error) => {
      // One that was ended in the meantime must not end its successor.
      if (thread === begun) failed(error);
    });
    begun.on("message", (reply: DrawingReply) => {
      if ("error" in reply) log.error({ reason: reply.error }, "a chart cannot be drawn");
      waiting.get(reply.id)?.("chart" in reply ? reply.chart : null);
    });
    return (thread = begun);
  };
  const drawNow = (spec: ChartSpec): Promise<DrawnChart | null> =>
    new Promise((resolve) => {
      if (waiting.size >= WAITING_MAX) return resolve(null);
      const id = (lastId += 1);
      clearTimeout(idle);
      const timer = setTimeout(() => failed(new Error(`a chart took more than ${WAIT_MS} ms`)), WAIT_MS);
      waiting.set(id, (chart) => {
        clearTimeout(timer);
        waiting.delete(id);
        if (waiting.size === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
        resolve(chart);
      });
      started().postMessage({ id, spec } satisfies DrawingRequest);
    });
  return {
    draw: async (spec) => {
      const key = JSON.stringify(spec);
      const chart = kept.get(key) ?? (await drawNow(spec));
      kept.delete(key);
      if (chart) kept.set(key, chart);
      if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
      return chart;
    },
    stop: end,
  };
}
