import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { guardedLookup, refusal, targetOf, withoutBrackets } from "./guarded-lookup.ts";
import type { IsAllowedAddress, Target } from "./guarded-lookup.ts";
import type { Resolve } from "./resolve.ts";

export type { Agent, Dispatcher } from "undici";

/** Connectors hold TLS sessions. Above this number all are dropped, with their sessions. */
const CONNECTORS_MAX = 1_000;
const CONNECTIONS_IDLE_MS = 10_000;

/**
 * Creates an agent that connects to allowed addresses only. It checks the IP address that each connection is opened to,
 * after the name was resolved and without a second lookup, so that a name which changes its address (DNS rebinding)
 * gains nothing. Connections are kept alive between requests.
 */
export function createGuardedAgent(isAllowedAddress: IsAllowedAddress, resolve: Resolve): Agent {
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

  return new Agent({
    connect: (options, callback) => {
      const target = targetOf(options);
      // net.connect does no lookup for an IP address.
      const address = withoutBrackets(options.hostname);
      if (isIP(address) !== 0 && !isAllowedAddress(address, target)) return callback(refusal(address), null);
      return connectorTo(target)(options, callback);
    },
    keepAliveTimeout: CONNECTIONS_IDLE_MS,
    // The timeout of each request covers these; undici's own timers are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
