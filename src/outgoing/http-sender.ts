import type { LookupAddress, LookupOptions } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, request } from "undici";
import type { Dispatcher } from "undici";
import { createResolve } from "./resolve.ts";

/** One POST to make. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For all of it: name, connection, TLS, answer. */
  readonly timeoutMs: number;
  /** Ends the exchange early, as kind `network`. */
  readonly signal: AbortSignal;
}

/** What an exchange came to; `head` is the beginning of the answer's body as text. */
export type HttpOutcome =
  | {
      readonly kind: "answered";
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

/** Posts to addresses that strangers chose. */
export interface HttpSender {
  /** Sends one POST; follows no redirect and repeats nothing. Never rejects. */
  post(post: HttpPost): Promise<HttpOutcome>;
  /**
   * Whether the name in an address stands, as of now, for refused addresses only. One that stands for nothing, or whose
   * name servers don't answer, is not refused: what counts is asked again for each connection.
   */
  isRefused(url: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Where a connection leads, beside its address. */
export interface Target {
  readonly protocol: "http:" | "https:";
  readonly port: number;
}

/** Resolves a name to all its addresses, as `dns.lookup` does with `all: true`. */
export interface Resolve {
  (
    hostname: string,
    options: LookupOptions & { all: true },
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ): void;
  /** Ends what is still asked for, as failures. */
  cancel?(): void;
}

/** Read of an answer's body, at most; what goes beyond costs the connection. */
const BODY_BYTES_MAX = 16_384;
/** Kept of an answer's body. */
const HEAD_BYTES = 512;
/** They hold sessions of TLS; a port more costs those. */
const CONNECTORS_MAX = 1_000;
const CONNECTIONS_IDLE_MS = 10_000;

class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

/**
 * Sends to addresses that strangers chose. `isAllowedAddress` is asked about the very IP address each connection
 * goes to, after the name was resolved and with no second look-up in between, so that a name which changes its
 * address (DNS rebinding) gains nothing. Connections are kept alive between posts.
 */
export function createHttpSender(options: {
  isAllowedAddress: (address: string, target: Target) => boolean;
  now: () => Date;
  resolve?: Resolve;
}): HttpSender {
  const { isAllowedAddress, now, resolve = createResolve() } = options;
  // One for each protocol and port, since a look-up is told neither.
  const connectors = new Map<string, buildConnector.connector>();

  function connectorTo(target: Target): buildConnector.connector {
    const key = `${target.protocol}${target.port}`;
    let connector = connectors.get(key);
    if (!connector) {
      if (connectors.size >= CONNECTORS_MAX) connectors.clear();
      connector = buildConnector({ lookup: allowedLookup(target), timeout: 0, autoSelectFamily: true });
      connectors.set(key, connector);
    }
    return connector;
  }

  function allowedLookup(target: Target): LookupFunction {
    return (hostname, lookupOptions, callback) => {
      resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
        if (error) return callback(error, []);
        const allowed = addresses.filter(({ address }) => isAllowedAddress(address, target));
        const [first] = allowed;
        if (first === undefined) return callback(refusal(hostname), []);
        return lookupOptions.all ? callback(null, allowed) : callback(null, first.address, first.family);
      });
    };
  }

  const agent = new Agent({
    connect: (options, callback) => {
      const target = targetOf(options);
      // An address needs no look-up, so net.connect would never ask.
      const address = options.hostname.replace(/^\[(.*)\]$/, "$1");
      if (isIP(address) !== 0 && !isAllowedAddress(address, target)) return callback(refusal(address), null);
      return connectorTo(target)(options, callback);
    },
    keepAliveTimeout: CONNECTIONS_IDLE_MS,
    // The deadline of each post covers these; undici's own timers are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async post({ url, headers, body, timeoutMs, signal }) {
      const startedMs = performance.now();
      const durationMs = () => Math.round(performance.now() - startedMs);
      // AbortSignal.any and .timeout would do, but stay in memory until the time is up: 20 MB at 2,000 posts a second.
      const exchange = new AbortController();
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        exchange.abort();
      }, timeoutMs);
      const cutOff = (): void => exchange.abort();
      signal.addEventListener("abort", cutOff, { once: true });
      if (signal.aborted) cutOff();
      try {
        const response = await request(url, {
          dispatcher: agent,
          method: "POST",
          headers,
          body,
          signal: exchange.signal,
        });
        const retryAfterSeconds = parseRetryAfter(response.headers["retry-after"], now());
        const head = await readHead(response.body);
        return { kind: "answered", status: response.statusCode, durationMs: durationMs(), retryAfterSeconds, head };
      } catch (error) {
        if (isLate) return { kind: "timeout", durationMs: durationMs(), message: `no answer in ${timeoutMs} ms` };
        const kind = error instanceof RefusedAddress ? "refused_address" : "network";
        return { kind, durationMs: durationMs(), message: describe(error) };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", cutOff);
      }
    },
    isRefused: (url) =>
      new Promise((resolve) => {
        const target = new URL(url);
        if (isIP(target.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0) return resolve(false);
        allowedLookup(targetOf(target))(target.hostname, { all: true }, (error) =>
          resolve(error instanceof RefusedAddress),
        );
      }),
    close: () => {
      resolve.cancel?.();
      return agent.destroy();
    },
  };
}

/**
 * Seconds from now that a Retry-After header asks for (RFC 9110, 10.2.3: seconds or a date); null when it is absent
 * or says nothing readable, 0 for a date that has passed.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  if (typeof value !== "string") return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value);
  const atMs = /GMT\s*$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - now.getTime()) / 1_000));
}

/** The beginning of the body. An answer that breaks off or drips was still an answer: its status counts. */
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
    // what came until then is all there is
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
}

function targetOf({ protocol, port }: { protocol: string; port: string }): Target {
  const isSecure = protocol === "https:";
  return { protocol: isSecure ? "https:" : "http:", port: port === "" ? (isSecure ? 443 : 80) : Number(port) };
}

function refusal(host: string): Error {
  return new RefusedAddress(`${host} is not an address that may be reached from here`);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return error.message === "" ? code : `${code}: ${error.message}`;
}
