import { isIP } from "node:net";
import type { Dispatcher, GuardedAgent, Handler, Line } from "./guarded-agent.ts";
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
  /**
   * Sends one POST; follows no redirect. If the other side had closed the kept-alive connection, it goes out once more
   * on a new one; nothing else is retried. Never rejects.
   */
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
  let opening: Promise<GuardedAgent> | undefined;
  let agent: GuardedAgent | undefined;
  const open = (): Promise<GuardedAgent> => (opening ??= openAgent(isAllowedAddress, resolve));
  return {
    prepare: async () => {
      await open();
    },
    post: (post) =>
      new Promise((done) => {
        const exchange = new Exchange(post, now, done);
        if (agent) return exchange.start(agent);
        open().then(
          (opened) => exchange.start((agent = opened)),
          (error: Error) => exchange.cut(error),
        );
      }),
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

async function openAgent(isAllowedAddress: IsAllowedAddress, resolve: Resolve): Promise<GuardedAgent> {
  const { createGuardedAgent } = await import("./guarded-agent.ts");
  return createGuardedAgent(isAllowedAddress, resolve);
}

type ResponseHeaders = Parameters<NonNullable<Handler["onResponseStart"]>>[2];

/** The other side closed the connection: in order, or with a reset that a read (or a write) met. */
const CLOSED = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/**
 * One POST by `dispatch`: with `request`, which makes a stream of each response, it costs a third more. It is its own
 * handler, since functions and objects made for each POST cost a third of what undici does.
 */
class Exchange implements Handler {
  readonly #post: HttpPost;
  readonly #now: () => Date;
  readonly #resolve: (outcome: HttpOutcome) => void;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #ongoing: Set<Exchange>;
  #agent: GuardedAgent | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Where the POST went out; not known of the second time. */
  #line: Line | undefined;
  /** What the connection had brought before this POST; 0: it was new. */
  #bytesBefore = 0;
  #cutOff: Error | undefined;
  /** 0: no response has begun. */
  #status = 0;
  #retryAfter: ResponseHeaders[string];
  #bytes = 0;
  #chunks: Buffer[] | undefined;

  constructor(post: HttpPost, now: () => Date, resolve: (outcome: HttpOutcome) => void) {
    this.#post = post;
    this.#now = now;
    this.#resolve = resolve;
    this.#timer = setTimeout(timeOut, post.timeoutMs, this);
    this.#ongoing = ongoingOf(post.signal).add(this);
  }

  start(agent: GuardedAgent): void {
    if (this.#post.signal.aborted) return this.cut(ABORTED);
    if (this.#cutOff) return;
    this.#agent = agent;
    this.#dispatch(agent, { isAnew: false });
  }

  #dispatch(agent: GuardedAgent, { isAnew }: { isAnew: boolean }): void {
    const { url, headers, body } = this.#post;
    try {
      const { origin, path } = addressOf(url);
      const request = { origin, path, method: "POST", headers, body, handler: this } as const;
      if (isAnew) agent.dispatchAnew(request);
      else agent.dispatch(request);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  cut(reason: Error): void {
    this.#cutOff = reason;
    this.#controller?.abort(reason);
    this.#end(reason);
  }

  onLine(line: Line): void {
    this.#line = line;
  }

  /** Called when there is a connection, which may be after the time-out. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#bytesBefore = this.#line?.bytesRead ?? 0;
    if (this.#cutOff) controller.abort(this.#cutOff);
  }

  /** An informational response (1xx) comes before the one that counts. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers["retry-after"];
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < HEAD_BYTES) (this.#chunks ??= []).push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > BODY_BYTES_MAX) this.cut(ABORTED);
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const agent = this.#agent;
    if (!agent || !this.#wasClosedBefore(error)) return this.#end(error);
    this.#line = undefined;
    this.#dispatch(agent, { isAnew: true });
  }

  /**
   * Whether the POST met a connection that was kept alive, and that the other side closed without a byte in response:
   * it may close an idle one at any moment (RFC 9112, 9.3), and one that this process, suspended, did not see closing.
   */
  #wasClosedBefore(error: Error): boolean {
    if (this.#cutOff || this.#bytesBefore === 0 || this.#line?.bytesRead !== this.#bytesBefore) return false;
    return "code" in error && CLOSED.has(String(error.code));
  }

  /** A response that breaks off or never ends still counts with its status. Further calls do nothing. */
  #end(error?: Error): void {
    clearTimeout(this.#timer);
    this.#ongoing.delete(this);
    const durationMs = Math.round(performance.now() - this.#startedMs);
    const status = this.#status;
    if (status > 0) {
      const retryAfter = this.#retryAfter;
      const retryAfterSeconds = retryAfter === undefined ? null : parseRetryAfter(retryAfter, this.#now());
      return this.#resolve({ kind: "responded", durationMs, status, retryAfterSeconds, head: headOf(this.#chunks) });
    }
    const kind = error instanceof RefusedAddress ? "refused_address" : error === TIMED_OUT ? "timeout" : "network";
    const message = kind === "timeout" ? `no response in ${this.#post.timeoutMs} ms` : describe(error);
    this.#resolve({ kind, durationMs, message });
  }
}

function timeOut(exchange: Exchange): void {
  exchange.cut(TIMED_OUT);
}

const TIMED_OUT = new Error("timed out");
const ABORTED = Object.assign(new Error("This operation was aborted"), { code: "ABORT_ERR" });

/** The beginning of a body. Most responses to webhooks are empty. */
function headOf(chunks: readonly Buffer[] | undefined): string {
  return chunks ? new TextDecoder().decode(Buffer.concat(chunks).subarray(0, HEAD_BYTES)) : "";
}

/** What to cut when a signal aborts: it has one listener for all exchanges, since one for each costs more. */
const ongoingBySignal = new WeakMap<AbortSignal, Set<Exchange>>();

function ongoingOf(signal: AbortSignal): Set<Exchange> {
  const known = ongoingBySignal.get(signal);
  if (known) return known;
  const ongoing = new Set<Exchange>();
  ongoingBySignal.set(signal, ongoing);
  signal.addEventListener("abort", () => [...ongoing].forEach((exchange) => exchange.cut(ABORTED)), { once: true });
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
