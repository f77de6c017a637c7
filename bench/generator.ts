// Sends submissions over keep-alive connections, each after the response to the one before, in a process of its own.
import { Client } from "undici";
import type { Dispatcher } from "undici";
import { quantile } from "./figures.ts";
import { serveParent } from "./program.ts";
import { food, meal } from "./submissions.ts";

/** The load: it ends after a time or a number of requests. Every connection has one request in flight. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: "food" | "meal";
  readonly userIds: readonly string[];
  /** Prefix of every reference, so that none is sent twice. */
  readonly prefix: string;
  readonly connections: number;
  readonly durationMs: number;
  readonly requestsMax: number;
  /** Each request with an Idempotency-Key of its own. */
  readonly isKeyed: boolean;
}

export interface Sent {
  /** Responses with 202. */
  readonly accepted: number;
  /** Other responses, and requests without one. */
  readonly refused: number;
  readonly durationMs: number;
  /** Processor time of this process. */
  readonly cpuMs: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

async function send(load: Load): Promise<Sent> {
  const { kind, userIds, prefix, requestsMax, isKeyed } = load;
  const path = `${kind === "food" ? "/track/food" : "/track/meals"}?api-version=1.0`;
  const headers = { ...load.headers, "content-type": "application/json" };
  const bodyOf = kind === "food" ? food : meal;
  const latencies: number[] = [];
  let [started, accepted, refused] = [0, 0, 0];
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();

  const work = async (): Promise<void> => {
    const client = new Client(load.url);
    while (started < requestsMax && performance.now() - startedMs < load.durationMs) {
      const n = started++;
      const body = JSON.stringify(bodyOf(userIds[n % userIds.length]!, `${prefix}-${n}`, n));
      const sentMs = performance.now();
      const withKey = isKeyed ? { ...headers, "idempotency-key": `${prefix}-${n}-0f9cd27e4b1a` } : headers;
      const status = await post(client, { method: "POST", path, headers: withKey, body });
      latencies.push(performance.now() - sentMs);
      if (status === 202) accepted++;
      else refused++;
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: load.connections }, work));

  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    accepted,
    refused,
    durationMs: performance.now() - startedMs,
    cpuMs: (user + system) / 1_000,
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/**
 * Returns the status of the response, 0 without one. By `dispatch`, since the streams of `request` cost more than all
 * else.
 */
function post(client: Client, options: Dispatcher.DispatchOptions): Promise<number> {
  return new Promise((done) => {
    let status = 0;
    client.dispatch(options, {
      onRequestStart: () => {},
      onResponseStart: (_controller, code) => {
        status = code;
      },
      onResponseData: () => {},
      onResponseEnd: () => done(status),
      onResponseError: () => done(0),
    });
  });
}

serveParent(send);
