import { closestWord } from "../did-you-mean.ts";

/** Longer than any path of the interface with its ids: what is longer was hardly mistyped. */
const LENGTH_MAX = 200;
const MEANT_MAX = 2;
/** What other services put before their paths, and this one in the query or nowhere. */
const FOREIGN_PREFIX = /^\/(?:(?:api|issuers|v?\d+(?:\.\d+)*)\/)+/i;

/**
 * The paths, of those that are `known` as routes write them (`/users/:id/summary`), that one which names nothing may have
 * been meant to be: but for slashes, letter case, a version before it, a few letters, or an id that is missing.
 */
export function pathsMeant(path: string, known: readonly string[]): string[] {
  if (path.length > LENGTH_MAX) return [];
  const within = path.toLowerCase().replace(FOREIGN_PREFIX, "/");
  const whole = within.split("/").filter(Boolean);
  // An empty id leaves two slashes, or one at the end.
  const withGaps = within.split("/").slice(1);
  const found = [whole, withGaps].map((segments) => closest(segments, known)).filter((each) => each !== null);
  return [...new Set(found)].slice(0, MEANT_MAX);
}

/** The known path with the fewest segments that differ, where those that do are near. */
function closest(segments: readonly string[], known: readonly string[]): string | null {
  const [best] = known
    .map((path) => ({ path, differing: differing(segments, path.split("/").slice(1)) }))
    .sort((a, b) => a.differing - b.differing);
  return best && best.differing < Infinity ? best.path : null;
}

function differing(segments: readonly string[], known: readonly string[]): number {
  if (segments.length !== known.length) return Infinity;
  return known.reduce((sum, expected, i) => {
    const segment = segments[i]!;
    if (expected.startsWith(":") || segment === expected.toLowerCase()) return sum;
    return segment !== "" && closestWord(segment, [expected]) !== null ? sum + 1 : Infinity;
  }, 0);
}
