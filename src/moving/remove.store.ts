// The removal of an application: its begin, and its entry in the audit log.

import { NO_SECRET_HASH } from "../applications/credential.ts";
import { addChange, addChangeOutcome } from "../audit/store.ts";
import type { Tx } from "../postgres/postgres.ts";
import { neverNull, orNull, statement, text, uuid } from "../postgres/statement.ts";

/** The entry with the sums. The command itself has one as well, `app.remove`, as others have. */
const ACTION = "app.removal";

const BEGIN = statement(
  "removal.begin",
  {},
  `WITH note AS (DELETE FROM application_moves WHERE application_id = $1),
        revoked AS (UPDATE credentials SET revoked_at = $2 WHERE application_id = $1 AND revoked_at IS NULL)
   UPDATE applications
   SET closed_at = coalesce(closed_at, $2), suspended_at = coalesce(suspended_at, $2), secret_hash = $3,
       previous_secret_hash = NULL, previous_secret_until = NULL, secret_revoked_at = $2, updated_at = $2
   WHERE id = $1`,
);
const SUMS = statement(
  "removal.sums",
  { users: neverNull(text), records: neverNull(text), points: neverNull(text) },
  `SELECT count(*)::text AS users, coalesce(sum(balances.records), 0)::text AS records,
          coalesce(sum(available_points), 0)::text AS points
   FROM users LEFT JOIN balances ON user_id = id WHERE application_id = $1`,
);
const FIND_ENTRY = statement(
  "removal.find-entry",
  { id: uuid, subject: orNull(text) },
  `SELECT id, subject FROM changes
   WHERE application_id = $1 AND action = $2 AND NOT EXISTS (SELECT 1 FROM change_outcomes WHERE change_id = changes.id)
   ORDER BY id DESC LIMIT 1`,
);

/** Closes an application for good: no secret of it is valid from the commit on. */
export async function beginRemoval(tx: Tx, applicationId: string, now: Date): Promise<void> {
  await tx.query(BEGIN, [applicationId, now, NO_SECRET_HASH]);
}

/** The entry of a removal that has not ended: what there was before it. */
export interface RemovalEntry {
  readonly id: string;
  /** `users 2, records 14, points 350`: numbers alone, of everything that is about to go. */
  readonly sums: string;
}

/** Writes what there is into the audit log, unless an earlier run has done so before it removed something. */
export async function noteSums(
  tx: Tx,
  applicationId: string,
  { id, now }: { id: string; now: Date },
): Promise<RemovalEntry> {
  const [noted] = await tx.query(FIND_ENTRY, [applicationId, ACTION]);
  if (noted) return { id: noted.id, sums: noted.subject ?? "" };
  const { users, records, points } = (await tx.query(SUMS, [applicationId]))[0]!;
  const sums = `users ${users}, records ${records}, points ${points}`;
  await addChange(tx, { id, at: now, applicationId, credentialId: null, action: ACTION, subject: sums });
  return { id, sums };
}

/** Notes in the audit log that nothing is left. */
export async function noteRemoved(tx: Tx, entryId: string): Promise<void> {
  await addChangeOutcome(tx, entryId, { status: 200, made: null });
}
