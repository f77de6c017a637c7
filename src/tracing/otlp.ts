import { setTimeout as sleep } from "node:timers/promises";
import { DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, diag, trace } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { createPatientExporter } from "./patient-exporter.ts";
import { partsOf } from "./tracing.ts";
import type { Span, Tracing } from "./tracing.ts";

/** Where traces are sent, and which. */
export interface TracingSettings {
  /** Address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Share of the traces that begin here, from 0 to 1. One that a caller has begun is recorded if the caller's is. */
  readonly share: number;
}

export interface OtlpTracing extends Tracing {
  /** Sends what is left, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Some 5 MB. What ends above it, while the collector is away or slow, is dropped. */
const QUEUE_SPANS_MAX = 2_048;
const BATCH_SPANS_MAX = 512;
const DELAY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** The patient exporter decides when to give up, not the processor: longer than any time-out may be. */
const NEVER_MS = 2 ** 31 - 1;
const ATTRIBUTE_LENGTH_MAX = 200;

const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** Opens tracing to a collector by OTLP over HTTP, as JSON. Connects with the first batch. */
export function openTracing(settings: TracingSettings, log: Log, delayMs = DELAY_MS): OtlpTracing {
  const report = (message: string): void => log.warn({ reason: message }, "traces");
  const silent = (): void => {};
  // Of the whole process: the library reports how many spans it has dropped by it.
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = createPatientExporter(
    new OTLPTraceExporter({
      url: `${settings.endpoint}/v1/traces`,
      headers: { ...settings.headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
    }),
    log,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.share) }),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: QUEUE_SPANS_MAX,
        maxExportBatchSize: BATCH_SPANS_MAX,
        scheduledDelayMillis: delayMs,
        exportTimeoutMillis: NEVER_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("rewards-service");
  return {
    start(name, { kind = "internal", parent, startMs, attributes = {} }) {
      const options = {
        kind: KINDS[kind],
        attributes: { ...attributes },
        ...(startMs !== undefined && { startTime: startMs }),
      };
      return spanOf(tracer.startSpan(name, options, contextOf(parent)));
    },
    close: async (graceMs) => {
      exporter.hurry();
      const closed = provider.shutdown().catch((error: unknown) => report(String(error)));
      await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}

function contextOf(parent: string | null): Context {
  const parts = parent === null ? null : partsOf(parent);
  if (!parts) return ROOT_CONTEXT;
  const { traceId, spanId, flags: traceFlags } = parts;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function spanOf(span: ReturnType<ReturnType<TracerProvider["getTracer"]>["startSpan"]>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    set: (attributes) => void span.setAttributes({ ...attributes }),
    end: (outcome = "ok") => {
      if (outcome === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
