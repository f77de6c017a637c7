import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { verifyLedger } from "../src/points/verification.store.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

/** The columns of a balance, with their names in a report. */
const BALANCE = {
  records: "number of records",
  other_records: "numOfTransactions",
  lifetime_points: "lifetimePoints",
  available_points: "availablePoints",
  carbon_points: "totalCarbonScore",
  green_products: "totalGreenProducts",
};

test("a member of a balance that was changed by hand is reported by its name, and no other", async () => {
  const userId = await client.enrol();
  const response = await client.call("POST", "/track/food", {
    userId,
    transactionId: "food-1",
    foodId: "my-apple",
    name: "Apple",
    imageUrl: "https://example.org/a.jpg",
    merchant: { name: "Corner shop" },
    weight: 150,
    unit: "g",
    nutrition: { energyKcal: 80 },
  });
  assert.equal(response.statusCode, 202);
  await client.until((events) => events.some((event) => nameOf(event) === "rewards.awarded"));
  for (const [column, member] of Object.entries(BALANCE)) {
    const shift = (by: number) =>
      service.database.pool.query(`UPDATE balances SET ${column} = ${column} + $2 WHERE user_id = $1`, [userId, by]);
    await shift(1_000);
    assert.deepEqual((await verifyLedger(service.database)).differences, [
      { userId, what: `${member} not equal to the records` },
    ]);
    await shift(-1_000);
  }
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("every column of a balance that counts something is verified", async () => {
  const { rows } = await service.database.pool.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns
     WHERE table_name = 'balances' AND data_type IN ('bigint', 'integer', 'numeric')`,
  );
  assert.deepEqual(rows.map(({ column }) => column).toSorted(), Object.keys(BALANCE).toSorted());
});
