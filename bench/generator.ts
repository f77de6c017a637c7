// Sends submissions over keep-alive connections, each after the response to the one before or at a rate, in its own
// process.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import type { Dispatcher } from "undici";
import { quantile } from "./figures.ts";
import { serveParent } from "./program.ts";
import { food, leanFood, meal } from "./submissions.ts";

/** The load: it ends after a time or a number of requests. Every connection has one request in flight. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: "food" | "lean food" | "meal";
  readonly userIds: readonly string[];
  /** Prefix of every reference, so that none is sent twice. */
  readonly prefix: string;
  readonly connections: number;
  readonly durationMs: number;
  readonly requestsMax: number;
  /** Each request with an Idempotency-Key of its own. */
  readonly isKeyed: boolean;
  /**
   * Requests a second, each at its time whether or not the earlier ones have a response; `connections` is then the most
   * at once. Without it, each connection sends the next one after its response.
   */
  readonly perSecond?: number;
}

/** A request of a load with a rate: when it was due (ms since 1970), and how long after that it had its response. */
export type TimedRequest = readonly [atMs: number, waitedMs: number];

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
  /** Of a load with a rate. */
  readonly requests: readonly TimedRequest[];
}

async function send(load: Load): Promise<Sent> {
  const { kind, userIds, prefix, requestsMax, isKeyed, perSecond } = load;
  const path = `${kind === "meal" ? "/track/meals" : "/track/food"}?api-version=1.0`;
  const headers = { ...load.headers, "content-type": "application/json" };
  const bodyOf = { food, "lean food": leanFood, meal }[kind];
  const latencies: number[] = [];
  const requests: TimedRequest[] = [];
  let [started, accepted, refused] = [0, 0, 0];
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();

  const work = async (): Promise<void> => {
    const client = new Client(load.url);
    while (started < requestsMax && performance.now() - startedMs < load.durationMs) {
      const n = started++;
      const dueMs = perSecond === undefined ? null : startedMs + (n / perSecond) * 1_000;
      if (dueMs !== null && dueMs > performance.now()) await sleep(dueMs - performance.now());
      const body = JSON.stringify(bodyOf(userIds[n % userIds.length]!, `${prefix}-${n}`, n));
      const sentMs = performance.now();
      const withKey = isKeyed ? { ...headers, "idempotency-key": `${prefix}-${n}-0f9cd27e4b1a` } : headers;
      const status = await post(client, { method: "POST", path, headers: withKey, body });
      // Of a request that was due earlier, the wait for a free connection counts.
      const waitedMs = performance.now() - (dueMs ?? sentMs);
      latencies.push(waitedMs);
      if (dueMs !== null) requests.push([performance.timeOrigin + dueMs, waitedMs]);
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
    requests,
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
