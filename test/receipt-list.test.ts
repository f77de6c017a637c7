import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { eraseUser } from "../src/users/erase.task.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { NOW, startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

interface Entry {
  readonly receiptID: string;
  readonly status: string;
  readonly merchantName: string | null;
  readonly totalPoints: number | null;
}
interface Page {
  readonly receipts: Entry[];
  readonly next: string | null;
}

const NO_FOOD = GROCERIES.map((row) => (/500G|800G/.test(row) ? `CLAW HAMMER       ${row.slice(-6)}` : row));

let service: ReceiptsUnderTest;
let app: TestClient;
let userId: string;

before(async () => {
  service = await startReceipts();
});
after(() => service.close());
beforeEach(async () => {
  service.clock.now = NOW;
  app = await service.client();
  userId = await app.enrol();
});

async function submit(changes: Parameters<typeof formFor>[1] = {}, rows = GROCERIES): Promise<string> {
  service.read = async () => pageOf(rows);
  // Each is accepted a second after the one before.
  service.clock.now = new Date(service.clock.now.getTime() + 1_000);
  const id = await app.accepted({ fields: formFor(userId, changes), image: await picture() });
  await service.process(id);
  return id;
}

const get = (query = "", client = app) =>
  service.server.inject({ url: `/track/receipts?api-version=1.0${query}`, headers: client.headers });

async function list(query = "", client = app): Promise<Page> {
  const response = await get(query, client);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<Page>();
}
const idsOf = async (query: string) => (await list(query)).receipts.map(({ receiptID }) => receiptID);

/** Rows of another time of day: another purchase. */
const at = (time: string, rows = GROCERIES) => rows.map((row) => row.replace("10:41", time));

test("the list has an application's receipts, newest first, with shop, total and points", async () => {
  const first = await submit();
  const failed = await submit({}, at("11:00", NO_FOOD));
  const waiting = await app.accepted({ fields: formFor(userId), image: await picture() });
  const { receipts, next } = await list();
  assert.equal(next, null);
  assert.deepEqual(
    receipts.map(({ receiptID, status }) => [receiptID, status]),
    [
      [waiting, "Uploaded"],
      [failed, "Failed"],
      [first, "Completed"],
    ].toSorted((a, b) => (a[0]! < b[0]! ? 1 : -1)),
  );
  const { completedStateData } = (await app.status(first)).receiptStatusDoc;
  const entry = receipts.find(({ receiptID }) => receiptID === first);
  const { acceptedAt: _at, lastUpdated: _updated, ...rest } = entry as Entry & Record<string, unknown>;
  assert.deepEqual(rest, {
    receiptID: first,
    userId,
    transactionId: rest["transactionId"],
    status: "Completed",
    errorCode: null,
    errorMessage: null,
    merchantName: "LARKMEADOW MARKET",
    totalAmount: 7.4,
    currency: "GBP",
    totalPoints: completedStateData!.totalPoints,
    receiptSource: "api",
    isSample: false,
    corrections: 0,
    held: false,
    openDisputes: 0,
  });
  const other = await service.client();
  assert.deepEqual(await list("", other), { receipts: [], next: null });
});

test("receipts are filtered by state, error, check, shop, user, reference and time", async () => {
  const done = await submit({ transactionId: "own-1" });
  const failed = await submit({ transactionId: "own-2" }, at("11:00", NO_FOOD));
  const wrong = await submit({ amount: "99.00" }, at("12:00"));
  const [user, otherUser] = [userId, await app.enrol()];
  userId = otherUser;
  const others = await submit(
    {},
    at("13:00").map((row) => row.replace("LARKMEADOW", "PENNYWELL")),
  );
  assert.deepEqual(await idsOf("&status=Failed"), [others, wrong, failed]);
  assert.deepEqual(await idsOf("&errorCode=NO_VALID_FOOD_ITEMS"), [failed]);
  assert.deepEqual(await idsOf("&check=amount_as_declared"), [wrong]);
  assert.deepEqual(await idsOf("&merchant=larkm&status=Completed"), [done]);
  assert.deepEqual(await idsOf(`&userId=${user}`), [wrong, failed, done]);
  assert.deepEqual(await idsOf("&transactionId=own-2"), [failed]);
  assert.deepEqual(await idsOf(`&transactionId=own-2&userId=${otherUser}`), []);
  const from = new Date(NOW.getTime() + 2_000).toISOString();
  assert.deepEqual(await idsOf(`&until=${from}`), [done]);
  assert.deepEqual((await idsOf(`&since=${from}`)).at(-1), failed);
  assert.equal((await idsOf("&timeframe=today")).length, 4);
  assert.equal((await idsOf("&since=1969-12-31T23:59:59Z")).length, 4);
  assert.equal((await idsOf("&until=0001-01-01T00:00:00Z")).length, 0);
  assert.equal((await idsOf("&timeframe=yesterday")).length, 0);
});

test("wrong and unknown parameters are refused by name", async () => {
  const wrong = [
    "status=x",
    "errorCode=y",
    "check=z",
    "userId=1",
    "since=today",
    "until=-",
    "before=q",
    "pageSize=1.5",
  ];
  const response = await get(`&${wrong.join("&")}&merchant=&transactionId=`);
  const names = [...wrong.map((each) => each.split("=")[0]!), "merchant", "transactionId"];
  assert.deepEqual(Object.keys(response.json().errors).toSorted(), names.toSorted());
  const unknown = await get("&statuss=Failed&x=1");
  assert.equal(unknown.statusCode, 400);
  assert.match(unknown.json().errors.statuss[0], /did you mean status/);
  const both = await get("&timeframe=today&since=2026-01-01T00:00:00Z");
  assert.deepEqual(Object.keys(both.json().errors), ["timeframe"]);
});

test("pages reach every receipt once, and one page reads a bounded number of rows, also with a rare filter", async () => {
  const rare = await submit({ transactionId: "rare" }, at("11:00", NO_FOOD));
  const copy = {
    name: "test.copy-receipts",
    text: `INSERT INTO receipts (user_id, id, application_id, reference, source, declared, is_sample, image_key, image_sha256,
             stage, error_code, error_message, accepted_at, updated_at)
           SELECT user_id, ('01ffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, application_id, 'copy-' || n, source,
             declared, is_sample, image_key, image_sha256, 'Uploaded', 'INTERNAL_ERROR', '', accepted_at, updated_at
           FROM receipts CROSS JOIN generate_series(1, 1200) AS n WHERE id = $1`,
  };
  await service.database.query(copy, [rare]);
  const pages: string[][] = [];
  for (let before: string | null = ""; before !== null;) {
    const page: Page = await list(`&errorCode=NO_VALID_FOOD_ITEMS${before && `&before=${before}`}`);
    pages.push(page.receipts.map(({ receiptID }) => receiptID));
    before = page.next;
  }
  assert.deepEqual(pages, [[], [], [rare]]);
  const seen: string[] = [];
  for (let link: string | null = "&pageSize=100"; link !== null;) {
    const response = await get(link);
    seen.push(...response.json<Page>().receipts.map(({ receiptID }) => receiptID));
    const next = /<http:\/\/rewards\.test\/track\/receipts\?(.*)>/.exec(String(response.headers["link"] ?? ""))?.[1];
    link = next === undefined ? null : `&${next.replace("api-version=1.0&", "")}`;
  }
  assert.deepEqual([seen.length, new Set(seen).size], [1201, 1201]);
});

test("an erased user's receipts are in no list", async () => {
  await submit();
  const { database, files } = service;
  await eraseUser({ database, files, erasedReceiptDays: 0 }, userId, NOW);
  assert.deepEqual(await list(), { receipts: [], next: null });
});
