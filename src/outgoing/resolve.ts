import { Resolver, lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";

/** Resolves a name to all its addresses, like `dns.lookup` with `all: true`. */
export interface Resolve {
  (
    hostname: string,
    options: LookupOptions & { all: true },
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ): void;
  /** Cancels the lookups in progress: they fail. */
  cancel?(): void;
}

/** Timeout of a query's first attempt; the second has twice that. */
const QUERY_TIMEOUT_MS = 1_500;
const QUERY_ATTEMPTS = 2;

/** Names of this machine or network: those without a dot (a container's), and by RFC 6761, 6762 and 8375. */
const LOCAL_NAME = /^[^.]+\.?$|\.(?:localhost|local|internal|home\.arpa|test)\.?$/i;

/**
 * Creates a resolver for names that users of the service chose. It does not use the system's resolver: that one runs in
 * the four threads that files, images and compression need too, so that four names whose servers never respond would
 * block everything. Local names are chosen by the operator, and only the system knows them. `servers` replaces the name
 * servers of /etc/resolv.conf.
 */
export function createResolve(options: { servers?: readonly string[]; queryTimeoutMs?: number } = {}): Resolve {
  const resolver = new Resolver({ timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS, tries: QUERY_ATTEMPTS });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const resolve: Resolve = (hostname, lookupOptions, callback) => {
    if (LOCAL_NAME.test(hostname)) return lookup(hostname, lookupOptions, callback);
    const found: LookupAddress[] = [];
    let failure: NodeJS.ErrnoException | null = null;
    let pending = 2;
    const collect = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (error) failure = error;
      else found.push(...addresses.map((address) => ({ address, family })));
      pending -= 1;
      if (pending === 0) callback(found.length > 0 ? null : failure, found);
    };
    resolver.resolve4(hostname, collect(4));
    resolver.resolve6(hostname, collect(6));
  };
  resolve.cancel = () => resolver.cancel();
  return resolve;
}
