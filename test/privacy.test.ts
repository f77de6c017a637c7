import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { jobsSchema } from "../src/postgres/cell.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { declaredStatements } from "../src/postgres/statement.ts";
import { findExplained, findRecord, findRecordOf, recordsBetween, relatedRecords } from "../src/points/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
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
  const tables = await database.query<{ name: string }>(
    {
      name: "test.tables",
      text: `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
             WHERE table_schema IN ($1, $2) AND table_type = 'BASE TABLE'`,
    },
    [database.schema, jobsSchema(database.schema)],
  );
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
  await client.call("POST", "/track/food", {
    userId,
    transactionId: "unknown of zuleika",
    foodId: "zuleikas-other",
    name: "Zuleika's xqzzk",
    imageUrl: "https://example.org/zuleika.jpg",
    merchant: { name: "Zuleika's corner" },
    weight: 150,
    unit: "g",
    nutrition: {},
  });
  await client.until((events) => events.some((event) => nameOf(event) === "intake.failed"));
  await client.call("POST", "/users/enroll/session", {
    email: "zuleika.dobson@example.org",
    firstName: "Zuleika",
    lastName: "Dobson",
  });
  await client.until((events) => events.some((event) => nameOf(event) === "rewards.awarded"));
  const gift = { points: 50, reason: "For Zuleika", reference: "gift of zuleika" };
  await client.call("POST", `/users/${userId}/adjustments`, gift);
  const reward = { name: "A free coffee", codes: "made" };
  const redemption = { points: 50, reward, reference: "redemption of zuleika" };
  const redeemed = await client.call("POST", `/users/${userId}/redemptions`, redemption);
  const { code } = redeemed.json<{ transaction: { reward: { code: string } } }>().transaction.reward;
  const used = await client.call("POST", `/vouchers/${code}/use`, { till: "Zuleika's till" });
  assert.equal(used.statusCode, 200, used.body);

  const exported = await service.database.tx((tx) => exportUserData(tx, userId, STORED_FORMS));
  assert.deepEqual(
    Object.entries(exported).map(([part, rows]) => [part, rows.length]),
    [
      ["profile", 1],
      ["balance", 1],
      ["consents", 0],
      ["intakes", 2],
      ["receipts", 0],
      ["receiptCorrections", 0],
      ["receiptDisputes", 0],
      ["unknownNames", 1],
      ["transactions", 3],
      ["streaks", 0],
      ["referralCode", 0],
      ["referral", 0],
      ["campaigns", 0],
      ["redemptions", 1],
      ["expiryNotices", 0],
      ["expirySums", 0],
      ["recordSums", 0],
      ["tier", 0],
      ["testClock", 0],
    ],
  );
  assert.match(JSON.stringify(exported), /zuleika\.dobson@example\.org.*reference-of-zuleika/s);

  await service.erase(userId);
  assert.deepEqual(await tablesHolding(service.database, "zuleika"), []);
  const report = await verifyLedger(service.database);
  assert.deepEqual([report.records, report.differences], [3, []]);

  assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 404);
  assert.equal((await client.call("GET", `/users/${userId}/transactions`)).statusCode, 404);
  const again = await client.enrol("zuleika.dobson@example.org");
  assert.notEqual(again, userId, "the address may enrol anew, as somebody new");
});

/** Tables with the id of a user that an erasure leaves as they are, and why. */
const NOT_ERASED = {
  balances: "numbers of nobody",
  record_changes: "states of records",
};
/** Tables with the id of a user that an export has no part for, and why. */
const NOT_EXPORTED = {
  user_emails: "the profile has the address",
  receipt_images: "hashes of the images",
  receipt_facts: "hashes of purchases",
  receipt_purchases: "hashes of purchases",
  receipt_likeness: "keys of the receipt's print",
  receipt_prints: "keys of the receipt's print",
  events: "messages about what is exported",
  deliveries: "messages about what is exported",
  sessions: "tokens, and what the user's submissions have as well",
  idempotency_keys: "stored responses, for a day",
  granted_bonuses: "the transactions have their bonuses",
  record_references: "the transactions have their reference",
  voucher_codes: "the redemptions have their code",
};

test("a request that has found its user just before an erasure finds no record without content", async () => {
  const userId = await client.enrol();
  const tracked = await client.call("POST", "/track/food", {
    userId,
    transactionId: `food of ${userId}`,
    foodId: "1",
    name: "Apple",
    imageUrl: "https://example.org/apple.jpg",
    merchant: { name: "Corner Shop" },
    weight: 150,
    unit: "g",
    nutrition: {},
  });
  assert.equal(tracked.statusCode, 202, tracked.body);
  const { trackId } = tracked.json<{ trackId: string }>();
  await client.until((events) =>
    events.some((event) => event["trackId"] === trackId && nameOf(event) === "intake.completed"),
  );
  const { id } = (await findRecordOf(service.database, userId, "food", trackId))!;
  await client.call("POST", `/users/${userId}/transactions/${id}/reversal`, { reason: "Returned" });
  const found = () =>
    Promise.all([
      findRecord(service.database, userId, id),
      findRecordOf(service.database, userId, "food", trackId),
      findExplained(service.database, userId, id),
      relatedRecords(service.database, userId, id).then(([later = null]) => later),
      recordsBetween(service.database, userId, 1, 1).then(([first = null]) => first),
    ]);
  assert.ok((await found()).every((record) => record !== null));
  await service.erase(userId);
  assert.deepEqual(await found(), [null, null, null, null, null]);
});

test("every table with the id of a user is erased and exported, or has a reason not to be", async () => {
  const { rows } = await service.database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'user_id' AND NOT EXISTS (
       SELECT FROM pg_class WHERE oid = quote_ident(table_name)::regclass AND relispartition) ORDER BY 1`,
  );
  const tables = rows.map(({ name }) => name);
  assert.ok(tables.includes("intakes"));
  const textOf = (prefix: string) =>
    declaredStatements()
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ text }) => text)
      .join("\n");
  const [erasure, personal] = [textOf("erasure."), textOf("privacy.export-")];
  const without = (sql: string, verb: string) =>
    tables.filter((name) => !new RegExp(`\\b(?:${verb}) ${name}\\b`).test(sql));
  assert.deepEqual(without(erasure, "DELETE FROM|UPDATE"), Object.keys(NOT_ERASED).sort());
  assert.deepEqual(without(personal, "FROM|JOIN"), Object.keys(NOT_EXPORTED).sort());
});
