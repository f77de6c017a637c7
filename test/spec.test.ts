// Sentences of the specification that no other test checks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { nameOf, startService } from "./support/service.ts";
import type { Client, Event, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService();
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

const IMAGE = "https://example.org/a.jpg";
let count = 0;

function meal(over: object = {}): Record<string, unknown> {
  return {
    userId,
    transactionId: `spec-${++count}`,
    mealName: "Porridge",
    imageUrl: IMAGE,
    loggedAt: new Date().toISOString(),
    mealType: "breakfast",
    ingredients: [{ foodId: "oats", name: "Porridge oats" }],
    ...over,
  };
}

function food(over: object = {}): Record<string, unknown> {
  return {
    userId,
    transactionId: `spec-${++count}`,
    foodId: "apple",
    name: "Apple",
    imageUrl: IMAGE,
    merchant: { name: "Corner shop" },
    weight: 150,
    unit: "g",
    nutrition: { energyKcal: 80 },
    ...over,
  };
}

async function accepted(path: string, body: object): Promise<string> {
  const response = await client.call("POST", path, body);
  assert.equal(response.statusCode, 202, response.body);
  return response.json<{ trackId: string }>().trackId;
}

/** Returns the events of a submission after its end. */
async function storyOf(trackId: string): Promise<Event[]> {
  const isOurs = (event: Event) => event["trackId"] === trackId;
  const all = await client.until((events) =>
    events.some((event) => isOurs(event) && /completed|failed/.test(nameOf(event))),
  );
  return all.filter(isOurs);
}

async function errorsIn(path: string, body: object): Promise<string[]> {
  const response = await client.call("POST", path, body);
  assert.equal(response.statusCode, 400, response.body);
  return Object.keys(response.json<{ errors: object }>().errors).sort();
}

function without(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
}

const NO_ID = "00000000-0000-7000-8000-000000000000";
/** The ten endpoints: method, path, and status for a request with only credentials and a version. */
const ENDPOINTS = [
  ["POST", "/users/enroll"],
  ["POST", "/users/enroll/session"],
  ["POST", "/track/receipts/session"],
  ["POST", "/track/receipts"],
  ["GET", `/track/receipts/${NO_ID}/status`],
  ["POST", "/track/meals"],
  ["POST", "/track/food"],
  ["GET", `/users/${NO_ID}/summary`],
  ["GET", `/users/${NO_ID}/transactions`],
  ["GET", `/users/${NO_ID}/transactions/${NO_ID}`],
] as const;

test("all ten endpoints need an api-version and return problem documents, with and without the prefix /issuers", async () => {
  for (const [method, path] of ENDPOINTS) {
    for (const url of [path, `/issuers${path}`]) {
      const ask = (query: string) =>
        service.app.server.inject({ method, url: `${url}${query}`, headers: client.headers });
      const unversioned = await ask("");
      assert.equal(unversioned.statusCode, 400, url);
      assert.equal(unversioned.json<{ code: string }>().code, "ApiVersionUnspecified");
      const versioned = await ask("?api-version=1.0");
      assert.ok([400, 404, 415].includes(versioned.statusCode), `${url} ${versioned.statusCode}`);
      for (const response of [unversioned, versioned]) {
        assert.equal(response.headers["content-type"], "application/problem+json");
        assert.equal(response.headers["api-supported-versions"], "1.0");
        assert.notEqual(response.json<{ code: string }>().code, "MethodNotAllowed", `${url} takes ${method}`);
        // The id is unknown, not the route: an unknown path has the same code, but no Allow.
        const other = await service.app.server.inject({
          method: "PUT",
          url: `${url}?api-version=1.0`,
          headers: client.headers,
        });
        assert.equal(other.statusCode, 405, `${url} is a path`);
      }
    }
  }
});

test("each required member of a meal, a food and an ingredient is required, each other is not", async () => {
  for (const name of ["userId", "transactionId", "mealName", "imageUrl", "loggedAt", "mealType"]) {
    assert.deepEqual(await errorsIn("/track/meals", without(meal(), name)), [name]);
  }
  await accepted("/track/meals", without(meal(), "ingredients"));
  for (const name of [
    "userId",
    "transactionId",
    "foodId",
    "name",
    "imageUrl",
    "merchant",
    "weight",
    "unit",
    "nutrition",
  ]) {
    assert.deepEqual(await errorsIn("/track/food", without(food(), name)), [name]);
  }
  const ingredient = { foodId: "a", name: "Apple" };
  for (const name of ["foodId", "name"]) {
    assert.deepEqual(await errorsIn("/track/meals", meal({ ingredients: [without(ingredient, name)] })), [
      `ingredients[0].${name}`,
    ]);
  }
  await accepted("/track/meals", meal({ ingredients: [ingredient] }));
});

test("mealType is one of breakfast, lunch, dinner, snack, other", async () => {
  for (const mealType of ["breakfast", "lunch", "dinner", "snack", "other"]) {
    const story = await storyOf(await accepted("/track/meals", meal({ mealType })));
    assert.equal(story.find((event) => nameOf(event) === "intake.scored")!["mealType"], mealType);
  }
  for (const mealType of ["Breakfast", "brunch", "", null]) {
    assert.deepEqual(await errorsIn("/track/meals", meal({ mealType })), ["mealType"]);
  }
});

test("a meal and a food may use logId instead of transactionId", async () => {
  for (const [path, body] of [
    ["/track/meals", meal()],
    ["/track/food", food()],
  ] as const) {
    const reference = `log-${path}`;
    const [received] = await storyOf(await accepted(path, { ...without(body, "transactionId"), logId: reference }));
    assert.equal(received!["transactionId"], reference);
  }
});

test("an ingredient's quantity is 1 and its amount 1 pound unless given", async () => {
  const ingredients = [
    { foodId: "a", name: "Apple" },
    { foodId: "b", name: "Banana" },
  ];
  const story = await storyOf(await accepted("/track/meals", meal({ ingredients })));
  const scored = story.find((event) => nameOf(event) === "intake.scored")!;
  assert.deepEqual([scored["totalAmount"], scored["currency"]], [2, "GBP"]);
  const scoredIngredients = scored["ingredients"] as Record<string, unknown>[];
  assert.deepEqual(
    scoredIngredients.map(({ quantity, amount, currency }) => [quantity, amount, currency]),
    [
      [1, 1, "GBP"],
      [1, 1, "GBP"],
    ],
  );
});

test("the merchant of an ingredient may miss every member; the merchant of a food needs a name", async () => {
  const merchant = { name: "Shop", logo: IMAGE, website: "https://example.org", domain: "example.org", country: "GB" };
  for (const some of [{}, merchant, ...Object.entries(merchant).map((member) => Object.fromEntries([member]))]) {
    await accepted("/track/meals", meal({ ingredients: [{ foodId: "a", name: "Apple", merchant: some }] }));
  }
  await accepted("/track/food", food({ merchant }));
  assert.deepEqual(await errorsIn("/track/food", food({ merchant: without(merchant, "name") })), ["merchant.name"]);
});

test("nutrition values are numbers, and each may be missing", async () => {
  for (const name of ["energyKcal", "proteinG", "carbsG", "fatG", "sugarG", "fiberG", "saltG"]) {
    await accepted("/track/food", food({ nutrition: { [name]: 1.25 } }));
    assert.deepEqual(await errorsIn("/track/food", food({ nutrition: { [name]: "1.25" } })), [`nutrition.${name}`]);
  }
});

test("each required member of an enrolment and of a session request is required, each other is not", async () => {
  const person = { email: "someone@example.org", firstName: "Some", lastName: "One" };
  const more = { imageUrl: IMAGE, country: "GB", city: "Leeds", postalCode: "LS1" };
  for (const path of ["/users/enroll", "/users/enroll/session"]) {
    for (const name of Object.keys(person)) assert.deepEqual(await errorsIn(path, without(person, name)), [name]);
    for (const body of [person, { ...person, ...more }])
      assert.equal((await client.call("POST", path, body)).statusCode, 200);
  }
  assert.deepEqual(await errorsIn("/track/receipts/session", {}), ["userId"]);
  assert.deepEqual(await errorsIn("/track/receipts/session", { userId, amount: 0.009 }), ["amount"]);
});

test("a session returns redirectUrl, the hosted page with a session identifier in its query, and an id", async () => {
  const person = {
    email: "session@example.org",
    firstName: "Some",
    lastName: "One",
    redirectUri: "https://example.org/b",
  };
  const purchase = {
    userId,
    transactionId: "s-1",
    amount: 0.01,
    merchantName: "Shop",
    redirectUri: "https://example.org/b",
    transactionTimestamp: "2026-01-31T12:00:00Z",
  };
  for (const [path, page, body] of [
    ["/users/enroll/session", "/enroll", person],
    ["/issuers/users/enroll/session", "/enroll", person],
    ["/track/receipts/session", "/receipts", { userId }],
    ["/issuers/track/receipts/session", "/receipts", purchase],
  ] as const) {
    const response = await client.call("POST", path, body);
    assert.equal(response.statusCode, 200, response.body);
    const { redirectUrl, ...rest } = response.json<{ redirectUrl: string }>();
    assert.deepEqual(Object.keys(rest), ["id"]);
    const url = new URL(redirectUrl);
    assert.deepEqual([url.pathname, [...url.searchParams.keys()]], [page, ["sessionId"]]);
    const shown = await service.app.server.inject({ method: "GET", url: url.pathname + url.search });
    assert.deepEqual([shown.statusCode, String(shown.headers["content-type"])], [200, "text/html; charset=utf-8"]);
    const token = url.searchParams.get("sessionId")!;
    assert.equal(
      (await service.app.server.inject({ method: "GET", url: `${page}?session_id=${token}` })).statusCode,
      200,
    );
  }
});

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("the times of the intake events are ISO 8601, their CO2e numbers, their ratings 1 to 5", async () => {
  const loggedAt = new Date(Date.now() - 3_600_000).toISOString();
  const body = meal({ loggedAt: loggedAt.replace("Z", "+00:00"), country: "GB" });
  const story = await storyOf(await accepted("/track/meals", body));
  assert.deepEqual(story.map(nameOf), ["intake.received", "intake.scored", "intake.completed"]);
  const [received, scored, completed] = story as [Event, Event, Event];
  for (const event of story) {
    assert.equal(event["source"], "meal");
    assert.match(String(event["createdAt"]), ISO_8601);
  }
  for (const event of [received, scored]) assert.deepEqual([event["loggedAt"], event["country"]], [loggedAt, "GB"]);
  for (const event of [scored, completed]) {
    assert.equal(typeof event["totalCo2e"], "number");
    for (const { co2e } of event["ingredients"] as { co2e: unknown }[]) assert.equal(typeof co2e, "number");
  }
  for (const of of [scored, ...(scored["ingredients"] as Record<string, unknown>[])]) {
    for (const rating of [of["carbonImpactRating"], of["healthImpactRating"]])
      assert.ok([1, 2, 3, 4, 5].includes(rating as number));
  }
  for (const name of [
    "totalPoints",
    "totalGreenProducts",
    "totalHealthyProducts",
    "totalHealthPoints",
    "totalCarbonPoints",
  ]) {
    assert.ok(Number.isInteger(completed[name]), name);
  }
});

test("rewards.awarded has its name in eventType, the balance of the user and the record, and follows the completion", async () => {
  const trackId = await accepted("/track/food", food());
  await storyOf(trackId);
  const { transactionId } = (await client.call("GET", `/track/food/${trackId}/status`)).json<{
    transactionId: string;
  }>();
  const { transactions } = (await client.call("GET", `/users/${userId}/transactions`)).json<{
    transactions: {
      id: string;
      totalPoints: number;
      transaction: { externalTransactionID: string; items: object[] };
    }[];
  }>();
  const record = transactions.find(({ transaction }) => transaction.externalTransactionID === transactionId)!;
  interface Award {
    user: object;
    transaction: { transactionID: string; totalPoints: number; items: object[] };
  }
  const isAward = (event: Event) => (event["data"] as Award | undefined)?.transaction.transactionID === record.id;
  const events = await client.until((all) => all.some(isAward));
  const award = events.find(isAward)!;
  assert.equal(award["eventType"], "rewards.awarded");
  const { user, transaction } = award["data"] as Award;
  assert.deepEqual(Object.keys(user).sort(), ["availablePoints", "id", "lifetimePoints"]);
  assert.deepEqual(Object.keys(transaction).sort(), ["items", "totalPoints", "transactionID"]);
  assert.equal(transaction.totalPoints, record.totalPoints);
  for (const item of transaction.items) {
    assert.deepEqual(Object.keys(item).sort(), [
      "carbonImpactRating",
      "healthImpactRating",
      "name",
      "totalServicePoints",
    ]);
  }
  const completed = events.findIndex((event) => event["trackId"] === trackId && nameOf(event) === "intake.completed");
  assert.ok(completed >= 0 && completed < events.indexOf(award), "after the event of the points");
});

test("receipts, meals and foods are three sources of earning events, each with its code", async () => {
  const tracked = { meal: await accepted("/track/meals", meal()), food: await accepted("/track/food", food()) };
  for (const [source, trackId] of Object.entries(tracked)) {
    const [received] = await storyOf(trackId);
    assert.equal(received!["source"], source);
  }
  const { transactions } = (await client.call("GET", `/users/${userId}/transactions?pageSize=2`)).json();
  assert.deepEqual(
    transactions
      .map((each: { transaction: { transactionSource: number } }) => each.transaction.transactionSource)
      .sort(),
    [2, 3],
  );
});

test("a repeated reference, and a meal too long ago, fail by their error types after their 202", async () => {
  const body = meal();
  await storyOf(await accepted("/track/meals", body));
  const old = meal({ loggedAt: new Date(Date.now() - 15 * 86_400_000).toISOString() });
  for (const [again, errorType] of [
    [body, "DUPLICATE_MEAL"],
    [old, "OLD_MEAL_LOG"],
  ] as const) {
    const story = await storyOf(await accepted("/track/meals", again));
    assert.deepEqual(story.map(nameOf), ["intake.received", "intake.failed"]);
    assert.equal(story[1]!["errorType"], errorType);
    assert.equal(typeof story[1]!["errorMessage"], "string");
    assert.match(String(story[1]!["failedAt"]), ISO_8601);
  }
});
