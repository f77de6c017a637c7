import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Explanation, Step } from "../src/points/explanation-schema.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

const NUTRITION = { energyKcal: 232, proteinG: 18, carbsG: 40, fatG: 0.8, fiberG: 16 };

/** Submits a meal. Returns its record, as endpoint 10 shows it, and its explanation. */
async function eat(ingredients: object[]): Promise<{ userId: string; record: Record; explanation: Explanation }> {
  const userId = await client.enrol();
  const response = await client.call("POST", "/track/meals", {
    userId,
    transactionId: `explained-${userId}`,
    mealName: "Stew",
    imageUrl: "https://example.org/stew.jpg",
    mealType: "dinner",
    loggedAt: new Date().toISOString(),
    ingredients,
  });
  assert.equal(response.statusCode, 202, response.body);
  await client.until((events) =>
    events.some((event) => event["transactionId"] === `explained-${userId}` && /completed/.test(JSON.stringify(event))),
  );
  const { transactions } = (await client.call("GET", `/users/${userId}/transactions`)).json<{
    transactions: Record[];
  }>();
  const { id } = transactions[0]!;
  const shown = (await client.call("GET", `/users/${userId}/transactions/${id}`)).json<{ transaction: Record }>();
  const explained = await client.call("GET", `/users/${userId}/transactions/${id}/explanation`);
  assert.equal(explained.statusCode, 200, explained.body);
  return { userId, record: shown.transaction, explanation: explained.json<{ explanation: Explanation }>().explanation };
}

interface Record {
  id: string;
  totalPoints: number;
  transaction: { items: Item[]; excludedItems: Item[]; totalHealthPoints: number };
}
interface Item {
  id: string;
  totalServicePoints: number;
  healthPoints: number;
  totalCO2e: number;
  carbonDataSource: string;
}

function step<Name extends Step["step"]>(explanation: Explanation, item: number, name: Name) {
  const found = explanation.items[item]?.steps.find((each) => each.step === name);
  assert.ok(found, `the step ${name} of item ${item}`);
  return found as Extract<Step, { step: Name }>;
}

test("a meal is explained item by item, from the submission to its points", async () => {
  const { record, explanation } = await eat([
    { foodId: "m-1", name: "Beef mince", weight: 200, unit: "g" },
    { foodId: "m-2", name: "Lentils", weight: 200, nutrition: NUTRITION },
    { foodId: "m-3", name: "Xqzzk", weight: 50, unit: "g" },
    { foodId: "m-4", name: "Red wine", weight: 125, unit: "ml" },
  ]);
  assert.equal(explanation.transactionId, record.id);
  assert.equal(explanation.totalPoints, record.totalPoints);
  assert.equal(explanation.totalHealthPoints, record.transaction.totalHealthPoints);
  assert.deepEqual(
    explanation.items.map(({ counted }) => counted),
    [true, true, false, false],
  );
  assert.deepEqual(
    explanation.items[1]!.steps.map((each) => each.step),
    ["input", "match", "weight", "carbon", "nutrition", "health", "points"],
  );

  const beef = record.transaction.items[0]!;
  const carbon = step(explanation, 0, "carbon");
  assert.equal(carbon.source, beef.carbonDataSource);
  assert.equal(carbon.totalCO2e, beef.totalCO2e);
  assert.ok(carbon.co2eLow < carbon.totalCO2e && carbon.totalCO2e < carbon.co2eHigh);
  assert.equal(carbon.method, "co2e-per-kg/1");
  assert.equal(carbon.grade, "E");

  assert.deepEqual(step(explanation, 1, "input").nutrition.toSorted(), Object.keys(NUTRITION).toSorted());
  const nutrition = step(explanation, 1, "nutrition");
  assert.ok(nutrition.imputed.includes("saturatedFatG") && !nutrition.imputed.includes("proteinG"));
  assert.ok(nutrition.flags.includes("unit_assumed"));
  assert.match(nutrition.text, /saturates.* from .*:.*read as grams/);
  const health = step(explanation, 1, "health");
  const sum = (points: object) => Object.values(points).reduce((all: number, each: number) => all + each, 0);
  assert.equal(health.score, sum(health.components.negative) - sum(health.components.positive));

  assert.equal(step(explanation, 2, "exclusion").reason, "NO_MATCH");
  assert.equal(step(explanation, 3, "exclusion").reason, "ALCOHOL");
});

test("the arithmetic of the points can be repeated", async () => {
  const { record, explanation } = await eat([
    { foodId: "m-1", name: "Beef mince", weight: 200, unit: "g" },
    { foodId: "m-2", name: "Lentils", weight: 200, unit: "g" },
  ]);
  const { divisor, sumOfCells, earned, pointsMax, capped } = explanation.arithmetic;
  let cells = 0n;
  explanation.items.forEach((item, index) => {
    const points = step(explanation, index, "points");
    assert.equal(BigInt(points.healthBase) * BigInt(points.weight), BigInt(points.healthCell));
    assert.equal(BigInt(points.carbonBase) * BigInt(points.weight), BigInt(points.carbonCell));
    assert.equal(points.divisor, divisor);
    assert.equal(item.totalPoints, points.healthPoints + points.carbonPoints);
    assert.equal(item.totalPoints, record.transaction.items[index]!.totalServicePoints);
    cells += BigInt(points.healthCell) + BigInt(points.carbonCell);
  });
  assert.equal(String(cells), sumOfCells);
  assert.equal(String(cells / BigInt(divisor)), earned);
  assert.equal(explanation.totalPoints, capped ? pointsMax : Number(earned));
});

test("every step has a text with its figures", async () => {
  const { explanation } = await eat([{ foodId: "m-2", name: "Lentils", weight: 200, unit: "g", quantity: 2 }]);
  const texts = explanation.items[0]!.steps.map(({ text }) => text);
  for (const text of [...texts, explanation.text, explanation.arithmetic.text]) {
    assert.match(text, /\.$/);
    assert.doesNotMatch(text, /undefined|null|NaN|\[object|\d\.\d{9}/);
  }
  assert.match(texts[0]!, /"Lentils" with the id m-2, 2 × 200 g/);
  assert.match(texts[2]!, /400 g in all/);
});

test("an explanation names the application's aliases", async () => {
  const added = await client.call("POST", "/catalogue/aliases", { name: "Grzlwupf", foodId: "banana" });
  const { alias } = added.json<{ alias: { id: string } }>();
  const { explanation } = await eat([{ foodId: "m-1", name: "grzlwupf", weight: 100, unit: "g" }]);
  const found = step(explanation, 0, "match");
  assert.equal(found.by, "alias");
  assert.equal(found.alias?.id, alias.id);
  assert.match(found.text, /added by the application on \d{4}-/);
});

test("nothing of an explanation leaks into the record that endpoint 10 shows", async () => {
  const { record } = await eat([{ foodId: "m-2", name: "Lentils", weight: 200, unit: "g" }]);
  assert.deepEqual(Object.keys(record.transaction.items[0]!).sort(), [
    "bonusPoints",
    "carbonDataSource",
    "carbonImpactRating",
    "cleanedName",
    "externalId",
    "healthImpactRating",
    "healthPoints",
    "id",
    "imageURL",
    "matchedIngredientName",
    "name",
    "partnerType",
    "pricePerUnit",
    "qty",
    "totalCO2e",
    "totalServicePoints",
  ]);
  assert.doesNotMatch(JSON.stringify(record), /basis|per100|components/);
});

test("another application's record, or a missing one, is not explained", async () => {
  const { userId, record } = await eat([{ foodId: "m-2", name: "Lentils", weight: 200, unit: "g" }]);
  const stranger = await service.newClient();
  const path = `/users/${userId}/transactions/${record.id}/explanation`;
  assert.equal((await stranger.call("GET", path)).statusCode, 404);
  assert.equal((await client.call("GET", `/users/${userId}/transactions/nothing/explanation`)).statusCode, 404);
});
