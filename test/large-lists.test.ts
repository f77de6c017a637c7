import assert from "node:assert/strict";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, mock, test } from "node:test";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fillLedger } from "./support/ledger.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

// A list of the largest records that there are: 100 ingredients with the longest texts.
const RECORDS = 100;

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService();
  client = await service.newClient();
  const first = await client.enrol();
  const words = (i: number) => `oats ${i} ${"é".repeat(240)}`;
  const response = await client.call("POST", "/track/meals", {
    userId: first,
    logId: "large",
    mealName: words(0),
    mealType: "breakfast",
    imageUrl: "https://example.org/porridge.jpg",
    loggedAt: new Date(service.clock.ms - 60_000).toISOString(),
    ingredients: Array.from({ length: 100 }, (_, i) => ({
      foodId: words(i),
      name: words(i),
      brand: words(i),
      category: words(i),
      weight: 40,
      unit: "g",
      quantity: 1,
    })),
  });
  assert.equal(response.statusCode, 202, response.body);
  await client.until((events) => events.some((event) => nameOf(event) === "rewards.awarded"));
  userId = await client.enrol();
  await fillLedger(service.database, { userId, likeUserId: first, count: RECORDS, until: new Date(service.clock.ms) });
  await service.app.server.listen({ host: "127.0.0.1", port: 0 });
});
after(() => service.close());

async function read(query: string, ofUserId = userId, { headers }: Client = client): Promise<string> {
  const { port } = service.app.server.server.address() as AddressInfo;
  const path = `/users/${ofUserId}/transactions?api-version=1.0${query}`;
  const response = await new Promise<NodeJS.ReadableStream>((resolve) => {
    get({ port, host: "127.0.0.1", path, headers }, resolve);
  });
  return text(response);
}

test("a page of the largest records comes whole, and in parts that hold up nobody else", async () => {
  const queries = mock.method(service.database, "query");
  for (const query of ["&pageSize=100", "&pageSize=20", "&All=true"]) {
    queries.mock.resetCalls();
    const body = await read(query);
    const rows = await Promise.all(queries.mock.calls.map(async ({ result }) => (await result)?.length ?? 0));
    // Of 110 kB each: a part is a quarter of a megabyte, whatever the page has.
    assert.ok(Math.max(...rows) < 10, `${Math.max(...rows)} records at once`);
    const expected = query.includes("20") ? 20 : RECORDS;
    const list = JSON.parse(body) as { transactions: { id: string }[]; count: number };
    assert.equal(list.count, RECORDS);
    assert.equal(new Set(list.transactions.map(({ id }) => id)).size, expected);
    const sorted = list.transactions.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1));
    assert.deepEqual(
      list.transactions.map(({ id }) => id),
      sorted,
    );
  }
});

test("behind many small records the largest ones come in parts, too", async () => {
  const mixed = await client.enrol();
  await fillLedger(service.database, {
    userId: mixed,
    likeUserId: userId,
    count: RECORDS,
    until: new Date(service.clock.ms),
  });
  await service.database.query({
    name: "test.shrink",
    text: `UPDATE records SET packed = NULL, body = '{"items": [], "excludedItems": []}' WHERE user_id = '${mixed}' AND sequence > 60`,
  });
  const queries = mock.method(service.database, "query");
  for (const query of ["&pageSize=100", "&All=true"]) {
    queries.mock.resetCalls();
    const list = JSON.parse(await read(query, mixed)) as { transactions: { id: string }[] };
    assert.equal(new Set(list.transactions.map(({ id }) => id)).size, RECORDS);
    const rows = await Promise.all(queries.mock.calls.map(async ({ result }) => (await result)?.length ?? 0));
    assert.ok(Math.max(...rows) <= 24, `${Math.max(...rows)} records at once`);
  }
});

test("parts of several lists are read one after another", async () => {
  let running = 0;
  let most = 0;
  const { query } = service.database;
  const queries = mock.method(service.database, "query", async (...all: Parameters<typeof query>) => {
    const [{ name }, [, , to] = []] = all;
    // The newest record of each list is read before its parts, to know its size.
    const isPart = name === "points.page" && Number(to) < RECORDS;
    if (isPart) most = Math.max(most, ++running);
    try {
      return await query.apply(service.database, all);
    } finally {
      if (isPart) running--;
    }
  });
  await Promise.all(Array.from({ length: 8 }, () => read("&All=true")));
  queries.mock.restore();
  assert.equal(most, 1);
});

test("a list of another application gets every third part beside many lists of one", async () => {
  const other = await service.newClient();
  const otherUser = await other.enrol();
  const until = new Date(service.clock.ms);
  await fillLedger(service.database, { userId: otherUser, likeUserId: userId, count: RECORDS, until });
  const readers: string[] = [];
  const { query } = service.database;
  const queries = mock.method(service.database, "query", (...all: Parameters<typeof query>) => {
    if ((all[0] as { name?: string }).name === "points.page") readers.push(String(all[1]?.[0]));
    return query.apply(service.database, all);
  });
  const many = Array.from({ length: 12 }, () => read("&All=true"));
  while (readers.length < 20) await nextTurn();
  await read("&All=true", otherUser, other);
  await Promise.all(many);
  queries.mock.restore();
  const during = readers.slice(readers.indexOf(otherUser), readers.lastIndexOf(otherUser) + 1);
  const own = during.filter((reader) => reader === otherUser).length;
  assert.ok(own > 10 && during.length <= 3 * own + 12, `${during.length - own} parts of others beside ${own}`);
});
