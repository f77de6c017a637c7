import { Resolver, lookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { Resolve } from "./http-sender.ts";

/** Of a query's first try; the second has twice that. */
const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;

/** Names that belong to this machine or network: those without a dot (a container's), and by RFC 6761, 6762 and 8375. */
const LOCAL_NAME = /^[^.]+\.?$|\.(?:localhost|local|internal|home\.arpa|test)\.?$/i;

/**
 * Resolves names that strangers chose, without the system's resolver: that one runs in the four threads that files,
 * images and compression need too, so that four names whose servers never answer would hold up everything. Local names
 * are the operator's to open, and only the system knows them. `servers`: others than those of /etc/resolv.conf.
 */
export function createResolve(options: { servers?: readonly string[]; queryTimeoutMs?: number } = {}): Resolve {
  const resolver = new Resolver({ timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const resolve: Resolve = (hostname, lookupOptions, callback) => {
    if (LOCAL_NAME.test(hostname)) return lookup(hostname, lookupOptions, callback);
    const found: LookupAddress[] = [];
    let failure: NodeJS.ErrnoException | null = null;
    let unanswered = 2;
    const take = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (error) failure = error;
      else found.push(...addresses.map((address) => ({ address, family })));
      unanswered -= 1;
      if (unanswered === 0) callback(found.length > 0 ? null : failure, found);
    };
    resolver.resolve4(hostname, take(4));
    resolver.resolve6(hostname, take(6));
  };
  resolve.cancel = () => resolver.cancel();
  return resolve;
}
