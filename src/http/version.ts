import { Problem } from "../problems.ts";

export const API_VERSIONS = ["1.0"] as const;

/**
 * Checks the api-version of a request's address, which comes before anything else.
 * Refuses with one of the four problems of versions.
 */
export function checkApiVersion(url: string): void {
  const start = url.indexOf("?");
  const given = start < 0 ? [] : new URLSearchParams(url.slice(start)).getAll("api-version");
  if (given.length === 0) throw new Problem("apiVersionUnspecified");
  if (given.length > 1) throw new Problem("apiVersionAmbiguous");
  const version = given[0]!;
  if (version === "") throw new Problem("apiVersionUnspecified");
  // ASCII digits only: \d without the u flag matches nothing else in JavaScript.
  if (!/^\d{1,4}\.\d{1,4}$/.test(version)) throw new Problem("apiVersionInvalid");
  if (!API_VERSIONS.some((supported) => supported === version)) throw new Problem("apiVersionUnsupported");
}
