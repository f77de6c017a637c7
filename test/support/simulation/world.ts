import { NO_PROGRAMS } from "../terms.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Database, Tx } from "../../../src/postgres/postgres.ts";
import { insertApplication } from "../../../src/applications/store.ts";
import type { LookupItem } from "../../../src/foods/lookup/lookup.ts";
import { createResolver } from "../../../src/foods/lookup/resolve.ts";
import { readCatalogue } from "../../../src/foods/catalogue/store.ts";
import { lookUp } from "../../../src/foods/lookup/store.ts";
import { foldAll } from "../../../src/reports/fold.task.ts";
import { uuidv7 } from "../../../src/ids.ts";
import type { Submission, SubmittedIngredient } from "../../../src/intakes/schema.ts";
import { createIntakeStages } from "../../../src/intakes/score.task.ts";
import { createPressure } from "../../../src/queue/pressure.ts";
import type { IntakeStages } from "../../../src/intakes/score.task.ts";
import { NO_EFFECTS } from "../../../src/users/enrolment.ts";
import { enrolUser } from "../../../src/users/store.ts";
import type { Log } from "../../../src/log.ts";
import { DEFAULT_POINTS_SETTINGS } from "../../../src/points/settings/settings.ts";
import type { PointsSettings } from "../../../src/points/settings/settings.ts";
import { setPointsSettings } from "../../../src/points/settings/store.ts";
import type { StageDeps } from "../../../src/receipts/stages/stage.ts";
import { MADE_CODE_BYTES } from "../../../src/rewards/codes/code.ts";
import { createOutbox } from "../../../src/webhooks/outbox.task.ts";
import { newApplication } from "../applications.ts";
import { silent } from "../database.ts";
import { movesOf } from "./moves.ts";
import type { Moves } from "./moves.ts";
import { stageDepsOf } from "./receipts.ts";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { NO_METERS } from "../../../src/meters.ts";
import { shippedMatcherOf } from "../../../src/foods/matching/learned/store.ts";

/** Thrown by a process that ends at this step: the rest of its work is not done. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** A submission that got a 202 from the simulated API. */
export interface Acknowledged {
  readonly id: string;
  readonly userId: string;
  readonly reference: string;
}

/** A job of the simulated queue, which has no order and gives jobs of crashed workers to others. */
export interface QueuedJob {
  readonly data: object;
  readonly attempt: number;
}

/** An application with users in a database, a queue, a clock, and processes that may end between any two statements. */
export interface World {
  readonly database: Database;
  readonly applicationId: string;
  readonly userIds: readonly string[];
  readonly acknowledged: Acknowledged[];
  readonly queue: QueuedJob[];
  /** Ids of the records that got a 200 from the simulated API. */
  readonly booked: string[];
  /** Redemptions that got a 200, with what it said. */
  readonly redeemed: { readonly id: string; readonly reference: string; readonly code: string }[];
  /** Records of reservations whose confirmation got a 200. */
  readonly confirmed: string[];
  /** Codes whose use got a 200. */
  readonly usedCodes: string[];
  /** Records of expiries that were compared with the model, at the time of the command that booked them. */
  readonly checkedExpiries: Set<string>;
  readonly shop: Shop;
  /** Errors of jobs, which go on with the next user. */
  readonly jobErrors: unknown[];
  settings: PointsSettings & { readonly setAt: Date };
  clockMs: number;
  /** Whether the clock went back once. */
  hasGoneBack: boolean;
  /** The stages of a new process that ends after `stepsUntilCrash` database steps. Rating calls `rating` first. */
  process(stepsUntilCrash: number, rating?: (asked: readonly LookupItem[]) => void): IntakeStages;
  /** The requests to a new process that ends after `stepsUntilCrash` database steps. */
  moves(stepsUntilCrash: number): Moves;
  /** Adds up the daily figures, in a process that ends after `stepsUntilCrash` database steps. */
  addUpFigures(stepsUntilCrash: number): Promise<void>;
  /** What the stages of receipts need, in a process that never ends. */
  readonly stages: StageDeps;
  /** Changes the settings of the application. */
  set(settings: PointsSettings): Promise<void>;
  newId(): string;
}

export const USERS = 3;
export const REFERENCES = 5;

const catalogue = readCatalogue();
const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));
const MEAL_WINDOW_MS = 30 * 86_400_000;
const WELCOME = 60;

/** Creates a world in `database`. Several worlds can share one. */
export async function createWorld(database: Database): Promise<World> {
  const start = new Date("2026-11-02T09:00:00Z");
  const applicationId = uuidv7(Date.now(), randomBytes(10));
  const userIds = Array.from({ length: USERS }, () => uuidv7(Date.now(), randomBytes(10)));
  await insertApplication(database, newApplication(applicationId).application, start);
  for (const [i, id] of userIds.entries()) {
    const enrollment = { email: `${i}-${id}@example.org`, firstName: "Ada", lastName: "Lovelace" };
    await enrolUser(database, { id, applicationId, enrollment, now: start }, NO_EFFECTS);
  }
  const newId = () => uuidv7(world.clockMs, randomBytes(10));
  const newRewardId = () => uuidv7(start.getTime(), randomBytes(10));
  const world: World = {
    database,
    applicationId,
    userIds,
    acknowledged: [],
    queue: [],
    booked: [],
    redeemed: [],
    confirmed: [],
    usedCodes: [],
    checkedExpiries: new Set(),
    shop: await openShop(database, applicationId, { newId: newRewardId, now: start }),
    jobErrors: [],
    settings: { ...DEFAULT_POINTS_SETTINGS, setAt: start },
    clockMs: start.getTime(),
    hasGoneBack: false,
    newId,
    set: async (settings) => {
      const setAt = new Date(world.clockMs);
      await database.tx((tx) => setPointsSettings(tx, applicationId, settings, setAt));
      world.settings = { ...settings, setAt };
    },
    ...processesOf(() => world, database, newId),
  };
  // So that there is something to spend from the start.
  const moves = world.moves(Number.MAX_SAFE_INTEGER);
  for (const [i, id] of userIds.entries()) await moves.adjust(id, `welcome-${i}`, WELCOME, true);
  return world;
}

/** The processes of a world, which may end. */
function processesOf(
  world: () => World,
  database: Database,
  newId: () => string,
): Pick<World, "process" | "moves" | "stages" | "addUpFigures"> {
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId });
  const now = () => new Date(world().clockMs);
  const log: Log = {
    ...silent,
    error: (about) => void ((about as { err: unknown }).err instanceof Crash || world().jobErrors.push(about)),
  };
  const common = { catalogueVersion: catalogue.version, now, newId, log };
  const raterForOn =
    (on: Database): StageDeps["raterFor"] =>
    async (asked) => {
      const known = await lookUp(on, asked);
      return (applicationId) => resolver.raterFor(known, applicationId);
    };
  const stagesOn = (on: Database) =>
    stageDepsOf({ ...common, database: on, raterFor: raterForOn(on), publish: outbox.append });
  return {
    stages: stagesOn(database),
    addUpFigures: async (stepsUntilCrash) =>
      foldAll(ending(database, stepsUntilCrash), new Set(), new AbortController().signal),
    moves: (stepsUntilCrash) => {
      const stages = stagesOn(ending(database, stepsUntilCrash));
      const newCodeBytes = () => randomBytes(MADE_CODE_BYTES);
      return movesOf(world(), {
        stages,
        moves: { publish: outbox.publish, tiers: NO_PROGRAMS.tiers, now, newId, newCodeBytes },
      });
    },
    process: (stepsUntilCrash, rating = () => {}) => {
      const mortal = ending(database, stepsUntilCrash);
      const raterFor = raterForOn(mortal);
      return createIntakeStages({
        ...common,
        ...NO_PROGRAMS,
        database: mortal,
        jobs: {
          send: async (tx, _queue, data) => {
            await tx.query({ name: "simulation.send", text: "SELECT 1" });
            world().queue.push({ data, attempt: 1 });
            return true;
          },
        },
        raterFor: async (asked) => {
          rating(asked);
          return raterFor(asked);
        },
        mealWindowMs: MEAL_WINDOW_MS,
        pressure: createPressure(Date.now),
        outbox,
        log: silent,
        meters: NO_METERS,
        tracing: null,
      });
    },
  };
}

export const APPLE: SubmittedIngredient = {
  foodId: "simulated-apple",
  name: "Apple",
  imageUrl: "",
  merchant: null,
  weight: 150,
  unit: "g",
  quantity: 1,
  amount: null,
  currency: null,
  nutrition: null,
};

const PEAR: SubmittedIngredient = { ...APPLE, foodId: "simulated-pear", name: "Pear" };

/** A submission of an apple and a pear. */
export function submissionOf(reference: string, at: Date): Submission {
  return {
    reference,
    name: "Apple",
    imageUrl: "https://example.org/apple.jpg",
    loggedAt: at.toISOString(),
    mealType: "",
    country: "",
    location: "",
    merchant: null,
    metadata: null,
    ingredients: [APPLE, PEAR],
  };
}

/** The database of a process that ends after `steps`. Each statement has a step before it and one after. */
function ending(database: Database, steps: number): Database {
  let left = steps;
  const step = () => {
    if (left <= 0) throw new Crash();
    left--;
  };
  const within = (tx: Tx): Tx => ({
    query: async (statement, values) => {
      step();
      const rows = await tx.query(statement, values);
      step();
      return rows;
    },
    afterCommit: tx.afterCommit,
    origin: tx.origin,
  });
  return {
    ...database,
    ...within(database),
    tx: async (work) => {
      const result = await database.tx((tx) => work(within(tx)));
      // After the commit, before the caller knows of it.
      step();
      return result;
    },
  };
}

/** Whether work finished. False when its process crashed; other errors fail the test. */
export async function survived(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    assert.ok(error instanceof Crash, `not a crash: ${String(error)}`);
    return false;
  }
}
