import assert from "node:assert/strict";
import { test } from "node:test";
import { createLastUses } from "./last-uses.task.ts";

/** Notes of uses with a clock and timers that the test moves; `saved` has what each write wrote, as seconds. */
function noting() {
  const state = { seconds: 0, isFailing: false, warnings: 0 };
  const saved: Record<string, number>[] = [];
  const timers: (() => void)[] = [];
  const silent = () => {};
  const uses = createLastUses({
    save: async (used) => {
      if (state.isFailing) throw new Error("no database");
      saved.push(Object.fromEntries([...used].map(([id, at]) => [id, at.getTime() / 1_000])));
    },
    now: () => new Date(state.seconds * 1_000),
    log: { debug: silent, info: silent, error: silent, warn: () => (state.warnings += 1) },
    later: (work) => timers.push(work),
  });
  const run = async () => {
    for (const work of timers.splice(0)) work();
    await new Promise((done) => setImmediate(done));
  };
  return { state, saved, timers, uses, run };
}

test("many uses are one write a minute and credential, apart from the calls", async () => {
  const { state, saved, timers, uses, run } = noting();
  for (let i = 0; i < 1_000; i++) uses.used(i % 2 === 0 ? "a" : "b");
  assert.deepEqual([saved.length, timers.length], [0, 1], "nothing is written by a call");
  await run();
  assert.deepEqual(saved, [{ a: 0, b: 0 }]);
  for (state.seconds = 1; state.seconds < 60; state.seconds++) uses.used("a");
  await run();
  assert.equal(saved.length, 1);
  uses.used("a");
  await run();
  assert.deepEqual(saved.slice(1), [{ a: 60 }]);
});

test("a failed write is logged, and the next use is written; a clock that is set back ends nothing", async () => {
  const { state, saved, uses, run } = noting();
  state.isFailing = true;
  uses.used("a");
  await run();
  assert.equal(state.warnings, 1);
  state.isFailing = false;
  state.seconds = 60;
  uses.used("a");
  await run();
  state.seconds = -1_000;
  uses.used("a");
  await run();
  assert.deepEqual(saved, [{ a: 60 }, { a: -1_000 }]);
});

test("at the end what is noted is written", async () => {
  const { saved, uses, run } = noting();
  uses.used("a");
  await uses.save();
  assert.deepEqual(saved, [{ a: 0 }]);
  await run();
  assert.equal(saved.length, 1);
});
