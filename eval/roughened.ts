import type { Sharp } from "sharp";
import { chanceBy } from "./roughened/chance.ts";
import type { Chance, Strength } from "./roughened/chance.ts";
import { page, screenshot } from "./roughened/frames.ts";
import { beside, cluttered, overlapping, stacked } from "./roughened/papers.ts";
import { bent, creased, crumpled, curled, cut, large, perspective, tilted, waved } from "./roughened/poses.ts";
import { decoded, jpegOf, lit, sharpOf } from "./roughened/raster.ts";
import type { Raster } from "./roughened/raster.ts";
import { overshadowed } from "./roughened/shadow.ts";

const lying =
  (pose: (sheet: Raster, chance: Chance) => Promise<Raster>) =>
  async (sheet: Raster, chance: Chance): Promise<Buffer> =>
    jpegOf(await pose(sheet, chance));

const changed = async (sheet: Raster, change: (image: Sharp) => Sharp): Promise<Buffer> =>
  change(sharpOf(sheet)).jpeg({ quality: 85 }).toBuffer();

/** The blur of a hand that moves by this length while the picture is taken. */
function streak(lengthPx: number, angle: number): { width: number; height: number; kernel: number[] } {
  const half = Math.max(1, Math.ceil(lengthPx / 2));
  const side = 2 * half + 1;
  const kernel = Array<number>(side * side).fill(0);
  const steps = 8 * side;
  for (let i = 0; i < steps; i++) {
    const along = ((i + 0.5) / steps - 0.5) * lengthPx;
    const [x, y] = [Math.round(half + along * Math.cos(angle)), Math.round(half + along * Math.sin(angle))];
    kernel[y * side + x]! += 1;
  }
  return { width: side, height: side, kernel };
}

/** Kinds of damage between the paper and the OCR. */
const WAYS = {
  tilted: lying(tilted),
  perspective: lying(perspective),
  bent: lying(bent),
  curled: lying(curled),
  creased: lying(creased),
  crumpled: lying(crumpled),
  cut: lying(cut),
  cluttered: lying(cluttered),
  beside: lying(beside),
  large,
  screenshot: (sheet, { strength, seed }) => screenshot(sheet, strength, seed),
  page: (sheet, { strength, seed }) => page(sheet, strength, seed),
  // A blur damages print of 20 px as much as a blur of twice the radius damages print of 40 px.
  blurred: (sheet, { of, printPx }) =>
    changed(sheet, (image) => image.blur(Math.max(0.3, of([0.03, 0.05], [0.05, 0.08], [0.08, 0.11]) * printPx))),
  shaken: (sheet, { of, printPx, within }) => {
    const kernel = streak(of([0.1, 0.18], [0.18, 0.28], [0.28, 0.4]) * printPx, within(0, Math.PI));
    return changed(sheet, (image) => image.convolve(kernel));
  },
  noisy: (sheet, { of, random }) =>
    jpegOf(
      lit(sheet, () => 0.85, of([10, 18], [18, 28], [28, 40]), random),
      75,
    ),
  dark: (sheet, { of, random }) => {
    const light = of([0.4, 0.55], [0.22, 0.4], [0.12, 0.22]);
    return jpegOf(lit(sheet, () => light, 7, random));
  },
  shaded: (sheet, { of, within, random }) => {
    // The edge of a shadow across the page, and the lamp's light falling off.
    const edge = within(0.3, 0.7);
    const slope = within(-0.5, 0.5);
    const depth = of([0.3, 0.45], [0.45, 0.65], [0.65, 0.82]);
    const light = (x: number, y: number): number =>
      (1 - depth / (1 + Math.exp((y - edge - slope * (x - 0.5)) * 40))) * (1 - 0.35 * x);
    return jpegOf(lit(sheet, light, 3, random));
  },
  compressed: (sheet, { of }) => jpegOf(sheet, Math.round(of([35, 50], [20, 35], [10, 20]))),
  small: (sheet, { of }) =>
    changed(sheet, (image) => image.resize(Math.round(of([0.6, 0.75], [0.45, 0.6], [0.32, 0.45]) * sheet.width))),
  // A kind's place is in its seeds: new ones come last.
  waved: lying(waved),
  overlapping: lying(overlapping),
  stacked: lying(stacked),
  overshadowed: (sheet, chance) => jpegOf(overshadowed(sheet, chance)),
} satisfies Record<string, (sheet: Raster, chance: Chance) => Promise<Buffer>>;

/** The name of a kind of damage. */
export type Roughness = keyof typeof WAYS;
export const ROUGHNESSES = Object.keys(WAYS) as readonly Roughness[];
export const STRENGTHS: readonly Strength[] = [1, 2, 3];
export type { Strength } from "./roughened/chance.ts";

/**
 * Photos are scaled to this first: one of 12 megapixels that becomes a part of a larger picture has more than the 50
 * that the service takes, and was counted as not read (10 of 28 on letters).
 */
const PHOTO_LONG_SIDE_PX = 2_200;

/** Returns a picture damaged in one way. The same seed gives the same picture. */
export async function roughened(
  picture: Uint8Array,
  roughness: Roughness,
  strength: Strength,
  seed: number,
): Promise<Buffer> {
  const sheet = await decoded(picture, PHOTO_LONG_SIDE_PX);
  const chance = chanceBy((seed * 7919 + ROUGHNESSES.indexOf(roughness)) * 3 + strength, strength, sheet);
  return WAYS[roughness](sheet, chance);
}
