import { credentialNameError } from "../../applications/credential.ts";
import { DAY_MS } from "../../time.ts";
import { textIn } from "../form.ts";

/** Why a credential cannot be added; `tooMany`: the application has as many as it may have. */
export type CredentialError = "name" | "tooMany";

/** The form as it was typed. */
export interface TypedCredential {
  readonly name: string;
  readonly days: string;
}

/** The credential that a form describes. */
export interface WantedCredential {
  readonly name: string;
  readonly expiresAt: Date | null;
}

/** Reads the form. */
export function typedCredentialIn(fields: URLSearchParams): TypedCredential {
  return { name: textIn(fields, "name", 255), days: fields.get("days") ?? "90" };
}

/** Returns the wanted credential, or why there can be none. Null: the form is none of the page. `offered`: its days. */
export function wantedCredential(
  { name, days }: TypedCredential,
  offered: Readonly<Record<string, string>>,
  now: Date,
): WantedCredential | CredentialError | null {
  if (!Object.hasOwn(offered, days)) return null;
  if (credentialNameError(name)) return "name";
  return { name, expiresAt: days === "0" ? null : new Date(now.getTime() + Number(days) * DAY_MS) };
}
