import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../time.ts";
import { firstIdAt } from "../../ids.ts";
import { endingOf, isLong, isOver, missingParts, parseBounds, partLengthMs, subjectsOf } from "./part.ts";
import type { Part } from "./part.ts";

const NOON = Date.parse("2026-11-22T12:00:00Z");
const day = (n: number) => Date.parse("2026-11-22T00:00:00Z") + n * DAY_MS;
const days = (parts: readonly Part[]) =>
  parts.map(({ from, to }) => [from === null ? null : (from - day(0)) / DAY_MS, (to - day(0)) / DAY_MS]);
const missing = (parts: readonly Part[], now = NOON, takenUntil: number | null = null) =>
  days(missingParts(parts, { now, lengthMs: 7 * DAY_MS, takenUntil }));

test("a part is a quarter of the retention long, in days: one at least", () => {
  assert.deepEqual(
    [1, 3, 4, 30, 365].map((retention) => partLengthMs(retention * DAY_MS) / DAY_MS),
    [1, 1, 1, 7, 91],
  );
});

test("there is a part for everything up to a part's length from now", () => {
  assert.deepEqual(missing([]), [
    [0, 7],
    [7, 14],
  ]);
  assert.deepEqual(missing([{ from: null, to: day(8) }]), []);
  assert.deepEqual(missing([{ from: null, to: day(8) }], NOON + DAY_MS), [[8, 15]]);
  assert.deepEqual(
    missing([
      { from: null, to: day(1) },
      { from: day(1), to: day(8) },
    ]),
    [],
  );
});

test("after the clock has jumped ahead parts begin with its day, and end where an existing one begins", () => {
  assert.deepEqual(missing([{ from: null, to: day(8) }], NOON + 100 * DAY_MS), [
    [100, 107],
    [107, 114],
  ]);
  assert.deepEqual(missing([{ from: day(100), to: day(107) }], NOON + 96 * DAY_MS), [[96, 100]]);
});

test("a part begins on the day after the last row that none had", () => {
  assert.deepEqual(missing([], NOON, day(0) + 1), [[1, 8]]);
  assert.deepEqual(missing([{ from: null, to: day(3) }], NOON, day(4)), [[5, 12]]);
});

test("a part is over when all its subjects are from before", () => {
  const part = { from: day(0), to: day(7) };
  assert.deepEqual(
    [day(6), day(7) - 1, day(7), day(8)].map((until) => isOver(part, until)),
    [false, false, true, true],
  );
});

test("a part that is longer than those made now is not waited for", () => {
  assert.equal(isLong({ from: day(0), to: day(7) }, 7 * DAY_MS), false);
  assert.equal(isLong({ from: day(0), to: day(8) }, 7 * DAY_MS), true);
  assert.equal(isLong({ from: null, to: day(7) }, 7 * DAY_MS), true);
});

test("the bounds of a part are read as PostgreSQL writes them", () => {
  const bounds = `FOR VALUES FROM ('${firstIdAt(day(0))}') TO ('${firstIdAt(day(7))}')`;
  assert.deepEqual(parseBounds(bounds), { from: day(0), to: day(7) });
  assert.deepEqual(parseBounds(`FOR VALUES FROM (MINVALUE) TO ('${firstIdAt(day(7))}')`), { from: null, to: day(7) });
  assert.deepEqual(subjectsOf({ from: null, to: day(7) }), [firstIdAt(0), firstIdAt(day(7))]);
  assert.equal(endingOf(day(0)), "20261122");
});
