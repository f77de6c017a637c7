import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { STEPS_MS, endWithin, stepWithin, sumDeliveries } from "./deliveries.ts";

test("a time counts as the next step, at the longest one as that", () => {
  assert.equal(endWithin("first", -20), "first.50", "a clock that went back");
  assert.equal(endWithin("first", 200), "first.200");
  assert.equal(endWithin("later", 200.5), "later.500");
  assert.equal(endWithin("later", 1e12), `later.${STEPS_MS.at(-1)}`);
});

test("ends are added up over all endpoints; replayed and failed deliveries have no time", () => {
  const figures = [
    { figure: "webhook.first.50", amount: 4 },
    { figure: "webhook.later.10000", amount: 1 },
    { figure: "webhook.replayed", amount: 2 },
    { figure: "webhook.failed", amount: 3 },
    { figure: "webhook.unknown", amount: 9 },
  ];
  const { ends, byStep } = sumDeliveries(figures);
  assert.deepEqual(ends, { first: 4, later: 1, replayed: 2, failed: 3 });
  assert.deepEqual([stepWithin(byStep, 0.5), stepWithin(byStep, 0.8), stepWithin(byStep, 0.95)], [50, 50, 10_000]);
  assert.equal(stepWithin(new Map(), 0.5), null);
  assert.equal(stepWithin(new Map([[50, 0]]), 0.5), null);
});

test("the step is that of the value at this place among all times", () => {
  const times = fc.array(fc.integer({ min: 0, max: 4e9 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95), (all, share) => {
      const figures = all.map((ms) => ({ figure: `webhook.${endWithin("first", ms)}`, amount: 1 }));
      const place = Math.ceil(share * all.length) - 1;
      const value = all.toSorted((a, b) => a - b)[place]!;
      assert.equal(`first.${stepWithin(sumDeliveries(figures).byStep, share)}`, endWithin("first", value));
    }),
  );
});
