import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { carbonRatingOf } from "../../rating/carbon.ts";
import { readCatalogue } from "../../catalogue/store.ts";
import { createNameModel, NOTHING, weightBytes } from "./model.ts";
import type { ModelHeader } from "./model.ts";
import { readNameModel } from "./store.ts";

const FOLDER = new URL("../../../../reference/names-model/", import.meta.url);
const header = JSON.parse(readFileSync(new URL("model.json", FOLDER), "utf8")) as ModelHeader;
const weights = readFileSync(new URL("weights.bin", FOLDER));
const catalogue = readCatalogue();
const model = readNameModel();

test("the model that ships is whole, and its header names its weights", () => {
  assert.equal(weights.length, weightBytes(header));
  assert.equal(createHash("sha256").update(weights).digest("hex"), header.weights);
  assert.ok(weights.length < 7_000_000, "a few megabytes");
});

test("the classes of the model are foods of the catalogue, and a group has one carbon rating", () => {
  for (const ids of header.groups) {
    const foods = ids.filter((id) => id !== NOTHING).map((id) => catalogue.byId.get(id));
    assert.ok(
      foods.every((food) => food !== undefined),
      `unknown foods: build the model again (npm run model:names): ${ids.join(" ")}`,
    );
    const ratings = foods.map((food) => food.carbon && carbonRatingOf(food.carbon));
    assert.ok(new Set(ratings).size <= 1, ids.join(" "));
  }
});

test("probabilities are positive, add up to one at most, and the highest comes first", () => {
  const names = ["EPIN.HACH.SURG 1K", "JAGDWURST SCH.", "x", "TOTAL", "ß".repeat(300), "CHKN BRST", "漢字", "a/b/c d%"];
  for (const name of names) {
    const guesses = model(name);
    const sum = guesses.reduce((total, { chance }) => total + chance, 0);
    assert.ok(sum <= 1 + 1e-9 && guesses.every(({ chance }) => chance > 0), name);
    assert.deepEqual(
      guesses,
      guesses.toSorted((a, b) => b.chance - a.chance),
    );
    assert.deepEqual(model(name), guesses, "the same again");
  }
});

test("a name without letters means nothing", () => {
  assert.deepEqual(model("500 12,5 4/4"), []);
});

test("weights of another size are refused", () => {
  assert.throws(() => createNameModel(header, new Int8Array(12)), /do not fit/);
});

test("shorthand of tills in five languages is read", () => {
  const foods = {
    "EPIN.HACH.SURG": "frozen-spinach",
    "BLUMENKOHL STK": "cauliflower",
    "CHKN BRST": "chicken-breast",
    "YOG.NAT.": "natural-yogurt",
    "PROSC.CRUDO AFF": "cured-ham",
  };
  for (const [name, id] of Object.entries(foods)) assert.equal(model(name)[0]?.id, id, name);
});

test("a name is read in a language where that is known", () => {
  assert.equal(model("LATTE", "it")[0]?.id, "milk");
  assert.notDeepEqual(model("LATTE", "it"), model("LATTE"));
  assert.deepEqual(model("LATTE", null), model("LATTE"));
});
