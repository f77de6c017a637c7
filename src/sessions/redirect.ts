/** What an application may lead its users back to. */
export interface RedirectRules {
  /** A sandbox application may use http://localhost, as apps do while they are built. */
  readonly isSandbox: boolean;
  /** When not empty, the only addresses allowed. */
  readonly redirectAllowList: readonly string[];
}

/** How a visit to a hosted page ended. */
export type VisitStatus = "completed" | "declined" | "failed";

/**
 * Schemes that are never an app of one's own: they run script, show local or foreign content, or belong to the
 * system (IANA URI schemes, and those that browsers keep for themselves).
 */
const FORBIDDEN_SCHEMES =
  /^(javascript|vbscript|data|blob|about|filesystem|view-source|jar|intent|file|content|resource|res|chrome|chrome-extension|moz-extension|edge|ws|wss|ftp|mailto|tel|sms):$/;

/**
 * What is wrong with an address that a session shall lead back to, or null. Allowed are https, app schemes
 * (`myapp://…`) and, in a sandbox, http://localhost; never relative addresses, credentials or control characters.
 */
export function redirectUriError(address: string, rules: RedirectRules): string | null {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
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

/** An address that passed `redirectUriError` as browsers write it: what was checked is what is followed. */
export function normaliseRedirectUri(address: string): string {
  return new URL(address).href;
}

/** The same scheme, host, port and path. The query is left to the application, which carries its own state there. */
function isSameTarget(entry: string, url: URL): boolean {
  if (!URL.canParse(entry)) return false;
  const allowed = new URL(entry);
  return allowed.protocol === url.protocol && allowed.host === url.host && allowed.pathname === url.pathname;
}

/** The address with how the visit ended added to its query; what its query and fragment held stays as it was. */
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
