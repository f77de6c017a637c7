import { firstIdAt } from "../../ids.ts";
import type { Tx } from "../../postgres/postgres.ts";
import {
  bool,
  bytea,
  code,
  int4,
  json,
  neverNull,
  oneOf,
  orNull,
  statement,
  text,
  uuid,
} from "../../postgres/statement.ts";
import type { RowOf } from "../../postgres/statement.ts";
import { unpackSubmission } from "../../intakes/stored/packed-submission.ts";
import { newEvent } from "../../webhooks/event.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { adjustedEvent } from "../adjustments/adjustment.ts";
import type { Operation } from "../codes.ts";
import type { DayLimits } from "../limits/limits.ts";
import { totalPoints } from "../entry.ts";
import type { Entry, RecordSource } from "../entry.ts";
import { STORED_INPUTS, STORED_INPUTS_COLUMNS, withInputs } from "../explained/inputs.store.ts";
import { append, lockBalances, usersMoved } from "../ledger.store.ts";
import { waivedBy } from "../waived.ts";
import { pointsSettings } from "../settings/store.ts";
import { differing } from "./difference.ts";
import { changesOf } from "./rescore.ts";
import type { LaterRecord, PastAward, SentItem } from "./rescore.ts";
import type { ComposedRecord } from "../record.ts";
import { HAS_CONTENT, STORED_BODY } from "../stored-body.ts";
import type { TierKeeper } from "../tiers/keeper.store.ts";

const SLICE = statement(
  "rescore.slice",
  { userId: uuid },
  // Users by key, with at most $4 records before the last of them, and one at least.
  `SELECT user_id AS "userId" FROM (
           SELECT user_id, sum(records) OVER (ORDER BY user_id) - records AS before FROM (
             SELECT balances.user_id, balances.records FROM balances JOIN users ON users.id = balances.user_id
             WHERE balances.user_id > $1 AND ($2::uuid IS NULL OR application_id = $2) AND erased_at IS NULL
             ORDER BY balances.user_id LIMIT $3
           ) AS next
         ) AS summed WHERE before < $4 ORDER BY user_id`,
);
// A completed intake has no merchant that its record says already, and no members that are null (src/intakes/kept.ts).
const AWARD_COLUMNS = {
  id: uuid,
  applicationId: uuid,
  userId: uuid,
  source: oneOf<RecordSource>(["receipt", "meal", "food", "manual", "reward"]),
  submissionId: uuid,
  rule: text,
  ...STORED_BODY,
  ...STORED_INPUTS,
  submission: orNull(json<SentSubmission>()),
  packedSubmission: orNull(bytea),
};
/** Of a stored submission, what scoring again needs. */
interface SentSubmission {
  readonly merchant?: { readonly name?: string } | null;
  readonly ingredients?: readonly {
    readonly nutrition?: SentItem["nutrition"];
    readonly merchant?: { readonly name?: string } | null;
  }[];
}
const awardsFrom = (records: string): string =>
  // OFFSET 0: each is found by its key, whatever the planner knows of the table.
  `SELECT id, application_id AS "applicationId", user_id AS "userId", source, submission_id AS "submissionId",
                rule, body, packed, ${STORED_INPUTS_COLUMNS}, submission, "packedSubmission"
         FROM ${records} LEFT JOIN LATERAL (
           SELECT submission, intakes.packed AS "packedSubmission" FROM intakes
           WHERE intakes.user_id = records.user_id AND intakes.id = records.submission_id OFFSET 0
         ) AS sent ON true
         WHERE source IN ('meal', 'food', 'receipt') AND operation = 1 AND ${HAS_CONTENT}
         ORDER BY user_id, sequence`;
const AWARDS = statement(
  "rescore.awards",
  AWARD_COLUMNS,
  awardsFrom(
    "(SELECT * FROM records WHERE user_id = ANY ($1) AND submission_id >= $2 AND submission_id < $3) AS records",
  ),
);
// Two lists of keys apart could be read as all records of the users: of one with 100,000 records, for each submission.
const AWARDS_OF = statement(
  "rescore.awards-of",
  AWARD_COLUMNS,
  awardsFrom(`unnest($1::uuid[], $2::uuid[]) AS wanted (wanted_user, wanted_submission) CROSS JOIN LATERAL (
           SELECT * FROM records WHERE user_id = wanted_user AND source IN ('meal', 'food', 'receipt')
             AND submission_id = wanted_submission OFFSET 0
         ) AS records`),
);
// Without content: its user is just being erased, and nothing of them is booked.
const LATER = statement(
  "rescore.later",
  {
    relatedId: neverNull(uuid),
    operation: code<Operation>(),
    isReversed: bool,
    otherPoints: int4,
    isCorrection: bool,
    // What takes back or corrects is never packed.
    body: neverNull(json<LaterRecord["body"]>()),
  },
  `SELECT related_id AS "relatedId", operation,
                EXISTS (SELECT 1 FROM record_changes WHERE record_changes.user_id = records.user_id
                        AND record_id = records.id AND record_changes.status = 4) AS "isReversed",
                other_points AS "otherPoints", coalesce(rule_inputs ? 'correction', false) AS "isCorrection", body
         FROM records
         WHERE user_id = ANY ($1) AND related_id = ANY ($2) AND related_id IS NOT NULL AND operation IN (3, 6)
           AND body <> '{}'
         ORDER BY user_id, sequence`,
);
const LIMITS = statement(
  "rescore.day-limits",
  { id: uuid, pointsADay: orNull(int4), mealsADay: orNull(int4), foodPointsADay: orNull(int4) },
  `SELECT id, points_a_day AS "pointsADay", meals_a_day AS "mealsADay", food_points_a_day AS "foodPointsADay"
         FROM applications`,
);
const HOLD = statement(
  "rescore.hold-user",
  { id: uuid },
  "SELECT id FROM users WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE",
);

const SLICE_USERS_MAX = 500;
const SLICE_RECORDS = 2_000;

/** The next users after `after`, of one application or of all. */
export async function nextUsers(tx: Tx, after: string, applicationId: string | null): Promise<string[]> {
  const rows = await tx.query(SLICE, [after, applicationId, SLICE_USERS_MAX, SLICE_RECORDS]);
  return rows.map(({ userId }) => userId);
}

/** The awards of users for submissions accepted in `[fromMs, untilMs)`, in the order of each ledger. */
export async function pastAwards(
  tx: Tx,
  userIds: readonly string[],
  range: { readonly fromMs: number; readonly untilMs: number },
): Promise<PastAward[]> {
  const stored = await tx.query(AWARDS, [userIds, firstIdAt(range.fromMs), firstIdAt(range.untilMs)]);
  return awardsIn(tx, stored);
}

/** The awards of submissions of users. */
export async function awardsOf(
  tx: Tx,
  submissions: readonly { readonly userId: string; readonly submissionId: string }[],
): Promise<PastAward[]> {
  const keys = [submissions.map(({ userId }) => userId), submissions.map(({ submissionId }) => submissionId)];
  return awardsIn(tx, await tx.query(AWARDS_OF, keys));
}

async function awardsIn(tx: Tx, rows: readonly RowOf<typeof AWARD_COLUMNS>[]): Promise<PastAward[]> {
  const awards = await withInputs(tx, rows);
  return awards.flatMap(({ source, submission, packedSubmission, ...row }) => {
    if (source === "manual" || source === "reward") return [];
    const sent: SentSubmission | null = packedSubmission ? unpackSubmission(packedSubmission) : submission;
    return [{ ...row, source, sent: sent && sentItems(sent) }];
  });
}

/** Null: nothing of the items is stored. */
function sentItems({ ingredients = [], merchant }: SentSubmission): SentItem[] | null {
  if (ingredients.length === 0) return null;
  return ingredients.map(({ nutrition = null, merchant: own }) => {
    return { nutrition, merchant: own?.name ?? merchant?.name ?? null };
  });
}

/** The later records of awards, by the id of the award. */
export async function laterRecords(
  tx: Tx,
  userIds: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, LaterRecord[]>> {
  return Map.groupBy(await tx.query(LATER, [userIds, ids]), ({ relatedId }) => relatedId);
}

/** The day limits of all applications. */
export async function dayLimits(tx: Tx): Promise<ReadonlyMap<string, DayLimits>> {
  return new Map((await tx.query(LIMITS, [])).map(({ id, ...limits }) => [id, limits]));
}

export interface BookingDeps {
  /** Stores the events of the records in the tx; null: there are none. */
  readonly publish: ((tx: Tx, events: readonly NewEvent[]) => Promise<void>) | null;
  readonly tiers: TierKeeper;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * Books the differences of one user's awards, each as a record of its own, in the tx. What was booked meanwhile is seen
 * under the user's lock: a difference that is booked already is none any more. Returns the number of records.
 */
export async function bookDifferences(
  tx: Tx,
  scored: readonly { readonly award: PastAward; readonly record: ComposedRecord }[],
  { catalogueVersion, reason }: { readonly catalogueVersion: string; readonly reason: string },
  deps: BookingDeps,
): Promise<number> {
  const [first] = scored;
  if (!first) return 0;
  const { userId, applicationId } = first.award;
  const held = await tx.query(HOLD, [userId]);
  if (held.length === 0) return 0;
  const locked = await lockBalances(tx, [userId], []);
  const { reversalOverdraws: overdraws } = await pointsSettings(tx, applicationId);
  const ids = scored.map(({ award }) => award.id);
  const later = await laterRecords(tx, [userId], ids);
  const at = deps.now();
  let { availablePoints = 0 } = locked.balances.get(userId) ?? {};
  const entries: Entry[] = [];
  for (const { award, record } of scored) {
    const own = later.get(award.id) ?? [];
    const changes = changesOf(award, own, record);
    if (!Array.isArray(changes) || changes.length === 0) continue;
    const id = deps.newId();
    const about = { id, record, catalogueVersion, reason, availablePoints, overdraws, earlierWaived: waivedBy(own) };
    const entry = differing(award, changes, about);
    availablePoints += totalPoints(entry.amounts);
    entries.push(entry);
  }
  const posted = await append(tx, locked, entries, at, deps.newId);
  await deps.publish?.(
    tx,
    entries.map((entry, i) => {
      const owner = { applicationId, userId, subject: entry.submissionId };
      return newEvent(deps.newId(), owner, adjustedEvent(entry, posted[i]!), posted[i]!.createdAt);
    }),
  );
  await deps.tiers.settle(tx, usersMoved(locked, entries), at);
  return entries.length;
}
