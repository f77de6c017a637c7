import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as the collector got it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it begins its trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly hasFailed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A collector of traces: OTLP over HTTP, as JSON. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Everything that arrived, as text, with the headers. */
  readonly texts: string[];
  /** The status of responses; the spans of others than 200 are not taken. */
  status: number;
  close(): Promise<void>;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string | number>> }[];
}
interface OtlpRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
}

const FAILED = 2;
const NANOS_PER_MS = 1e6;

/** Starts a collector on a free port of this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const receiver = { spans: [] as ReceivedSpan[], texts: [] as string[], status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      receiver.texts.push(`${request.url} ${JSON.stringify(request.headers)}\n${body}`);
      if (receiver.status === 200 && request.url === "/v1/traces") receiver.spans.push(...spansIn(body));
      response.writeHead(receiver.status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as OtlpRequest;
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf)));
}

function spanOf(span: OtlpSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId = "", name, kind, startTimeUnixNano, endTimeUnixNano, status } = span;
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startMs: Number(startTimeUnixNano) / NANOS_PER_MS,
    endMs: Number(endTimeUnixNano) / NANOS_PER_MS,
    hasFailed: status.code === FAILED,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]!])),
  };
}
