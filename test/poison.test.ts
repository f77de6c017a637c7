import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createRater } from "../src/foods/rating/rate.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { uuidv7 } from "../src/ids.ts";
import { createIntakeStages } from "../src/intakes/score.task.ts";
import { appendEvents } from "../src/webhooks/store.ts";
import { silent } from "./support/database.ts";
import { startService } from "./support/service.ts";

test("an intake that cannot be scored ends as INTERNAL_ERROR, and doesn't delay others", async () => {
  const service = await startService({ isWorking: false });
  const client = await service.newClient();
  const userId = await client.enrol();
  const track = async (name: string): Promise<string> => {
    const more = { imageUrl: "https://example.org/a.jpg", loggedAt: new Date().toISOString(), mealType: "lunch" };
    const body = { userId, transactionId: name, mealName: name, ...more };
    return (await client.call("POST", "/track/meals", body)).json<{ trackId: string }>().trackId;
  };
  const ids = [await track("Poison"), await track("Banana")];
  const statusOf = async (id: string) =>
    (await client.call("GET", `/track/meals/${id}/status`)).json<{ status: string; errorType: string | null }>();

  const catalogue = readCatalogue();
  const rater = createRater(catalogue);
  const now = () => new Date();
  const stages = createIntakeStages({
    database: service.database,
    jobs: { send: async () => true },
    raterFor: async () => () => ({
      rate: (input, source) => {
        if (input.name === "Poison") throw new Error("an error of the service");
        return rater.rate(input, source);
      },
    }),
    catalogueVersion: catalogue.version,
    mealWindowMs: 14 * 86_400_000,
    now,
    newId: () => uuidv7(Date.now(), randomBytes(10)),
    outbox: { append: async (tx, events) => void (await appendEvents(tx, events, 0)), firstWaitSeconds: 0 },
    log: silent,
  });

  await stages.runJob({ ids }, 1);
  assert.deepEqual([(await statusOf(ids[0]!)).status, (await statusOf(ids[1]!)).status], ["received", "completed"]);
  for (let attempt = 2; attempt <= 5; attempt++) {
    assert.equal((await statusOf(ids[0]!)).status, "received");
    await stages.runJob({ ids }, attempt);
  }
  const { status, errorType } = await statusOf(ids[0]!);
  assert.deepEqual([status, errorType], ["failed", "INTERNAL_ERROR"]);
  const { user } = (await client.call("GET", `/users/${userId}/summary`)).json();
  assert.equal(user.numOfTransactions, 1);
  await service.close();
});
