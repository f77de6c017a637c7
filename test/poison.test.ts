import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { createRater } from "../src/foods/rating/rate.ts";
import type { Rater } from "../src/foods/rating/rate.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { shippedMatcherOf } from "../src/foods/matching/learned/store.ts";
import { uuidv7 } from "../src/ids.ts";
import { createIntakeStages } from "../src/intakes/score.task.ts";
import { createPressure } from "../src/queue/pressure.ts";
import type { IntakeStageDeps } from "../src/intakes/score.task.ts";
import { NO_METERS } from "../src/meters.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import { NO_PROGRAMS } from "./support/terms.ts";
import { silent } from "./support/database.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService({ isWorking: false });
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

const catalogue = readCatalogue();
const rater = createRater(catalogue, shippedMatcherOf(catalogue));

async function track(name: string): Promise<string> {
  const more = { imageUrl: "https://example.org/a.jpg", loggedAt: new Date().toISOString(), mealType: "lunch" };
  const body = { userId, transactionId: randomBytes(8).toString("hex"), mealName: name, ...more };
  return (await client.call("POST", "/track/meals", body)).json<{ trackId: string }>().trackId;
}

async function stateOf(id: string): Promise<string> {
  const status = (await client.call("GET", `/track/meals/${id}/status`)).json();
  return status.errorType ?? status.status;
}

/** The stages with another rating of the item "Poison"; counts the txs that they begin. */
function stagesWith(ratePoison: Rater["rate"], more: Partial<IntakeStageDeps> = {}) {
  const counted = { txs: 0 };
  const { database } = service;
  const stages = createIntakeStages({
    database: { ...database, tx: (work) => (counted.txs++, database.tx(work)) },
    jobs: { send: async () => true },
    pressure: createPressure(Date.now),
    raterFor: async () => () => ({
      rate: (input, source) => (input.name === "Poison" ? ratePoison : rater.rate)(input, source),
    }),
    catalogueVersion: catalogue.version,
    ...NO_PROGRAMS,
    mealWindowMs: 14 * 86_400_000,
    now: () => new Date(),
    newId: () => uuidv7(Date.now(), randomBytes(10)),
    outbox: createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: randomUUID }),
    log: silent,
    meters: NO_METERS,
    tracing: null,
    ...more,
  });
  return { stages, counted };
}

test("an intake that cannot be scored ends as INTERNAL_ERROR, and doesn't delay others", async () => {
  const ids = [await track("Poison"), await track("Banana")];
  let attempts = 0;
  const { stages, counted } = stagesWith(() => {
    attempts++;
    throw new Error("an error of the service");
  });
  await stages.runJob({ ids }, 1);
  assert.deepEqual(await Promise.all(ids.map(stateOf)), ["INTERNAL_ERROR", "completed"]);
  assert.deepEqual([attempts, counted.txs], [1, 1]);
});

test("an intake whose values the database refuses ends at its first attempt; its batch is halved, not taken apart", async () => {
  const names = Array.from({ length: 32 }, (_, i) => (i === 20 ? "Poison" : "Banana"));
  const ids: string[] = [];
  for (const name of names) ids.push(await track(name));
  const { stages, counted } = stagesWith((input, source) => {
    const rated = rater.rate({ ...input, name: "Banana" }, source);
    return rated.kind === "rated" ? { ...rated, co2eMg: 1e19 } : rated;
  });
  await stages.runJob({ ids }, 1);
  const states = await Promise.all(ids.map(stateOf));
  assert.deepEqual(
    states,
    names.map((name) => (name === "Poison" ? "INTERNAL_ERROR" : "completed")),
  );
  // Two halves at each of five levels, the whole batch, and the failure.
  assert.equal(counted.txs, 12);
});

test("an error that may pass is retried: five times for the intake that has it, alone", async () => {
  const ids = [await track("Poison"), await track("Banana")];
  const { stages } = stagesWith(rater.rate, {
    raterFor: async (items) => {
      if (items.some(({ name }) => name === "Poison")) throw new Error("the lookup fails");
      return () => rater;
    },
  });
  await stages.runJob({ ids }, 1);
  assert.deepEqual(await Promise.all(ids.map(stateOf)), ["received", "completed"]);
  for (let attempt = 2; attempt <= 5; attempt++) {
    assert.equal(await stateOf(ids[0]!), "received");
    await stages.runJob({ ids }, attempt);
  }
  assert.equal(await stateOf(ids[0]!), "INTERNAL_ERROR");
});
