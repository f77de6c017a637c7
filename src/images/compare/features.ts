import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import { moved } from "./affine.ts";
import type { Affine, PlanePoint } from "./affine.ts";
import { equallyBleached } from "./clipped-highlights.ts";

/** A stored picture and how it was looked at: its size after it was turned clockwise by `rotation` degrees. */
export interface ViewedPicture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 90 | 180 | 270;
  /** Of its print, in pixels of that size. */
  readonly textHeight: number;
}

/** Four corners, top left first, clockwise. */
export type Quad = readonly [PlanePoint, PlanePoint, PlanePoint, PlanePoint];

/** How alike two pictures are at a place, each from -1 to 1: as a whole, and where they are least alike. */
export interface Resemblance {
  readonly whole: number;
  readonly weakest: number;
  /** How far from where the map leads the other picture shows the place, in heights of the place. */
  readonly aside: PlanePoint;
}

/** A picture in shades of grey, row after row. */
export interface GreyPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Its pixels to one of the size at which the picture was looked at. */
  readonly scale: number;
}

/** Pictures are loaded with print of this height at most; that of a phone's picture is 20 to 60 px. */
const LOADED_TEXT_PX = 24;
/** Text is compared at this height. */
const PATCH_HEIGHT = 16;
const PATCH_WIDTH_MAX = 1_200;
/** The boxes of two readings differ by a pixel or two. */
const SHIFT_MAX = 2;
/** About one character and a half. */
const WINDOW_WIDTH = 16;
const WINDOW_STEP = 6;
/** A window whose shades deviate less than this is blank; also the noise that both are credited with. */
const BLANK_DEVIATION = 8;

/**
 * Compares two pictures where `map` lays the first on the second, at places of the first: by correlation of shades, which
 * no change of light, size or compression changes much. Null for a place where neither shows anything. Gives the event
 * loop back after every place (1 to 5 ms). Throws what sharp throws.
 */
export async function comparePictures(
  from: ViewedPicture,
  to: ViewedPicture,
  map: Affine,
  places: readonly Quad[],
): Promise<(Resemblance | null)[]> {
  const pictures = [await loadGrey(from), await loadGrey(to)] as const;
  const compared = async (one: GreyPixels, other: GreyPixels): Promise<(Resemblance | null)[]> => {
    const found: (Resemblance | null)[] = [];
    for (const polygon of places) {
      found.push(resemblanceAt(one, other, map, polygon));
      await setImmediate();
    }
    return found;
  };
  const found = await compared(...pictures);
  const toned = equallyBleached(...pictures, pairsOfShades(...pictures, map, places, found));
  return toned ? compared(...toned) : found;
}

/** Places that go together less show nothing of how the shades of one picture became those of the other. */
const SHADES_WHOLE_MIN = 0.8;
/** Every so many pixels of a place are enough to tell a curve of shades. */
const SHADES_STEP = 3;

/** The shades of both pictures at the same spots of the places, the first one's times 256. */
function pairsOfShades(
  from: GreyPixels,
  to: GreyPixels,
  map: Affine,
  places: readonly Quad[],
  found: readonly (Resemblance | null)[],
): number[] {
  return places.flatMap((polygon, i) => {
    const resemblance = found[i];
    if (!resemblance || resemblance.whole < SHADES_WHOLE_MIN) return [];
    const { x, y } = resemblance.aside;
    const own = patchOf(from, polygon, null, { x: 0, y: 0 }).data;
    const other = patchOf(to, polygon, map, { x: x * PATCH_HEIGHT, y: y * PATCH_HEIGHT }).data;
    const count = Math.floor(own.length / SHADES_STEP);
    return Array.from({ length: count }, (_, spot) => {
      const at = spot * SHADES_STEP;
      return 256 * Math.round(own[at]!) + Math.round(other[at]!);
    });
  });
}

async function loadGrey({ path, width, height, rotation, textHeight }: ViewedPicture): Promise<GreyPixels> {
  const scale = Math.min(1, LOADED_TEXT_PX / textHeight);
  const [scaledWidth, scaledHeight] = [width, height].map((side) => Math.max(2, Math.round(side * scale)));
  const { data, info } = await sharp(path, { failOn: "error" })
    .rotate(rotation)
    .resize(scaledWidth, scaledHeight, { fit: "fill" })
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, scale: info.width / width };
}

/** Compares two pictures at a place of the first: by the correlation of their shades, which no change of light changes. */
function resemblanceAt(from: GreyPixels, to: GreyPixels, map: Affine, polygon: Quad): Resemblance | null {
  const patch = patchOf(from, polygon, null, { x: 0, y: 0 });
  const { width } = patch;
  if (isBlank(patch) && isBlank(patchOf(to, polygon, map, { x: 0, y: 0 }))) return null;
  const correlated = (shift: PlanePoint) => {
    const shifted = patchOf(to, polygon, map, shift);
    return { shift, shifted, whole: correlation(patch, shifted, 0, width) };
  };
  // Small print a quarter of a pixel aside looks as different as another digit does.
  const coarse = shiftsAround({ x: 0, y: 0 }, SHIFT_MAX, 1).map(correlated);
  const halves = shiftsAround(bestOf(coarse).shift, 1, 0.5).map(correlated);
  const near = [...halves, ...shiftsAround(bestOf(halves).shift, 0.25, 0.25).map(correlated)];
  const { whole, shift: aside } = bestOf(near);
  let weakest = 1;
  for (let left = 0; left === 0 || left + WINDOW_WIDTH <= width; left += WINDOW_STEP) {
    const right = Math.min(width, left + WINDOW_WIDTH);
    weakest = Math.min(weakest, Math.max(...near.map(({ shifted }) => correlation(patch, shifted, left, right))));
  }
  return { whole, weakest, aside: { x: aside.x / PATCH_HEIGHT, y: aside.y / PATCH_HEIGHT } };
}

function bestOf<Compared extends { readonly whole: number }>(compared: readonly Compared[]): Compared {
  return compared.reduce((one, other) => (other.whole > one.whole ? other : one));
}

function shiftsAround(centre: PlanePoint, reach: number, step: number): PlanePoint[] {
  const offsets = Array.from({ length: Math.round((2 * reach) / step) + 1 }, (_, i) => i * step - reach);
  return offsets.flatMap((y) => offsets.map((x) => ({ x: centre.x + x, y: centre.y + y })));
}

interface Patch {
  readonly data: Float32Array;
  readonly width: number;
}

/** The shades of a place, straightened; of the other picture where the map leads, some pixels of the patch aside. */
function patchOf(picture: GreyPixels, polygon: Quad, map: Affine | null, shift: PlanePoint): Patch {
  const [topLeft, topRight, bottomRight, bottomLeft] = polygon;
  const length = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
  const pitch = Math.max(1, Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y)) / PATCH_HEIGHT;
  const width = Math.max(WINDOW_WIDTH, Math.min(PATCH_WIDTH_MAX, Math.round(length / pitch)));
  const data = new Float32Array(width * PATCH_HEIGHT);
  for (let row = 0; row < PATCH_HEIGHT; row++) {
    const v = (row + 0.5 + shift.y) / PATCH_HEIGHT;
    for (let column = 0; column < width; column++) {
      const u = (column + 0.5 + shift.x) / width;
      const point = {
        x: (1 - v) * ((1 - u) * topLeft.x + u * topRight.x) + v * ((1 - u) * bottomLeft.x + u * bottomRight.x),
        y: (1 - v) * ((1 - u) * topLeft.y + u * topRight.y) + v * ((1 - u) * bottomLeft.y + u * bottomRight.y),
      };
      data[row * width + column] = shadeAt(picture, map ? moved(map, point) : point);
    }
  }
  return { data, width };
}

function shadeAt({ data, width, height, scale }: GreyPixels, point: PlanePoint): number {
  const x = Math.min(width - 1.001, Math.max(0, point.x * scale - 0.5));
  const y = Math.min(height - 1.001, Math.max(0, point.y * scale - 0.5));
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const at = top * width + left;
  const upper = data[at]! + (data[at + 1]! - data[at]!) * (x - left);
  const lower = data[at + width]! + (data[at + width + 1]! - data[at + width]!) * (x - left);
  return upper + (lower - upper) * (y - top);
}

function isBlank({ data }: Patch): boolean {
  const mean = data.reduce((sum, shade) => sum + shade, 0) / data.length;
  return data.reduce((sum, shade) => sum + (shade - mean) ** 2, 0) / data.length < BLANK_DEVIATION ** 2;
}

/** The correlation of two patches between two columns; 1 where both are blank. */
function correlation(p: Patch, q: Patch, left: number, right: number): number {
  const n = (right - left) * PATCH_HEIGHT;
  let [sumP, sumQ, sumPP, sumQQ, sumPQ] = [0, 0, 0, 0, 0];
  for (let row = 0; row < PATCH_HEIGHT; row++) {
    for (let column = left; column < right; column++) {
      const at = row * p.width + column;
      const [a, b] = [p.data[at]!, q.data[at]!];
      sumP += a;
      sumQ += b;
      sumPP += a * a;
      sumQQ += b * b;
      sumPQ += a * b;
    }
  }
  const varianceP = sumPP / n - (sumP / n) ** 2;
  const varianceQ = sumQQ / n - (sumQ / n) ** 2;
  const noise = BLANK_DEVIATION ** 2;
  if (varianceP < noise && varianceQ < noise) return 1;
  return (sumPQ / n - (sumP / n) * (sumQ / n)) / Math.sqrt(Math.max(varianceP, noise) * Math.max(varianceQ, noise));
}
