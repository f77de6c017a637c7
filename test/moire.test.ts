import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { moirePeak } from "../src/images/moire.ts";
import type { Pixels } from "../src/images/normalise.ts";
import { randomness, valueNoise } from "../src/receipts/samples/seeded-noise.ts";
import { CHECK_THRESHOLDS } from "../src/receipts/checks/authenticate.ts";

const SIDE_PX = 700;

async function pixelsOf(jpeg: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(jpeg).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Returns rows of strokes like print on grey paper, with the noise of a sensor; `shade` darkens a place. */
async function picture(shade: (x: number, y: number) => number): Promise<Pixels> {
  const random = randomness(7);
  const letters = valueNoise(7);
  const data = Buffer.alloc(SIDE_PX * SIDE_PX);
  for (let y = 0; y < SIDE_PX; y++)
    for (let x = 0; x < SIDE_PX; x++) {
      const print = y % 32 < 18 && letters(x / 5, y / 7) > 0.6 ? 60 : 210;
      data[y * SIDE_PX + x] = print * shade(x, y) + 8 * random();
    }
  const raw = { width: SIDE_PX, height: SIDE_PX, channels: 1 } as const;
  return pixelsOf(await sharp(data, { raw }).blur(0.6).jpeg({ quality: 90 }).toBuffer());
}

test("the grid of a screen photographed at an angle has a high peak, print on paper has a low one", async () => {
  const paper = moirePeak(await picture(() => 1));
  const grid = (x: number, y: number): number => ((0.97 * x + 0.05 * y) % 2.7 < 0.9 ? 0.6 : 1);
  const screen = moirePeak(await picture(grid));
  assert.ok(paper <= CHECK_THRESHOLDS.moirePeakMax, `paper: ${paper}`);
  assert.ok(screen > CHECK_THRESHOLDS.moirePeakMax, `screen: ${screen}`);
});

test("a picture smaller than a tile has none", () => {
  assert.equal(moirePeak({ data: new Uint8Array(3 * 40 * 40).fill(255), width: 40, height: 40 }), 0);
});
