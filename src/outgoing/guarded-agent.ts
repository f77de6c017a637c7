import { isIP } from "node:net";
import type { Socket } from "node:net";
import { Agent, Client, Pool, buildConnector } from "undici";
import type { Dispatcher } from "undici";
import { guardedLookup, refusal, targetOf, withoutBrackets } from "./guarded-lookup.ts";
import type { IsAllowedAddress, Target } from "./guarded-lookup.ts";
import type { Resolve } from "./resolve.ts";

export type { Dispatcher } from "undici";

/** A handler that learns which line its request goes out on, before the request does. */
export interface Handler extends Dispatcher.DispatchHandler {
  onLine(line: Line): void;
}

/** A request that names its handler: undici wraps the handler, and passes the request on as it is. */
export interface Request extends Dispatcher.DispatchOptions {
  readonly handler: Handler;
}

/** Where requests go out one after another: a connection, and when that was closed another one. */
export interface Line {
  /** Bytes that its current connection has brought; more than none: it has been used before. */
  readonly bytesRead: number;
}

/** Sends requests to allowed addresses. */
export interface GuardedAgent {
  /** Sends on a connection that was kept alive, or a new one. */
  dispatch(request: Request): void;
  /** Sends on a new connection, which is closed after the response. */
  dispatchAnew(request: Request): void;
  destroy(): Promise<void>;
}

/** Connectors hold TLS sessions. Above this number all are dropped, with their sessions. */
const CONNECTORS_MAX = 1_000;
const CONNECTIONS_IDLE_MS = 10_000;

/**
 * Creates an agent that connects to allowed addresses only. It checks the IP address that each connection is opened to,
 * after the name was resolved and without a second lookup, so that a name which changes its address (DNS rebinding)
 * gains nothing. Connections are kept alive between requests.
 */
export function createGuardedAgent(isAllowedAddress: IsAllowedAddress, resolve: Resolve): GuardedAgent {
  // One for each protocol and port, since a lookup function gets neither.
  const connectors = new Map<string, buildConnector.connector>();

  const connectorTo = (target: Target): buildConnector.connector => {
    const key = `${target.protocol}${target.port}`;
    let connector = connectors.get(key);
    if (!connector) {
      if (connectors.size >= CONNECTORS_MAX) connectors.clear();
      const lookup = guardedLookup(target, isAllowedAddress, resolve);
      connector = buildConnector({ lookup, timeout: 0, autoSelectFamily: true });
      connectors.set(key, connector);
    }
    return connector;
  };

  const options: Agent.Options = {
    connect: (to, callback) => {
      const target = targetOf(to);
      // net.connect does no lookup for an IP address.
      const address = withoutBrackets(to.hostname);
      if (isIP(address) !== 0 && !isAllowedAddress(address, target)) return callback(refusal(address), null);
      return connectorTo(target)(to, callback);
    },
    keepAliveTimeout: CONNECTIONS_IDLE_MS,
    // The timeout of each request covers these; undici's own timers are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const keeping = new Agent({ ...options, factory: openPool });
  // An aborted request leaves undici with a spare connection, which would be no new one for a later request.
  const fresh = new Agent({ ...options, pipelining: 0, keepAliveTimeout: 1 });
  return {
    dispatch: (request) => void keeping.dispatch(request, request.handler),
    dispatchAnew: (request) => void fresh.dispatch(request, request.handler),
    destroy: async () => {
      await Promise.all([keeping.destroy(), fresh.destroy()]);
    },
  };
}

function openPool(origin: string | URL, options: Pool.Options): Pool {
  return new Pool(origin, { ...options, factory: (to, each: Client.Options) => new KnownClient(to, each) });
}

/** undici does not say whether a request goes out on a new connection: this client has one at a time, and knows it. */
class KnownClient extends Client implements Line {
  readonly #connection: { current: Socket | null };

  constructor(origin: string | URL, { connect, ...options }: Client.Options) {
    const connection: { current: Socket | null } = { current: null };
    super(origin, {
      ...options,
      connect: (to, callback) =>
        (connect as buildConnector.connector)(to, (...result) => {
          connection.current = result[1];
          callback(...result);
        }),
    });
    this.#connection = connection;
  }

  get bytesRead(): number {
    return this.#connection.current?.bytesRead ?? 0;
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    (request as Request).handler.onLine(this);
    return super.dispatch(request, handler);
  }
}
