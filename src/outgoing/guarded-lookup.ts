import type { LookupFunction } from "node:net";
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

/** Returns the error of a refused address or name. */
export function refusal(host: string): Error {
  return new RefusedAddress(`${host} is not an address that may be reached from here`);
}
