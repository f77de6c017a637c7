import sharp from "sharp";
import { valueNoise } from "../../src/receipts/samples/seeded-noise.ts";
import { flatPaper } from "../drawn/draw.ts";
import { drawnReceipt } from "../drawn/drawn.ts";
import { newPaper } from "../drawn/paper.ts";
import { randomBy } from "../drawn/random.ts";
import { decoded, rasterOf } from "./raster.ts";
import type { Raster } from "./raster.ts";
import { drawSheet, extentOf, seen } from "./sheet.ts";
import type { Mesh } from "./sheet.ts";

/** The table is computed at this share of its size: it has nothing as fine as print. */
const TABLE_SCALE = 0.25;

/** A table of wood with bright and dark things on it. */
export async function table(width: number, height: number, seed: number): Promise<Raster> {
  const [w, h] = [Math.ceil(width * TABLE_SCALE), Math.ceil(height * TABLE_SCALE)];
  const noise = valueNoise(seed);
  const data = Buffer.alloc(3 * w * h);
  for (let y = 0, at = 0; y < h; y++) {
    for (let x = 0; x < w; x++, at += 3) {
      const level = tableAt(x / w, y / h, noise);
      for (let channel = 0; channel < 3; channel++) data[at + channel] = level * (1 - 0.12 * channel);
    }
  }
  return rasterOf(sharp(data, { raw: { width: w, height: h, channels: 3 } }).resize(width, height, { fit: "fill" }));
}

function tableAt(x: number, y: number, noise: (x: number, y: number) => number): number {
  const thing = noise(x * 9 + 40, y * 9);
  const grain = noise(x * 30, y * 260);
  if (thing > 0.72) return 215 - 60 * (noise(x * 120, y * 60) > 0.6 ? 1 : 0);
  return thing < 0.2 ? 35 + 20 * grain : 95 + 45 * grain;
}

/** A sheet in the picture: where its middle is from the picture's, in pixels. */
export interface Laid {
  readonly sheet: Raster;
  readonly mesh: Mesh;
  readonly x: number;
  readonly y: number;
}

/**
 * Draws sheets on a table, the last one on top. The picture ends `margin` pixels beside that one: on all sides, or from
 * left to bottom.
 */
export async function onTable(
  laid: readonly Laid[],
  margin: number | readonly [left: number, top: number, right: number, bottom: number],
  seed: number,
): Promise<Raster> {
  const main = laid.at(-1)!;
  const [left, top, right, bottom] = extentOf(main.mesh);
  const [l, t, r, b] = typeof margin === "number" ? [margin, margin, margin, margin] : margin;
  const canvas = await table(Math.round(right - left + l + r), Math.round(bottom - top + t + b), seed);
  for (const { sheet, mesh, x, y } of laid) drawSheet(canvas, sheet, mesh, x - left + l - main.x, y - top + t - main.y);
  return canvas;
}

const WORDS = "the of and to in is for that with on as by this from are be or an which your we will not have may please our more than its been about new time work page case part year week letter house until paper under between".split(" "); // prettier-ignore

/** A page of a letter: rows of words without a number. */
export async function letterPage(seed: number): Promise<Raster> {
  const random = randomBy(seed);
  const paper = newPaper(64);
  for (let row = 0; row < 40; row++) {
    if (random.chance(0.12)) paper.gap();
    else paper.text(Array.from({ length: 14 }, () => random.pick(WORDS)).join(" "));
  }
  return decoded(await flatPaper(paper, random));
}

/** Another receipt, as flat paper, with print of the same height. */
export async function otherReceipt(seed: number): Promise<Raster> {
  return decoded(await drawnReceipt(seed, "first").flat());
}

/** A sheet lying flat, turned by an angle. */
export function lying(sheet: Raster, roll: number): Mesh {
  return seen(sheet, {}, { roll });
}
