/** What a credential may be allowed to do, and what that is. */
export const SCOPE_MEANINGS = {
  "users.read":
    "find users; read their summaries, statistics, rewards and referral codes, and outcomes of hosted pages",
  "users.write": "enrol and change users, also by a hosted page",
  "track.read": "read submissions: the status of meals and foods; receipts with what was read on them",
  "track.write": "submit meals, foods and receipts, also by a hosted page; read a failed receipt again",
  "ledger.read": "read transactions with their explanations, and vouchers",
  "ledger.write":
    "move points: adjustments, bonuses, reversals, redemptions, vouchers, corrections of receipts and decisions about them",
  "catalogue.read": "match names; read programmes, rewards, aliases, words and unknown names",
  "catalogue.write": "change programmes, rewards, their codes, aliases and words",
  "webhooks.read": "read events, endpoints and deliveries",
  "webhooks.write": "change endpoints, which decides where all events are sent; test, replay and retry",
  "reports.read": "read reports",
  "audit.read": "read what was changed, and who did it",
  privacy: "export and erase users",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly Scope[];

/** Returns whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPE_MEANINGS, text);
}

/** Returns whether a credential with these scopes may do what needs `scope`; null: it may do everything. */
export function mayDo(scopes: readonly string[] | null, scope: Scope): boolean {
  return scopes === null || scopes.includes(scope);
}

/** Returns the scopes that a comma-separated list names, each once and in the order of `SCOPES`, or the wrong names. */
export function scopesIn(list: string): { scopes: readonly Scope[] } | { wrong: readonly string[] } {
  const names = list.split(",").map((name) => name.trim());
  const wrong = names.filter((name) => !isScope(name));
  return wrong.length > 0 ? { wrong } : { scopes: SCOPES.filter((scope) => names.includes(scope)) };
}
