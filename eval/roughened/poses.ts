import { valueNoise } from "../../src/receipts/samples/seeded-noise.ts";
import type { Chance } from "./chance.ts";
import { decoded, jpegOf, sharpOf } from "./raster.ts";
import type { Raster } from "./raster.ts";
import { extentOf, seen } from "./sheet.ts";
import type { Shape, View } from "./sheet.ts";
import { lying, onTable } from "./table.ts";

// How paper lies before the camera.

const DEGREE = Math.PI / 180;
/** Margin of table around the paper, as a share of its shorter side. */
const MARGIN = 0.08;
/** A phone's 12 megapixels. */
const FRAME = { long: 4032, short: 3024 } as const;

async function alone(sheet: Raster, shape: Shape, view: View, { seed, shorter }: Chance): Promise<Raster> {
  return onTable([{ sheet, mesh: seen(sheet, shape, view), x: 0, y: 0 }], MARGIN * shorter, seed);
}

/** Turned in the picture. */
export function tilted(sheet: Raster, chance: Chance): Promise<Raster> {
  const roll = chance.sign * chance.of([2, 5], [5, 10], [10, 18]) * DEGREE;
  return alone(sheet, {}, { roll }, chance);
}

/** Seen from the side or from below. */
export function perspective(sheet: Raster, chance: Chance): Promise<Raster> {
  const lean = chance.of([10, 18], [18, 28], [28, 38]) * DEGREE;
  const towards = chance.within(0, 2 * Math.PI);
  const view = { pitch: lean * Math.sin(towards), yaw: lean * Math.cos(towards), roll: chance.within(-3, 3) * DEGREE };
  return alone(sheet, {}, { ...view, distance: 1.4 }, chance);
}

/** Rounded along its length, as over a hand: its rows are arcs. */
export function bent(sheet: Raster, chance: Chance): Promise<Raster> {
  const arc = chance.sign * chance.of([30, 50], [50, 75], [75, 105]) * DEGREE;
  const pitch = chance.within(12, 20) * DEGREE;
  return alone(sheet, { across: (share) => arc * (share - 0.5) }, { pitch }, chance);
}

/** Rolled as it came from the till: its ends rise, and rows there are low. */
export function curled(sheet: Raster, chance: Chance): Promise<Raster> {
  const arc = chance.of([50, 80], [80, 115], [115, 145]) * DEGREE;
  const centre = chance.within(0.35, 0.65);
  const view = { pitch: chance.within(-8, 8) * DEGREE, yaw: chance.sign * chance.within(5, 14) * DEGREE };
  return alone(sheet, { down: (share) => arc * (share - centre) }, view, chance);
}

/** In waves along its length, as a long roll lies, and seen from the side: its rows run up and down, high and low. */
export function waved(sheet: Raster, chance: Chance): Promise<Raster> {
  const steep = chance.of([12, 20], [20, 30], [30, 42]) * DEGREE;
  const count = chance.within(1.5, 3.5);
  const phase = chance.within(0, 2 * Math.PI);
  const view = { pitch: chance.within(-8, 8) * DEGREE, yaw: chance.sign * chance.within(10, 22) * DEGREE };
  return alone(sheet, { down: (share) => steep * Math.sin(2 * Math.PI * count * share + phase) }, view, chance);
}

/** Folded two or three times across, once along, and opened. */
export function creased(sheet: Raster, chance: Chance): Promise<Raster> {
  const angle = (): number => chance.of([6, 12], [12, 20], [20, 30]) * DEGREE;
  const folds = (count: number): ((share: number) => number) => {
    const slopes = Array.from({ length: count + 1 }, (_, i) => ((i % 2 === 0 ? 1 : -1) * chance.sign * angle()) / 2);
    const places = Array.from({ length: count }, (_, i) => (i + 1 + chance.within(-0.15, 0.15)) / (count + 1));
    return (share) => slopes[places.filter((place) => place < share).length]!;
  };
  const view = { pitch: chance.within(-10, 10) * DEGREE, yaw: chance.within(-10, 10) * DEGREE };
  return alone(sheet, { down: folds(chance.strength === 1 ? 2 : 3), across: folds(1) }, view, chance);
}

/** Crushed in a pocket and smoothed out. */
export function crumpled(sheet: Raster, chance: Chance): Promise<Raster> {
  const { shorter, seed } = chance;
  const depth = chance.of([0.012, 0.018], [0.018, 0.028], [0.028, 0.04]) * shorter;
  const noise = valueNoise(seed);
  const at = (u: number, v: number): number => {
    const [x, y] = [(5 * u * sheet.width) / shorter, (5 * v * sheet.height) / shorter];
    // Ridges, as paper has: where the noise crosses a half.
    return -2 * depth * (Math.abs(noise(x, y) - 0.5) + 0.5 * Math.abs(noise(2.3 * x + 9, 2.3 * y) - 0.5));
  };
  const view = { pitch: chance.within(-12, 12) * DEGREE, yaw: chance.within(-12, 12) * DEGREE };
  return alone(sheet, { relief: at }, view, chance);
}

/** Partly out of the picture: its left edge and its foot, at first without print, then a letter or two with it. */
export async function cut(sheet: Raster, chance: Chance): Promise<Raster> {
  const mesh = lying(sheet, chance.within(-1.5, 1.5) * DEGREE);
  const lost = chance.of([0, 0.02], [0.03, 0.05], [0.06, 0.09]) * sheet.width;
  const foot = chance.of([0, 0.02], [0.02, 0.05], [0.05, 0.1]) * sheet.height;
  return onTable([{ sheet, mesh, x: 0, y: 0 }], [-lost, 0.1 * sheet.width, -0.01 * sheet.width, -foot], chance.seed);
}

/** A photo of 12 megapixels in which the paper takes most of the length, two thirds, or less than half. */
export async function large(sheet: Raster, chance: Chance): Promise<Buffer> {
  const isUpright = sheet.height >= sheet.width;
  const [width, height] = isUpright ? [FRAME.short, FRAME.long] : [FRAME.long, FRAME.short];
  const fill = chance.of([0.85, 0.95], [0.6, 0.75], [0.4, 0.5]);
  const scale = fill * Math.min(width / sheet.width, height / sheet.height);
  const resized = await decoded(await sharpOf(sheet).resize(Math.round(sheet.width * scale), null, { kernel: "cubic" }).png().toBuffer()); // prettier-ignore
  const mesh = lying(resized, chance.within(-3, 3) * DEGREE);
  const [left, top, right, bottom] = extentOf(mesh);
  const [freeX, freeY] = [Math.max(0, width - (right - left)), Math.max(0, height - (bottom - top))];
  const [x, y] = [freeX * chance.within(0.3, 0.7), freeY * chance.within(0.3, 0.7)];
  const photo = await onTable([{ sheet: resized, mesh, x: 0, y: 0 }], [x, y, freeX - x, freeY - y], chance.seed);
  return jpegOf(photo, 90);
}
