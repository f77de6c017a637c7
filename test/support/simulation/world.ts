import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Database, Tx } from "../../../src/postgres/postgres.ts";
import { insertApplication } from "../../../src/applications/store.ts";
import type { LookupItem } from "../../../src/foods/lookup/lookup.ts";
import { createResolver } from "../../../src/foods/lookup/resolve.ts";
import { readCatalogue } from "../../../src/foods/catalogue/store.ts";
import { lookUp } from "../../../src/foods/lookup/store.ts";
import { uuidv7 } from "../../../src/ids.ts";
import type { Submission, SubmittedIngredient } from "../../../src/intakes/schema.ts";
import { createIntakeStages } from "../../../src/intakes/score.task.ts";
import type { IntakeStages } from "../../../src/intakes/score.task.ts";
import { enrolUser } from "../../../src/users/store.ts";
import { createOutbox } from "../../../src/webhooks/outbox.task.ts";
import { newApplication } from "../applications.ts";
import { silent } from "../database.ts";
import { movesOf } from "./moves.ts";
import type { Moves } from "./moves.ts";

/** Thrown by a process that ends at this step: the rest of its work is not done. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** A submission that got a 202 from the simulated API. */
export interface Acknowledged {
  readonly id: string;
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
  /** Ids of the records of adjustments and reversals that got a 200 from the simulated API. */
  readonly booked: string[];
  clockMs: number;
  /** The stages of a new process that ends after `stepsUntilCrash` database steps. Rating calls `rating` first. */
  process(stepsUntilCrash: number, rating?: (asked: readonly LookupItem[]) => void): IntakeStages;
  /** The requests to a new process that ends after `stepsUntilCrash` database steps. */
  moves(stepsUntilCrash: number): Moves;
  newId(): string;
}

export const USERS = 3;
export const REFERENCES = 5;

const catalogue = readCatalogue();
const resolver = createResolver(catalogue);
const MEAL_WINDOW_MS = 30 * 86_400_000;

/** Creates a world in `database`. Several worlds can share one. */
export async function createWorld(database: Database): Promise<World> {
  const queue: QueuedJob[] = [];
  const newId = () => uuidv7(world.clockMs, randomBytes(10));
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId });
  const clock = () => new Date(world.clockMs);
  const world: World = {
    database,
    applicationId: uuidv7(Date.now(), randomBytes(10)),
    userIds: Array.from({ length: USERS }, () => uuidv7(Date.now(), randomBytes(10))),
    acknowledged: [],
    queue,
    booked: [],
    clockMs: Date.parse("2026-11-02T09:00:00Z"),
    newId,
    moves: (stepsUntilCrash) => {
      const deps = { publish: outbox.publish, now: clock, newId };
      return movesOf(world, ending(database, stepsUntilCrash), deps);
    },
    process: (stepsUntilCrash, rating = () => {}) => {
      const mortal = ending(database, stepsUntilCrash);
      return createIntakeStages({
        database: mortal,
        jobs: {
          send: async (tx, _queue, data) => {
            await tx.query({ name: "simulation.send", text: "SELECT 1" });
            queue.push({ data, attempt: 1 });
            return true;
          },
        },
        raterFor: async (asked) => {
          rating(asked);
          const known = await lookUp(mortal, asked);
          return (applicationId) => resolver.raterFor(known, applicationId);
        },
        catalogueVersion: catalogue.version,
        mealWindowMs: MEAL_WINDOW_MS,
        now: clock,
        newId,
        outbox,
        log: silent,
      });
    },
  };
  const now = new Date(world.clockMs);
  await insertApplication(database, newApplication(world.applicationId).application, now);
  for (const [i, id] of world.userIds.entries()) {
    const enrollment = { email: `${i}-${id}@example.org`, firstName: "Ada", lastName: "Lovelace" };
    await enrolUser(database, { id, applicationId: world.applicationId, enrollment, now });
  }
  return world;
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
