import type { Tx } from "../../postgres/postgres.ts";
import { isOpen } from "../../applications/closed.ts";
import { bool, float8, int4, json, oneOf, orNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import type { ProgramDefinition } from "../definition.ts";
import { FAILURES } from "./preview.ts";
import type { Failure, Preview, PreviewRequest } from "./preview.ts";
import type { PreviewResult } from "./schema.ts";

const ABOUT = {
  id: uuid,
  version: orNull(int4),
  days: int4,
  pointValue: orNull(float8),
  attempts: int4,
};
const ABOUT_COLUMNS = `id, version, days, point_value AS "pointValue", attempts`;
const PREVIEW = {
  ...ABOUT,
  replayed: int4,
  total: orNull(int4),
  result: orNull(json<PreviewResult>()),
  failure: orNull(oneOf(FAILURES)),
  createdAt: timestamptz,
  finishedAt: orNull(timestamptz),
};
const COLUMNS = `${ABOUT_COLUMNS}, replayed, total, result, failure, created_at AS "createdAt",
  finished_at AS "finishedAt"`;

/** Previews that an application keeps. */
const KEPT_MAX = 20;

const INSERT = statement(
  "program-previews.insert",
  PREVIEW,
  // One at a time for an application: the index decides between two requests at once.
  `INSERT INTO program_previews (id, application_id, version, definition, days, point_value, created_at, advanced_at)
         VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $7)
         ON CONFLICT (application_id) WHERE finished_at IS NULL DO NOTHING RETURNING ${COLUMNS}`,
);
const DROP_EXCESS = statement(
  "program-previews.drop-excess",
  {},
  `DELETE FROM program_previews WHERE application_id = $1 AND finished_at IS NOT NULL AND created_at <= (
           SELECT created_at FROM program_previews WHERE application_id = $1 ORDER BY created_at DESC
           OFFSET ${KEPT_MAX} LIMIT 1)`,
);
const FIND = statement(
  "program-previews.find",
  PREVIEW,
  `SELECT ${COLUMNS} FROM program_previews WHERE id = $2 AND application_id = $1 AND created_at > $3`,
);
const CLAIM = statement(
  "program-previews.claim",
  { ...ABOUT, applicationId: uuid, definition: json<ProgramDefinition>() },
  // The oldest that nobody works on. A process that is gone gives no sign of it any more.
  `UPDATE program_previews SET attempts = attempts + 1, advanced_at = $1, replayed = 0, total = NULL
         WHERE id = (
           SELECT id FROM program_previews WHERE finished_at IS NULL AND (attempts = 0 OR advanced_at < $2)
             AND ${isOpen("program_previews.application_id")}
           ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING ${ABOUT_COLUMNS}, application_id AS "applicationId", definition`,
);
const ADVANCE = statement(
  "program-previews.advance",
  { id: uuid },
  `UPDATE program_previews SET replayed = $3, total = $4, advanced_at = $5
         WHERE id = $1 AND attempts = $2 AND finished_at IS NULL RETURNING id`,
);
const FINISH = statement(
  "program-previews.finish",
  {},
  `UPDATE program_previews SET result = $3::jsonb, failure = $4::text, finished_at = $5,
           replayed = CASE WHEN $4::text IS NULL THEN coalesce(total, replayed) ELSE replayed END
         WHERE id = $1 AND attempts = $2 AND finished_at IS NULL`,
);
const RELEASE = statement(
  "program-previews.release",
  {},
  `UPDATE program_previews SET attempts = attempts - 1, advanced_at = to_timestamp(0)
         WHERE id = $1 AND attempts = $2 AND finished_at IS NULL`,
);
const ANY = statement(
  "program-previews.any-waiting",
  { any: bool },
  `SELECT EXISTS (SELECT 1 FROM program_previews
                  WHERE finished_at IS NULL AND (attempts = 0 OR advanced_at < $1)) AS "any"`,
);
const DROP_OLD = statement(
  "program-previews.drop-old",
  {},
  "DELETE FROM program_previews WHERE created_at < $1 AND finished_at IS NOT NULL",
);

/** Stores a requested preview. Null: the application has one that is not finished. */
export async function insertPreview(
  tx: Tx,
  applicationId: string,
  id: string,
  { version, definition, days, pointValue }: PreviewRequest,
  at: Date,
): Promise<Preview | null> {
  const about = [id, applicationId, version, JSON.stringify(definition), days, pointValue, at];
  const [inserted] = await tx.query(INSERT, about);
  if (inserted) await tx.query(DROP_EXCESS, [applicationId]);
  return inserted ?? null;
}

/** Finds a preview of this application that was requested after `since`. */
export async function findPreview(tx: Tx, applicationId: string, id: string, since: Date): Promise<Preview | null> {
  return (await tx.query(FIND, [applicationId, id, since]))[0] ?? null;
}

/** A preview that this process works on. `attempts` says that it still does. */
export interface ClaimedPreview extends PreviewRequest {
  readonly id: string;
  readonly applicationId: string;
  readonly attempts: number;
}

/** Claims the next preview; null: there is none. Without a sign since `goneSince` a process is gone. */
export async function claimPreview(tx: Tx, at: Date, goneSince: Date): Promise<ClaimedPreview | null> {
  return (await tx.query(CLAIM, [at, goneSince]))[0] ?? null;
}

/** Stores how far a preview has come. False: another process works on it. */
export async function storeProgress(
  tx: Tx,
  { id, attempts }: ClaimedPreview,
  { replayed, total }: { readonly replayed: number; readonly total: number | null },
  at: Date,
): Promise<boolean> {
  return (await tx.query(ADVANCE, [id, attempts, replayed, total, at])).length > 0;
}

/** Stores the outcome of a preview, unless another process works on it. */
export async function finishPreview(
  tx: Tx,
  { id, attempts }: ClaimedPreview,
  outcome: PreviewResult | Failure,
  at: Date,
): Promise<void> {
  const isFailure = typeof outcome === "string";
  const columns = isFailure ? [null, outcome] : [JSON.stringify(outcome), null];
  await tx.query(FINISH, [id, attempts, ...columns, at]);
}

/** Returns a preview for another process to claim. */
export async function releasePreview(tx: Tx, { id, attempts }: ClaimedPreview): Promise<void> {
  await tx.query(RELEASE, [id, attempts]);
}

/** Whether a preview waits for a process. */
export async function isPreviewWaiting(tx: Tx, goneSince: Date): Promise<boolean> {
  return (await tx.query(ANY, [goneSince]))[0]!.any;
}

/** Deletes the finished previews that were requested before `until`. */
export async function dropPreviewsBefore(tx: Tx, until: Date): Promise<void> {
  await tx.query(DROP_OLD, [until]);
}
