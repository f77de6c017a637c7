import { setImmediate as nextTurn } from "node:timers/promises";
import type { ItemResult, RaterFor } from "../foods/lookup/item-rater.ts";
import type { Log } from "../log.ts";
import type { Meters } from "../meters.ts";
import { isRowError } from "../postgres/postgres.ts";
import type { Database } from "../postgres/postgres.ts";
import type { TermsFor } from "../programs/terms.task.ts";
import type { TierKeeper } from "../points/tiers/keeper.store.ts";
import type { Jobs } from "../queue/jobs.ts";
import { together } from "../queue/together.ts";
import type { Pressure } from "../queue/pressure.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Outbox } from "../webhooks/outbox.task.ts";
import { createAcceptance } from "./accept.task.ts";
import type { Acceptance } from "./accept.task.ts";
import { scoringBatches } from "./batches.ts";
import { finishIntakes } from "./finish.task.ts";
import type { ScoredIntake } from "./finish.task.ts";
import { itemsToRate, lookupItems, scoreSubmission } from "./score.ts";
import type { FailedScoring } from "./score.ts";
import { countAttempt, readReceived, unfinishedIntakes } from "./store.ts";
import type { Intake } from "./store.ts";

/** Queue of the jobs that name accepted intakes to score. */
export const SCORE_QUEUE = "score-intakes";

/**
 * Rating yields to the event loop this often, also within a meal: 500 meals of 8 ingredients would delay every request
 * by 0.4 s, and one meal of 100 ingredients with names made to be hard by 0.1 s.
 */
const TURN_MS_MAX = 4;
/** Attempts at scoring an intake alone, before it ends as INTERNAL_ERROR. */
const ATTEMPTS_MAX = 5;
/** Age at which the sweep takes up an unfinished intake. Well above the time that a queue under load needs. */
const UNFINISHED_SECONDS = 15;
const SWEEP_ROWS_MAX = 200;

const INTERNAL: FailedScoring = {
  kind: "failed",
  errorType: "INTERNAL_ERROR",
  errorMessage: "the submission could not be processed",
  excluded: [],
};

export interface IntakeStageDeps {
  database: Database;
  jobs: Pick<Jobs, "send">;
  /** One lookup for all items of a batch. */
  raterFor: RaterFor;
  catalogueVersion: string;
  termsFor: TermsFor;
  tiers: TierKeeper;
  mealWindowMs: number;
  now: () => Date;
  newId: () => string;
  outbox: Pick<Outbox, "append" | "catchUp">;
  /** Of the requests of this process: scoring gives way to a burst. */
  pressure: Pressure;
  log: Log;
  meters: Meters;
  tracing: Tracing | null;
}

/** The background half of meals and foods: accepted in batches, then scored and booked in batches, each in one tx. */
export interface IntakeStages extends Acceptance {
  /** Scores and books those of the intakes that are not finished. Running it twice changes nothing. */
  score(ids: readonly string[]): Promise<void>;
  /** Runs one job: all its intakes at once, with those of other jobs; one at a time on a retry, or when that fails. */
  runJob(data: unknown, attempt: number): Promise<void>;
  /** Scores, one at a time, the intakes whose job was lost. */
  sweep(): Promise<void>;
}

export function createIntakeStages(deps: IntakeStageDeps): IntakeStages {
  const { database, jobs } = deps;
  const sendJob = (ids: readonly string[], priority: number) => jobs.send(database, SCORE_QUEUE, { ids }, { priority });
  const acceptance = createAcceptance({ ...deps, sendJob });
  const scoreTogether = together((ids: readonly string[]) => scoreIntakes(ids, deps));
  return {
    ...acceptance,
    score: (ids) => scoreIntakes(ids, deps),
    runJob: (data, attempt) => runScoreJob((data as { ids: string[] }).ids, attempt, { ...deps, scoreTogether }),
    sweep: () => sweepUnfinished(deps),
  };
}

async function scoreIntakes(ids: readonly string[], deps: IntakeStageDeps): Promise<void> {
  const received = await readReceived(deps.database, ids);
  for (const batch of scoringBatches(received)) {
    await deps.pressure.giveWay(batch[0]!.acceptedAt.getTime());
    await deps.outbox.catchUp();
    const startedMs = performance.now();
    let outcome: "ok" | "error" = "error";
    const { traced, end } = startSpans(batch, deps);
    try {
      await finishBatch(traced, deps);
      outcome = "ok";
    } finally {
      end(outcome === "ok" ? "ok" : "failed");
      const seconds = (performance.now() - startedMs) / 1_000;
      deps.meters.time("rewards_stage_duration_seconds", { stage: "intakes.scored", outcome }, seconds);
    }
  }
}

/** Starts a span for each intake of a batch; its events continue that. Without tracing they stay as they are. */
function startSpans(
  batch: readonly Intake[],
  { tracing, now }: IntakeStageDeps,
): { traced: readonly Intake[]; end: (outcome: "ok" | "failed") => void } {
  if (!tracing) return { traced: batch, end: () => {} };
  const startedMs = now().getTime();
  const spans = batch.map(({ id, source, applicationId, acceptedAt, traceparent: parent = null }) =>
    tracing.start(`score ${source}`, {
      parent,
      attributes: {
        "rewards.application.id": applicationId,
        "rewards.submission.id": id,
        "rewards.waited_ms": startedMs - acceptedAt.getTime(),
        "rewards.batch.size": batch.length,
      },
    }),
  );
  return {
    traced: batch.map((intake, i) => ({ ...intake, traceparent: spans[i]!.traceparent })),
    end: (outcome) => spans.forEach((span) => span.end(outcome)),
  };
}

/**
 * Scores and books a batch. Where the database refuses a value, which it would do again, the batch is halved until the
 * intake is found: it ends as INTERNAL_ERROR at once, and 500 others take 9 more txs instead of 500.
 */
async function finishBatch(batch: readonly Intake[], deps: IntakeStageDeps): Promise<void> {
  const { database, log } = deps;
  try {
    const scored = await scoreBatch(batch, deps);
    await database.tx((tx) => finishIntakes(tx, scored, deps));
  } catch (error) {
    if (!isRowError(error)) throw error;
    const [intake] = batch;
    if (intake && batch.length === 1) {
      log.error({ err: error, trackId: intake.id }, "intake could not be booked, and never can be");
      await database.tx((tx) => finishIntakes(tx, [{ intake, scoring: INTERNAL }], deps));
      return;
    }
    log.warn({ err: error, intakes: batch.length }, "a batch failed and is halved");
    const middle = Math.ceil(batch.length / 2);
    await finishBatch(batch.slice(0, middle), deps);
    await finishBatch(batch.slice(middle), deps);
  }
}

/**
 * Scores a batch in memory, after one lookup of all its items. An error in this pure code would come again with each
 * attempt: the intake ends as INTERNAL_ERROR at once.
 */
async function scoreBatch(batch: readonly Intake[], deps: IntakeStageDeps): Promise<ScoredIntake[]> {
  const raterOfApplication = await deps.raterFor(batch.flatMap(lookupItems));
  const termsOf = await deps.termsFor(batch);
  const scored: ScoredIntake[] = [];
  const turn = { start: performance.now() };
  for (const intake of batch) {
    scored.push({ intake, scoring: await scoreOne(intake, { raterOfApplication, termsOf }, turn, deps) });
  }
  return scored;
}

/** Scores one intake. `turn` is when this process last gave way: a meal of a hundred odd names takes long. */
async function scoreOne(
  intake: Intake,
  {
    raterOfApplication,
    termsOf,
  }: {
    raterOfApplication: Awaited<ReturnType<RaterFor>>;
    termsOf: Awaited<ReturnType<TermsFor>>;
  },
  turn: { start: number },
  { mealWindowMs, log }: IntakeStageDeps,
): Promise<ScoredIntake["scoring"]> {
  try {
    const { rate } = raterOfApplication(intake.applicationId);
    const ratings: ItemResult[] = [];
    for (const item of itemsToRate(intake.submission)) {
      ratings.push(rate(item, intake.source));
      if (performance.now() - turn.start > TURN_MS_MAX) {
        await nextTurn();
        turn.start = performance.now();
      }
    }
    return scoreSubmission(intake, ratings, mealWindowMs, termsOf(intake));
  } catch (error) {
    log.error({ err: error, trackId: intake.id }, "intake could not be scored");
    return INTERNAL;
  }
}

/** After the first attempt, the job failed or comes back from a worker that died. */
async function runScoreJob(
  ids: readonly string[],
  attempt: number,
  deps: IntakeStageDeps & { readonly scoreTogether: (ids: readonly string[]) => Promise<void> },
): Promise<void> {
  if (attempt === 1) {
    try {
      return await deps.scoreTogether(ids);
    } catch (error) {
      deps.log.warn({ err: error, intakes: ids.length }, "a batch failed and is scored one at a time");
    }
  }
  for (const id of ids) await scoreAlone(id, deps);
}

/**
 * Scores one intake whose batch failed. The attempt is counted before it starts: an intake that ends its process each
 * time then stops no other, and ends as INTERNAL_ERROR itself.
 */
async function scoreAlone(id: string, deps: IntakeStageDeps): Promise<void> {
  const { database, log } = deps;
  const attempts = await countAttempt(database, id);
  if (attempts === null) return;
  if (attempts <= ATTEMPTS_MAX) {
    try {
      return await scoreIntakes([id], deps);
    } catch (error) {
      log.error({ err: error, trackId: id, attempts }, "intake could not be scored");
      if (attempts < ATTEMPTS_MAX) return;
    }
  }
  const [intake] = await readReceived(database, [id]);
  if (intake) await database.tx((tx) => finishIntakes(tx, [{ intake, scoring: INTERNAL }], deps));
}

async function sweepUnfinished(deps: IntakeStageDeps): Promise<void> {
  const before = new Date(deps.now().getTime() - UNFINISHED_SECONDS * 1_000);
  for (const id of await unfinishedIntakes(deps.database, before, SWEEP_ROWS_MAX)) await scoreAlone(id, deps);
}
