import assert from "node:assert/strict";
import { test } from "node:test";
import { randomness } from "../../samples/seeded-noise.ts";
import { pageOf } from "../../../../test/support/lying-paper.ts";
import type { Lie, Print } from "../../../../test/support/lying-paper.ts";
import { rowsOf } from "./rows.ts";

const DEGREE = Math.PI / 180;
const PAPERS = 40;
const FLAT: Lie = { across: 0, along: 0, pitch: 0, yaw: 0, roll: 0 };

/** A list by chance: names of 4 to 17 heights, most with a price far to the right of them. */
function listBy(random: () => number): { prints: Print[]; size: [number, number]; rows: string[] } {
  const width = 26 + 14 * random();
  const pitch = 1.45 + 0.9 * random();
  const rows = Array.from({ length: 10 + Math.floor(30 * random()) }, (_, i): Print[] => {
    const y = 3 + pitch * i;
    const name = { text: `N${i}`, left: 1.5, right: Math.min(5.5 + 13 * random(), width - 9), y };
    const price = { text: `P${i}`, left: width - 3.7, right: width - 1.5, y };
    return random() < 0.85 ? [name, price] : [name];
  });
  const texts = rows.map((row) => row.map(({ text }) => text).join("  "));
  return { prints: rows.flat(), size: [width, 5 + pitch * rows.length], rows: texts };
}

/** Percentage of the rows of papers by chance that come out as printed. */
function percentRestored(lieBy: (within: (low: number, high: number) => number) => Partial<Lie>): number {
  let [restored, all] = [0, 0];
  for (let seed = 0; seed < PAPERS; seed++) {
    const random = randomness(seed);
    const within = (low: number, high: number): number => low + (high - low) * random();
    const { prints, size, rows } = listBy(random);
    const lie = { ...FLAT, ...lieBy(within) };
    const page = pageOf(prints, size, lie, () => 0.03 * (random() + random() + random() - 1.5));
    const read = new Set(rowsOf(page).map(({ text }) => text));
    restored += rows.filter((row) => read.has(row)).length;
    all += rows.length;
  }
  return (100 * restored) / all;
}

// Measured: 100, 100, 100, 98.3, 100, 100. With slopes of neighbouring boxes instead of a field of the whole page it
// was 100, 100, 86.9, 91.8, 90.2 and 98.5.
const WAYS: [name: string, least: number, lieBy: Parameters<typeof percentRestored>[0]][] = [
  ["lies flat", 100, () => ({})],
  ["is turned by up to 18°", 100, (within) => ({ roll: within(-18, 18) * DEGREE })],
  [
    "is seen from the side or from below, by up to 33°",
    99,
    (within) => {
      const [lean, towards] = [within(10, 33) * DEGREE, within(0, 2 * Math.PI)];
      return { pitch: lean * Math.sin(towards), yaw: lean * Math.cos(towards), roll: within(-3, 3) * DEGREE };
    },
  ],
  ["is bent over a hand", 97, (within) => ({ across: within(-60, 60) * DEGREE, pitch: within(12, 20) * DEGREE })],
  [
    "is curled along its length",
    99,
    (within) => ({ along: within(50, 145) * DEGREE, pitch: within(-8, 8) * DEGREE, yaw: within(-14, 14) * DEGREE }),
  ],
  [
    "is crumpled: the slope of rows changes every few rows",
    99,
    (within) => {
      const [most, often, from] = [within(0.01, 0.03), within(0.1, 0.25), within(0, 6)];
      return { twist: (y) => most * Math.sin(often * y + from) };
    },
  ],
];

for (const [name, least, lieBy] of WAYS) {
  test(`names and prices are rows where paper ${name}`, () => {
    const percent = percentRestored(lieBy);
    assert.ok(percent >= least, `${percent.toFixed(2)} %`);
  });
}
