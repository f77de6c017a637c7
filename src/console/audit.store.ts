import type { Tx } from "../postgres/postgres.ts";
import { int2, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";

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

/** An entry as the page of the audit log shows it: of a person, a command or a key. */
export interface ShownEntry extends AuditEntry {
  /** Null: it is no call of the API by a key. */
  readonly credentialId: string | null;
  /** Null: removed, or nobody. */
  readonly personName: string | null;
  readonly applicationName: string | null;
  /** Null: no key, one that is removed, or the first secret of the application. */
  readonly credentialName: string | null;
  /** Null: it was interrupted, or is in progress. */
  readonly status: number | null;
}

const WHICH = "($1::uuid IS NULL OR id < $1) AND ($2::uuid IS NULL OR application_id = $2)";
const LIST = statement(
  "audit.list",
  {
    id: uuid,
    at: timestamptz,
    consoleUserId: orNull(uuid),
    credentialId: orNull(uuid),
    applicationId: orNull(uuid),
    action: text,
    subject: orNull(text),
    personName: orNull(text),
    applicationName: orNull(text),
    credentialName: orNull(text),
    status: orNull(int2),
  },
  `SELECT entries.id, at, console_user_id AS "consoleUserId", credential_id AS "credentialId",
          entries.application_id AS "applicationId", action, subject, console_users.name AS "personName",
          applications.name AS "applicationName", credentials.name AS "credentialName", status
         FROM (
           (SELECT id, at, console_user_id, NULL::uuid AS credential_id, application_id, action, subject, status
            FROM audit_entries LEFT JOIN audit_outcomes ON entry_id = id
            WHERE ${WHICH} ORDER BY id DESC LIMIT $3)
           UNION ALL
           (SELECT id, at, NULL, credential_id, application_id, action, subject, status
            FROM changes LEFT JOIN change_outcomes ON change_id = id
            WHERE ${WHICH} ORDER BY id DESC LIMIT $3)) AS entries
         LEFT JOIN console_users ON console_users.id = console_user_id
         LEFT JOIN applications ON applications.id = entries.application_id
         LEFT JOIN credentials ON credentials.id = credential_id
         ORDER BY entries.id DESC LIMIT $3`,
);

/** Lists entries, the newest first: those before `before`, of one application or of all (null). */
export async function listAuditEntries(
  tx: Tx,
  { before, applicationId, limit }: { before: string | null; applicationId: string | null; limit: number },
): Promise<ShownEntry[]> {
  return tx.query(LIST, [before, applicationId, limit]);
}
