import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { FoodWithAlternatives } from "../src/foods/alternatives/store.ts";
import type { Explanation } from "../src/points/explanation-schema.ts";
import { runCommand } from "./support/commands.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
const folder = mkdtempSync(join(tmpdir(), "rewards-alternatives-"));
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function find(query: string, asking: Client = client): Promise<FoodWithAlternatives> {
  const response = await asking.call("GET", `/catalogue/alternatives?${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json();
}

const ids = ({ alternatives }: FoodWithAlternatives) => alternatives.map(({ foodId }) => foodId);

test("a food by its name, id or alias has the same alternatives, with their figures", async () => {
  const byId = await find("foodId=beef-mince");
  assert.deepEqual(ids(byId), ["soya-mince", "red-lentils", "chicken-mince"]);
  assert.deepEqual((await find("name=minced%20beef&source=food")).alternatives, byId.alternatives);
  await client.call("POST", "/catalogue/aliases", { name: "ZZGEHACKT", foodId: "beef-mince" });
  assert.deepEqual((await find("name=zzgehackt%20500g")).alternatives, byId.alternatives);
  assert.equal((await find("name=zzgehackt", await service.newClient())).food, null);
  const { food, alternatives } = byId;
  for (const other of alternatives) {
    assert.ok(other.carbonImpactRating <= food!.carbonImpactRating!);
    assert.ok(other.healthImpactRating <= food!.healthImpactRating!);
    assert.ok(other.co2ePerKg < food!.co2ePerKg!);
    assert.match(other.carbonDataSource, /^[\w.-]+:\S/);
    assert.equal(other.use, "minced meat");
  }
});

test("a food rated A or B, a bag, wine, and what nothing is known of have no alternatives", async () => {
  assert.deepEqual(ids(await find("foodId=banana")), []);
  assert.deepEqual(ids(await find("name=CARRIER%20BAG")), []);
  assert.deepEqual(ids(await find("name=red%20wine")), []);
  assert.deepEqual(await find("name=xqzzk"), { food: null, alternatives: [] });
});

test("an own product is replaced by what rates better than the product, also by its bar code", async () => {
  const path = join(folder, "own.csv");
  writeFileSync(
    path,
    "foodId,name,gtin,catalogueFoodId,energyKcal,proteinG,carbsG,fatG,sugarG,saturatedFatG,saltG,co2eKgPerKg\n" +
      "own-cola,House cola,4006381333931,cola,42,0,10.6,0,10.6,0,0,0.4\n" +
      "own-mince,House mince,,beef-mince,130,21,0,5,0,2,0.1,0.9\n",
  );
  const own = ["--format=csv", `--file=${path}`, `--client-id=${client.clientId}`];
  await runCommand(service.database, ["catalogue", "import", ...own]);
  const cola = await find("foodId=own-cola");
  assert.equal(cola.food!.foodId, "own-cola");
  assert.equal(ids(cola)[0], "sparkling-water");
  assert.deepEqual((await find("gtin=4006381333931")).alternatives, cola.alternatives);
  // Rated A for carbon and A or B for health, unlike beef: nothing to replace.
  assert.deepEqual(ids(await find("foodId=own-mince")), []);
  const other = await service.newClient();
  const response = await other.call("GET", "/catalogue/alternatives?foodId=own-cola");
  assert.equal(response.statusCode, 400, "an own product of another application is unknown");
});

test("a query that names no food, or two, is refused with each error", async () => {
  const errorsOf = async (query: string) => {
    const response = await client.call("GET", `/catalogue/alternatives?${query}`);
    assert.equal(response.statusCode, 400, query);
    return Object.keys(response.json<{ errors: object }>().errors);
  };
  assert.deepEqual(await errorsOf(""), ["name"]);
  assert.deepEqual(await errorsOf("name=milk&foodId=butter"), ["foodId"]);
  assert.deepEqual(await errorsOf("name=milk&gtin=4006381333931"), ["gtin"]);
  assert.deepEqual(await errorsOf("foodId=%20"), ["foodId"]);
  assert.deepEqual(await errorsOf("foodId=a%00b"), ["foodId"]);
  assert.deepEqual(await errorsOf("foodId=no-such-food"), ["foodId"]);
  assert.deepEqual(await errorsOf("gtin=123"), ["gtin"]);
  assert.deepEqual(await errorsOf("gtin=4012345678901"), ["gtin"]);
  assert.deepEqual(await errorsOf(`name=${"a".repeat(256)}&source=till`), ["source", "name"]);
});

test("the explanation of a record shows alternatives for items rated C or worse, and for no others", async () => {
  const userId = await client.enrol();
  const response = await client.call("POST", "/track/meals", {
    userId,
    transactionId: "alternatives-1",
    mealName: "Dinner",
    imageUrl: "https://example.org/x.jpg",
    mealType: "dinner",
    loggedAt: new Date().toISOString(),
    ingredients: [
      { foodId: "beef-mince", name: "Beef mince", weight: 200, unit: "g" },
      { foodId: "banana", name: "Banana", weight: 100, unit: "g" },
      { foodId: "a-3", name: "Red wine", weight: 100, unit: "g" },
      { foodId: "black-pepper", name: "Pepper", weight: 1, unit: "g" },
    ],
  });
  assert.equal(response.statusCode, 202, response.body);
  await client.until(
    (events) =>
      events.some((event) => event["transactionId"] === "alternatives-1" && "points" in event) || events.length >= 4,
  );
  const list = (await client.call("GET", `/users/${userId}/transactions`)).json<{ transactions: { id: string }[] }>();
  const explained = await client.call("GET", `/users/${userId}/transactions/${list.transactions[0]!.id}/explanation`);
  const { items } = explained.json<{ explanation: Explanation }>().explanation;
  const byName = new Map(items.map((item) => [item.name, item.alternatives]));
  assert.deepEqual(
    byName.get("Beef mince")!.map(({ foodId }) => foodId),
    ids(await find("foodId=beef-mince")),
  );
  assert.match(
    byName.get("Beef mince")![0]!.text,
    /^Soya mince, used for the same \(minced meat\): climate A instead of E/,
  );
  assert.equal(byName.get("Banana"), undefined);
  assert.equal(byName.get("Red wine"), undefined);
  assert.deepEqual(byName.get("Pepper"), []);
});

test("the command finds the same", async () => {
  const run = (...options: string[]) =>
    runCommand<FoodWithAlternatives>(service.database, ["catalogue", "alternatives", ...options]);
  const [found] = await run("--food-id=beef-mince");
  assert.deepEqual(found, await find("foodId=beef-mince"));
  const [own] = await run("--food-id=own-cola", `--client-id=${client.clientId}`);
  assert.equal(own!.food!.foodId, "own-cola");
  await assert.rejects(run("--food-id=own-cola"), /names no food/);
  await assert.rejects(run(), /name is required/);
});
