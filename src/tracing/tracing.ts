// Traces of what becomes of a request, by OpenTelemetry. Off unless a collector is set: then there is no `Tracing`.
// Attributes have no name, address, text or secret of anybody, only ids of submissions, applications and endpoints.

/** Kind of a span: a request, work of our own, a call of another service. */
export type SpanKind = "server" | "internal" | "client";

export type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work in a trace. */
export interface Span {
  /** Its place in the trace, as the header `traceparent` of W3C says it. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  end(outcome?: "ok" | "failed"): void;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  /** The `traceparent` that it belongs to; null, or none that is valid: it begins a trace. */
  readonly parent: string | null;
  /** Default: now. */
  readonly startMs?: number;
  readonly attributes?: Attributes;
}

/** Makes spans. Each costs some microseconds; whatever happens to the collector, nothing waits for it. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Whether a text is a `traceparent` of the version that we send ourselves. */
export function isTraceparent(text: unknown): text is string {
  return typeof text === "string" && TRACEPARENT.test(text);
}

/** The parts of a `traceparent`; null: it is none. */
export function partsOf(traceparent: string): { traceId: string; spanId: string; flags: number } | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Runs `work` in a span, which fails when it throws. Without tracing it just runs. */
export async function within<Result>(
  tracing: Tracing | null,
  name: string,
  options: SpanOptions,
  work: (traceparent: string | null) => Promise<Result>,
): Promise<Result> {
  if (!tracing) return work(null);
  const span = tracing.start(name, options);
  let outcome: "ok" | "failed" = "failed";
  try {
    const result = await work(span.traceparent);
    outcome = "ok";
    return result;
  } finally {
    span.end(outcome);
  }
}
