import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pixels, Rectangle } from "./image.ts";
import { ofMainPaper } from "./main-paper.ts";
import { paperLevelsOf } from "./paper-levels.ts";

const WIDTH = 800;
const HEIGHT = 1000;
const PAPER = 240;
const TABLE = 110;

/** A picture by the level of each place. */
function picture(level: (x: number, y: number) => number): Pixels {
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let y = 0, at = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, at += 3) data[at] = data[at + 1] = data[at + 2] = level(x, y);
  return { data, width: WIDTH, height: HEIGHT };
}

function line(x: number, y: number, width: number, angle = 0): Rectangle {
  return { x, y, width, height: 24, angle, bend: 0 };
}

/** Names and amounts of a receipt from `left` on. */
function receipt(left: number, top: number, rows: number): Rectangle[] {
  return Array.from({ length: rows }, (_, i) => top + 40 * i).flatMap((y) => [
    line(left + 90, y, 180),
    line(left + 330, y, 60),
  ]);
}

function kept(pixels: Pixels, rectangles: readonly Rectangle[]): Rectangle[] {
  return ofMainPaper(rectangles, paperLevelsOf(pixels, WIDTH, HEIGHT), pixels);
}

const MAIN = receipt(60, 100, 18);
const OTHER = receipt(520, 80, 8).map((r) => ({ ...r, x: Math.min(r.x, 770) }));
const apart = picture((x) => (x > 440 && x < 490 ? TABLE : PAPER));

test("the lines of another receipt are left out, its amounts too, if something dark is between the two", () => {
  assert.deepEqual(kept(apart, [...OTHER, ...MAIN]), MAIN);
});

test("nothing is left out where all is on one paper, in a shadow too", () => {
  const all = [...OTHER, ...MAIN];
  assert.deepEqual(kept(picture(() => PAPER), all), all); // prettier-ignore
  assert.deepEqual(kept(picture((x) => (x > 450 ? 0.4 * PAPER : PAPER)), all), all); // prettier-ignore
});

test("lines of a letter at another angle are left out although all the paper is white", () => {
  const letter = Array.from({ length: 6 }, (_, i) => line(620, 150 + 50 * i, 330, 0.3));
  assert.deepEqual(kept(picture(() => PAPER), [...letter, ...MAIN]), MAIN); // prettier-ignore
});

test("a header above a dark bar, and a column of amounts at another angle on bent paper, belong to the receipt", () => {
  const bar = picture((_, y) => (y > 130 && y < 170 ? 20 : PAPER));
  const headed = [line(260, 60, 300), line(260, 100, 300), ...receipt(60, 220, 12)];
  assert.deepEqual(kept(bar, headed), headed);
  const bentRows = MAIN.map((r) => (r.width === 60 ? { ...r, width: 110, angle: 0.25 } : r));
  assert.deepEqual(kept(picture(() => PAPER), bentRows), bentRows); // prettier-ignore
});

test("the lines of ten notes beside the receipt are left out, each on a paper of its own", () => {
  const notes = Array.from({ length: 10 }, (_, i) => line(680, 60 + 90 * i, 160));
  const pinned = picture((x, y) => (x > 460 && (x < 520 || y % 90 < 20) ? TABLE : PAPER));
  assert.deepEqual(kept(pinned, [...notes, ...MAIN]), MAIN);
});

test("the receipt is in the middle, although a letter beside it has more and wider lines", () => {
  const rows = Array.from({ length: 14 }, (_, i) => 240 + 40 * i);
  const own = rows.flatMap((y) => [line(460, y, 100), line(640, y, 60)]);
  const letter = Array.from({ length: 24 }, (_, i) => line(190, 30 + 40 * i, 250));
  assert.deepEqual(
    kept(
      picture((x) => (x > 325 && x < 375 ? TABLE : PAPER)),
      [...letter, ...own],
    ),
    own,
  );
});

test("a thousand lines are compared within two seconds of the processor", () => {
  const many = Array.from({ length: 1_000 }, (_, i) => line(40 * (i % 20), 20 * Math.floor(i / 20), 100, (i % 7) / 10));
  const before = process.cpuUsage();
  kept(apart, many);
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

/** A receipt of 12 rows on a table, with the foot of another one above it. */
const BELOW = receipt(60, 300, 12);
const FOOT = receipt(60, 60, 4);
const onTable = (gap: number) => picture((x, y) => (x < 30 || x > 470 || (y > 210 && y < 260) ? gap : PAPER)); // prettier-ignore

test("the foot of another receipt above is left out if an edge goes all around the receipt's paper", () => {
  assert.deepEqual(kept(onTable(TABLE), [...FOOT, ...BELOW]), BELOW);
  const all = [...FOOT, ...BELOW];
  // The table is as bright as paper in a shadow, and beside the paper there is none of it.
  assert.deepEqual(kept(picture((_, y) => (y > 210 && y < 260 ? TABLE : PAPER)), all), all); // prettier-ignore
});

test("what is beyond a fold that gets dark by and by belongs to the receipt, and not what is beyond an edge", () => {
  const all = [...receipt(60, 20, 4), ...receipt(60, 340, 12)];
  const folded = (dark: (y: number) => number) => picture((x, y) => (x < 30 || x > 470 ? 20 : PAPER * (1 - dark(y))));
  assert.deepEqual(kept(folded((y) => 0.4 * Math.exp(-(((y - 240) / 80) ** 2))), all), all); // prettier-ignore
  assert.deepEqual(kept(folded((y) => (Math.abs(y - 240) < 40 ? 0.4 : 0)), all), all.slice(8)); // prettier-ignore
});

test("rows whose angle changes little by little down the paper are all of one receipt", () => {
  const rows = Array.from({ length: 22 }, (_, i) => line(260, 60 + 40 * i, 300, 0.012 * i));
  const crossed = picture((_, y) => (y > 588 && y < 594 ? 20 : PAPER));
  assert.deepEqual(kept(crossed, rows), rows);
});

test("a short line between the receipt's own is not another paper's, though that paper's lines are nearer", () => {
  const dark = picture((x) => (x > 440 && x < 490 ? TABLE : PAPER));
  // Its row has no name, and the nearest wide line that is reached over paper is the letter's.
  const own = [...Array.from({ length: 8 }, (_, i) => line(240, 100 + 40 * i, 340)), line(240, 640, 340)];
  const letter = Array.from({ length: 14 }, (_, i) => line(640, 100 + 40 * i, 280));
  const amount = line(400, 500, 30);
  const bridge = picture((x, y) => (x > 440 && x < 490 && (y < 480 || y > 520) ? TABLE : PAPER));
  assert.deepEqual(kept(dark, [...letter, ...own, amount]), [...own, amount]);
  assert.deepEqual(kept(bridge, [...letter, ...own, amount]), [...own, amount]);
});
