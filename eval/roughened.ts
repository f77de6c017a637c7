import sharp from "sharp";
import type { Sharp } from "sharp";
import { randomness, valueNoise } from "../src/receipts/samples/seeded-noise.ts";

/** Three bytes a pixel, row after row. */
interface Raster {
  data: Buffer;
  width: number;
  height: number;
}

/** Chance by the seed; `printPx` is about the height of a row of print. */
interface Chance {
  seed: number;
  random: () => number;
  within: (low: number, high: number) => number;
  sign: 1 | -1;
  printPx: number;
}

const WAYS = {
  tilted: (sheet, { seed, within, sign }) =>
    jpeg(onTable(sheet, seed, { ...FLAT, angle: sign * within(2, 7) * (Math.PI / 180) })),
  perspective: (sheet, { seed, within, sign }) =>
    jpeg(onTable(sheet, seed, { ...FLAT, across: within(-0.1, 0.1), down: sign * within(0.05, 0.12) })),
  bent: (sheet, { seed, within, sign, printPx }) =>
    jpeg(onTable(sheet, seed, { ...FLAT, bendPx: sign * within(0.4, 1.2) * printPx })),
  // A blur damages print of 20 px as much as a blur of twice the radius damages print of 40 px.
  blurred: (sheet, { within, printPx }) => jpeg(sheet, (image) => image.blur(within(0.045, 0.085) * printPx)),
  dark: (sheet, { within, random }) => {
    const light = within(0.25, 0.45);
    return jpeg(lit(sheet, () => light, 7, random));
  },
  shaded: (sheet, { within, random }) => {
    // The edge of a shadow across the page, and the lamp's light falling off.
    const edge = within(0.3, 0.7);
    const slope = within(-0.5, 0.5);
    const depth = within(0.4, 0.6);
    const light = (x: number, y: number): number =>
      (1 - depth / (1 + Math.exp((y - edge - slope * (x - 0.5)) * 40))) * (1 - 0.35 * x);
    return jpeg(lit(sheet, light, 3, random));
  },
  compressed: (sheet) => jpeg(sheet, (image) => image.jpeg({ quality: 40 })),
  small: (sheet) => jpeg(sheet, (image) => image.resize(Math.round(0.6 * sheet.width))),
  cluttered: (sheet, { seed, within, sign }) =>
    jpeg(onTable(sheet, seed, { ...FLAT, margin: within(0.2, 0.5), angle: sign * within(0, 0.02) })),
} satisfies Record<string, (sheet: Raster, chance: Chance) => Promise<Buffer>>;

/** Kinds of damage between the paper and the OCR. */
export type Roughness = keyof typeof WAYS;
export const ROUGHNESSES = Object.keys(WAYS) as readonly Roughness[];

/** Returns a picture damaged in one way. The seed sets how much; the same seed gives the same picture. */
export async function roughened(picture: Uint8Array, roughness: Roughness, seed: number): Promise<Buffer> {
  const random = randomness(seed * 7919 + ROUGHNESSES.indexOf(roughness));
  const sign = random() < 0.5 ? -1 : 1;
  const sheet = await decoded(picture);
  const within = (low: number, high: number): number => low + random() * (high - low);
  return WAYS[roughness](sheet, { seed, random, within, sign, printPx: Math.min(sheet.width, sheet.height) / 32 });
}

/**
 * Pose of a sheet before the camera: its angle, its tilt in two directions, the bend of its rows, the margin of table
 * around it.
 */
interface Pose {
  angle: number;
  across: number;
  down: number;
  bendPx: number;
  margin: number;
}
const FLAT: Pose = { angle: 0, across: 0, down: 0, bendPx: 0, margin: 0.08 };

/** Lays a picture as a sheet on a table with things lying about. */
function onTable(sheet: Raster, seed: number, { angle, across, down, bendPx, margin: marginShare }: Pose): Raster {
  const margin = Math.round(marginShare * Math.min(sheet.width, sheet.height));
  const width = sheet.width + 2 * margin;
  const height = sheet.height + 2 * margin;
  const noise = valueNoise(seed);
  const data = Buffer.alloc(3 * width * height);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const u = (x - width / 2) / (sheet.width / 2);
      const v = (y - height / 2) / (sheet.height / 2);
      const depth = 1 + across * u + down * v;
      const flatX = ((u / depth) * sheet.width) / 2;
      const flatY = ((v / depth) * sheet.height) / 2;
      const sheetX = flatX * cos - flatY * sin + sheet.width / 2;
      const sheetY = flatX * sin + flatY * cos + sheet.height / 2 + bendPx * Math.cos(2.5 * u);
      const isOnSheet = sheetX >= 0 && sheetX < sheet.width - 1 && sheetY >= 0 && sheetY < sheet.height - 1;
      const table = isOnSheet ? 0 : tableAt(x / width, y / height, noise);
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = isOnSheet ? sampleAt(sheet, sheetX, sheetY, channel) : table * (1 - 0.12 * channel);
    }
  }
  return { data, width, height };
}

/** Wood with bright and dark things on it. */
function tableAt(x: number, y: number, noise: (x: number, y: number) => number): number {
  const thing = noise(x * 9 + 40, y * 9);
  const grain = noise(x * 30, y * 260);
  if (thing > 0.72) return 215 - 60 * (noise(x * 120, y * 60) > 0.6 ? 1 : 0);
  return thing < 0.2 ? 35 + 20 * grain : 95 + 45 * grain;
}

function lit(
  { data, width, height }: Raster,
  light: (x: number, y: number) => number,
  grain: number,
  random: () => number,
): Raster {
  const out = Buffer.alloc(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const pixel = at / 3;
    const factor = light((pixel % width) / width, Math.floor(pixel / width) / height);
    const noise = (random() + random() - 1) * 2 * grain;
    for (let channel = 0; channel < 3; channel++)
      out[at + channel] = Math.min(255, Math.max(0, data[at + channel]! * factor + noise));
  }
  return { data: out, width, height };
}

function sampleAt({ data, width }: Raster, x: number, y: number, channel: number): number {
  const left = Math.floor(x);
  const at = 3 * (Math.floor(y) * width + left) + channel;
  const below = at + 3 * width;
  const right = x - left;
  const upper = data[at]! * (1 - right) + data[at + 3]! * right;
  const lower = data[below]! * (1 - right) + data[below + 3]! * right;
  return upper + (lower - upper) * (y - Math.floor(y));
}

async function decoded(picture: Uint8Array): Promise<Raster> {
  const { data, info } = await sharp(picture)
    .autoOrient()
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function jpeg({ data, width, height }: Raster, change: (image: Sharp) => Sharp = (image) => image): Promise<Buffer> {
  return change(sharp(data, { raw: { width, height, channels: 3 } }).jpeg({ quality: 85 })).toBuffer();
}
