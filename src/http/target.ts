const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path and query that routes are found by, of a request's target. A target may be a whole address
 * (RFC 9112, 3.2.2), whose host has no effect, as that of Host has none. `basePaths` are the paths of the configured
 * addresses: behind them the service is found both through a proxy that removes them and directly.
 */
export function routedUrl(target: string, basePaths: readonly string[]): string {
  const url = rooted(target.replace(ABSOLUTE, ""));
  const base = basePaths.find((path) => url.startsWith(path) && /^[/?#]|^$/.test(url.slice(path.length)));
  return base === undefined ? url : rooted(url.slice(base.length));
}

function rooted(url: string): string {
  return url === "" || url.startsWith("?") || url.startsWith("#") ? `/${url}` : url;
}

/** Returns the paths of addresses, without a slash at their end; the longest first, and none for a root. */
export function basePathsOf(addresses: readonly string[]): string[] {
  const paths = addresses.map((address) => new URL(address).pathname.replace(/\/+$/, ""));
  return [...new Set(paths)].filter(Boolean).toSorted((a, b) => b.length - a.length);
}
