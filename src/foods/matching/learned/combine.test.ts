import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../../catalogue/store.ts";
import { candidateFor } from "../candidate.ts";
import { combine } from "./combine.ts";
import { NOTHING } from "./model.ts";

const catalogue = readCatalogue();
const food = (id: string) => catalogue.byId.get(id)!;
const NOTHING_SAID = { isThing: false, isPlantBased: false, isTyped: false, isOfOther: null };

test("where the words are in doubt, the letters decide", () => {
  const found = [candidateFor(food("beef-steak"), 0.45), candidateFor(food("kohlrabi"), 0.34)];
  const [first] = combine(found, [{ id: "kohlrabi", chance: 0.97 }], catalogue, NOTHING_SAID);
  assert.equal(first?.food.id, "kohlrabi");
  assert.ok(first.accepted);
});

test("where neither is sure, nothing is accepted", () => {
  const found = [candidateFor(food("beef-steak"), 0.2)];
  const guesses = [
    { id: NOTHING, chance: 0.5 },
    { id: "kohlrabi", chance: 0.2 },
    { id: "cod", chance: 0.2 },
  ];
  assert.ok(combine(found, guesses, catalogue, NOTHING_SAID).every(({ accepted }) => !accepted));
});

test("letters that are certain of a grade outweigh words that accept another, unless those are sure", () => {
  const accepted = (confidence: number) =>
    combine(
      [candidateFor(food("beef-steak"), confidence)],
      [{ id: "kohlrabi", chance: 0.98 }],
      catalogue,
      NOTHING_SAID,
    ).find((each) => each.accepted)?.food.id;
  assert.deepEqual([accepted(0.8), accepted(0.9)], ["kohlrabi", undefined]);
});

test("a till's name needs more where the words hardly believe in a food of another grade", () => {
  const guesses = [{ id: "kohlrabi", chance: 0.35 }];
  const accepted = (isTyped: boolean) =>
    combine([candidateFor(food("beef-steak"), 0.25)], guesses, catalogue, { ...NOTHING_SAID, isTyped })[0]?.accepted;
  assert.deepEqual([accepted(false), accepted(true)], [false, true]);
});

test("what neither believes is not accepted, even where all else is less likely", () => {
  const said = (chance: number) =>
    combine([candidateFor(food("garlic"), 0.195)], [{ id: "garlic", chance }], catalogue, NOTHING_SAID)[0]?.accepted;
  assert.deepEqual([said(0.29), said(0.31)], [false, true]);
});

test("where no word is known and the letters are not sure, there are no candidates", () => {
  assert.deepEqual(combine([], [{ id: "cottage-cheese", chance: 0.19 }], catalogue, NOTHING_SAID), []);
});

test("foods of one carbon rating support each other", () => {
  const guesses = ["green-cabbage", "white-cabbage", "red-cabbage"].map((id) => ({ id, chance: 0.31 }));
  const [first] = combine([], guesses, catalogue, NOTHING_SAID);
  assert.ok(first?.accepted);
});

test("a word for a thing that nobody eats, or for plants in an animal's place, decides against what it excludes", () => {
  const cheddar = [{ id: "cheddar", chance: 0.6 }];
  const cheeses = [...cheddar, { id: "plant-based-cheese", chance: 0.3 }];
  const [plant] = combine([candidateFor(food("cheddar"), 0.2)], cheeses, catalogue, {
    isThing: false,
    isPlantBased: true,
    isTyped: false,
    isOfOther: null,
  });
  assert.equal(plant?.food.id, "plant-based-cheese");
  const knife = combine(
    [candidateFor(food("cheddar"), 0.2)],
    [...cheddar, { id: "kitchenware", chance: 0.4 }],
    catalogue,
    {
      isThing: true,
      isPlantBased: false,
      isTyped: false,
      isOfOther: null,
    },
  );
  assert.equal(knife[0]?.food.id, "kitchenware");
});

test("an animal's food is not accepted where the name says that it is made of plants, however alone it is", () => {
  const guesses = [{ id: "chicken-kiev", chance: 0.9 }];
  const found = [candidateFor(food("chicken-kiev"), 0.89)];
  const [first] = combine(found, guesses, catalogue, { ...NOTHING_SAID, isPlantBased: true, isTyped: false });
  assert.ok(first?.food.id === "chicken-kiev" && !first.accepted);
  assert.ok(combine(found, guesses, catalogue, NOTHING_SAID)[0]?.accepted);
});

test("whatever is joined, confidence is from 0 to 1, never rises down the list, and agrees with `accepted`", () => {
  let state = 11;
  const next = (below: number) => (state = Math.imul(state, 48_271) >>> 1) % below;
  const any = () => catalogue.foods[next(catalogue.foods.length)]!;
  for (let round = 0; round < 500; round += 1) {
    const found = Array.from({ length: next(6) }, () => candidateFor(any(), next(899) / 1_000)).toSorted(
      (a, b) => b.confidence - a.confidence,
    );
    const guesses = Array.from({ length: 1 + next(5) }, () => ({
      id: any().parent ?? any().id,
      chance: next(1_000) / 6_000,
    }));
    const joined = combine(found, guesses, catalogue, {
      isThing: next(2) === 1,
      isPlantBased: next(2) === 1,
      isTyped: next(2) === 1,
      isOfOther: null,
    });
    joined.forEach(({ confidence, accepted }, at) => {
      assert.ok(confidence >= 0 && confidence <= 1);
      assert.equal(accepted, confidence >= 0.5);
      assert.ok(at === 0 || (confidence <= joined[at - 1]!.confidence && !accepted));
    });
    assert.equal(new Set(joined.map((each) => each.food)).size, joined.length, "each food once");
  }
});
