import { isIP } from "node:net";
import type { Agent, Dispatcher } from "./guarded-agent.ts";
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
  let opening: Promise<Agent> | undefined;
  const open = (): Promise<Agent> => (opening ??= openAgent(isAllowedAddress, resolve));
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
      await (await opening)?.destroy();
    },
  };
}

async function openAgent(isAllowedAddress: IsAllowedAddress, resolve: Resolve): Promise<Agent> {
  const { createGuardedAgent } = await import("./guarded-agent.ts");
  return createGuardedAgent(isAllowedAddress, resolve);
}

/** Sends a POST by `dispatch`: with `request`, which makes a stream of each response, it costs a third more. */
function exchange(dispatcher: Dispatcher, post: HttpPost, now: () => Date): Promise<HttpOutcome> {
  const { url, headers, body, timeoutMs, signal } = post;
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let response: ReturnType<typeof readResponse> | undefined;
    let cutOff: Error | undefined;

    /** A response that breaks off or never ends still counts with its status. */
    const end = (error?: Error): void => {
      clearTimeout(timer);
      ongoing.delete(abort);
      const durationMs = Math.round(performance.now() - startedMs);
      if (response) return resolve({ kind: "responded", durationMs, ...response.result(now()) });
      const kind = error instanceof RefusedAddress ? "refused_address" : error === TIMED_OUT ? "timeout" : "network";
      const message = kind === "timeout" ? `no response in ${timeoutMs} ms` : describe(error);
      resolve({ kind, durationMs, message });
    };
    const cut = (reason: Error): void => {
      cutOff = reason;
      controller?.abort(reason);
      end(reason);
    };
    const abort = (): void => cut(ABORTED);
    const timer = setTimeout(() => cut(TIMED_OUT), timeoutMs);
    const ongoing = ongoingOf(signal).add(abort);
    if (signal.aborted) return abort();
    try {
      dispatcher.dispatch(
        { ...addressOf(url), method: "POST", headers, body },
        {
          // Called when there is a connection, which may be after the time-out.
          onRequestStart: (started) => {
            controller = started;
            if (cutOff) started.abort(cutOff);
          },
          // An informational response (1xx) comes before the one that counts.
          onResponseStart: (_controller, status, responseHeaders) => {
            if (status >= 200) response = readResponse(status, responseHeaders);
          },
          onResponseData: (_controller, chunk) => {
            if (response?.add(chunk) === "enough") cut(ABORTED);
          },
          onResponseEnd: () => end(),
          onResponseError: (_controller, error) => end(error),
        },
      );
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** What to call when a signal aborts: it has one listener for all exchanges, since one for each costs more. */
const ongoingBySignal = new WeakMap<AbortSignal, Set<() => void>>();

function ongoingOf(signal: AbortSignal): Set<() => void> {
  const known = ongoingBySignal.get(signal);
  if (known) return known;
  const ongoing = new Set<() => void>();
  ongoingBySignal.set(signal, ongoing);
  signal.addEventListener("abort", () => [...ongoing].forEach((abort) => abort()), { once: true });
  return ongoing;
}

interface Address {
  readonly origin: string;
  readonly path: string;
}

/** Addresses that are remembered. Above this number all are forgotten. */
const ADDRESSES_MAX = 1_000;
const addresses = new Map<string, Address>();

/** An endpoint gets many POSTs, and its address is parsed once. Throws for one that is none. */
function addressOf(url: string): Address {
  const known = addresses.get(url);
  if (known) return known;
  const { origin, pathname, search } = new URL(url);
  const address = { origin, path: `${pathname}${search}` };
  if (addresses.size >= ADDRESSES_MAX) addresses.clear();
  addresses.set(url, address);
  return address;
}

const TIMED_OUT = new Error("timed out");
const ABORTED = Object.assign(new Error("This operation was aborted"), { code: "ABORT_ERR" });

type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** Reads a response up to a number of bytes. */
function readResponse(status: number, headers: ResponseHeaders) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add: (chunk: Buffer): "enough" | "more" => {
      if (bytes < HEAD_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      return bytes > BODY_BYTES_MAX ? "enough" : "more";
    },
    result: (now: Date) => ({
      status,
      retryAfterSeconds: parseRetryAfter(headers["retry-after"], now),
      // Most responses to webhooks are empty.
      head: bytes === 0 ? "" : new TextDecoder().decode(Buffer.concat(chunks).subarray(0, HEAD_BYTES)),
    }),
  };
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

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return error.message === "" ? code : `${code}: ${error.message}`;
}
