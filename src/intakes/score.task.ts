import { setImmediate as nextTurn } from "node:timers/promises";
import { createBatcher } from "../queue/batcher.ts";
import type { Jobs } from "../queue/jobs.ts";
import type { Log } from "../log.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import type { RaterFor } from "../foods/lookup/item-rater.ts";
import { awardedEvent } from "../points/awarded-event.ts";
import { book } from "../points/store.ts";
import type { Booked, Booking } from "../points/store.ts";
import { newEvent } from "../webhooks/event.ts";
import type { NewEvent, WebhookEvent } from "../webhooks/event.ts";
import type { Outbox } from "../webhooks/delivery.task.ts";
import { completedEvent, failedEvent, receivedEvent, scoredEvent } from "./events.ts";
import { askedOf, scoreSubmission } from "./score.ts";
import type { FailedScoring, Scored } from "./score.ts";
import * as store from "./store.ts";
import type { Arrival, Arrived, Intake, NewIntake } from "./store.ts";

/** Jobs that say which intakes wait. */
export const SCORE_QUEUE = "score-intakes";

/** Intakes of one tx; bounded by their ingredients too, so that 500 large meals do not make one endless batch. */
const BATCH_INTAKES_MAX = 500;
const BATCH_INGREDIENTS_MAX = 1_000;
/** Rating gives the event loop back this often: 500 meals of 8 ingredients would hold up every request for 0.4 s. */
const TURN_MS_MAX = 4;
/** A row tried this often, one at a time, ends as INTERNAL_ERROR. */
const ATTEMPTS_MAX = 5;
/** What stands unfinished longer is sent again: well above what a queue under load needs, or a worker's silence. */
const UNFINISHED_SECONDS = 15;
const SWEEP_ROWS_MAX = 200;
const HINTS_WAITING_MAX = 100_000;

export interface IntakeStageDeps {
  database: Database;
  jobs: Pick<Jobs, "send">;
  /** One look-up for all items of a batch. */
  raterFor: RaterFor;
  catalogueVersion: string;
  mealWindowMs: number;
  now: () => Date;
  newId: () => string;
  outbox: Outbox;
  log: Log;
}

/** An intake that is credited. */
interface Credit {
  readonly intake: Intake;
  readonly scored: Scored;
}

/** What `createIntakeStages` gives. */
export type IntakeStages = ReturnType<typeof createIntakeStages>;

/** The background half of meals and foods: accepted in batches, scored and booked in batches, each in one tx. */
export function createIntakeStages(deps: IntakeStageDeps) {
  const { database, jobs, now, newId, log } = deps;

  const eventOf = (intake: NewIntake, event: WebhookEvent, at: Date): NewEvent =>
    newEvent(newId(), { applicationId: intake.applicationId, userId: intake.userId, subject: intake.id }, event, at);

  /** Stores a batch durably and tells of it, in one statement. */
  const accept = async (arrivals: Arrival[]): Promise<Arrived[]> => {
    const told = arrivals.map((intake) => eventOf(intake, receivedEvent(intake, intake.acceptedAt), intake.acceptedAt));
    const arrived = await store.acceptIntakes(database, arrivals, told, deps.outbox.firstWaitSeconds);
    arrivals.forEach(({ id }, i) => {
      if (arrived[i] === "stored") hints.add(id).catch(leaveToSweep);
    });
    return arrived;
  };

  // After the commit, and nobody waits for it: with the job in the accepting tx that was eight round trips instead of one
  // (npm start accepted 0.11 of the ceiling then and 0.19 after, each in a run of its own on a crowded machine).
  // A job that is lost with its process is made up by the sweep.
  const hints = createBatcher<string, void>({
    flush: async (ids) => {
      await jobs.send(database, SCORE_QUEUE, { ids });
      return ids.map(() => undefined);
    },
    isPoison: () => false,
    batchMax: BATCH_INTAKES_MAX,
    waitingMax: HINTS_WAITING_MAX,
  });
  const leaveToSweep = (error: unknown): void => {
    log.debug({ err: error }, "no job was sent for an accepted intake: the sweep will find it");
  };

  /** Scores and books what still waits among `ids`; running it twice changes nothing. */
  const score = async (ids: readonly string[]): Promise<void> => {
    const waiting = await store.readReceived(database, ids);
    for (const batch of batches(waiting)) {
      const scorings = await scoreAll(batch);
      await database.tx((tx) => finish(tx, batch, scorings));
    }
  };

  const scoreAll = async (batch: readonly Intake[]): Promise<(Scored | FailedScoring)[]> => {
    const raterOf = await deps.raterFor(batch.flatMap(askedOf));
    const scorings: (Scored | FailedScoring)[] = [];
    let turnStart = performance.now();
    for (const intake of batch) {
      scorings.push(scoreSubmission(intake, raterOf(intake.applicationId).rate, deps.mealWindowMs));
      if (performance.now() - turnStart > TURN_MS_MAX) {
        await nextTurn();
        turnStart = performance.now();
      }
    }
    return scorings;
  };

  /** Locks submissions, then users, each ascending; then books, tells and marks: all of it or nothing. */
  const finish = async (tx: Tx, batch: readonly Intake[], scorings: readonly (Scored | FailedScoring)[]) => {
    const at = now();
    const locked = await store.lockReceived(
      tx,
      batch.map((intake) => intake.id),
    );
    if (locked.size === 0) return;
    const holders = await store.claimReferences(tx, [...locked]);
    const failures: { intake: Intake; failure: FailedScoring }[] = [];
    const credits: Credit[] = [];
    batch.forEach((intake, i) => {
      if (!locked.has(intake.id)) return;
      const scoring = holders.has(intake.id) ? scorings[i]! : DUPLICATE;
      if (scoring.kind === "scored") credits.push({ intake, scored: scoring });
      else failures.push({ intake, failure: scoring });
    });
    const booked = await book(tx, credits.map(bookingOf), at, newId);
    const events = [
      ...credits.flatMap((credit, i) => creditEvents(credit, booked[i]!, at)),
      ...failures.map(({ intake, failure }) => eventOf(intake, failedEvent(intake, failure, at), at)),
    ];
    if (credits.length > 0) {
      await store.completeIntakes(
        tx,
        credits.map(({ intake, scored }) => ({ id: intake.id, details: detailsOf(scored) })),
        at,
      );
    }
    if (failures.length > 0) {
      await store.failIntakes(
        tx,
        failures.map(({ intake, failure }) => ({ id: intake.id, ...failure })),
        at,
      );
    }
    await deps.outbox.append(tx, events);
  };

  const bookingOf = ({ intake, scored }: Credit): Booking => ({
    applicationId: intake.applicationId,
    userId: intake.userId,
    source: intake.source,
    submissionId: intake.id,
    record: scored.record,
    catalogueVersion: deps.catalogueVersion,
  });

  /** What is told of a credited intake; of an award only where it moved the balance. */
  const creditEvents = (credit: Credit, booked: Booked, at: Date): NewEvent[] => {
    const { intake } = credit;
    const scored = { ...credit.scored, record: booked.record };
    const told: WebhookEvent[] = [scoredEvent(intake, scored, at), completedEvent(intake, scored, at)];
    const award = awardedEvent(intake.userId, booked);
    if (award.data.transaction.totalPoints > 0) told.push(award);
    return told.map((event) => eventOf(intake, event, at));
  };

  /**
   * Scores one intake whose batch came to grief, counting the try before it starts: a row that ends its process each
   * time takes no other along, and ends as INTERNAL_ERROR itself.
   */
  const scoreAlone = async (id: string): Promise<void> => {
    const attempts = await store.countAttempt(database, id);
    if (attempts === null) return;
    if (attempts <= ATTEMPTS_MAX) {
      try {
        return await score([id]);
      } catch (error) {
        log.error({ err: error, trackId: id, attempts }, "intake could not be scored");
        if (attempts < ATTEMPTS_MAX) return;
      }
    }
    const [intake] = await store.readReceived(database, [id]);
    if (intake) await database.tx((tx) => finish(tx, [intake], [INTERNAL]));
  };

  /** One job: all its rows at once, and one at a time when it failed or comes back from a worker that died. */
  const runJob = async (data: unknown, attempt: number): Promise<void> => {
    const { ids } = data as { ids: string[] };
    if (attempt === 1) {
      try {
        return await score(ids);
      } catch (error) {
        log.warn({ err: error, intakes: ids.length }, "a batch failed and is scored one at a time");
      }
    }
    for (const id of ids) await scoreAlone(id);
  };

  /** Takes up what no job speaks of any more. */
  const sweep = async (): Promise<void> => {
    const before = new Date(now().getTime() - UNFINISHED_SECONDS * 1_000);
    for (const id of await store.unfinishedIntakes(database, before, SWEEP_ROWS_MAX)) await scoreAlone(id);
  };

  /** Resolves when no job is left to be sent. */
  const idle = (): Promise<void> => hints.idle();

  return { accept, score, runJob, sweep, idle };
}

const DUPLICATE: FailedScoring = {
  kind: "failed",
  errorType: "DUPLICATE_MEAL",
  errorMessage: "a submission with this transactionId exists already",
  excluded: [],
};
const INTERNAL: FailedScoring = {
  kind: "failed",
  errorType: "INTERNAL_ERROR",
  errorMessage: "the submission could not be processed",
  excluded: [],
};

/** What the status document shows of a completed intake and its record does not hold. */
function detailsOf({ portions, carbonRating, healthRating }: Scored) {
  return { portions, carbonRating, healthRating };
}

/** Cuts intakes into batches of bounded numbers of intakes and ingredients. */
function* batches(intakes: readonly Intake[]): Generator<Intake[]> {
  let batch: Intake[] = [];
  let ingredients = 0;
  for (const intake of intakes) {
    const size = Math.max(1, intake.submission.ingredients.length);
    if (batch.length > 0 && (batch.length >= BATCH_INTAKES_MAX || ingredients + size > BATCH_INGREDIENTS_MAX)) {
      yield batch;
      batch = [];
      ingredients = 0;
    }
    batch.push(intake);
    ingredients += size;
  }
  if (batch.length > 0) yield batch;
}
