/** The addresses that an application may redirect its users to. */
export interface RedirectRules {
  /** A sandbox application can use http://localhost, for an app in development. */
  readonly isSandbox: boolean;
  /** If not empty, the only addresses allowed. */
  readonly redirectAllowList: readonly string[];
}

/** The end of a visit to a hosted page. */
export type VisitStatus = "completed" | "declined" | "failed";

/**
 * Schemes that no app owns: they run script, show local or foreign content, or belong to the
 * system (IANA URI schemes, and those that browsers keep for themselves).
 */
const FORBIDDEN_SCHEMES =
  /^(javascript|vbscript|data|blob|about|filesystem|view-source|jar|intent|file|content|resource|res|chrome|chrome-extension|moz-extension|edge|ws|wss|ftp|mailto|tel|sms):$/;

/**
 * Returns the error of an address to redirect to, or null. Allowed are https, app schemes
 * (`myapp://…`) and, in a sandbox, http://localhost; never relative addresses, credentials or control characters.
 */
export function redirectUriError(address: string, rules: RedirectRules): string | null {
  // eslint-disable-next-line no-control-regex -- it rejects control characters
  if (/[\u0000-\u0020\u007f-\u009f]/.test(address)) return "must not contain spaces or control characters";
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address)) {
    return "must be an absolute address, as in https://example.com/back or myapp://back";
  }
  const url = new URL(address);
  if (FORBIDDEN_SCHEMES.test(url.protocol)) return "must not use this scheme";
  if (url.protocol === "http:" && !(rules.isSandbox && url.hostname === "localhost")) {
    return "must be https or an app's own scheme; http://localhost only for a sandbox application";
  }
  if (url.username || url.password) return "must not contain credentials";
  const { redirectAllowList: allowed } = rules;
  if (allowed.length > 0 && !allowed.some((entry) => isSameTarget(entry, url))) return "is not on the allow-list";
  return null;
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
