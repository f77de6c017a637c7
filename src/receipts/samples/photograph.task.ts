import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import type { Drawing } from "./drawing.ts";
import { randomness, valueNoise } from "./seeded-noise.ts";

/** A drawing to photograph. `isPaper`: a sheet on a table; otherwise the drawing fills the frame. */
export interface PhotoDrawing extends Drawing {
  readonly isPaper: boolean;
}

/** A sheet of pixels, 3 bytes each, row by row. */
interface Raster {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The eight numbers of a homography that maps a point of the photo to the sheet with corners (0, 0) and (1, 1). */
type Homography = readonly [number, number, number, number, number, number, number, number];
type Point = readonly [x: number, y: number];

/** Position, light and background of a sheet: everything that depends on the seed. */
interface Scene {
  readonly toSheet: Homography;
  readonly noise: (x: number, y: number) => number;
  readonly creases: readonly {
    readonly u: number;
    readonly v: number;
    readonly slope: number;
    readonly depth: number;
  }[];
  readonly curl: { readonly amplitude: number; readonly phase: number };
  readonly light: { readonly x: number; readonly y: number; readonly fall: number };
  readonly shade: { readonly x: number; readonly y: number; readonly radius: number; readonly depth: number };
  /** Depth of the teeth of the torn edges, in heights of the sheet. */
  readonly tear: number;
  readonly warmth: number;
  /** Position of the photo on the table, in pixels. */
  readonly table: { readonly x: number; readonly y: number };
}

// Half the size of a phone's picture: print is still about 20 px high, and a JPEG has about half a megabyte.
const FRAME_LONG_PX = 2000;
const FRAME_ASPECT = 3 / 4;
/** Share of the frame that a sheet fills. */
const FILL = 0.86;
/** A chunk of rows takes a few milliseconds; requests are served between chunks. */
const ROWS_AT_ONCE = 16;
/** Number of points and notches along a torn edge. */
const TEETH = 90;
const SENSOR_NOISE = 9;
const LENS_BLUR_PX = 0.6;
const JPEG_QUALITY = 80;
const PLANK_PX = 520;
const WOOD: readonly [number, number, number] = [126, 92, 62];

/**
 * Renders a drawing as a synthetic photo, a JPEG like a phone's: a little turned and tilted, folded, unevenly lit, on a
 * wooden table, with noise and blur. The same drawing and seed give the same picture. The drawing must name no font, so
 * that it needs no installed fonts.
 */
export async function photograph(
  drawing: PhotoDrawing,
  options: { seed: number; frameLongPx?: number },
): Promise<Buffer> {
  const isUpright = drawing.heightPx >= drawing.widthPx;
  const longPx = options.frameLongPx ?? FRAME_LONG_PX;
  const shortPx = Math.round(longPx * FRAME_ASPECT);
  const width = isUpright ? shortPx : longPx;
  const height = isUpright ? longPx : shortPx;
  const sheet = await rasterise(drawing.svg);
  const scene = arrange(drawing, { width, height }, options.seed);
  const random = randomness(options.seed ^ 0x5eed);
  const photo = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    exposeRow(photo, y, { width, height }, sheet, scene, random);
    if (y % ROWS_AT_ONCE === 0) await setImmediate();
  }
  return sharp(photo, { raw: { width, height, channels: 3 } })
    .blur(LENS_BLUR_PX)
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

async function rasterise(svg: string): Promise<Raster> {
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Places the sheet on the table, folds it and sets the light. */
function arrange(drawing: PhotoDrawing, frame: { width: number; height: number }, seed: number): Scene {
  const random = randomness(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const fill = drawing.isPaper ? FILL : 1.04;
  const scale = Math.min((frame.width * fill) / drawing.widthPx, (frame.height * fill) / drawing.heightPx);
  const halfWidth = (drawing.widthPx * scale) / 2;
  const halfHeight = (drawing.heightPx * scale) / 2;
  const centre: Point = [frame.width / 2 + between(-20, 20), frame.height / 2 + between(-12, 12)];
  const angle = drawing.isPaper ? between(0.008, 0.03) * (random() < 0.5 ? -1 : 1) : 0;
  const tilt = drawing.isPaper ? 0.016 : 0;
  const corner = (x: number, y: number): Point => {
    const across = x * halfWidth * (1 + between(-tilt, tilt));
    const down = y * halfHeight * (1 + between(-tilt, tilt) / 2);
    return [
      centre[0] + across * Math.cos(angle) - down * Math.sin(angle),
      centre[1] + across * Math.sin(angle) + down * Math.cos(angle),
    ];
  };
  return {
    toSheet: homographyFrom([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]),
    noise: valueNoise(seed),
    creases: drawing.isPaper
      ? [0.34, 0.67].map((v) => ({
          u: 0.5,
          v: v + between(-0.04, 0.04),
          slope: between(-0.05, 0.05),
          depth: between(0.05, 0.1) * (random() < 0.5 ? -1 : 1),
        }))
      : [],
    curl: { amplitude: drawing.isPaper ? between(0.0015, 0.004) : 0, phase: between(0, 2 * Math.PI) },
    light: { x: between(-1, 1), y: between(-1, 1), fall: between(0.1, 0.2) },
    shade: {
      x: random() < 0.5 ? between(-0.15, 0.1) : between(0.9, 1.15),
      y: between(0.6, 1.1),
      radius: between(0.35, 0.55),
      depth: between(0.12, 0.25),
    },
    tear: drawing.isPaper ? (0.011 * drawing.widthPx) / drawing.heightPx : 0,
    warmth: between(0.02, 0.08),
    table: { x: between(0, 5_000), y: between(0, 5_000) },
  };
}

/** Computes one row of the photo. */
function exposeRow(
  photo: Uint8Array,
  y: number,
  frame: { width: number; height: number },
  sheet: Raster,
  scene: Scene,
  random: () => number,
): void {
  const { toSheet: h, noise, curl } = scene;
  const aspect = sheet.height / sheet.width;
  for (let x = 0, at = y * frame.width * 3; x < frame.width; x++, at += 3) {
    const depth = h[6] * x + h[7] * y + 1;
    const flatU = (h[0] * x + h[1] * y + h[2]) / depth;
    const flatV = (h[3] * x + h[4] * y + h[5]) / depth;
    const u = flatU + curl.amplitude * 1.5 * Math.sin(5 * flatV + curl.phase);
    const v = flatV + curl.amplitude * Math.sin(4 * flatU + curl.phase);
    const light = lightAt(x / frame.width, y / frame.height, scene);
    const grain = (random() + random() - 1) * SENSOR_NOISE;
    const torn = scene.tear * zigzag(u);
    const isOnSheet = u >= 0 && u < 1 && v >= torn && v < 1 - torn;
    // Thermal print is dark grey and fades in patches; the paper is neither quite white nor quite even.
    const fade = isOnSheet ? 0.12 + 0.16 * noise(u * 5, v * aspect * 5) : 0;
    const relief = isOnSheet ? reliefAt(u, v, aspect, scene) * (0.94 + 0.04 * noise(u * 60, v * aspect * 60)) : 0;
    const wood = isOnSheet ? 0 : woodAt(x + scene.table.x, y + scene.table.y, noise) * shadowOfSheet(u, v, aspect);
    for (let channel = 0; channel < 3; channel++) {
      let value: number;
      if (isOnSheet) {
        const print = sampleAt(sheet, u, v, channel) / 255;
        value = 250 * (print + (1 - print) * fade) * relief;
      } else value = (WOOD[channel] as number) * wood;
      const tint = 1 + scene.warmth * (0.5 - channel / 2);
      photo[at + channel] = clampByte(value * light * tint + grain);
    }
  }
}

/** Returns the light at a point: less with distance from the lamp, and a soft round shadow like that of a hand. */
function lightAt(x: number, y: number, { light, shade }: Scene): number {
  const slope = light.x * (x - 0.5) + light.y * (y - 0.5);
  const distance = Math.hypot(x - shade.x, y - shade.y) / shade.radius;
  const shaded = shade.depth / (1 + distance ** 4);
  return (0.97 + light.fall * slope) * (1 - shaded);
}

/** Returns the depth of an edge cut by a till at `u`, from 0 to 1. */
function zigzag(u: number): number {
  return Math.abs(((u * TEETH) % 2) - 1);
}

/** Returns the brightness at folds: one side of a crease is lighter, the other darker. */
function reliefAt(u: number, v: number, aspect: number, { creases }: Scene): number {
  let relief = 1;
  for (const crease of creases) {
    const away = (v - crease.v - crease.slope * (u - crease.u)) * aspect;
    relief += crease.depth * Math.tanh(away * 90) * Math.exp(-Math.abs(away) * 7);
  }
  return relief;
}

/** Returns the brightness of the table: planks with fine grain along x and a dark joint between two planks. */
function woodAt(x: number, y: number, noise: Scene["noise"]): number {
  const bend = 30 * noise(x * 0.0015, y * 0.004);
  const grain = 0.55 * noise(x * 0.004, (y + bend) * 0.07) + 0.3 * noise(x * 0.012, (y + bend) * 0.35);
  const plank = Math.floor(y / PLANK_PX);
  const joint = Math.abs(y / PLANK_PX - plank - 0.5) > 0.494 ? 0.45 : 1;
  return (0.62 + 0.5 * grain + 0.16 * noise(plank * 7.3, 3.1)) * joint;
}

/** Returns the shadow of the sheet on the table beside its edge. */
function shadowOfSheet(u: number, v: number, aspect: number): number {
  const across = Math.max(-u, u - 1, 0);
  const down = Math.max(-v, v - 1, 0) * aspect;
  return 1 - 0.5 * Math.exp(-Math.hypot(across, down) * 45);
}

/** Interpolates the sheet at (u, v) between its four nearest pixels. */
function sampleAt({ data, width, height }: Raster, u: number, v: number, channel: number): number {
  const x = Math.min(Math.max(u * width - 0.5, 0), width - 1.001);
  const y = Math.min(Math.max(v * height - 0.5, 0), height - 1.001);
  const left = Math.floor(x);
  const top = Math.floor(y);
  const at = (top * width + left) * 3 + channel;
  const below = at + width * 3;
  const right = x - left;
  const upper = (data[at] as number) * (1 - right) + (data[at + 3] as number) * right;
  const lower = (data[below] as number) * (1 - right) + (data[below + 3] as number) * right;
  return upper + (lower - upper) * (y - top);
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value);
}

/**
 * Returns the homography that maps four corners (clockwise from the top left) to the unit square: the inverse of the
 * map from the square to a quadrilateral (Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, 2.2.3).
 */
function homographyFrom([p0, p1, p2, p3]: readonly [Point, Point, Point, Point]): Homography {
  const sumX = p0[0] - p1[0] + p2[0] - p3[0];
  const sumY = p0[1] - p1[1] + p2[1] - p3[1];
  const [dx1, dy1, dx2, dy2] = [p1[0] - p2[0], p1[1] - p2[1], p3[0] - p2[0], p3[1] - p2[1]];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sumX * dy2 - dx2 * sumY) / determinant;
  const h = (dx1 * sumY - sumX * dy1) / determinant;
  const [a, b, c] = [p1[0] - p0[0] + g * p1[0], p3[0] - p0[0] + h * p3[0], p0[0]];
  const [d, e, f] = [p1[1] - p0[1] + g * p1[1], p3[1] - p0[1] + h * p3[1], p0[1]];
  // The adjoint, scaled so that its last number is 1.
  const last = a * e - b * d;
  const adjoint = [
    e - f * h,
    c * h - b,
    b * f - c * e,
    f * g - d,
    a - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
  ];
  return adjoint.map((value) => value / last) as unknown as Homography;
}
