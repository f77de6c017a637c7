import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, medians } from "../bench/against/rounds.ts";
import type { Sample } from "../bench/against/rounds.ts";
import { isFailure, judge } from "../bench/record.ts";
import type { RecordedRatio } from "../bench/record.ts";

const sample = (name: string, value: number): Sample => ({ name, value, unit: "µs" });
const higher = (value: number): RecordedRatio => ({ name: "accepted", value, unit: "", better: "higher" });
const lower = (value: number): RecordedRatio => ({ name: "bytes", value, unit: "B", better: "lower" });

test("a ratio is worse when it is a quarter from the record in its bad direction", () => {
  const verdicts = (record: RecordedRatio, measured: RecordedRatio) => judge([record], [measured])[0]!.verdict;
  assert.equal(verdicts(higher(0.4), higher(0.31)), "as good");
  assert.equal(verdicts(higher(0.4), higher(0.29)), "worse");
  assert.equal(verdicts(higher(0.4), higher(0.51)), "better");
  assert.equal(verdicts(lower(1_000), lower(1_240)), "as good");
  assert.equal(verdicts(lower(1_000), lower(1_260)), "worse");
  assert.equal(verdicts(lower(1_000), lower(740)), "better");
});

test("a ratio of the record that was not measured is a failure, one that is not in it is not", () => {
  const judged = judge([higher(0.4), lower(1_000)], [higher(0.4), { ...lower(5), name: "another" }]);
  assert.deepEqual(
    judged.map(({ name, verdict }) => [name, verdict]),
    [
      ["accepted", "as good"],
      ["bytes", "missing"],
      ["another", "new"],
    ],
  );
  assert.deepEqual(
    judged.map((each) => isFailure(each)),
    [false, true, false],
  );
  assert.equal(judge([lower(1_000)], [lower(Number.NaN)])[0]!.verdict, "missing");
});

test("two trees are compared by the median of the rounds' ratios", () => {
  // Rounds 2 and 3 were on a busy machine, which slowed both sides.
  const pairs = [
    { here: [sample("an intake", 50)], there: [sample("an intake", 100)] },
    { here: [sample("an intake", 90)], there: [sample("an intake", 150)] },
    { here: [sample("an intake", 100)], there: [sample("an intake", 160)] },
  ];
  assert.deepEqual(compare(pairs), [
    { name: "an intake", unit: "µs", here: 90, there: 150, ratio: 0.6, spread: [0.5, 0.625] },
  ]);
});

test("a figure that one side does not have is left out", () => {
  const both = { here: [sample("old", 1), sample("new", 2)], there: [sample("old", 2)] };
  assert.deepEqual(
    compare([both]).map(({ name }) => name),
    ["old"],
  );
  assert.deepEqual(compare([]), []);
});

test("the figures of one side are the medians of its rounds", () => {
  const rounds = [3, 1, 2].map((value) => [sample("an intake", value)]);
  assert.deepEqual(medians(rounds), [sample("an intake", 2)]);
});
