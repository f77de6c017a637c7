import { isIP } from "node:net";
import type { Agent, Dispatcher, request } from "./guarded-agent.ts";
import { RefusedAddress, guardedLookup, targetOf, withoutBrackets } from "./guarded-lookup.ts";
import type { IsAllowedAddress } from "./guarded-lookup.ts";
import { createResolve } from "./resolve.ts";
import type { Resolve } from "./resolve.ts";

export type { Target } from "./guarded-lookup.ts";
export type { Resolve } from "./resolve.ts";

/** A POST to send. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the whole exchange: lookup, connection, TLS, response. */
  readonly timeoutMs: number;
  /** Ends the exchange early, as kind `network`. */
  readonly signal: AbortSignal;
}

/** The result of an exchange; `head` is the beginning of the response body as text. */
export type HttpOutcome =
  | {
      readonly kind: "responded";
      readonly status: number;
      readonly durationMs: number;
      readonly retryAfterSeconds: number | null;
      readonly head: string;
    }
  | {
      readonly kind: "refused_address" | "timeout" | "network";
      readonly durationMs: number;
      readonly message: string;
    };

/** Sends POSTs to addresses that users of the service chose. */
export interface HttpSender {
  /** Loads what the first POST needs. */
  prepare(): Promise<void>;
  /** Sends one POST; follows no redirect and retries nothing. Never rejects. */
  post(post: HttpPost): Promise<HttpOutcome>;
  /**
   * Returns whether the name in an address currently resolves to refused addresses only. A name that does not resolve,
   * or whose name servers don't respond, is not refused: every connection is checked again.
   */
  isRefused(url: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Bytes of a response body that are read at most; if there are more, the connection is closed. */
const BODY_BYTES_MAX = 16_384;
/** Bytes of a response body that are returned at most. */
const HEAD_BYTES = 512;

/** Creates a sender that connects to addresses accepted by `isAllowedAddress` only (see guarded-agent.ts). */
export function createHttpSender(options: {
  isAllowedAddress: IsAllowedAddress;
  now: () => Date;
  resolve?: Resolve;
}): HttpSender {
  const { isAllowedAddress, now, resolve = createResolve() } = options;
  // undici takes 80 ms of processor time to load: after the start, or with the first POST.
  let opening: Promise<Client> | undefined;
  const open = (): Promise<Client> => (opening ??= openClient(isAllowedAddress, resolve));
  return {
    prepare: async () => {
      await open();
    },
    post: async (post) => exchange(await open(), post, now),
    isRefused: (url) =>
      new Promise((done) => {
        const address = new URL(url);
        if (isIP(withoutBrackets(address.hostname)) !== 0) return done(false);
        const lookup = guardedLookup(targetOf(address), isAllowedAddress, resolve);
        lookup(address.hostname, { all: true }, (error) => done(error instanceof RefusedAddress));
      }),
    close: async () => {
      resolve.cancel?.();
      await (await opening)?.agent.destroy();
    },
  };
}

interface Client {
  readonly agent: Agent;
  readonly request: typeof request;
}

async function openClient(isAllowedAddress: IsAllowedAddress, resolve: Resolve): Promise<Client> {
  const { createGuardedAgent, request } = await import("./guarded-agent.ts");
  return { agent: createGuardedAgent(isAllowedAddress, resolve), request };
}

async function exchange({ agent: dispatcher, request }: Client, post: HttpPost, now: () => Date): Promise<HttpOutcome> {
  const { url, headers, body, timeoutMs, signal } = post;
  const startedMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedMs);
  // AbortSignal.any and .timeout would do, but stay in memory until the timeout: 20 MB at 2,000 posts a second.
  const aborter = new AbortController();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    aborter.abort();
  }, timeoutMs);
  const abort = (): void => aborter.abort();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const response = await request(url, { dispatcher, method: "POST", headers, body, signal: aborter.signal });
    const retryAfterSeconds = parseRetryAfter(response.headers["retry-after"], now());
    const head = await readHead(response.body);
    return { kind: "responded", status: response.statusCode, durationMs: durationMs(), retryAfterSeconds, head };
  } catch (error) {
    if (isTimedOut) return { kind: "timeout", durationMs: durationMs(), message: `no response in ${timeoutMs} ms` };
    const kind = error instanceof RefusedAddress ? "refused_address" : "network";
    return { kind, durationMs: durationMs(), message: describe(error) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3: seconds or a date) to seconds from now; null if it is absent or
 * unreadable, 0 for a date in the past.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  if (typeof value !== "string") return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value);
  const atMs = /GMT\s*$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - now.getTime()) / 1_000));
}

/** Reads the beginning of a body. A response that breaks off or never ends still counts with its status. */
async function readHead(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < HEAD_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) break;
    }
  } catch {
    // The bytes received so far are the head.
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return error.message === "" ? code : `${code}: ${error.message}`;
}
