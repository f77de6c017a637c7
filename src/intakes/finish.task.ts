import type { Tx } from "../postgres/postgres.ts";
import { awardedEvent } from "../points/awarded-event.ts";
import { bonusEvent } from "../points/bonuses/event.ts";
import { book } from "../points/store.ts";
import type { TierKeeper } from "../points/tiers/keeper.store.ts";
import type { Booked, Booking } from "../points/store.ts";
import { recordUnknownNames } from "../unknown-names/store.ts";
import type { NewEvent, WebhookEvent } from "../webhooks/event.ts";
import type { Outbox } from "../webhooks/outbox.task.ts";
import { completedEvent, failedEvent, outboxEvent, receivedEvent, scoredEvent } from "./events.ts";
import { keptOf } from "./kept.ts";
import type { FailedScoring, Scored } from "./score.ts";
import * as store from "./store.ts";
import type { Intake } from "./store.ts";
import { unknownOf } from "./unknown.ts";

export interface FinishDeps {
  readonly outbox: Pick<Outbox, "append">;
  readonly tiers: TierKeeper;
  readonly catalogueVersion: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** An intake with its scoring. */
export interface ScoredIntake {
  readonly intake: Intake;
  readonly scoring: Scored | FailedScoring;
}

interface Credit {
  readonly intake: Intake;
  readonly scored: Scored;
}

interface Failure {
  readonly intake: Intake;
  readonly failed: FailedScoring;
}

const DUPLICATE: FailedScoring = {
  kind: "failed",
  errorType: "DUPLICATE_MEAL",
  errorMessage: "a submission with this transactionId exists already",
  excluded: [],
};

/**
 * Books the points of scored intakes, marks them completed or failed, and appends their events, in one tx. Skips
 * intakes that are finished already or that another worker holds. Locks submissions, then users, each ascending.
 */
export async function finishIntakes(tx: Tx, batch: readonly ScoredIntake[], deps: FinishDeps): Promise<void> {
  const at = deps.now();
  const locked = await store.lockReceived(
    tx,
    batch.map(({ intake }) => intake.id),
  );
  if (locked.size === 0) return;
  const credits: Credit[] = [];
  const failures: Failure[] = [];
  for (const { intake, scoring } of batch) {
    const isHolder = locked.get(intake.id);
    if (isHolder === undefined) continue;
    const result = isHolder ? scoring : DUPLICATE;
    if (result.kind === "scored") credits.push({ intake, scored: result });
    else failures.push({ intake, failed: result });
  }
  const creditEvents = await complete(tx, credits, at, deps);
  const failureEvents = await fail(tx, failures, at, deps);
  const finished = [
    ...credits.map(({ intake, scored }) => unknownOf(intake, scored)),
    ...failures.map(({ intake, failed }) => unknownOf(intake, failed)),
  ];
  await recordUnknownNames(tx, finished, at);
  await deps.outbox.append(tx, [...creditEvents, ...failureEvents]);
}

async function complete(tx: Tx, credits: readonly Credit[], at: Date, deps: FinishDeps): Promise<NewEvent[]> {
  if (credits.length === 0) return [];
  const bookings = credits.map((credit) => bookingOf(credit, deps.catalogueVersion));
  const booked = await book(tx, bookings, at, deps.newId, deps.tiers);
  const completions = credits.map(({ intake: { id, source, submission }, scored }) => ({
    id,
    ...keptOf(source, { submission, details: detailsOf(scored) }, scored.record.body),
  }));
  await store.completeIntakes(tx, completions, at);
  return credits.flatMap(({ intake, scored }, i) => [
    ...firstEvents(intake, at, deps),
    ...creditEvents(intake, scored, booked[i]!, at).map((event) => outboxEvent(deps.newId(), intake, event, at)),
    ...booked[i]!.bonuses.map((bonus) => bonusEvent(bonus, deps.newId(), at)),
  ]);
}

async function fail(tx: Tx, failures: readonly Failure[], at: Date, deps: FinishDeps): Promise<NewEvent[]> {
  if (failures.length === 0) return [];
  await store.failIntakes(
    tx,
    failures.map(({ intake, failed }) => ({ id: intake.id, ...failed })),
    at,
  );
  return failures.flatMap(({ intake, failed }) => [
    ...firstEvents(intake, at, deps),
    outboxEvent(deps.newId(), intake, failedEvent(intake, failed, at), at),
  ]);
}

/**
 * The event of the acceptance, unless it was written then. Its body has that time. Its row has the time of this tx, as
 * the others have: what a killed process has stored and not sent is found by it.
 */
function firstEvents(intake: Intake, at: Date, { newId }: FinishDeps): NewEvent[] {
  if (intake.state !== "accepted") return [];
  return [outboxEvent(newId(), intake, receivedEvent(intake, intake.acceptedAt), at)];
}

function bookingOf({ intake, scored }: Credit, catalogueVersion: string): Booking {
  const { applicationId, userId, source, id: submissionId } = intake;
  const { record, terms } = scored;
  return { applicationId, userId, source, submissionId, record, terms, catalogueVersion };
}

/** The members of the status document that are not in the record. */
function detailsOf({ portions, carbonRating, healthRating }: Scored) {
  return { portions, carbonRating, healthRating };
}

/** The events of a credited intake. `rewards.awarded` is one of them only when the balance has grown. */
function creditEvents(intake: Intake, scored: Scored, booked: Booked, at: Date): WebhookEvent[] {
  const asBooked = { ...scored, record: booked.record };
  const events: WebhookEvent[] = [scoredEvent(intake, asBooked, at), completedEvent(intake, asBooked, at)];
  const award = awardedEvent(intake.userId, booked);
  return award.data.transaction.totalPoints > 0 ? [...events, award] : events;
}
