import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../postgres/postgres.ts";
import { NO_METERS } from "../meters.ts";
import { createPressure } from "../queue/pressure.ts";
import { mealSubmission } from "./intake.ts";
import { DEFAULT_TERMS } from "../points/terms.ts";
import { createIntakeStages } from "./score.task.ts";
import type { IntakeStageDeps } from "./score.task.ts";

const ID = "0192f0c1-0000-7000-8000-000000000001";

test("between two ingredients of one meal other work gets its turn", async () => {
  const ingredients = Array.from({ length: 20 }, (_, index) => ({ foodId: `f-${index}`, name: "Apple" }));
  const intake = { id: ID, applicationId: "a", userId: "u", source: "meal", acceptedAt: new Date() };
  const body = {
    userId: "u",
    transactionId: "t",
    mealName: "Lunch",
    mealType: "lunch" as const,
    imageUrl: "https://example.org/l.jpg",
    loggedAt: new Date().toISOString(),
    ingredients,
  };
  const submission = mealSubmission(body, new Date());
  let turns = 0;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const turnsAtRating: number[] = [];
  const database = { query: async () => [{ ...intake, submission }], tx: async () => {} } as unknown as Database;
  const stages = createIntakeStages({
    database,
    pressure: createPressure(Date.now),
    meters: NO_METERS,
    tracing: null,
    outbox: { catchUp: async () => {} },
    mealWindowMs: Infinity,
    termsFor: async () => () => DEFAULT_TERMS,
    raterFor: async () => () => ({
      rate: () => {
        turnsAtRating.push(turns);
        for (const until = performance.now() + 5; performance.now() < until;);
        return { kind: "incomplete", field: "weight", message: "is required" };
      },
    }),
  } as unknown as IntakeStageDeps);
  await stages.score([ID]).finally(() => clearImmediate(next));
  assert.equal(new Set(turnsAtRating).size, ingredients.length);
});
