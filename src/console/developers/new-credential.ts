import { credentialNameError } from "../../applications/credential.ts";
import { SCOPES, isScope } from "../../applications/scope.ts";
import type { Scope } from "../../applications/scope.ts";
import { DAY_MS } from "../../time.ts";
import { textIn } from "../form.ts";

/** The value of the box for all scopes. */
export const EVERYTHING = "*";

/** Why a credential cannot be added; `tooMany`: the application has as many as it may have. */
export type CredentialError = "name" | "scopes" | "tooMany";

/** The form as it was typed. */
export interface TypedCredential {
  readonly name: string;
  readonly days: string;
  /** Names of scopes, or `EVERYTHING`. */
  readonly scopes: readonly string[];
}

/** The credential that a form describes. */
export interface WantedCredential {
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly scopes: readonly Scope[] | null;
}

/** Reads the form. */
export function typedCredentialIn(fields: URLSearchParams): TypedCredential {
  return { name: textIn(fields, "name", 255), days: fields.get("days") ?? "90", scopes: fields.getAll("scopes") };
}

/** Returns the wanted credential, or why there can be none. Null: the form is none of the page. `offered`: its days. */
export function wantedCredential(
  { name, days, scopes }: TypedCredential,
  offered: Readonly<Record<string, string>>,
  now: Date,
): WantedCredential | CredentialError | null {
  if (!Object.hasOwn(offered, days)) return null;
  if (credentialNameError(name)) return "name";
  if (!scopes.every((scope) => scope === EVERYTHING || isScope(scope))) return null;
  if (scopes.length === 0) return "scopes";
  const expiresAt = days === "0" ? null : new Date(now.getTime() + Number(days) * DAY_MS);
  return {
    name,
    expiresAt,
    scopes: scopes.includes(EVERYTHING) ? null : SCOPES.filter((each) => scopes.includes(each)),
  };
}
