import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLanes } from "./lanes.ts";

const LIMITS = { runningMax: 128, runningPerLaneMax: 16, heldPerLaneMax: 64, heldMax: 1_024, fullLaneHeld: 4_096 };

function startAll(lanes: ReturnType<typeof createLanes<number>>): Map<string, number> {
  const started = new Map<string, number>();
  for (let next = lanes.start(); next !== null; next = lanes.start())
    started.set(next.key, (started.get(next.key) ?? 0) + 1);
  return started;
}

test("one endpoint has at most 16 under way, however much waits", () => {
  const lanes = createLanes<number>(LIMITS);
  for (let i = 0; i < 64; i++) lanes.add("a", [i]);
  assert.deepEqual(startAll(lanes), new Map([["a", 16]]));
});

test("a lane that has something finished may start something else", () => {
  const lanes = createLanes<number>({ ...LIMITS, runningPerLaneMax: 1 });
  lanes.add("a", [1, 2]);
  lanes.add("a", [3]);
  const first = lanes.start()!;
  assert.deepEqual(first.chain, [1, 2]);
  assert.equal(lanes.start(), null);
  lanes.finish("a", first.chain);
  assert.deepEqual(lanes.start()!.chain, [3]);
});

test("lanes take turns", () => {
  const lanes = createLanes<number>(LIMITS);
  for (const key of ["a", "b"]) for (const item of [1, 2]) lanes.add(key, [item]);
  assert.deepEqual(
    Array.from({ length: 4 }, () => lanes.start()!.key),
    ["a", "b", "a", "b"],
  );
});

test("however many endpoints hang, a healthy one finds a place at once", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (hanging) => {
      const lanes = createLanes<number>({ ...LIMITS, heldMax: 10_000 });
      for (let lane = 0; lane < hanging; lane++) for (let i = 0; i < 64; i++) lanes.add(`hangs-${lane}`, [i]);
      startAll(lanes);
      lanes.add("healthy", [1]);
      assert.equal(lanes.start()?.key, "healthy");
    }),
  );
});

test("a lane takes in more only when it is half empty, and all of them share what memory is left", () => {
  const lanes = createLanes<number>({ ...LIMITS, heldMax: 100 });
  assert.deepEqual(lanes.rooms(["a"]), [{ key: "a", room: 50 }]);
  assert.deepEqual(lanes.rooms(["a", "b", "c", "d"])[0], { key: "a", room: 20 });
  lanes.add(
    "a",
    Array.from({ length: 40 }, (_, i) => i),
  );
  assert.deepEqual(lanes.rooms(["a", "b"]), [{ key: "b", room: 30 }]);
  lanes.add(
    "b",
    Array.from({ length: 60 }, (_, i) => i),
  );
  assert.deepEqual(lanes.rooms(["c"]), []);
});

test("what waits can be taken back; what is under way goes on", () => {
  const lanes = createLanes<number>(LIMITS);
  lanes.add("a", [1]);
  lanes.add("b", [2, 3]);
  const { key, chain } = lanes.start()!;
  assert.equal(key, "a");
  assert.deepEqual(lanes.clear("b"), [[2, 3]]);
  assert.deepEqual(lanes.clear(), []);
  assert.equal(lanes.held, 1);
  lanes.finish(key, chain);
  assert.deepEqual([lanes.held, lanes.running], [0, 0]);
});

test("however many endpoints hang, a healthy one finds memory at once", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (hanging) => {
      const lanes = createLanes<number>(LIMITS);
      const keys = Array.from({ length: hanging }, (_, i) => `hangs-${i}`);
      for (const { key, room } of lanes.rooms(keys)) lanes.add(key, Array<number>(room).fill(0));
      const [healthy] = lanes.rooms(["healthy"]);
      assert.ok(healthy!.room > 0);
    }),
  );
});
