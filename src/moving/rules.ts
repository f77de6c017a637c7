// What becomes of each table when an application moves to another cell. Pure. A table without a rule stops every move
// before it begins, and fails test/app-move.test.ts: what is forgotten here would be left behind.

/** How the rows of an application are found in a table, as the triggers of the migration know it. */
type By = "itself" | "application" | "user" | "endpoint" | "source";

/** Rows that are copied, compared on both sides, and removed where they were. */
export interface Carried {
  readonly kind: "carried";
  readonly by: By;
  /** The rows in place of `by`, where that is not how they are found; `$1` is the application. */
  readonly where?: string;
  /** A daily sweep deletes old rows of all applications in one statement: it skips these while they are moving. */
  readonly isSwept?: true;
  /** Not kept from changing: several applications share a statement that writes it, and nothing depends on it. */
  readonly isLoose?: true;
  /** Columns that get another value: SQL by name. */
  readonly set?: Readonly<Record<string, string>>;
  /** Stays as the note of the move when the rest is removed: it refuses the calls of the application. */
  readonly isNote?: true;
  /** Tables whose rows come before these without a foreign key, or whose triggers write these. */
  readonly after?: readonly string[];
}

type Rule =
  | Carried
  /** Rows of several applications that never change: those that the application needs are added, none is removed. */
  | { readonly kind: "shared"; readonly where: string; readonly after: readonly string[] }
  /** Append-only: copied as the last step, and kept where they were. */
  | { readonly kind: "log"; readonly where: string; readonly after?: readonly string[] }
  /** Not copied. `removed`: the condition of rows that are removed with the application. */
  | { readonly kind: "stays"; readonly why: string; readonly removed?: string };

const ofApplication: Carried = { kind: "carried", by: "application" };
const ofUser: Carried = { kind: "carried", by: "user" };
const sweptOfApplication: Carried = { ...ofApplication, isSwept: true };

export const RULES: Readonly<Record<string, Rule>> = {
  applications: { kind: "carried", by: "itself", isNote: true },
  credentials: { ...ofApplication, isNote: true },
  credential_uses: {
    kind: "carried",
    by: "application",
    where: "credential_id = $1 OR credential_id IN (SELECT id FROM credentials WHERE application_id = $1)",
    isLoose: true,
    after: ["credentials"],
  },
  users: ofApplication,
  user_emails: ofApplication,
  consent_texts: {
    kind: "shared",
    where: "digest IN (SELECT text_digest FROM consents WHERE application_id = $1)",
    after: [],
  },
  consents: { ...ofApplication, after: ["consent_texts"] },
  sessions: sweptOfApplication,
  submission_references: ofApplication,
  intakes: ofApplication,
  idempotency_keys: sweptOfApplication,
  balances: ofUser,
  records: ofApplication,
  evidence: {
    kind: "shared",
    where: `hash IN (SELECT substring(records.evidence FROM 16 * place + 1 FOR 16)
                     FROM records CROSS JOIN LATERAL generate_series(0, length(records.evidence) / 16 - 1) AS place
                     WHERE records.application_id = $1)`,
    after: [],
  },
  record_changes: ofUser,
  record_references: ofApplication,
  record_sums: ofUser,
  expiry_sums: ofUser,
  expiry_notices: ofUser,
  test_clocks: ofUser,
  points_settings: ofApplication,
  streak_runs: ofUser,
  granted_bonuses: ofApplication,
  referral_codes: ofApplication,
  referrals: ofApplication,
  user_tiers: ofApplication,
  tier_reviews: ofApplication,
  programs: ofApplication,
  program_previews: sweptOfApplication,
  campaign_usage: ofApplication,
  campaign_users: ofUser,
  rewards: ofApplication,
  redemptions: ofApplication,
  voucher_codes: ofApplication,
  receipts: ofApplication,
  receipt_findings: ofUser,
  receipt_corrections: ofUser,
  receipt_disputes: ofUser,
  receipt_images: ofApplication,
  receipt_facts: ofUser,
  receipt_likeness: ofApplication,
  receipt_prints: ofApplication,
  receipt_purchases: sweptOfApplication,
  erased_receipts: sweptOfApplication,
  review_settings: ofApplication,
  reading_turns: {
    kind: "stays",
    why: "the clock of the readers of this cell",
    removed: "application_id = $1",
  },
  endpoints: ofApplication,
  // Its deliveries have their rows: a move waits for what a process sends from memory.
  events: { ...sweptOfApplication, set: { lease_id: "NULL::bigint" } },
  deliveries: {
    kind: "carried",
    by: "endpoint",
    where: `EXISTS (SELECT 1 FROM events WHERE events.user_id = carried.user_id AND events.subject = carried.subject
                      AND events.position = carried.position AND events.application_id = $1)`,
    isSwept: true,
    after: ["events"],
  },
  serving_processes: { kind: "stays", why: "processes of this cell that serve" },
  delivery_leases: { kind: "stays", why: "processes of this cell that send events" },
  delivery_figure_gaps: ofApplication,
  webhook_replays: sweptOfApplication,
  product_sources: ofApplication,
  products: {
    kind: "carried",
    by: "source",
    where: "source_id IN (SELECT id FROM product_sources WHERE application_id = $1)",
  },
  aliases: ofApplication,
  words: ofApplication,
  unknown_names: sweptOfApplication,
  // A trigger of unknown_names adds rows to it, which are removed again before those of the source come.
  unknown_name_changes: { ...sweptOfApplication, after: ["unknown_names"] },
  unknown_name_sums: { ...sweptOfApplication, after: ["unknown_names"] },
  unknown_name_kinds: { ...sweptOfApplication, after: ["unknown_names"] },
  report_deltas: sweptOfApplication,
  report_days: ofApplication,
  report_kept: ofApplication,
  report_gaps: ofApplication,
  changes: { kind: "log", where: "application_id = $1" },
  change_outcomes: { kind: "log", where: "change_id IN (SELECT id FROM changes WHERE application_id = $1)" },
  audit_entries: { kind: "log", where: "application_id = $1" },
  audit_outcomes: { kind: "log", where: "entry_id IN (SELECT id FROM audit_entries WHERE application_id = $1)" },
  application_moves: { kind: "stays", why: "the note of the move" },
  console_grants: { kind: "stays", why: "people of this cell's console", removed: "application_id = $1" },
  console_users: { kind: "stays", why: "people of this cell's console" },
  console_links: { kind: "stays", why: "people of this cell's console" },
  console_sessions: { kind: "stays", why: "people of this cell's console" },
  console_passkeys: { kind: "stays", why: "people of this cell's console" },
  console_used_challenges: { kind: "stays", why: "people of this cell's console" },
  cell: { kind: "stays", why: "the cell itself" },
  installation: { kind: "stays", why: "its key is the same in both cells" },
  ledger_verifications: { kind: "stays", why: "the result of this cell's last verification" },
  migrations: { kind: "stays", why: "the tables of this cell" },
};

/** A table with its rule. */
export interface RuledTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rule: Rule;
}

/** A table of the catalog of PostgreSQL. */
export interface FoundTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The tables that it has foreign keys to. */
  readonly parents: readonly string[];
}

const USER_KEYED = "user_id IN (SELECT id FROM users WHERE application_id = $1)";

/** SQL of the rows of a table, named `carried`, that are of the application $1. */
export function rowsOf({ rule }: RuledTable): string {
  if (rule.kind === "stays") return rule.removed ?? "$1::uuid IS NULL";
  if (rule.kind !== "carried") return rule.where;
  if (rule.where) return rule.where;
  if (rule.by === "itself") return "id = $1";
  return rule.by === "user" ? USER_KEYED : "application_id = $1";
}

/** The tables in which the rows of others, of those that are removed, are looked up. */
export function lookedUpIn(tables: readonly RuledTable[]): Set<string> {
  const names = tables.map(({ name }) => name);
  const looks = (table: RuledTable) => names.filter((other) => other !== table.name && isIn(other, rowsOf(table)));
  return new Set(tables.filter(isRemoved).flatMap(looks));
}

function isIn(name: string, sql: string): boolean {
  return new RegExp(`\\b(FROM|JOIN) ${name}\\b`).test(sql);
}

/** Whether the rows of an application in a table are removed with it. */
export function isRemoved({ rule }: RuledTable): boolean {
  return rule.kind === "carried" || (rule.kind === "stays" && rule.removed !== undefined);
}

/** The tables that have no rule. */
export function withoutRule(found: readonly FoundTable[]): string[] {
  return found.filter(({ name }) => !Object.hasOwn(RULES, name)).map(({ name }) => name);
}

/** Sorts tables so that rows can be added in their order, and removed in the opposite one. Each has a rule. */
export function inOrder(found: readonly FoundTable[]): RuledTable[] {
  const ordered: RuledTable[] = [];
  let rest = found.map((table) => ({ ...table, rule: RULES[table.name]!, before: beforeOf(table) }));
  while (rest.length > 0) {
    const names = new Set(rest.map(({ name }) => name));
    const ready = rest.filter(({ name, before }) => !before.some((other) => other !== name && names.has(other)));
    if (ready.length === 0) throw new Error(`tables come after each other in a circle: ${[...names].join(", ")}`);
    ordered.push(...ready.map(({ name, columns, rule }) => ({ name, columns, rule })));
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** What comes before a table: its parents, and what its rows are found by. */
function beforeOf({ name, parents }: FoundTable): string[] {
  const rule = RULES[name]!;
  const foundBy = {
    itself: [],
    application: ["applications"],
    user: ["users"],
    endpoint: ["endpoints"],
    source: ["product_sources"],
  };
  return [
    ...parents,
    ...("after" in rule ? (rule.after ?? []) : []),
    ...(rule.kind === "carried" && name !== "applications" ? foundBy[rule.by] : []),
  ];
}
