import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { recordsBetween } from "../src/points/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { fillLedger } from "./support/ledger.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

interface ListedRecord {
  id: string;
  createdAt: string;
  totalPoints: number;
  transaction: { externalTransactionID: string };
}
interface List {
  transactions: ListedRecord[];
  count: number;
}

let service: TestService;
let client: Client;
let userId: string;

const DAY_MS = 86_400_000;
/** A Friday; the week before has its own Sunday, the month and the year before are near. */
const NOW = Date.parse("2027-01-08T12:00:00Z");
/** When each record is booked, oldest first. */
const BOOKED = [
  ["a-year-ago", "2026-01-01T12:00:00Z"],
  ["last-month", "2026-12-31T23:59:00Z"],
  ["this-year", "2027-01-01T00:01:00Z"],
  ["sunday", "2027-01-03T23:59:00Z"],
  ["monday", "2027-01-04T00:01:00Z"],
  ["yesterday-early", "2027-01-07T00:01:00Z"],
  ["yesterday-late", "2027-01-07T23:59:00Z"],
  ["today", "2027-01-08T00:01:00Z"],
] as const;

before(async () => {
  service = await startService();
  client = await service.newClient();
  service.setClock(Date.parse("2025-12-31T00:00:00Z"));
  userId = await client.enrol();
  for (const [reference, at] of BOOKED) {
    service.setClock(Date.parse(at));
    await track(reference, userId);
  }
  service.setClock(NOW);
});
after(() => service.close());

function food(transactionId: string, user: string) {
  return {
    userId: user,
    transactionId,
    foodId: "my-apple",
    name: "Apple",
    imageUrl: "https://example.org/a.jpg",
    merchant: { name: "Corner shop", logo: "https://example.org/logo.png" },
    weight: 150,
    unit: "g",
    nutrition: { energyKcal: 80, sugarG: 16 },
    quantity: 2,
    amount: 1.5,
    currency: "EUR",
  };
}

/** Tracks a food and waits until it is booked. */
async function track(transactionId: string, user: string): Promise<void> {
  assert.equal((await client.call("POST", "/track/food", food(transactionId, user))).statusCode, 202);
  await client.until((all) =>
    all.some((event) => event["transactionId"] === transactionId && nameOf(event) === "intake.completed"),
  );
}

async function list(query = ""): Promise<List & { references: string[] }> {
  const response = await client.call("GET", `/users/${userId}/transactions${query}`);
  assert.equal(response.statusCode, 200, response.body);
  const body = response.json<List>();
  assert.deepEqual(Object.keys(body), ["transactions", "count"]);
  return { ...body, references: body.transactions.map((record) => record.transaction.externalTransactionID) };
}

const NEWEST_FIRST = BOOKED.map(([reference]) => reference).toReversed();

test("records are listed newest first, and count is the number of all", async () => {
  const { transactions, references, count } = await list();
  assert.deepEqual([references, count], [NEWEST_FIRST, 8]);
  const order = transactions.map(({ createdAt, id }) => `${createdAt} ${id}`);
  assert.deepEqual(order, order.toSorted().toReversed());
});

test("pages have no gaps or repetitions; past the end they are empty", async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?pageSize=3&page=${page}`)));
  assert.deepEqual(
    pages.map(({ references }) => references.length),
    [3, 3, 2, 0],
  );
  assert.deepEqual(
    pages.flatMap(({ references }) => references),
    NEWEST_FIRST,
  );
  assert.deepEqual(
    pages.map(({ count }) => count),
    [8, 8, 8, 8],
  );
  const far = await list("?page=2147483647&pageSize=2147483647");
  assert.deepEqual([far.references, far.count], [[], 8]);
});

test("0 is the default, and a size beyond the maximum is cut to it", async () => {
  assert.deepEqual((await list("?page=0&pageSize=0")).references, NEWEST_FIRST);
  assert.deepEqual((await list("?pageSize=1000")).references, NEWEST_FIRST);
});

test("a parameter that is given twice is refused, also when its letter case differs", async () => {
  for (const query of ["page=1&page=2", "page=1&Page=2", "First=true&first=false"]) {
    const response = await client.call("GET", `/users/${userId}/transactions?${query}`);
    assert.equal(response.statusCode, 400, query);
  }
});

test("First is the newest alone and wins over All, All over pages; letter case of the value does not matter", async () => {
  for (const query of ["?First=true", "?First=TRUE&All=True", "?First=true&page=3&pageSize=2"]) {
    const { references, count } = await list(query);
    assert.deepEqual([references, count], [["today"], 8], query);
  }
  assert.deepEqual((await list("?All=true&pageSize=2&page=2")).references, NEWEST_FIRST);
  assert.deepEqual((await list("?All=false&First=False&pageSize=2")).references, NEWEST_FIRST.slice(0, 2));
});

test("a timeframe applies to the time of booking, in UTC, with weeks from Monday", async () => {
  const expected: Record<string, number> = {
    all: 8,
    ALL: 8,
    today: 1,
    Yesterday: 2,
    week: 4,
    month: 6,
    YEAR: 6,
    "1d": 2,
    "2d": 3,
    "1w": 5,
    "1m": 7,
    "1y": 7,
    "2y": 8,
    "99999y": 8,
    "0d": 0,
    P1W: 5,
    PT36H: 3,
    "2027-01-07/2027-01-07": 2,
    "2027-01-03/..": 5,
    "../2026-12-31": 2,
    "2027-01-07T00:01:00Z/2027-01-07T23:59:00Z": 1,
    "P1Y/2026-12-31": 2,
    "2027-01-01/P3D": 2,
    "../..": 8,
    "2030-01-01/..": 0,
  };
  for (const [timeframe, count] of Object.entries(expected)) {
    const found = await list(`?timeframe=${encodeURIComponent(timeframe)}`);
    assert.equal(found.count, count, timeframe);
    assert.equal(found.references.length, count, timeframe);
  }
  assert.deepEqual((await list("?timeframe=yesterday")).references, ["yesterday-late", "yesterday-early"]);
  assert.deepEqual((await list("?timeframe=yesterday&First=true")).references, ["yesterday-late"]);
  const second = await list("?timeframe=week&pageSize=3&page=2");
  assert.deepEqual([second.references, second.count], [["monday"], 4]);
});

/** The links of a response by their relation. */
function linksOf(response: LightMyRequestResponse): Record<string, string> {
  const header = String(response.headers.link ?? "");
  return Object.fromEntries([...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map((match) => [match[2]!, match[1]!]));
}

test("following the links from first to last shows every record once, also at /issuers and in a timeframe", async () => {
  for (const [start, expected] of [
    [`/users/${userId}/transactions?pageSize=3`, NEWEST_FIRST],
    [`/issuers/users/${userId}/transactions?pageSize=2&timeframe=2027-01-01/..`, NEWEST_FIRST.slice(0, 6)],
  ] as const) {
    const seen: string[] = [];
    let next: string | undefined = start;
    while (next !== undefined) {
      const response: LightMyRequestResponse = await client.call("GET", next);
      seen.push(...response.json<List>().transactions.map((record) => record.transaction.externalTransactionID));
      const link: string | undefined = linksOf(response)["next"];
      assert.ok(link === undefined || link.startsWith("http://rewards.test/"), link ?? "");
      next = link?.slice("http://rewards.test".length);
    }
    assert.deepEqual(seen, expected, start);
  }
});

test("a list may be asked for by its whole address, whose host is not used", async () => {
  await service.app.server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = service.app.server.server.address() as AddressInfo;
  const target = `http://elsewhere.example/users/${userId}/transactions?api-version=1.0&pageSize=2`;
  for (const path of [target, `${target}&page=2`, "http://elsewhere.example/webhooks/deliveries?api-version=1.0"]) {
    const { status, headers, text } = await get(port, path, client.headers);
    assert.equal(status, 200, text);
    assert.doesNotMatch(String(headers["link"]), /elsewhere/);
  }
});

/** Sends a target as it is, where `fetch` would send a path. */
async function get(port: number, path: string, headers: Record<string, string>) {
  const request = httpRequest({ port, host: "127.0.0.1", path, headers }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await readText(response) };
}

test("All gives 5,000 at most, in one JSON document, with a link to the next page", async () => {
  const user = await client.enrol();
  const until = new Date(NOW);
  await service.database.tx((tx) => fillLedger(tx, { userId: user, likeUserId: userId, count: 5_150, until }));
  const response = await client.call("GET", `/users/${user}/transactions?All=true`);
  const { transactions, count } = response.json<List>();
  assert.deepEqual([transactions.length, count], [5_000, 5_150]);
  assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(Object.keys(linksOf(response)), ["next"]);
  const rest = await client.call("GET", linksOf(response)["next"]!.slice("http://rewards.test".length));
  const ids = [...transactions, ...rest.json<List>().transactions].map(({ id }) => id);
  assert.deepEqual([ids.length, ids], [5_100, ids.toSorted().toReversed()]);
  assert.equal(new Set(ids).size, 5_100);
  const within = await client.call("GET", `/users/${user}/transactions?All=true&timeframe=PT150M`);
  assert.deepEqual([within.json<List>().transactions.length, linksOf(within)], [150, {}]);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("pages of one list stay the same while records are booked, and an erasure leaves no gap", async () => {
  const user = await client.enrol();
  for (const n of [1, 2, 3]) await track(`hold-${n}`, user);
  const read = async (page: number) =>
    (await client.call("GET", `/users/${user}/transactions?pageSize=1&page=${page}&timeframe=../..`)).json<List>();
  const pages = await Promise.all([read(1), track("hold-4", user), read(2), read(3)]);
  for (const page of [pages[0], pages[2], pages[3]]) assert.equal(page.transactions.length, 1);
  await service.erase(user);
  const text = "SELECT sequence::float8 AS sequence FROM records WHERE user_id = $1 ORDER BY sequence";
  const sequences = await service.database.query<{ sequence: number }>({ name: "test.sequences", text }, [user]);
  assert.deepEqual(
    sequences.map(({ sequence }) => sequence),
    [1, 2, 3, 4],
  );
  assert.equal((await client.call("GET", `/users/${user}/transactions`)).statusCode, 404);
  assert.deepEqual(await recordsBetween(service.database, user, 1, 4), [], "what a read finds that was under way");
});

test("an invalid query is refused with an error for each parameter", async () => {
  const errorsOf = async (query: string) => {
    const response = await client.call("GET", `/users/${userId}/transactions?${query}`);
    assert.equal(response.statusCode, 400, query);
    return Object.keys(response.json().errors);
  };
  for (const value of [
    "-1",
    "1.5",
    "ten",
    "100000000000000000000",
    "2147483648",
    "+1",
    "1e3",
    "%20",
    "0x10",
    "%EF%BC%91",
    "",
  ]) {
    assert.deepEqual(await errorsOf(`pageSize=${value}`), ["pageSize"], value);
    assert.deepEqual(await errorsOf(`page=${value}`), ["page"], value);
  }
  for (const value of ["1", "yes", "", "tru", "null"]) {
    assert.deepEqual(await errorsOf(`First=${value}`), ["First"]);
    assert.deepEqual(await errorsOf(`All=${value}`), ["All"]);
  }
  for (const value of [
    "tomorrow",
    "",
    "-1d",
    "1.5d",
    "d",
    "1x",
    "1%20d",
    "all'--",
    "123456d",
    "P",
    "2027-01-02/2027-01-01",
  ]) {
    assert.deepEqual(await errorsOf(`timeframe=${value}`), ["timeframe"], value);
  }
  assert.deepEqual(await errorsOf("pageSize=5&pageSize=6"), ["pageSize"]);
  assert.deepEqual(await errorsOf("pageSize[]=5"), ["pageSize[]"]);
  assert.deepEqual(await errorsOf("page[$gt]=1&timeframe=all"), ["page[$gt]"]);
  assert.deepEqual(await errorsOf("page=1?2"), ["page"]);
  assert.deepEqual((await errorsOf("page=x&pageSize=y&First=z&All=w&timeframe=v")).sort(), [
    "All",
    "First",
    "page",
    "pageSize",
    "timeframe",
  ]);
});

test("the detail is the record of the list, every member present with its type", async () => {
  const [listed] = (await list("?First=true")).transactions;
  const response = await client.call("GET", `/users/${userId}/transactions/${listed!.id}`);
  assert.deepEqual(response.json(), { transaction: listed });
  assert.deepEqual(shapeOf(listed), RECORD);
});

test("the list is not delayed or changed by a record that is booked meanwhile", async () => {
  const other = await client.enrol();
  await track("between-1", other);
  const [response] = await Promise.all([list("?pageSize=8"), track("between-2", other)]);
  assert.deepEqual(response.references, NEWEST_FIRST);
});

test("records stay in order when the clock goes back", async () => {
  const user = await client.enrol();
  await track("before-1", user);
  service.clock.ms -= 2 * DAY_MS;
  await track("before-2", user);
  service.clock.ms += 2 * DAY_MS;
  const { transactions } = (await client.call("GET", `/users/${user}/transactions`)).json<List>();
  assert.deepEqual(
    transactions.map(({ transaction }) => transaction.externalTransactionID),
    ["before-2", "before-1"],
  );
  assert.ok(transactions[0]!.createdAt >= transactions[1]!.createdAt);
  assert.ok(transactions[0]!.id > transactions[1]!.id);
});

test("a submission sent again after it was completed ends as a duplicate, and books nothing more", async () => {
  const user = await client.enrol();
  await track("twice", user);
  const summary = () => client.call("GET", `/users/${user}/summary`).then((response) => response.json());
  const before = await summary();
  // Like a client whose first response was lost: the same request again.
  const again = await client.call("POST", "/track/food", food("twice", user));
  assert.equal(again.statusCode, 202);
  const isDuplicate = (event: Record<string, unknown>) =>
    event["trackId"] === again.json().trackId && event["errorType"] === "DUPLICATE_MEAL";
  await client.until((all) => all.some(isDuplicate));
  assert.deepEqual(await summary(), before);
});

/** The types of a value's members; of an array, those of its first entry. Times differ from other texts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null) return "null";
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  }
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? "time" : "string";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const members = (type: string, names: string) => Object.fromEntries(names.split(" ").map((name) => [name, type]));

const RECORD = {
  ...members("string", "id userID"),
  ...members("integer", "totalPoints operation status"),
  ...members("time", "createdAt updatedAt"),
  transaction: {
    ...members("string", "brand externalTransactionID location logo transactionID userID"),
    ...members(
      "integer",
      "partnerType transactionSource totalBonusPoints totalGreenProducts totalHealthPoints totalPoints",
    ),
    ...members("number", "totalAmount totalCO2e"),
    ...members("time", "createdAt timestamp updatedAt"),
    excludedItems: [],
    items: [
      {
        ...members("string", "externalId name cleanedName id imageURL carbonDataSource matchedIngredientName"),
        ...members(
          "integer",
          "qty partnerType bonusPoints healthPoints totalServicePoints carbonImpactRating healthImpactRating",
        ),
        ...members("number", "pricePerUnit totalCO2e"),
      },
    ],
  },
  reward: {
    ...members("string", "id name voucherIdentifier brand category code description imageUrl logoUrl location offer"),
    ...members("integer", "points value tier"),
    terms: [],
    validTill: "null",
  },
  bonus: { ...members("string", "profileId firstName lastName"), type: "integer" },
};
