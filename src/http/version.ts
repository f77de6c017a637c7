import { Problem } from "../problems.ts";
import type { Deprecation } from "./operation.ts";

/** A version of the interface, and since when it is on its way out, if it is. */
export interface ApiVersion {
  readonly version: string;
  readonly deprecation: Deprecation | null;
}

/** The versions that are answered, the newest last; docs/interface-policy.md says how one ends. */
export const API_VERSIONS: readonly ApiVersion[] = [{ version: "1.0", deprecation: null }];

/**
 * Finds the version that a request's address asks for, which comes before anything else.
 * Refuses with one of the four problems of versions.
 */
export function readApiVersion(url: string, versions: readonly ApiVersion[]): ApiVersion {
  const given = versionsIn(url);
  if (given.length === 0) throw new Problem("apiVersionUnspecified");
  if (given.length > 1) throw new Problem("apiVersionAmbiguous");
  const asked = given[0]!;
  if (asked === "") throw new Problem("apiVersionUnspecified");
  // ASCII digits only: \d without the u flag matches nothing else in JavaScript.
  if (!/^\d{1,4}\.\d{1,4}$/.test(asked)) throw new Problem("apiVersionInvalid");
  const version = versions.find((supported) => supported.version === asked);
  if (!version) throw new Problem("apiVersionUnsupported");
  return version;
}

/** The deprecation of the version that an address names, or null; of an address that names none, too. */
export function versionDeprecation(url: string, versions: readonly ApiVersion[]): Deprecation | null {
  const [asked] = versionsIn(url);
  return versions.find(({ version }) => version === asked)?.deprecation ?? null;
}

function versionsIn(url: string): string[] {
  const start = url.indexOf("?");
  return start < 0 ? [] : new URLSearchParams(url.slice(start)).getAll("api-version");
}
