import { setTimeout as sleep } from "node:timers/promises";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";

/** An exporter that repeats a batch for as long as the collector is away. */
export interface PatientExporter extends SpanExporter {
  /** From now on each batch has one attempt: the process stops. */
  hurry(): void;
}

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 15_000;
/** The collector has understood these, and will refuse the batch again. */
const isRefused = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

/**
 * Sends each batch until the collector takes it: the library's own exporter gives up within its time-out. Meanwhile
 * further spans wait in the bounded queue of the processor, which has one batch in flight.
 */
export function createPatientExporter(exporter: SpanExporter, log: Log): PatientExporter {
  const hurried = new AbortController();
  const attempt = (spans: Parameters<SpanExporter["export"]>[0]): Promise<Result> =>
    new Promise((done) => exporter.export(spans, done));

  const send = async (spans: Parameters<SpanExporter["export"]>[0]): Promise<Result> => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(WAIT_MS_MAX, 2 * waitMs)) {
      const result = await attempt(spans);
      if (!result.error || hurried.signal.aborted) return result;
      const status = Number((result.error as { code?: unknown } | undefined)?.code);
      if (isRefused(status)) {
        log.warn({ status, spans: spans.length }, "the collector refuses traces: they are dropped");
        return result;
      }
      if (waitMs === FIRST_WAIT_MS) log.warn({ status: status || null }, "the collector of traces is away");
      await sleep(waitMs, undefined, { ref: false, signal: hurried.signal }).catch(() => {});
    }
  };

  const report: (...of: Parameters<SpanExporter["export"]>) => Promise<void> = async (spans, done) => {
    done(await send(spans));
  };

  return {
    export: (spans, done) => void report(spans, done),
    shutdown: () => exporter.shutdown(),
    hurry: () => hurried.abort(),
  };
}
