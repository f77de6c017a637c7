import type { Tx } from "../postgres/postgres.ts";
import { statement } from "../postgres/statement.ts";

/** What somebody is about to do. `subject` names it by ids only: no personal data. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** Null: nobody was signed in, or the command line. */
  readonly consoleUserId: string | null;
  /** Null: it concerns no single application. */
  readonly applicationId: string | null;
  /** A noun and a verb: `receipt.decide`. */
  readonly action: string;
  readonly subject: string | null;
}

const ADD = statement(
  "audit.add",
  {},
  `INSERT INTO audit_entries (id, at, console_user_id, application_id, action, subject)
         VALUES ($1, $2, $3, $4, $5, $6)`,
);
const OUTCOME = statement("audit.outcome", {}, `INSERT INTO audit_outcomes (entry_id, status) VALUES ($1, $2)`);

/** Writes an entry, before it is done. */
export async function addAuditEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  const { id, at, consoleUserId, applicationId, action, subject } = entry;
  await tx.query(ADD, [id, at, consoleUserId, applicationId, action, subject]);
}

/** Writes the HTTP status of the response to the change of an entry. */
export async function addAuditOutcome(tx: Tx, entryId: string, status: number): Promise<void> {
  await tx.query(OUTCOME, [entryId, status]);
}
