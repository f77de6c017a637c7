import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { uuidv7Of } from "../src/ids.ts";
import { createRandomDigits } from "../src/random.ts";
import { unknownNames } from "../src/unknown-names/list.store.ts";
import { recordUnknownNames, trimUnknownNames } from "../src/unknown-names/store.ts";
import { foldAllCounts } from "../src/unknown-names/sums/fold.task.ts";
import type { MeaningPreview, UnknownName } from "../src/unknown-names/schema.ts";
import type { Sighted } from "../src/unknown-names/sightings.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { DAY_MS } from "../src/time.ts";
import { runCommand } from "./support/commands.ts";
import { acceptedReceipt } from "./support/uploads.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let printed = pageOf(GROCERIES);
const randomDigits = createRandomDigits();
before(async () => {
  service = await startService({ ocr: { read: async () => printed, close: async () => {} } });
});
after(() => service.close());

let references = 0;

/** Submits a meal, and waits until it is finished. Returns its id. */
async function eat(
  client: Client,
  userId: string,
  names: readonly string[],
  more: object = {},
  loggedAt = new Date().toISOString(),
): Promise<string> {
  const response = await client.call("POST", "/track/meals", {
    userId,
    transactionId: `unknown-${references++}`,
    mealName: "Dinner",
    imageUrl: "https://example.org/x.jpg",
    mealType: "dinner",
    loggedAt,
    ingredients: names.map((name, i) => ({ foodId: `u-${i}`, name, weight: 100, unit: "g", ...more })),
  });
  assert.equal(response.statusCode, 202, response.body);
  const { id } = response.json<{ id: string }>();
  for (;;) {
    const { status } = (await client.call("GET", `/track/meals/${id}/status`)).json<{ status: string }>();
    if (/^(?:completed|failed)$/i.test(status)) return id;
    await sleep(20);
  }
}

async function list(client: Client, query = ""): Promise<{ names: UnknownName[]; count: number }> {
  const response = await client.call("GET", `/catalogue/unknown-names?${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json();
}

function send(client: Client, id: string, what: "preview" | "alias", body: object) {
  const path = `/catalogue/unknown-names/${id}/${what}`;
  if (what === "alias") return client.call("POST", path, body);
  return client.call("GET", `${path}?${new URLSearchParams(body as Record<string, string>)}`);
}

async function act<Body>(client: Client, id: string, what: "preview" | "alias", body: object): Promise<Body> {
  const response = await send(client, id, what, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<Body>();
}

const rowsOf = async (userId: string): Promise<number> =>
  (await service.database.pool.query("SELECT FROM unknown_names WHERE user_id = $1", [userId])).rows.length;

test("names that nothing matched are listed by frequency, with users, sources, merchants, spend and candidates", async () => {
  const client = await service.newClient();
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  const merchant = (name: string) => ({ merchant: { name } });
  await eat(client, ada, ["Banana", "Zzq flarn", "Red wine"], {
    amount: 2,
    currency: "GBP",
    ...merchant("Corner Shop"),
  });
  await eat(client, bob, ["Banana", "zzq FLARN"], { amount: 1.5, currency: "EUR", ...merchant("Corner shop") });
  await eat(client, bob, ["Banana", "Zzq flarn"], merchant("Larkmeadow"));
  // A meal that earns nothing has unknown names too; without an amount nothing is spent.
  await eat(client, bob, ["Xqzzk"]);
  const { names, count } = await list(client);
  assert.equal(count, 2);
  const [flarn, other] = names;
  assert.equal(flarn!.name, "Zzq flarn");
  assert.deepEqual([flarn!.times, flarn!.users, flarn!.sources], [3, 2, { receipt: 0, meal: 3, food: 0 }]);
  assert.deepEqual(
    flarn!.spend.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    [
      { currency: "EUR", amount: 1.5 },
      { currency: "GBP", amount: 2 },
    ],
  );
  assert.deepEqual(
    flarn!.merchants.map(({ times }) => times),
    [2, 1],
  );
  assert.ok(flarn!.firstSeen < flarn!.lastSeen);
  assert.deepEqual([other!.name, other!.times, other!.spend, other!.candidates], ["Xqzzk", 1, [], []]);
  // What is recognised and does not count is known.
  assert.ok(!names.some(({ name }) => name === "Red wine"));
  assert.deepEqual(await list(await service.newClient()), { names: [], count: 0 });
});

test("one name is what the list says of it; known, unknown to the application, or no id, it is not found", async () => {
  const client = await service.newClient();
  const user = await client.enrol();
  const merchant = (name: string) => ({ merchant: { name }, amount: 2, currency: "GBP" });
  await eat(client, user, ["Zzq single"], merchant("Corner Shop"));
  await eat(client, user, ["Zzq Single"], merchant("Larkmeadow"));
  await eat(client, user, ["Zzq single"], merchant("Larkmeadow"));
  const get = (id: string, of = client) => of.call("GET", `/catalogue/unknown-names/${id}`);
  const [listed] = (await list(client)).names;
  assert.equal(listed!.times, 3);
  assert.deepEqual((await get(listed!.id)).json(), { name: listed });
  // At one merchant it is known: the rest is what the list says.
  await act(client, listed!.id, "alias", { foodId: "apple", merchantName: "Larkmeadow" });
  const [left] = (await list(client)).names;
  assert.deepEqual([left!.times, left!.merchants.length], [1, 1]);
  assert.deepEqual((await get(listed!.id)).json(), { name: left });
  await act(client, listed!.id, "alias", { foodId: "apple" });
  assert.equal((await list(client)).count, 0);
  for (const response of [await get(listed!.id), await get(listed!.id, await service.newClient()), await get("x")]) {
    assert.equal(response.statusCode, 404);
  }
});

test("a list has pages, a timeframe and an order by spend; a wrong query is refused", async () => {
  const client = await service.newClient();
  const user = await client.enrol();
  for (const [i, name] of ["Zzqa", "Zzqb", "Zzqc"].entries())
    await eat(client, user, ["Banana", name], { amount: 3 - i, currency: "GBP" });
  await eat(client, user, ["Banana", "Zzqc"], { amount: 9, currency: "EUR" });
  const namesOf = async (query: string) => (await list(client, query)).names.map(({ name }) => name);
  assert.equal((await namesOf(""))[0], "Zzqc");
  assert.deepEqual(await namesOf("spendIn=gbp"), ["Zzqa", "Zzqb", "Zzqc"]);
  const second = await client.call("GET", "/catalogue/unknown-names?pageSize=2&page=2&spendIn=GBP");
  assert.deepEqual(
    second.json().names.map(({ name }: UnknownName) => name),
    ["Zzqc"],
  );
  assert.match(String(second.headers["link"]), /rel="prev"/);
  assert.deepEqual(await list(client, "page=9"), { names: [], count: 3 });
  assert.deepEqual(await list(client, "timeframe=2020-01-01/2020-02-01"), { names: [], count: 0 });
  for (const query of ["spendIn=pounds", "timeframe=soon", "page=x", "All=true"]) {
    assert.equal((await client.call("GET", `/catalogue/unknown-names?${query}`)).statusCode, 400, query);
  }
});

test("lines of a receipt that nothing matched are listed with the merchant and what they cost", async () => {
  const client = await service.newClient();
  const user = await client.enrol();
  printed = pageOf(GROCERIES.map((row) => row.replace("BEEF MINCE", "ZORBIX XQZZK")));
  const id = await acceptedReceipt(service, client, { fields: formFor(user) });
  for (;;) {
    const { status } = (await client.call("GET", `/track/receipts/${id}/status`)).json<{ status: string }>();
    if (status === "Completed" || status === "Failed") break;
    await sleep(20);
  }
  const { names } = await list(client);
  assert.equal(names.length, 1, JSON.stringify(names));
  assert.deepEqual(names[0]!.sources, { receipt: 1, meal: 0, food: 0 });
  assert.ok(names[0]!.spend[0]!.amount > 0);
  assert.equal(names[0]!.merchants.length, 1);
});

test("a preview says which past records an alias would change, and nothing is booked", async () => {
  const client = await service.newClient();
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  await eat(client, ada, ["Banana", "Zzq flarn"]);
  const last = await eat(client, bob, ["Banana", "Zzq flarn"]);
  await eat(client, bob, ["Zzq flarn"]);
  const [flarn] = (await list(client)).names;
  const balance = async (userId: string) => (await client.call("GET", `/users/${userId}/summary`)).body;
  const before = [await balance(ada), await balance(bob)];
  const { preview } = await act<{ preview: MeaningPreview }>(client, flarn!.id, "preview", { foodId: "dried-lentils" });
  assert.deepEqual([preview.submissions, preview.scored, preview.records], [3, 2, 2]);
  assert.equal(preview.food, "Dried lentils");
  assert.equal(preview.changes.length, 2);
  assert.deepEqual([preview.changes[0]!.trackId, preview.changes[0]!.userID], [last, bob]);
  const sum = (of: "pointsBefore" | "pointsAfter") => preview.changes.reduce((total, each) => total + each[of], 0);
  assert.deepEqual([preview.pointsBefore, preview.pointsAfter], [sum("pointsBefore"), sum("pointsAfter")]);
  assert.deepEqual([await balance(ada), await balance(bob)], before);
  assert.equal((await list(client)).count, 1, "a preview saves nothing");
  const bodies = [
    {},
    { foodId: "banana", gtin: "4006381333931" },
    { foodId: "no-such-food" },
    { gtin: "4006381333931" },
  ];
  for (const what of ["preview", "alias"] as const) {
    for (const body of bodies) {
      const refused = await send(client, flarn!.id, what, body);
      assert.equal(refused.statusCode, 400, `${what} ${JSON.stringify(body)}: ${refused.body}`);
    }
    const other = await service.newClient();
    const foreign = await send(other, flarn!.id, what, { foodId: "banana" });
    assert.equal(foreign.statusCode, 404, "another application's name");
  }
  // What the preview says is what scoring again then gives.
  await act(client, flarn!.id, "alias", { foodId: "dried-lentils" });
  const again = await eat(client, ada, ["Banana", "Zzq flarn"]);
  const { transactions } = (await client.call("GET", `/users/${ada}/transactions`)).json();
  assert.equal(transactions.length, 2, again);
  const ofAda = preview.changes.find(({ userID }) => userID === ada)!;
  assert.equal(transactions[0].totalPoints, ofAda.pointsAfter);
  assert.equal(transactions[1].totalPoints, ofAda.pointsBefore);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a preview says what scoring again then gives, also under a limit of the day", async () => {
  const client = await service.newClient();
  const options = [`--client-id=${client.clientId}`, "--points-a-day=12"];
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  const now = service.clock.ms;
  const then = now - 2 * DAY_MS;
  service.clock.ms = then;
  try {
    const loggedAt = new Date(then).toISOString();
    const names = [
      ["Banana", "Zzq flarn"],
      ["Zzq flarn", "Porridge oats", "Xqzzk"],
      ["Banana", "Xqzzk"],
    ];
    for (const [i, each] of names.entries()) await eat(client, i === 1 ? bob : ada, each, {}, loggedAt);
    await runCommand(service.database, ["app", "day-limits", ...options]);
    await eat(client, bob, ["Banana", "Zzq flarn"], {}, loggedAt);
    await eat(client, bob, ["Banana", "Zzq flarn"], {}, loggedAt);
  } finally {
    service.clock.ms = now;
  }
  const flarn = (await list(client)).names.find(({ name }) => name === "Zzq flarn")!;
  const body = { foodId: "dried-lentils" };
  const { preview } = await act<{ preview: MeaningPreview }>(client, flarn.id, "preview", body);
  await act(client, flarn.id, "alias", body);
  const since = new Date(then - DAY_MS).toISOString().slice(0, 10);
  interface Report {
    total: { awards: number; differing: number; difference: number };
  }
  const [report] = await runCommand<Report>(service.database, [
    "rescore",
    `--since=${since}`,
    `--client-id=${client.clientId}`,
  ]);
  assert.deepEqual([report!.total.awards, preview.scored], [5, 4]);
  assert.equal(preview.records, report!.total.differing);
  assert.ok(preview.records > 0);
  assert.equal(preview.pointsAfter - preview.pointsBefore, report!.total.difference);
});

test("a name that gets an alias is listed no more, at its merchant or everywhere; without the alias it is again", async () => {
  const client = await service.newClient();
  const user = await client.enrol();
  await eat(client, user, ["Banana", "Zzq flarn"], { merchant: { name: "Corner Shop" } });
  await eat(client, user, ["Banana", "Zzq flarn"], { merchant: { name: "Larkmeadow" } });
  const [flarn] = (await list(client)).names;
  await act(client, flarn!.id, "alias", { notFood: true, merchantName: "Corner Shop" });
  const [left] = (await list(client)).names;
  assert.deepEqual([left!.times, left!.merchants.map(({ merchantName }) => merchantName)], [1, ["Larkmeadow"]]);
  const { alias } = await act<{ alias: { id: string } }>(client, flarn!.id, "alias", { foodId: "banana" });
  assert.equal((await list(client)).count, 0);
  await client.call("DELETE", `/catalogue/aliases/${alias.id}`);
  assert.equal((await list(client)).count, 1);
});

test("a name that is not a food is left out from then on, and does not weigh in a meal", async () => {
  const client = await service.newClient();
  const user = await client.enrol();
  await eat(client, user, ["Banana", "Zzq flarn"]);
  const [flarn] = (await list(client)).names;
  await act(client, flarn!.id, "alias", { notFood: true });
  await eat(client, user, ["Banana", "Zzq flarn"]);
  const { transactions } = (await client.call("GET", `/users/${user}/transactions`)).json();
  assert.equal(transactions[0].transaction.excludedItems[0].exclusionReason, "NON_FOOD");
  assert.match(transactions[1].transaction.excludedItems[0].exclusionReason, /^(?:NO_MATCH|LOW_CONFIDENCE)$/);
});

test("of many submissions at once each name is counted once each, also when scoring runs twice", async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 8 }, () => client.enrol()));
  await Promise.all(
    users.flatMap((user) => [eat(client, user, ["Zzq one", "Zzq two"]), eat(client, user, ["Zzq two"])]),
  );
  const { names } = await list(client);
  assert.deepEqual(
    names.map(({ name, times, users: of }) => [name, times, of]),
    [
      ["Zzq two", 16, 8],
      ["Zzq one", 8, 8],
    ],
  );
  const sighted: Sighted = {
    applicationId: client.applicationId,
    userId: users[0]!,
    submissionId: newId(),
    source: "meal",
    items: [{ name: "Zzq one", merchantName: null, paid: null }],
  };
  const twice = () => service.database.tx((tx) => recordUnknownNames(tx, [sighted, sighted], new Date()));
  await Promise.all([twice(), twice(), twice()]);
  assert.equal((await list(client)).names[1]!.times, 9);
});

const newId = () => uuidv7Of(Date.now(), randomDigits(20));

test("what an erased user named is gone, also from counts; others' names stay", async () => {
  const client = await service.newClient();
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  await eat(client, ada, ["Zzq adas", "Zzq shared"]);
  await eat(client, bob, ["Zzq shared"]);
  assert.equal((await list(client)).count, 2);
  await service.erase(ada);
  const { names } = await list(client);
  assert.deepEqual(
    names.map(({ name, times, users }) => [name, times, users]),
    [["Zzq shared", 1, 1]],
  );
  assert.equal(await rowsOf(ada), 0);
});

test("the job keeps an application's most frequent and newest names, within its bounds, and no others", async () => {
  const client = await service.newClient();
  const other = await service.newClient();
  const [user, otherUser] = [await client.enrol(), await other.enrol()];
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  const add = (name: string, at: Date, owner = client.applicationId, userId = user) =>
    service.database.tx((tx) =>
      recordUnknownNames(
        tx,
        [
          {
            applicationId: owner,
            userId,
            submissionId: newId(),
            source: "food",
            items: [{ name, merchantName: null, paid: null }],
          },
        ],
        at,
      ),
    );
  for (const n of [1, 2, 20, 21, 22]) await add("Zzq often", day(n));
  for (const n of [20, 21]) await add("Zzq twice", day(n));
  await add("Zzq rare and old", day(20));
  await add("Zzq rare and new", day(22));
  await add("Zzq other", day(22), other.applicationId, otherUser);
  const left = async (of: Client) => {
    const { applicationId } = of;
    const query = { applicationId, from: null, before: day(40), currency: null, offset: 0, limit: 100 };
    const { names } = await unknownNames(service.database, query);
    return names.map(({ name, times }) => [name, times]);
  };
  const trim = (changes: object) =>
    trimUnknownNames(
      service.database,
      { since: day(10), namesMax: 100, rowsMax: 100, rowsOfNameMax: 100, ...changes },
      never,
    );
  await trim({});
  assert.deepEqual((await left(client))[0], ["Zzq often", 3]);
  await trim({ namesMax: 3 });
  assert.deepEqual(await left(client), [
    ["Zzq often", 3],
    ["Zzq twice", 2],
    ["Zzq rare and new", 1],
  ]);
  await trim({ rowsMax: 5 });
  assert.deepEqual(await left(client), [
    ["Zzq often", 3],
    ["Zzq twice", 2],
  ]);
  await trim({ rowsOfNameMax: 2 });
  assert.deepEqual(await left(client), [
    ["Zzq often", 2],
    ["Zzq twice", 2],
  ]);
  assert.equal(await trim({}), 0);
  assert.deepEqual(await left(other), [["Zzq other", 1]]);
});

const never = new AbortController().signal;
const EPOCH = new Date(0);

/** One submission that names something. */
const sightedOf = (owner: Client, userId: string, name: string, minor: number | null = null): Sighted => ({
  applicationId: owner.applicationId,
  userId,
  submissionId: newId(),
  source: "food",
  items: [{ name, merchantName: null, paid: minor === null ? null : { currency: "EUR", amountMinor: minor } }],
});

/** The list by the counts that are kept, and by all rows of all days: they must be the same. */
async function listedTwice({ applicationId }: Client): Promise<[unknown, unknown]> {
  const query = { applicationId, before: null, currency: "EUR", offset: 0, limit: 100 };
  return service.database.snapshot(async (tx) => [
    await unknownNames(tx, { ...query, from: null }),
    await unknownNames(tx, { ...query, from: EPOCH }),
  ]);
}

test("the counts that are kept are those of the rows, while many processes add, delete and add up", async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 6 }, () => client.enrol()));
  const { database } = service;
  const draw = (below: number) => Number.parseInt(randomDigits(2), 16) % below;
  const at = () => new Date(Date.UTC(2026, 8, 1 + draw(28), draw(24)));
  const name = () => `Zzq ${"abcdef"[draw(6)]}`;
  const add = () => {
    const submissions = Array.from({ length: 1 + draw(4) }, () =>
      sightedOf(client, users[draw(6)]!, name(), draw(3) === 0 ? null : draw(250)),
    );
    return database.tx((tx) => recordUnknownNames(tx, submissions, at()));
  };
  const remove = () =>
    database.pool.query("DELETE FROM unknown_names WHERE user_id = $1 AND seen_at < $2", [users[draw(6)], at()]);
  const fold = () => foldAllCounts(database, never);
  for (let round = 0; round < 30; round++) {
    const works = Array.from({ length: 8 }, () => [add, add, add, remove, fold][draw(5)]!);
    // Half of the rounds look while they go on.
    const [kept, counted] = (await Promise.all([listedTwice(client), ...works.map((work) => work())]))[0];
    assert.deepEqual(kept, counted);
  }
  await Promise.all(users.slice(1).map((user) => service.erase(user)));
  const [kept, counted] = await listedTwice(client);
  assert.deepEqual(kept, counted);
  await service.erase(users[0]!);
  assert.deepEqual((await listedTwice(client))[0], { total: 0, names: [] });
  for (const table of ["unknown_name_sums", "unknown_name_kinds", "unknown_name_changes"]) {
    const left = await database.pool.query(`SELECT FROM ${table} WHERE application_id = $1`, [client.applicationId]);
    assert.equal(left.rowCount, 0, `${table} has nothing of names that only erased users had`);
  }
});

test("who names the same as others waits for none of them, and adding up waits for nobody", async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 3 }, () => client.enrol()));
  const { promise: allAdded, resolve } = Promise.withResolvers<void>();
  let added = 0;
  const folded = allAdded.then(() => foldAllCounts(service.database, never));
  // Nobody commits before all have added: one that waited for another one's row would wait for ever.
  const together = users.map((user) =>
    service.database.tx(async (tx) => {
      await recordUnknownNames(tx, [sightedOf(client, user, "Zzq burst", 100)], new Date());
      if (++added === users.length) resolve();
      await allAdded;
      await folded;
    }),
  );
  await Promise.all(together);
  await foldAllCounts(service.database, never);
  const [kept, counted] = await listedTwice(client);
  assert.deepEqual(kept, counted);
  assert.equal((await list(client)).names[0]!.times, 3);
});

test("the command lists the names", async () => {
  const client = await service.newClient();
  const user = await client.enrol();
  await eat(client, user, ["Banana", "Zzq flarn"]);
  const options = ["catalogue", "unknown", `--client-id=${client.clientId}`];
  const [shown] = await runCommand<{ names: UnknownName[]; count: number }>(service.database, options);
  assert.deepEqual(shown, await list(client));
});
