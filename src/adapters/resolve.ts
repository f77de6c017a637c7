import { Resolver, lookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { Resolve } from "./http-sender.ts";

/** Of one query; each is sent twice before it counts as unanswered. */
const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/**
 * Resolves names that strangers chose, without the system's resolver: that one runs in the four threads that files,
 * images and compression need too, so that four names whose servers never answer would hold up everything (RFC 1035 on
 * sockets of our own instead). A name without a dot (`localhost`, a container's) is the machine's own: the system knows it.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return (hostname, options, callback) => {
    if (!hostname.replace(/\.$/, "").includes(".")) return lookup(hostname, options, callback);
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
}
