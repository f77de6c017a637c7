// An intake is a submitted meal or a submitted food, from its request to its points. Receipts are not intakes: they are
// in src/receipts.

import type { Rating } from "../foods/module.ts";
import type { Module, Platform } from "../module.ts";
import { isLockTimeout, isRowError } from "../postgres/postgres.ts";
import type { TierKeeper } from "../points/tiers/keeper.store.ts";
import type { TermsFor } from "../programs/terms.task.ts";
import { createBatcher } from "../queue/batcher.ts";
import { createGathering } from "../queue/gathering.ts";
import { DAY_MS } from "../time.ts";
import type { Outbox } from "../webhooks/outbox.task.ts";
import { whileBusy } from "./accept.task.ts";
import { intakeRoutes } from "./routes.ts";
import { SCORE_QUEUE, createIntakeStages } from "./score.task.ts";

const ACCEPT_BATCH_MAX = 200;
/** Clients that send one after the other reach 300/s. */
const GATHERING = { ms: 10, perSecondMin: 400, itemsMax: 16 };
const SWEEP_SECONDS = 5;
/** Jobs that have piled up are scored together: with one tx for each, an even load piled up without end. */
const SCORING = { concurrency: 2, batchSize: 4, pollingIntervalSeconds: 2 };

interface IntakesDeps {
  readonly rating: Rating;
  readonly termsFor: TermsFor;
  readonly tiers: TierKeeper;
  readonly outbox: Outbox;
}

/** Creates the module of intakes: meals and foods, accepted in batches and scored in the background. */
export function createIntakes(platform: Platform, deps: IntakesDeps): Module {
  const { config } = platform;
  const mealWindowMs = config.mealWindowDays * DAY_MS;
  const { rating, termsFor, tiers, outbox } = deps;
  const stages = createIntakeStages({ ...platform, ...rating, termsFor, tiers, outbox, mealWindowMs });
  const accepting = createBatcher({
    flush: stages.accept,
    // One bad row must not fail its batch.
    isPoison: isRowError,
    isBlocked: isLockTimeout,
    batchMax: ACCEPT_BATCH_MAX,
    waitingMax: config.intakesWaitingMax,
    gathering: createGathering(GATHERING),
  });
  return {
    queues: { [SCORE_QUEUE]: { retryLimit: 20, retryDelaySeconds: 1, expireInSeconds: 300, heartbeatSeconds: 10 } },
    apiRoutes: (scope) => intakeRoutes(scope, { ...platform, accepting: whileBusy(accepting, platform.pressure) }),
    startWork: async (jobs) => {
      stages.scoreHere(stages.score);
      await jobs.work(SCORE_QUEUE, SCORING, (data, _signal, attempt) => stages.runJob(data, attempt));
      jobs.everyInProcess(SWEEP_SECONDS, "unfinished-intakes", stages.sweep);
    },
    drain: async () => {
      await accepting.idle();
      await stages.idle();
    },
  };
}
