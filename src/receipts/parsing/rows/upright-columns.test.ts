import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "./rows.ts";
import { withUprightColumns } from "./upright-columns.ts";

const HEIGHT = 20;
const ROWS = 24;

/** A list whose amounts end at an x by their share of the way down the page; each fourth row has none. */
function list(edge: (share: number) => number): Row[] {
  return Array.from({ length: ROWS }, (_, i): Row => {
    const right = edge(i / (ROWS - 1));
    const name = { text: `GOODS ${"ABCDE".slice(i % 5)}`, left: 0, right: 150 + 10 * (i % 5), score: 1 };
    const cells = i % 4 === 0 ? [name] : [name, { text: `${i}.50`, left: right - 60, right, score: 1 }];
    const text = cells.map((cell) => cell.text).join("  ");
    return { cells, text, y: 40 * i, height: HEIGHT, left: 0, right: cells.at(-1)!.right, members: [] };
  });
}

function spreadOf(rows: readonly Row[]): number {
  const edges = rows.flatMap(({ cells }) => cells.slice(1).map(({ right }) => right));
  return Math.max(...edges) - Math.min(...edges);
}

for (const [name, edge] of [
  ["leans", (share: number) => 500 + 140 * share],
  ["bows", (share: number) => 500 + 300 * (share - 0.5) ** 2],
  ["leans and bows", (share: number) => 620 - 200 * share + 80 * share ** 2],
] as const) {
  test(`the column of amounts is upright where it ${name}`, () => {
    const rows = list(edge);
    assert.ok(spreadOf(rows) > 3 * HEIGHT);
    const upright = withUprightColumns(rows);
    assert.ok(spreadOf(upright) < 0.5 * HEIGHT, `${spreadOf(upright)}`);
    assert.deepEqual(upright.map(({ text }) => text), rows.map(({ text }) => text)); // prettier-ignore
  });
}

test("rows of a straight list stay as they are, with amounts in two columns too", () => {
  for (const rows of [
    list(() => 500),
    list((share) => (share < 0.5 ? 500 : 620)),
    list((share) => (Math.round(share * 23) % 3 === 0 ? 420 : 500)),
    list(() => 500).slice(0, 4),
  ])
    assert.deepEqual(withUprightColumns(rows), rows);
});
