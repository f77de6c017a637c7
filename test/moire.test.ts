import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { moirePeak } from "../src/images/moire.ts";
import { decodeShades } from "../src/images/normalise.ts";
import { randomness, valueNoise } from "../src/receipts/samples/seeded-noise.ts";
import { CHECK_THRESHOLDS } from "../src/receipts/checks/authenticate.ts";

const SIDE_PX = 700;
let folder = "";

before(async () => (folder = await mkdtemp(join(tmpdir(), "moire-"))));
after(() => rm(folder, { recursive: true }));

/** Draws rows of strokes like print on grey paper, with the noise of a sensor; `shade` darkens a place. */
async function picture(name: string, shade: (x: number, y: number) => number): Promise<string> {
  const random = randomness(7);
  const letters = valueNoise(7);
  const data = Buffer.alloc(SIDE_PX * SIDE_PX);
  for (let y = 0; y < SIDE_PX; y++)
    for (let x = 0; x < SIDE_PX; x++) {
      const print = y % 32 < 18 && letters(x / 5, y / 7) > 0.6 ? 60 : 210;
      data[y * SIDE_PX + x] = print * shade(x, y) + 8 * random();
    }
  const path = join(folder, name);
  const raw = { width: SIDE_PX, height: SIDE_PX, channels: 1 } as const;
  await sharp(data, { raw }).blur(0.6).jpeg({ quality: 90 }).toFile(path);
  return path;
}

test("the grid of a screen photographed at an angle has a high peak, print on paper has a low one", async () => {
  const paper = moirePeak(await decodeShades(await picture("paper.jpg", () => 1)));
  const grid = (x: number, y: number): number => ((0.97 * x + 0.05 * y) % 2.7 < 0.9 ? 0.6 : 1);
  const screen = moirePeak(await decodeShades(await picture("screen.jpg", grid)));
  assert.ok(paper <= CHECK_THRESHOLDS.moirePeakMax, `paper: ${paper}`);
  assert.ok(screen > CHECK_THRESHOLDS.moirePeakMax, `screen: ${screen}`);
});

test("a picture smaller than a tile has none", async () => {
  const path = join(folder, "small.jpg");
  await sharp({ create: { width: 40, height: 40, channels: 3, background: "white" } })
    .jpeg()
    .toFile(path);
  assert.equal(moirePeak(await decodeShades(path)), 0);
});
