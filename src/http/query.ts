import type { FastifyRequest } from "fastify";
import { closestWord } from "../did-you-mean.ts";
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

/** Unknown names that one response reports: each is compared with every parameter. */
const REPORTED_MAX = 5;

/**
 * Parses the query of one of our own operations, as `singleValues` does. Throws a validation problem for a parameter
 * that the operation does not have: a filter that is ignored would return everything. The operations of the
 * specification do not use it; they ignore what they do not know. `isAnyCase`: names are read in any letter case.
 */
export function knownValues(request: FastifyRequest, isAnyCase = false): URLSearchParams {
  const query = singleValues(request.url);
  const known = [...Object.keys(request.routeOptions.config.operation?.query?.properties ?? {}), "api-version"];
  const form = (name: string) => (isAnyCase ? name.toLowerCase() : name);
  const knownForms = new Set(known.map(form));
  const unknown = [...query.keys()].filter((name) => !knownForms.has(form(name))).slice(0, REPORTED_MAX);
  if (unknown.length === 0) return query;
  const errors = unknown.map((sent): [string, string[]] => {
    const name = sent.slice(0, 100);
    const closest = known.find((each) => each.toLowerCase() === name.toLowerCase()) ?? closestWord(name, known);
    const hint = closest === null ? `; it has ${known.join(", ")}` : `; did you mean ${closest}?`;
    return [name, [`is not a parameter of this operation${hint}`]];
  });
  throw new Problem("validation", { errors: Object.fromEntries(errors) });
}
