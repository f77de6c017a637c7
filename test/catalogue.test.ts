import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { Refusal, UsageError } from "../src/cli/command.ts";
import { lookUp } from "../src/foods/lookup/store.ts";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, pageOf } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
const folder = mkdtempSync(join(tmpdir(), "rewards-catalogue-"));
before(async () => {
  service = await startService({ ocr: { read: async () => pageOf(GROCERIES), close: async () => {} } });
  service.clock.ms = Date.parse("2026-11-01T09:00:00Z");
  client = await service.newClient();
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the operator; gives what it prints under --json. */
async function cli(command: string, options: Record<string, string>): Promise<Record<string, unknown>> {
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const [printed] = await runCommand<Record<string, unknown>>(service.database, [...command.split(" "), ...flags]);
  return printed!;
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function importOwn(content: string, owner: Client = client) {
  const path = file("own.csv", content);
  return cli("catalogue import", { format: "csv", file: path, "client-id": owner.clientId });
}

interface Shown {
  foodId: string;
  name: string;
  confidence: number;
  accepted: boolean;
  co2ePerKg: number | null;
  carbonImpactRating: number | null;
  healthImpactRating: number | null;
  carbonDataSource: string;
}

async function match(name: string, query = "", asking: Client = client): Promise<Shown[]> {
  const response = await asking.call("GET", `/catalogue/match?name=${encodeURIComponent(name)}${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ candidates: Shown[] }>().candidates;
}

async function addAlias(body: object, asking: Client = client): Promise<{ id: string }> {
  const response = await asking.call("POST", "/catalogue/aliases", body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ alias: { id: string } }>().alias;
}

function remove(id: string, asking: Client = client) {
  const url = `/catalogue/aliases/${id}?api-version=1.0`;
  return service.app.server.inject({ method: "DELETE", url, headers: asking.headers });
}

/** Tracks a food and gives the item of its record, or of the failed submission what was left out. */
async function track(food: object): Promise<Record<string, unknown>> {
  const userId = await client.enrol();
  const reference = `catalogue-${userId}`;
  const response = await client.call("POST", "/track/food", { ...FOOD, ...food, userId, transactionId: reference });
  assert.equal(response.statusCode, 202, response.body);
  const isFinal = (event: Record<string, unknown>) =>
    event["transactionId"] === reference && /completed|failed/.test(String(event["eventType"] ?? event["event"]));
  await client.until((events) => events.some(isFinal));
  const list = await client.call("GET", `/users/${userId}/transactions`);
  const [record] = list.json<{ transactions: { transaction: { items: Record<string, unknown>[] } }[] }>().transactions;
  return record?.transaction.items[0] ?? {};
}

const FOOD = {
  foodId: "nobody-knows",
  name: "Apple",
  imageUrl: "https://example.org/food.jpg",
  merchant: { name: "Corner shop" },
  weight: 100,
  unit: "g",
  nutrition: {},
};

const COFFEE_GTIN = "4006381333931";

test("a name is matched with the foods that enrichment would choose, best first", async () => {
  const [best, ...others] = await match("ORG SEMI SKM MLK 2PT");
  assert.match(best!.name, /milk/i);
  assert.ok(best!.accepted);
  assert.ok(best!.co2ePerKg! > 0.5 && best!.co2ePerKg! < 3);
  assert.match(best!.carbonDataSource, /^[\w.-]+:\S/);
  assert.ok(best!.healthImpactRating! >= 1);
  assert.ok(others.every(({ confidence }) => confidence <= best!.confidence));
  assert.deepEqual(await match("xqzzk"), []);
});

test("a thing that is recognised and not rated has nulls for figures, not zeros", async () => {
  const [bag] = await match("CARRIER BAG");
  assert.deepEqual([bag!.co2ePerKg, bag!.carbonImpactRating, bag!.healthImpactRating], [null, null, null]);
});

test("limit and source are respected", async () => {
  assert.equal((await match("milk", "&limit=2")).length, 2);
  const [logged] = await match("rice", "&source=meal");
  const [bought] = await match("rice", "&source=receipt");
  assert.notEqual(logged!.foodId, bought!.foodId);
});

test("an invalid query is rejected with each error", async () => {
  const errorsOf = async (query: string) => {
    const response = await client.call("GET", `/catalogue/match?${query}`);
    assert.equal(response.statusCode, 400);
    return Object.keys(response.json<{ errors: object }>().errors);
  };
  assert.deepEqual(await errorsOf(""), ["name"]);
  assert.deepEqual(await errorsOf("name=%20"), ["name"]);
  assert.deepEqual(await errorsOf("name=a%00b"), ["name"]);
  assert.deepEqual(await errorsOf(`name=${"a".repeat(256)}&limit=21&source=till`), ["name", "limit", "source"]);
  assert.deepEqual(await errorsOf("name=milk&limit=0"), ["limit"]);
  assert.deepEqual(await errorsOf("name=milk&name=bread"), ["name"]);
});

test("an import reports accepted and rejected rows with reasons, and a second one changes nothing", async () => {
  const rows = [
    "gtin,name,fat_g,carbs_g,protein_g",
    `${COFFEE_GTIN},Plain oat biscuits,14,66,8`,
    "4006381333932,Wrong check digit,1,1,1",
    "96385074,,1,1,1",
    "96385074,Too much,60,60,1",
    "96385074",
    `${COFFEE_GTIN},Said again,14,66,8`,
  ];
  const path = file("off.csv.gz", gzipSync(rows.join("\n")));
  const options = { format: "off-csv", file: path, source: "off-test" };
  const first = await cli("catalogue import", options);
  const { refused } = first as { refused: { reason: string; lines: number[] }[] };
  assert.deepEqual([first["rows"], first["accepted"], first["added"]], [6, 1, 1]);
  assert.deepEqual(
    refused.map(({ reason, lines }) => [reason, lines]),
    [
      ["invalid_gtin", [3]],
      ["no_name", [4]],
      ["implausible_nutrition", [5]],
      ["unreadable_row", [6]],
      ["duplicate", [7]],
    ],
  );
  const again = await cli("catalogue import", options);
  assert.deepEqual([again["added"], again["changed"], again["unchanged"]], [0, 0, 1]);
  const { sources } = (await cli("catalogue sources", {})) as { sources: { name: string; licence: string }[] };
  assert.equal(sources.find(({ name }) => name === "off-test")?.licence, "ODbL-1.0");
});

test("a missing or damaged file, or one of another format, is refused with a message", async () => {
  const refuses = (name: string, format = "csv", as: typeof Refusal | typeof UsageError = Refusal) =>
    assert.rejects(cli("catalogue import", { format, file: join(folder, name), "client-id": client.clientId }), as);
  await refuses("missing.csv");
  file("header.csv", "foodId;price\n1;2\n");
  await refuses("header.csv");
  const options = { format: "csv", file: join(folder, "header.csv"), "client-id": client.clientId };
  await assert.rejects(cli("catalogue import", options), {
    message: 'the table has no column for the name: expected name in its first line, found "foodId", "price"',
  });
  file("cut.csv.gz", gzipSync("foodId,name\n1,Milk\n".repeat(5_000)).subarray(0, 100));
  await refuses("cut.csv.gz");
  await refuses("header.csv", "xml", UsageError);
  file("quote.csv", `foodId,name\n1,"${"Milk\n2,Bread\n".repeat(1_000_000)}`);
  await assert.rejects(cli("catalogue import", { ...options, file: join(folder, "quote.csv") }), {
    message: "a row of the table is too long: is a quote missing?",
  });
});

test("a product found by its GTIN has its own nutrition, and the carbon of its reference food", async () => {
  const [found] = await match(COFFEE_GTIN);
  assert.equal(found!.name, "Plain oat biscuits");
  assert.ok(found!.accepted);
  const item = await track({ foodId: COFFEE_GTIN, name: "My snack" });
  assert.equal(item["matchedIngredientName"], "Plain oat biscuits");
  assert.match(String(item["carbonDataSource"]), /^agribalyse/);
});

test("a source is removed with all of its products, and nothing else", async () => {
  assert.equal((await cli("catalogue remove", { source: "off-test" }))["removed"], 1);
  assert.deepEqual(await match(COFFEE_GTIN), []);
  await assert.rejects(cli("catalogue remove", { source: "off-test" }), Refusal);
});

test("an application's own product is rated by its own figures, and only for that application", async () => {
  const summary = await importOwn(
    "foodId,name,gtin,energyKcal,proteinG,carbsG,sugarG,fatG,saturatedFatG,fiberG,saltG,co2eKgPerKg\n" +
      `sku-1,House blend,${COFFEE_GTIN},380,12,60,5,8,1,9,0.1,1.25\n`,
  );
  assert.equal(summary["added"], 1);
  const item = await track({ foodId: "sku-1", name: "Whatever it is called" });
  assert.deepEqual([item["carbonDataSource"], item["totalCO2e"]], ["own:sku-1", 0.125]);
  const stranger = await service.newClient();
  assert.deepEqual(await match(COFFEE_GTIN, "", stranger), []);
  assert.equal((await match(COFFEE_GTIN))[0]!.foodId, "sku-1");
});

test("an own product without rateable figures is skipped for its name", async () => {
  await importOwn("foodId,name\nsku-2,Xqzzk\n");
  const item = await track({ foodId: "sku-2", name: "Banana" });
  assert.match(String(item["carbonDataSource"]), /^agribalyse/);
});

test("a product of a known category is found by a name that no reference food has", async () => {
  await importOwn("foodId,name,category\nsku-3,Zwirbelino,apple juice\n");
  const [found] = await match("ZWIRBELINO 1L");
  assert.equal(found?.name, "Zwirbelino");
  assert.ok(found.accepted);
  assert.ok((await match("zwirbelino", "", await service.newClient())).every(({ name }) => name !== "Zwirbelino"));
});

test("an alias holds from then on, at its merchant before any merchant, and for its application only", async () => {
  await addAlias({ name: "GRZLWUPF", foodId: "banana" });
  await addAlias({ name: "GRZLWUPF", merchantName: "Larkmeadow", foodId: "apple" });
  assert.equal((await match("Grzlwupf 500g"))[0]!.foodId, "banana");
  assert.equal((await match("grzlwupf", "&merchantName=LARKMEADOW"))[0]!.foodId, "apple");
  assert.equal((await match("grzlwupf", "&merchantName=Elsewhere"))[0]!.foodId, "banana");
  assert.equal((await track({ name: "GRZLWUPF", merchant: { name: "larkmeadow" } }))["matchedIngredientName"], "Apple");
  assert.notEqual((await match("grzlwupf", "", await service.newClient()))[0]?.foodId, "banana");
});

test("an alias, a word or a lookup of any odd name is carried out or refused, never an error of the service", async () => {
  // Hangul, whose syllables unfold to three letters of three bytes; in random order, which cannot be compressed.
  const odd = (seed: number) => {
    const random = randomness(seed);
    return Array.from({ length: 255 }, () => String.fromCharCode(0xac00 + Math.floor(random() * 11_172))).join("");
  };
  for (const body of [
    { name: odd(1), merchantName: odd(2), foodId: "apple" },
    { name: "\ufdfa".repeat(255), merchantName: "\ufdfb".repeat(255), foodId: "apple" },
    { name: odd(3), merchantName: odd(4), foodId: odd(5) },
  ]) {
    const response = await client.call("POST", "/catalogue/aliases", body);
    assert.ok(response.statusCode < 500, `${response.statusCode} ${response.body}`);
    const query = `name=${encodeURIComponent(body.name.slice(0, 200))}&merchantName=${encodeURIComponent(odd(6).slice(0, 200))}`;
    assert.ok((await client.call("GET", `/catalogue/match?${query}`)).statusCode < 500);
  }
});

test("of a name with aliases at very many merchants only those of the item's merchants are read", async () => {
  const [application] = await service.database.query<{ id: string }>({
    name: "test.application",
    text: `SELECT id FROM applications WHERE client_id = '${client.clientId}'`,
  });
  const { id: applicationId } = application!;
  await service.database.query({
    name: "test.many-aliases",
    text: `INSERT INTO aliases (id, application_id, name, name_key, merchant_name, merchant_key, target_kind, target,
                                author, created_at)
           SELECT gen_random_uuid(), '${applicationId}', 'Wurzl', 'wurzl', 'shop ' || n, 'shop ' || n, 'food', 'apple',
                  'api', now() FROM generate_series(1, 20000) AS n`,
  });
  const found = await lookUp(service.database, [
    { applicationId, foodId: null, name: "Wurzl", merchants: ["Shop 7", "Shop 20000"] },
    { applicationId, foodId: null, name: "Wurzl", merchants: ["Elsewhere"] },
  ]);
  assert.equal(found.aliases.size, 2);
  assert.equal((await match("wurzl", "&merchantName=Shop%20123"))[0]!.foodId, "apple");
});

test("an alias may mean a product, by the application's foodId or by GTIN", async () => {
  await addAlias({ name: "flurbo", foodId: "sku-1" });
  await addAlias({ name: "flurbi", gtin: COFFEE_GTIN });
  for (const name of ["flurbo", "flurbi"]) assert.equal((await match(name))[0]!.foodId, "sku-1");
});

test("an alias holds for the lines of a receipt of its merchant, and its explanation says so", async () => {
  const shop = await service.newClient({ isSandbox: true });
  await addAlias({ name: "BEEF MINCE 500G", merchantName: "Larkmeadow Market", foodId: "banana" }, shop);
  await addAlias({ name: "WHOLEMEAL BREAD", merchantName: "Elsewhere", foodId: "banana" }, shop);
  const userId = await shop.enrol();
  const form = new FormData();
  const fields = { userId, transactionId: "alias-1", amount: "22.68" };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("merchantName", "Larkmeadow Market");
  form.set("transactionTimestamp", "2026-10-24T10:41:00Z");
  const blank = sharp({ create: { width: 600, height: 800, channels: 3, background: "white" } });
  form.set("receiptImage", new Blob([new Uint8Array(await blank.jpeg().toBuffer())]), "receipt.jpg");
  const request = new Request("http://x", { method: "POST", body: form });
  const response = await service.app.server.inject({
    method: "POST",
    url: "/track/receipts?api-version=1.0&testBlobUri=sample:completed",
    headers: { ...shop.headers, "content-type": request.headers.get("content-type")! },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.equal(response.statusCode, 200, response.body);
  await shop.until((events) => events.some((event) => /receipt_(?:completed|failed)/.test(JSON.stringify(event))));

  const { transactions } = (await shop.call("GET", `/users/${userId}/transactions`)).json<{
    transactions: { id: string; transaction: { items: Record<string, string>[] } }[];
  }>();
  const [record] = transactions;
  const meantBy = (name: string) => record!.transaction.items.find((item) => item["name"] === name);
  assert.equal(meantBy("BEEF MINCE 500G")?.["matchedIngredientName"], "Banana");
  assert.match(meantBy("WHOLEMEAL BREAD 800G")?.["matchedIngredientName"] ?? "", /bread/i);
  const explanation = await shop.call("GET", `/users/${userId}/transactions/${record!.id}/explanation`);
  assert.match(explanation.body, /was added by the application/);
});

test("adding an alias again replaces it; aliases are listed, newest first, and removed", async () => {
  const owner = await service.newClient();
  await addAlias({ name: "wibble", foodId: "apple" }, owner);
  const { id } = await addAlias({ name: "Wibble", foodId: "banana" }, owner);
  await cli("catalogue alias add", { "client-id": owner.clientId, name: "wobble", "food-id": "apple" });
  const list = (await owner.call("GET", "/catalogue/aliases?pageSize=5")).json<{
    aliases: Record<string, string>[];
    count: number;
  }>();
  assert.equal(list.count, 2);
  assert.deepEqual(
    list.aliases.map(({ name, foodId, author }) => [name, foodId, author]),
    [
      ["wobble", "apple", "operator"],
      ["Wibble", "banana", "api"],
    ],
  );
  assert.match(list.aliases[1]!["createdAt"]!, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal((await owner.call("GET", "/catalogue/aliases?page=2&pageSize=1")).json<typeof list>().aliases.length, 1);
  for (const [timeframe, count] of [
    ["1d", 2],
    ["../2026-01-01", 0],
  ] as const) {
    const within = (await owner.call("GET", `/catalogue/aliases?timeframe=${timeframe}`)).json<typeof list>();
    assert.deepEqual([within.count, within.aliases.length], [count, count], timeframe);
  }

  assert.equal((await remove(id)).statusCode, 404, "another application's");
  assert.equal((await remove(id, owner)).statusCode, 200);
  assert.equal((await remove(id, owner)).statusCode, 404);
  assert.notEqual((await match("wibble", "", owner))[0]?.foodId, "banana");
});

test("an alias of an unknown food or product is rejected", async () => {
  const refused: [object, string][] = [
    [{ name: "a", foodId: "no-such-food" }, "foodId"],
    [{ name: "a", gtin: "4006381333932" }, "gtin"],
    [{ name: "a", gtin: "96385074" }, "gtin"],
    [{ name: "a" }, "foodId"],
    [{ name: " ", foodId: "apple" }, "name"],
  ];
  for (const [body, field] of refused) {
    const response = await client.call("POST", "/catalogue/aliases", body);
    assert.equal(response.statusCode, 400);
    assert.deepEqual(Object.keys(response.json<{ errors: object }>().errors), [field]);
  }
});

async function addWord(body: object, asking: Client = client) {
  const response = await asking.call("POST", "/catalogue/words", body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ word: Record<string, string> }>().word;
}

/** Returns the response to a match query, with the name as it was read. */
async function ask(name: string, asking: Client): Promise<{ readAs: string; candidates: Shown[] }> {
  return (await asking.call("GET", `/catalogue/match?name=${encodeURIComponent(name)}`)).json();
}

test("a custom word holds in every line from then on, and for its application only", async () => {
  assert.deepEqual((await ask("QZX 2PT", client)).candidates, []);
  await addWord({ word: "QZX", means: "semi skimmed milk" });
  await addWord({ word: "Larkmdw", means: "" });
  const { readAs, candidates } = await ask("LARKMDW QZX 2PT", client);
  assert.equal(readAs, "semi skimmed milk 2PT");
  assert.equal(candidates[0]!.foodId, "milk");
  const other = await ask("LARKMDW QZX 2PT", await service.newClient());
  assert.equal(other.readAs, "LARKMDW QZX 2PT");
  assert.notEqual(other.candidates[0]?.foodId, "milk");
  assert.match(String((await track({ name: "QZX" }))["matchedIngredientName"]), /milk/i);
});

test("an explanation names the custom words in a name", async () => {
  const owner = await service.newClient();
  await addWord({ word: "qvv", means: "banana" }, owner);
  const userId = await owner.enrol();
  const sent = { ...FOOD, name: "QVV", userId, transactionId: "words-1" };
  assert.equal((await owner.call("POST", "/track/food", sent)).statusCode, 202);
  await owner.until((events) => events.some((event) => /completed|failed/.test(JSON.stringify(event))));
  const list = await owner.call("GET", `/users/${userId}/transactions`);
  const [record] = list.json<{ transactions: { id: string }[] }>().transactions;
  const explanation = await owner.call("GET", `/users/${userId}/transactions/${record!.id}/explanation`);
  assert.match(explanation.body, /\\"qvv\\" was read as \\"banana\\": the application added this word on /);
  const { items } = explanation.json<{ explanation: { items: { steps: { step: string; words?: unknown[] }[] }[] } }>()
    .explanation;
  const [word] = items[0]!.steps.find(({ step }) => step === "match")!.words as Record<string, string>[];
  assert.deepEqual([word!["word"], word!["means"], word!["author"]], ["qvv", "banana", "api"]);
});

test("custom words are listed newest first, replaced, removed and validated", async () => {
  const owner = await service.newClient();
  await addWord({ word: "qrr", means: "apple" }, owner);
  const { id } = await addWord({ word: "QRR", means: "banana" }, owner);
  await cli("catalogue word add", { "client-id": owner.clientId, word: "qss", means: "pear" });
  const listed = (await owner.call("GET", "/catalogue/words?pageSize=5")).json<{
    words: Record<string, string>[];
    count: number;
  }>();
  assert.deepEqual(
    listed.words.map(({ word, means, author }) => [word, means, author]),
    [
      ["qss", "pear", "operator"],
      ["qrr", "banana", "api"],
    ],
  );
  assert.equal(listed.count, 2);
  const url = `/catalogue/words/${id}?api-version=1.0`;
  const forget = (asking: Client) => service.app.server.inject({ method: "DELETE", url, headers: asking.headers });
  assert.equal((await forget(client)).statusCode, 404, "another application's");
  assert.equal((await forget(owner)).statusCode, 200);
  assert.equal((await forget(owner)).statusCode, 404);
  const { words } = (await cli("catalogue word list", { "client-id": owner.clientId })) as { words: { id: string }[] };
  await cli("catalogue word remove", { "client-id": owner.clientId, "word-id": words[0]!.id });
  assert.deepEqual(await cli("catalogue word list", { "client-id": owner.clientId }), { words: [] });

  const refused: [object, string][] = [
    [{ word: "two words", means: "milk" }, "word"],
    [{ word: "12", means: "milk" }, "word"],
    [{ word: "abc" }, "means"],
    [{ word: "abc", means: "m".repeat(256) }, "means"],
  ];
  for (const [body, field] of refused) {
    const response = await owner.call("POST", "/catalogue/words", body);
    assert.equal(response.statusCode, 400);
    assert.deepEqual(Object.keys(response.json<{ errors: object }>().errors), [field]);
  }
});
