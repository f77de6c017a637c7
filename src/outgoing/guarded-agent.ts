import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import type { Resolve } from "./resolve.ts";

/** Protocol and port of a connection. */
export interface Target {
  readonly protocol: "http:" | "https:";
  readonly port: number;
}

/** Decides whether a connection to an IP address may be opened. */
export type IsAllowedAddress = (address: string, target: Target) => boolean;

/** A connection was refused because of its address. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

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

/** Creates a lookup that returns allowed addresses only, and fails with RefusedAddress if there are none. */
export function guardedLookup(target: Target, isAllowedAddress: IsAllowedAddress, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, target));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(hostname), []);
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}

/** Returns protocol and port of an address, with the default port if it names none. */
export function targetOf({ protocol, port }: { protocol: string; port: string }): Target {
  const isSecure = protocol === "https:";
  return { protocol: isSecure ? "https:" : "http:", port: port === "" ? (isSecure ? 443 : 80) : Number(port) };
}

/** Removes the brackets of an IPv6 address in a URL. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function refusal(host: string): Error {
  return new RefusedAddress(`${host} is not an address that may be reached from here`);
}
