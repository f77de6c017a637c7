import { Problem } from "../problems.ts";

/**
 * Parses the query of a URL. Throws a validation problem for parameters that are repeated, in any letter case, or given
 * as a list.
 */
export function singleValues(url: string): URLSearchParams {
  const start = url.indexOf("?");
  const query = new URLSearchParams(start < 0 ? "" : url.slice(start));
  const names = [...query.keys()];
  const seen = names.map((name) => name.toLowerCase());
  const bad = names.filter((name, i) => seen.indexOf(name.toLowerCase()) !== i || /[[\]]/.test(name));
  if (bad.length > 0) {
    throw new Problem("validation", {
      errors: Object.fromEntries(bad.map((name) => [name.slice(0, 100), ["must be given once, and not as a list"]])),
    });
  }
  return query;
}
