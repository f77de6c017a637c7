import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { foodSubmission, mealSubmission } from "../src/intakes/intake.ts";
import { completedIntake } from "../src/intakes/kept.ts";
import { findIntake } from "../src/intakes/store.ts";
import type { KeptDetails } from "../src/intakes/kept.ts";
import { findRecordOf } from "../src/points/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { verify } from "../src/webhooks/sign.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

const MEAL = {
  mealName: "Lentil stew",
  imageUrl: "https://example.org/stew.jpg",
  mealType: "dinner",
  country: "GB",
  location: "At home",
  ingredients: [
    { foodId: "my-1", name: "Lentils", weight: 200, unit: "g", amount: 0.1, currency: "EUR" },
    { foodId: "my-2", name: "Beef mince", weight: 200, unit: "g", amount: 0.2, currency: "EUR" },
  ],
};

const FOOD = {
  foodId: "my-apple",
  name: "Apple",
  imageUrl: "https://example.org/apple.jpg",
  merchant: { name: "Corner shop", country: "IE" },
  weight: 150,
  unit: "g",
  nutrition: { energyKcal: 80, proteinG: 0.4, carbsG: 18, fatG: 0.2, sugarG: 16, fiberG: 3, saltG: 0 },
};

/** Foods with and without defaults, nutrition, merchants and figures, one of them left out of the record. */
const VARIOUS = [
  { foodId: "v-1", name: "Lentils", weight: 200, unit: "g", amount: 0.1, currency: "EUR", quantity: 3 },
  {
    foodId: "v-2",
    name: "Beef mince",
    merchant: { name: "Butcher", logo: "https://e.org/l.png" },
    nutrition: { fatG: 9 },
  },
  { foodId: "v-3", name: "Qwrtz plmk", imageUrl: "https://e.org/q.jpg" },
  { foodId: "v-4", name: " Apple ", weight: 0.15, unit: "kg", amount: 2.005, currency: "eur", merchant: {} },
  { foodId: "v-5", name: "Milk", weight: 250, currency: "EUR", nutrition: {} },
  { foodId: "v-6", name: "Egg", unit: "piece" },
];

function meal(userId: string, reference: string, over: object = {}) {
  return { ...MEAL, userId, transactionId: reference, loggedAt: new Date().toISOString(), ...over };
}

/** What is stored of the body of a meal. */
function submissionOf(body: ReturnType<typeof meal>, now = new Date()) {
  return mealSubmission(body as unknown as Parameters<typeof mealSubmission>[0], now);
}

/** Events of one submission, by its reference. */
async function toldOf(reference: string, count: number) {
  const isOurs = (event: Record<string, unknown>) => event["transactionId"] === reference;
  const events = await client.until((all) => all.filter(isOurs).length >= count);
  return events.filter(isOurs);
}

test("a meal is accepted, scored and credited, with every field of its events and status", async () => {
  const userId = await client.enrol();
  const response = await client.call("POST", "/track/meals", meal(userId, "meal-1"));
  assert.equal(response.statusCode, 202);
  const { id, trackId, message } = response.json<{ id: string; trackId: string; message: string }>();
  assert.equal(id, trackId);
  assert.equal(typeof message, "string");

  const events = await toldOf("meal-1", 3);
  assert.deepEqual(events.map(nameOf), ["intake.received", "intake.scored", "intake.completed"]);
  const [received, scored, completed] = events as [
    Record<string, unknown>,
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  assert.deepEqual(Object.keys(received), [
    "event",
    "source",
    "transactionId",
    "trackId",
    "userId",
    "loggedAt",
    "country",
    "createdAt",
  ]);
  assert.deepEqual(Object.keys(scored).sort(), [
    "carbonImpactRating",
    "country",
    "createdAt",
    "currency",
    "event",
    "healthImpactRating",
    "imageUrl",
    "ingredients",
    "loggedAt",
    "mealType",
    "name",
    "source",
    "totalAmount",
    "totalCo2e",
    "trackId",
    "transactionId",
    "userId",
  ]);
  assert.deepEqual(
    [scored["name"], scored["mealType"], scored["currency"], scored["totalAmount"], scored["trackId"]],
    ["Lentil stew", "dinner", "EUR", 0.3, id],
  );
  const ingredients = completed["ingredients"] as Record<string, number>[];
  assert.deepEqual(Object.keys(ingredients[0]!).sort(), [
    "amount",
    "carbonImpactRating",
    "co2e",
    "currency",
    "foodId",
    "healthImpactRating",
    "imageUrl",
    "name",
    "quantity",
    "totalCarbonPoints",
    "totalHealthPoints",
    "totalPoints",
    "unit",
    "weight",
  ]);
  assert.equal(
    ingredients.reduce((sum, { totalPoints }) => sum + totalPoints!, 0),
    completed["totalPoints"],
  );

  const awarded = await client.until((all) => all.some((event) => nameOf(event) === "rewards.awarded"));
  const award = awarded.find((event) => nameOf(event) === "rewards.awarded")!["data"] as {
    user: { id: string; availablePoints: number };
    transaction: { transactionID: string; totalPoints: number };
  };
  assert.deepEqual([award.user.id, award.user.availablePoints], [userId, completed["totalPoints"]]);

  const { user } = (await client.call("GET", `/users/${userId}/summary`)).json();
  assert.deepEqual([user.lifetimePoints, user.numOfTransactions], [completed["totalPoints"], 1]);
  const detail = await client.call("GET", `/users/${userId}/transactions/${award.transaction.transactionID}`);
  const { transaction } = detail.json();
  assert.equal(transaction.transaction.externalTransactionID, "meal-1");
  assert.equal(transaction.transaction.totalAmount, 0.3);
  assert.equal(transaction.transaction.transactionSource, 2);
  assert.equal(transaction.transaction.location, "At home");
  assert.equal(transaction.reward.validTill, null);
});

test("a food is the only entry of its ingredients", async () => {
  const userId = await client.enrol();
  await client.call("POST", "/track/food", { ...FOOD, userId, logId: "food-1" });
  const completed = (await toldOf("food-1", 3))[2]!;
  const scored = (await toldOf("food-1", 3))[1]!;
  assert.deepEqual(
    [scored["source"], scored["mealType"], scored["country"], scored["name"]],
    ["food", "", "IE", "Apple"],
  );
  assert.deepEqual([scored["totalAmount"], scored["currency"]], [1, "GBP"], "an amount not sent is 1 pound");
  assert.equal((completed["ingredients"] as unknown[]).length, 1);
  const status = (await client.call("GET", `/track/food/${String(completed["trackId"])}/status`)).json();
  assert.equal(status.status, "completed");
  assert.equal(status.scored.items[0].portion.isAmountDefaulted, true);
});

test("every delivery carries a signature that verifies", async () => {
  await client.until((all) => all.length > 0);
  const { headers, body } = client.receiver.received[0]!;
  const verification = verify(headers, body, client.webhookSecret, Date.now() / 1000);
  assert.equal(verification.kind, "verified");
});

test("a reference sent eight times at once earns once", async () => {
  const userId = await client.enrol();
  await Promise.all(
    Array.from({ length: 8 }, () => client.call("POST", "/track/food", { ...FOOD, userId, transactionId: "same" })),
  );
  const events = await toldOf("same", 8 + 7 + 2);
  const ends = events.filter((event) => /completed|failed/.test(nameOf(event)));
  assert.equal(ends.filter((event) => nameOf(event) === "intake.completed").length, 1);
  assert.deepEqual(new Set(ends.map((event) => event["errorType"])), new Set([undefined, "DUPLICATE_MEAL"]));
  const { user } = (await client.call("GET", `/users/${userId}/summary`)).json();
  assert.equal(user.numOfTransactions, 1);
});

test("a reference is free again when the submission that held it failed", async () => {
  const userId = await client.enrol();
  const tooOld = new Date(Date.now() - 15 * 86_400_000).toISOString();
  await client.call("POST", "/track/meals", meal(userId, "again", { loggedAt: tooOld }));
  assert.equal((await toldOf("again", 2))[1]!["errorType"], "OLD_MEAL_LOG");
  await client.call("POST", "/track/meals", meal(userId, "again"));
  assert.equal(nameOf((await toldOf("again", 5))[4]!), "intake.completed");
});

const FAILURES: { name: string; over: object; errorType: string; message?: RegExp }[] = [
  {
    name: "an ingredient's amount without its currency",
    over: { ingredients: [{ foodId: "a", name: "Apple", amount: 2 }] },
    errorType: "DATA_INCOMPLETE",
    message: /^ingredients\[0\]\.currency /,
  },
  {
    name: "a unit that nothing converts",
    over: { ingredients: [{ foodId: "a", name: "Apple", weight: 2, unit: "furlongs" }] },
    errorType: "DATA_INCOMPLETE",
    message: /^ingredients\[0\]\.unit /,
  },
  {
    name: "nothing that is a food",
    over: { ingredients: [{ foodId: "a", name: "Xqzvw jkpfh" }] },
    errorType: "NO_VALID_FOOD_ITEMS",
  },
];
for (const { name, over, errorType, message } of FAILURES) {
  test(`${name} ends as ${errorType}`, async () => {
    const userId = await client.enrol();
    await client.call("POST", "/track/meals", meal(userId, name, over));
    const failed = (await toldOf(name, 2))[1]!;
    assert.deepEqual(Object.keys(failed), [
      "event",
      "source",
      "transactionId",
      "trackId",
      "userId",
      "errorType",
      "errorMessage",
      "failedAt",
    ]);
    assert.equal(failed["errorType"], errorType);
    if (message) assert.match(String(failed["errorMessage"]), message);
    const status = (await client.call("GET", `/track/meals/${String(failed["trackId"])}/status`)).json();
    assert.deepEqual([status.status, status.errorType], ["failed", errorType]);
  });
}

test("a meal without ingredients is matched by its name, with the usual portion", async () => {
  const userId = await client.enrol();
  await client.call("POST", "/track/meals", meal(userId, "bare", { mealName: "Banana", ingredients: undefined }));
  const scored = (await toldOf("bare", 3))[1]!;
  const [only] = scored["ingredients"] as Record<string, unknown>[];
  assert.deepEqual([only!["name"], only!["unit"], only!["quantity"]], ["Banana", "g", 1]);
});

test("twelve credits of one user at once are all booked, and the ledger is sound", async () => {
  const userId = await client.enrol();
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      client.call("POST", "/track/food", { ...FOOD, userId, transactionId: `twelve-${i}` }),
    ),
  );
  await client.until(
    (all) => all.filter((event) => nameOf(event) === "intake.completed" && event["userId"] === userId).length === 12,
  );
  const list = (await client.call("GET", `/users/${userId}/transactions?pageSize=5&page=2`)).json();
  assert.deepEqual([list.count, list.transactions.length], [12, 5]);
  const all = (await client.call("GET", `/users/${userId}/transactions?All=true`)).json();
  const { user } = (await client.call("GET", `/users/${userId}/summary`)).json();
  assert.equal(
    all.transactions.reduce((sum: number, { totalPoints }: { totalPoints: number }) => sum + totalPoints, 0),
    user.lifetimePoints,
  );
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a mass that no food has is refused by name, judged in its unit; the largest is scored beside others", async () => {
  const userId = await client.enrol();
  const heavy = { foodId: "x", name: "Beef mince", weight: 1e6, quantity: 1e3 };
  const refused = await client.call(
    "POST",
    "/track/meals",
    meal(userId, "heavy-kg", {
      ingredients: [MEAL.ingredients[0], { ...heavy, unit: "kg" }, { ...heavy, unit: "ml", quantity: 10 }],
    }),
  );
  assert.equal(refused.statusCode, 400);
  assert.deepEqual(refused.json<{ errors: object }>().errors, {
    "ingredients[1].weight": ["is more than 10,000 kg with its unit and quantity"],
  });
  // The mass of a piece is known with the food. Each of 100 lines may have ten tonnes.
  const send = async (reference: string, ingredient: object) => {
    const body = meal(userId, reference, { ingredients: Array.from({ length: 100 }, () => ingredient) });
    assert.equal((await client.call("POST", "/track/meals", body)).statusCode, 202);
  };
  await send("heavy-pieces", { ...heavy, weight: 1e5, unit: "pack" });
  await send("heavy-most", { ...heavy, quantity: 10, unit: "kg", weight: 1e3 });
  await send("heavy-mate", MEAL.ingredients[0]!);
  const last = async (reference: string, count: number) => (await toldOf(reference, count)).at(-1)!;
  assert.deepEqual((await last("heavy-most", 3))["event"], "intake.completed");
  assert.deepEqual((await last("heavy-mate", 3))["event"], "intake.completed");
  const { event, errorType, errorMessage } = await last("heavy-pieces", 2);
  assert.deepEqual([event, errorType], ["intake.failed", "DATA_INCOMPLETE"]);
  assert.equal(errorMessage, "ingredients[0].weight is more than 10,000 kg with its unit and quantity");
});

test("an intake has each event once, also where the version before wrote the first on acceptance", async () => {
  const userId = await client.enrol();
  const { pool } = service.database;
  // As a process of the version before stores it: the sweep finds it, as one whose job was lost.
  await pool.query(
    `WITH stored AS (
       INSERT INTO intakes (user_id, id, application_id, source, reference, state, submission, accepted_at)
       SELECT user_id, gen_random_uuid(), application_id, 'meal', 'of-before', 'received',
              $1, now() - interval '1 minute'
       FROM intakes WHERE state = 'completed' LIMIT 1
       RETURNING user_id, id, application_id
     )
     INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
     SELECT user_id, id, 1, gen_random_uuid(), application_id, 'intake.received', '{}', now() FROM stored`,
    [submissionOf(meal(userId, "of-before"))],
  );
  await client.call("POST", "/track/meals", meal(userId, "of-now"));
  const story = async (reference: string) => {
    const { rows } = await pool.query<{ type: string }>(
      `SELECT type FROM events JOIN intakes ON subject = intakes.id WHERE reference = $1 ORDER BY position`,
      [reference],
    );
    return rows.map(({ type }) => type);
  };
  for (const deadline = Date.now() + 30_000; (await story("of-before")).length < 3 && Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await toldOf("of-now", 3);
  const all = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];
  assert.deepEqual([await story("of-before"), await story("of-now")], [all, all]);
});

test("the status of a completed intake is the same, byte for byte, whether its row has all or what its record lacks", async () => {
  const userId = await client.enrol();
  const shop = { website: "https://shop.example", name: "Shop", domain: "shop.example", country: "FR", logo: "" };
  const bodies = [
    ["meal", meal(userId, "kept-meal", { metadata: { zeta: [{ b: 1, aa: 2 }], a: null }, ingredients: VARIOUS })],
    ["meal", meal(userId, "kept-name", { mealName: " Lentil soup", ingredients: [], location: "" })],
    ["food", { ...FOOD, userId, logId: "kept-food", merchant: shop, amount: 1.005, currency: "eur", quantity: 2.5 }],
    ["food", { ...FOOD, userId, transactionId: "kept-plain", nutrition: {}, unit: "piece", weight: 1 }],
  ] as const;
  const { pool } = service.database;
  for (const [source, body] of bodies) {
    const sent = await client.call("POST", source === "meal" ? "/track/meals" : "/track/food", body);
    assert.equal(sent.statusCode, 202, sent.body);
    const { id } = sent.json<{ id: string }>();
    await client.until((all) => all.some((each) => each["trackId"] === id && nameOf(each) === "intake.completed"));
    const path = source === "meal" ? `/track/meals/${id}/status` : `/track/food/${id}/status`;
    const now = await client.call("GET", path);
    const row = (await findIntake(service.database, client.applicationId, source, id))!;
    const record = (await findRecordOf(service.database, userId, source, id))!;
    const stored = { submission: row.submission, details: row.details as KeptDetails };
    assert.ok(!("reference" in row.submission) && !("loggedAt" in row.submission));
    const whole = completedIntake(source, stored, record.body);
    const accepted = source === "meal" ? submissionOf(body, row.acceptedAt) : foodSubmission(body, row.acceptedAt);
    assert.deepEqual(whole.submission, accepted);
    const exported = await exportUserData(service.database, userId, STORED_FORMS);
    assert.deepEqual(exported["intakes"]!.at(-1), {
      id,
      source,
      state: "completed",
      ...whole,
      error_type: null,
      error_message: null,
      accepted_at: row.acceptedAt,
      finished_at: row.finishedAt,
    });
    await pool.query("UPDATE intakes SET packed = NULL, submission = $1, details = $2 WHERE id = $3", [
      accepted,
      whole.details,
      id,
    ]);
    const before = await client.call("GET", path);
    assert.equal(before.body, now.body);
  }
});
