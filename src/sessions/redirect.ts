import { KNOWN_SCHEMES } from "./known-schemes.ts";

/** The addresses that an application may redirect its users to. */
export interface RedirectRules {
  /** A sandbox application can use http://localhost, for an app in development. */
  readonly isSandbox: boolean;
  /** If not empty, the only addresses allowed. */
  readonly redirectAllowList: readonly string[];
  /** Schemes that the operator has set for the application; "any": the operator sets this address. */
  readonly schemes?: readonly string[] | "any";
}

/** The end of a visit to a hosted page. */
export type VisitStatus = "completed" | "declined" | "failed";

/** As of an Android or iOS app, the reverse of its maker's domain (RFC 8252, 7.1): `com.example.app`. */
const REVERSE_DOMAIN = /^[a-z]{2,}(\.[a-z0-9-]+)+$/;
/** Makers whose systems handle schemes of this form: `microsoft.windows.camera`, `com.apple.preferences`. */
const SYSTEM_DOMAIN = /^(com\.)?(apple|microsoft|windows|google|android|mozilla)\.|^(iris|soap|xmlrpc)\./;
/** Families of schemes that systems and browsers handle, and those that IANA keeps for formats of addresses. */
const SYSTEM_FAMILY =
  /^(ms|search|search-ms|itms|x|web|chrome|moz|edge|opera|safari|view|android|ios|facetime|microsoft|git|svn|coap)[-+]|-extension$/;

/**
 * Returns the error of an address to redirect to, or null. Allowed are https and, in a sandbox, http://localhost; a
 * scheme of an app that is a reverse domain (`com.example.app://…`) or one word that no system or widespread program
 * handles (`myapp://…`); any other only if the operator has set it for the application. Never relative addresses,
 * credentials or control characters.
 */
export function redirectUriError(address: string, rules: RedirectRules): string | null {
  // eslint-disable-next-line no-control-regex -- it rejects control characters
  if (/[\u0000-\u0020\u007f-\u009f]/.test(address)) return "must not contain spaces or control characters";
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address)) {
    return "must be an absolute address, as in https://example.com/back or myapp://back";
  }
  const url = new URL(address);
  if (url.protocol === "http:") {
    if (!(rules.isSandbox && url.hostname === "localhost")) {
      return "must be https or an app's own scheme; http://localhost only for a sandbox application";
    }
  } else if (url.protocol !== "https:") {
    const error = schemeError(url.protocol.slice(0, -1), rules.schemes ?? []);
    if (error !== null) return error;
  }
  if (url.username || url.password) return "must not contain credentials";
  const { redirectAllowList: allowed } = rules;
  if (allowed.length > 0 && !allowed.some((entry) => isSameTarget(entry, url))) return "is not on the allow-list";
  return null;
}

/** Returns the error of a scheme other than http and https; `registered` are those set for the application. */
function schemeError(scheme: string, registered: readonly string[] | "any"): string | null {
  if (KNOWN_SCHEMES.has(scheme) || SYSTEM_FAMILY.test(scheme) || SYSTEM_DOMAIN.test(scheme)) {
    return "must not use this scheme";
  }
  if (REVERSE_DOMAIN.test(scheme) || /^[a-z0-9]+$/.test(scheme)) return null;
  if (registered === "any" || registered.includes(scheme)) return null;
  return "must use https, a scheme like com.example.app or myapp, or one that is registered for the application";
}

/** Returns the rules for an address that a session names: an application's schemes are those of its own addresses. */
export function redirectRulesOf(
  application: Omit<RedirectRules, "schemes"> & { readonly redirectUri: string | null },
): RedirectRules {
  const { isSandbox, redirectAllowList, redirectUri } = application;
  const addresses = [redirectUri ?? "", ...redirectAllowList].filter((address) => URL.canParse(address));
  return { isSandbox, redirectAllowList, schemes: addresses.map((address) => new URL(address).protocol.slice(0, -1)) };
}

/**
 * Returns the address that a visit redirects to now: the session's, while the application still allows it, else the
 * application's own. An operator who removes an address means the sessions that are open, too.
 */
export function redirectUriNow(
  redirectUri: string | null,
  application: Parameters<typeof redirectRulesOf>[0],
): string | null {
  if (redirectUri === null) return null;
  const rules = redirectRulesOf(application);
  return redirectUriError(redirectUri, rules) === null ? redirectUri : application.redirectUri;
}

/** Returns a valid address as browsers write it, so that the address which was checked is the one that is used. */
export function normaliseRedirectUri(address: string): string {
  return new URL(address).href;
}

/** Compares scheme, host, port and path. The query belongs to the application, which keeps its own state there. */
function isSameTarget(entry: string, url: URL): boolean {
  if (!URL.canParse(entry)) return false;
  const allowed = new URL(entry);
  return allowed.protocol === url.protocol && allowed.host === url.host && allowed.pathname === url.pathname;
}

/** Adds the end of a visit to the query of an address; the rest of its query and its fragment are unchanged. */
export function redirectWith(
  redirectUri: string,
  outcome: { status: VisitStatus; sessionId: string; userId?: string; receiptId?: string },
): string {
  const fragmentAt = redirectUri.indexOf("#");
  const address = fragmentAt < 0 ? redirectUri : redirectUri.slice(0, fragmentAt);
  const fragment = fragmentAt < 0 ? "" : redirectUri.slice(fragmentAt);
  const separator = address.includes("?") ? (/[?&]$/.test(address) ? "" : "&") : "?";
  return `${address}${separator}${new URLSearchParams(outcome).toString()}${fragment}`;
}
