import assert from "node:assert/strict";
import { test } from "node:test";
import { jobsSchema } from "../src/postgres/cell.ts";
import { startService } from "./support/service.ts";

test("a meal of one application comes before the backlog of another one that has sent many", async (t) => {
  const service = await startService({ isWorking: false });
  t.after(() => service.close());
  const [greedy, other] = [await service.newClient(), await service.newClient()];
  const [greedyUser, otherUser] = [await greedy.enrol(), await other.enrol()];
  const meal = (userId: string, n: number) => ({
    userId,
    transactionId: `m-${n}`,
    mealName: "Lunch",
    imageUrl: "https://example.org/lunch.jpg",
    loggedAt: new Date().toISOString(),
    mealType: "lunch",
    country: "GB",
    location: "At home",
    ingredients: [{ foodId: "my-1", name: "Lentils", weight: 200, unit: "g" }],
  });
  for (let sent = 0; sent < 1_500; sent += 100) {
    const requests = Array.from({ length: 100 }, (_, n) =>
      greedy.call("POST", "/track/meals", meal(greedyUser, sent + n)),
    );
    for (const response of await Promise.all(requests)) assert.equal(response.statusCode, 202, response.body);
  }
  const response = await other.call("POST", "/track/meals", meal(otherUser, 1));
  assert.equal(response.statusCode, 202, response.body);
  const { trackId } = response.json<{ trackId: string }>();

  // Jobs are sent after the response. Workers take them in this order.
  const text = `SELECT data->'ids' AS ids FROM ${jobsSchema(service.database.schema)}.job WHERE name = 'score-intakes'
                ORDER BY priority DESC, created_on, id`;
  let ids: string[] = [];
  for (const deadline = Date.now() + 60_000; !ids.includes(trackId); assert.ok(Date.now() < deadline)) {
    ids = (await service.database.query<{ ids: string[] }>({ name: "test.jobs", text })).flatMap((job) => job.ids);
  }
  t.diagnostic(`meals in jobs before it: ${ids.indexOf(trackId)} of ${ids.length}`);
  assert.ok(ids.indexOf(trackId) <= 700, `${ids.indexOf(trackId)} meals come before it`);

  await service.app.startWork();
  await other.until((events) => events.some((event) => event.event === "intake.completed"));
});
