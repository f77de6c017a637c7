import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rectangle } from "./image.ts";
import { withoutTurnedPapers } from "./turned-papers.ts";

const PICTURE = { width: 800, height: 1000 };

function line(x: number, y: number, width: number, angle = 0): Rectangle {
  return { x, y, width, height: 24, angle, bend: 0 };
}

/** Names and amounts of a receipt in the middle. */
const OWN = Array.from({ length: 18 }, (_, i) => 160 + 40 * i).flatMap((y) => [line(350, y, 220), line(520, y, 60)]);

/** A letter under it, turned by an angle: its lines end at the receipt's left edge, and go on above it. */
const letter = (angle: number, pitch = 37): Rectangle[] => [
  ...Array.from({ length: 3 }, (_, i) => line(400, 10 + pitch * i, 700, angle)),
  ...Array.from({ length: 20 }, (_, i) => line(110, 140 + pitch * i, 230, angle)),
];

test("a letter under the receipt is left out where it is turned against it by two degrees", () => {
  assert.deepEqual(withoutTurnedPapers([...letter(0.04), ...OWN], PICTURE), OWN);
  assert.deepEqual(withoutTurnedPapers([...OWN, ...letter(-0.12)], PICTURE), OWN);
});

test("so is one of the same pitch, whose lines end out of the picture, but not one that ends in it", () => {
  const inPhase = letter(0.1, 40).map((r) => ({ ...r, y: r.y + 8 }));
  assert.deepEqual(withoutTurnedPapers([...inPhase, ...OWN], PICTURE), OWN);
  const within = [...inPhase.slice(3).map((r) => ({ ...r, x: 150, width: 160 })), ...OWN];
  assert.deepEqual(withoutTurnedPapers(within, PICTURE), within);
});

test("words of the letter above the receipt go with its lines, the receipt's logo and its bent head stay", () => {
  const words = [line(330, 95, 60), line(430, 90, 60)];
  const head = [line(400, 130, 60), line(420, 165, 220, 0.025)];
  const rows = OWN.slice(4);
  assert.deepEqual(withoutTurnedPapers([...letter(0.1), ...words, ...head, ...rows], PICTURE), [...head, ...rows]);
});

test("nothing is left out where the two lie alike, or all is the receipt", () => {
  const alike = [...letter(0.01), ...OWN];
  assert.deepEqual(withoutTurnedPapers(alike, PICTURE), alike);
  assert.deepEqual(withoutTurnedPapers(OWN, PICTURE), OWN);
  assert.deepEqual(withoutTurnedPapers([], PICTURE), []);
});

test("amounts on a bent side of the paper continue the rows, and are left in", () => {
  const bent = Array.from({ length: 18 }, (_, i) => 100 + 40 * i).flatMap((y) => [
    line(250, y, 260),
    line(500, y + 0.06 * 120, 180, 0.06),
  ]);
  assert.deepEqual(withoutTurnedPapers(bent, PICTURE), bent);
});

test("amounts beyond a fold, and those of curled paper, are as far from their rows as the rest, and are left in", () => {
  const ys = Array.from({ length: 24 }, (_, i) => 60 + 38 * i);
  const folded = ys.flatMap((y) => [line(250, y, 220 + (y % 90)), line(600, y + 11 + 0.05 * 100, 100, 0.05)]);
  assert.deepEqual(withoutTurnedPapers(folded, PICTURE), folded);
  const curl = 0.0002;
  const curled = ys.flatMap((y) => {
    const [name, amount] = [line(230 + (y % 90) / 2, y, 220 + (y % 90)), line(640, y, 150)];
    return [name, amount].map((each): Rectangle => {
      const away = each.x - 420;
      return { ...each, y: y + curl * away ** 2, angle: Math.atan(2 * curl * away), bend: curl };
    });
  });
  assert.deepEqual(withoutTurnedPapers(curled, PICTURE), curled);
});

test("a thousand lines are compared within two seconds of the processor", () => {
  const many = Array.from({ length: 1_000 }, (_, i) =>
    line(210 * (i % 5), 40 * Math.floor(i / 5), 200, 0.05 * (i % 5)),
  );
  const before = process.cpuUsage();
  withoutTurnedPapers(many, { width: 1_050, height: 8_000 });
  const { user } = process.cpuUsage(before);
  assert.ok(user < 2_000_000, `${user} µs`);
});
