import { firstIdAt } from "../ids.ts";
import type { Tx } from "../postgres/postgres.ts";
import { int2, neverNull, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { StoredEntry } from "./present.ts";
import type { AuditQuery } from "./query.ts";

/** What a key or a command is about to do. `subject` is an id: no personal data. */
export interface Change {
  readonly id: string;
  readonly at: Date;
  /** Null: it concerns no single application. */
  readonly applicationId: string | null;
  /** Null: a command. */
  readonly credentialId: string | null;
  /** The id of an operation; of a command a noun and a verb: `app.set`. */
  readonly action: string;
  readonly subject: string | null;
}

/** How a change ended: the status of the response, and the id of what was made. */
export interface ChangeOutcome {
  readonly status: number;
  readonly made: string | null;
}

const ADD = statement(
  "changes.add",
  {},
  `INSERT INTO changes (id, at, application_id, credential_id, action, subject) VALUES ($1, $2, $3, $4, $5, $6)`,
);
const OUTCOME = statement(
  "changes.outcome",
  {},
  `INSERT INTO change_outcomes (change_id, status, made) VALUES ($1, $2, $3)`,
);
const STORED = {
  id: uuid,
  at: timestamptz,
  consoleUserId: orNull(uuid),
  credentialId: orNull(uuid),
  applicationId: orNull(uuid),
  action: text,
  subject: orNull(text),
  made: orNull(text),
  status: orNull(int2),
};
// Each half is read by its index, as many rows as are wanted: then there is no more to sort than twice as many.
const listOf = (condition: string, limit: string) => `SELECT * FROM (
           (SELECT id, at, NULL::uuid AS "consoleUserId", credential_id AS "credentialId",
                   application_id AS "applicationId", action, subject, made, status
            FROM changes LEFT JOIN change_outcomes ON change_id = id
            WHERE ${condition} ORDER BY id DESC LIMIT ${limit})
           UNION ALL
           (SELECT id, at, console_user_id, NULL, application_id, action, subject, NULL, status
            FROM audit_entries LEFT JOIN audit_outcomes ON entry_id = id
            WHERE ${condition} ORDER BY id DESC LIMIT ${limit})) AS entries
         ORDER BY id DESC LIMIT ${limit}`;
const LIST_OF_APPLICATION = statement(
  "changes.list-of-application",
  STORED,
  listOf("application_id = $1 AND id >= $2 AND id < $3", "$4"),
);
const LIST_ALL = statement("changes.list-all", STORED, listOf("id >= $1 AND id < $2", "$3"));
const FIND_APPLICATION = statement(
  "changes.find-application",
  { applicationId: neverNull(uuid) },
  `SELECT application_id AS "applicationId" FROM users WHERE id = $1
         UNION ALL SELECT application_id FROM endpoints WHERE id = $1
         UNION ALL SELECT application_id FROM rewards WHERE id = $1 LIMIT 1`,
);
/** Rows of one statement, so that none is long. */
const SWEPT_MAX = 5_000;
const SWEEP_OUTCOMES = statement(
  "changes.sweep-outcomes",
  { changeId: uuid },
  `DELETE FROM change_outcomes WHERE change_id IN (
           SELECT change_id FROM change_outcomes WHERE change_id < $1 ORDER BY change_id LIMIT $2)
         RETURNING change_id AS "changeId"`,
);
const SWEEP = statement(
  "changes.sweep",
  { id: uuid },
  `DELETE FROM changes WHERE id IN (SELECT id FROM changes WHERE id < $1 ORDER BY id LIMIT $2) RETURNING id`,
);

/** Writes a change, before it is carried out. */
export async function addChange(tx: Tx, change: Change): Promise<void> {
  const { id, at, applicationId, credentialId, action, subject } = change;
  await tx.query(ADD, [id, at, applicationId, credentialId, action, subject]);
}

/** Writes how a change ended. */
export async function addChangeOutcome(tx: Tx, changeId: string, { status, made }: ChangeOutcome): Promise<void> {
  await tx.query(OUTCOME, [changeId, status, made]);
}

/** Lists what was changed in an application, by anybody, the newest first. */
export async function listEntriesOf(
  tx: Tx,
  applicationId: string,
  { from, below, limit }: AuditQuery,
): Promise<StoredEntry[]> {
  return tx.query(LIST_OF_APPLICATION, [applicationId, from, below, limit]);
}

/** Lists what was changed in all applications and in none, the newest first. */
export async function listAllEntries(tx: Tx, { from, below, limit }: AuditQuery): Promise<StoredEntry[]> {
  return tx.query(LIST_ALL, [from, below, limit]);
}

/** Finds the application that a user, an endpoint or a reward belongs to; null for an unknown id. */
export async function findApplicationOf(tx: Tx, id: string): Promise<string | null> {
  return (await tx.query(FIND_APPLICATION, [id]))[0]?.applicationId ?? null;
}

/** Deletes changes from before `before`: the database lets only those go that are old enough. Returns their number. */
export async function sweepChanges(tx: Tx, before: Date, signal: AbortSignal): Promise<number> {
  const below = firstIdAt(before.getTime());
  while (!signal.aborted && (await tx.query(SWEEP_OUTCOMES, [below, SWEPT_MAX])).length === SWEPT_MAX);
  for (let swept = 0; ;) {
    const step = signal.aborted ? 0 : (await tx.query(SWEEP, [below, SWEPT_MAX])).length;
    swept += step;
    if (step < SWEPT_MAX) return swept;
  }
}
