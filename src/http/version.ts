import { Problem } from "../problems.ts";

/** Supported versions of the API, the newest last. docs/interface-policy.md says how a version ends. */
export const API_VERSIONS: readonly string[] = ["1.0"];

/**
 * Checks the `api-version` in the query of a request's URL, before anything else is checked.
 * Throws one of the four version problems.
 */
export function requireApiVersion(url: string): void {
  const values = versionsIn(url);
  const [version] = values;
  if (version === undefined) throw new Problem("apiVersionUnspecified");
  if (values.length > 1) throw new Problem("apiVersionAmbiguous");
  if (version === "") throw new Problem("apiVersionUnspecified");
  // Without the u flag, \d matches ASCII digits only.
  if (!/^\d{1,4}\.\d{1,4}$/.test(version)) throw new Problem("apiVersionInvalid");
  if (!API_VERSIONS.includes(version)) throw new Problem("apiVersionUnsupported");
}

function versionsIn(url: string): string[] {
  const start = url.indexOf("?");
  return start < 0 ? [] : new URLSearchParams(url.slice(start)).getAll("api-version");
}
