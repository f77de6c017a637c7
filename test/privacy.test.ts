import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Database } from "../src/postgres/postgres.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

/** Returns the tables that contain a text. */
async function tablesHolding(database: Database, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>({
    name: "test.tables",
    text: `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
           WHERE table_schema IN ('public', 'jobs') AND table_type = 'BASE TABLE'`,
  });
  const holding: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ found: boolean }>(
      {
        name: `test.search-${name}`,
        text: `SELECT EXISTS (SELECT FROM ${name} AS t WHERE t::text ILIKE '%' || $1 || '%') AS found`,
      },
      [text],
    );
    if (row?.found) holding.push(name);
  }
  return holding;
}

test("an export contains all data; after an erasure no table has any of it, and the ledger is still correct", async () => {
  const userId = await client.enrol("zuleika.dobson@example.org");
  await client.call("POST", "/track/food", {
    userId,
    transactionId: "reference-of-zuleika",
    foodId: "zuleikas-own",
    name: "Apple",
    imageUrl: "https://example.org/zuleika.jpg",
    merchant: { name: "Zuleika's corner" },
    weight: 150,
    unit: "g",
    nutrition: {},
  });
  await client.call("POST", "/users/enroll/session", {
    email: "zuleika.dobson@example.org",
    firstName: "Zuleika",
    lastName: "Dobson",
  });
  await client.until((events) => events.some((event) => nameOf(event) === "rewards.awarded"));

  const exported = await service.database.tx((tx) => exportUserData(tx, userId));
  assert.deepEqual(
    Object.entries(exported).map(([part, rows]) => [part, rows.length]),
    [
      ["profile", 1],
      ["balance", 1],
      ["consents", 0],
      ["intakes", 1],
      ["receipts", 0],
      ["receiptCorrections", 0],
      ["receiptDisputes", 0],
      ["transactions", 1],
      ["redemptions", 0],
      ["expiryNotices", 0],
      ["testClock", 0],
    ],
  );
  assert.match(JSON.stringify(exported), /zuleika\.dobson@example\.org.*reference-of-zuleika/s);

  await service.erase(userId);
  assert.deepEqual(await tablesHolding(service.database, "zuleika"), []);
  const report = await verifyLedger(service.database);
  assert.deepEqual([report.records, report.differences], [1, []]);

  assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 404);
  assert.equal((await client.call("GET", `/users/${userId}/transactions`)).statusCode, 404);
  const again = await client.enrol("zuleika.dobson@example.org");
  assert.notEqual(again, userId, "the address may enrol anew, as somebody new");
});
