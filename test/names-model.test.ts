import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { matcherOf } from "../src/foods/matching/match.ts";
import { readLines } from "../scripts/names-model/lines.ts";
import { joined } from "../scripts/names-model/members.ts";

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, at) => sum + each * b[at]!, 0);

test("a joined model says the mean of what its members say", () => {
  // One group, one food and two features; the second member has longer rows.
  const short = { features: Float32Array.of(1, 2), groups: Float32Array.of(4), foods: Float32Array.of(8) };
  const long = { features: Float32Array.of(1, 0, 0, 1), groups: Float32Array.of(2, 6), foods: Float32Array.of(1, 3) };
  const both = joined([short, long], 1);
  const row = (table: Float32Array, at: number) => Array.from(table.subarray(3 * at, 3 * at + 3));
  const logits = [0, 1].map((feature) => dot(row(both.features, feature), row(both.groups, 0)));
  assert.deepEqual(logits, [(1 * 4 + 2) / 2, (2 * 4 + 6) / 2]);
  assert.equal(dot(row(both.features, 1), row(both.foods, 0)), (2 * 8 + 3) / 2);
});

test("lines of halves that measure the model are not trained on; a thing is one of its kind, or left out", () => {
  const catalogue = readCatalogue();
  const line = (name: string, half: string, more: object) =>
    JSON.stringify({ name, lang: "en", half, expected: [], ...more });
  const text = [
    line("SDLS CUKE", "s", { foods: ["cucumber"] }),
    line("ENG CUKE", "b", { foods: ["cucumber"] }),
    line("SUBTOTAL 5", "a", { excluded: "none" }),
    line("SHAMPOO", "q", { excluded: "non_food" }),
    line("SHAMPOO", "q", { excluded: "pet_food" }),
  ].join("\n");
  const lines = readLines(text, { catalogue, matcher: matcherOf(catalogue) });
  assert.deepEqual(
    lines.map(({ name, food }) => [name, food?.id]),
    [
      ["SDLS CUKE", "cucumber"],
      ["SUBTOTAL 5", undefined],
      ["SHAMPOO", "shampoo"],
    ],
  );
});
