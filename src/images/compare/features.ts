import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import { moved } from "./affine.ts";
import type { Affine, PlanePoint } from "./affine.ts";
import { matchHighlights } from "./match-highlights.ts";

/** A stored picture as OCR read it: its size after a clockwise turn by `rotation` degrees. */
export interface ViewedPicture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 90 | 180 | 270;
  /** Height of the print, in pixels of that size. */
  readonly textHeight: number;
}

/** Four corners, clockwise from the top left. */
export type Quad = readonly [PlanePoint, PlanePoint, PlanePoint, PlanePoint];

/** Correlation of two pictures at a place, from -1 to 1: of the whole place, and of its weakest window. */
export interface PlaceSimilarity {
  readonly overall: number;
  readonly weakest: number;
  /** Distance of the place in the other picture from its mapped position, in heights of the place. */
  readonly aside: PlanePoint;
}

/** A picture in shades of grey, row after row. */
export interface GreyPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Its pixels per pixel of the size that OCR read. */
  readonly scale: number;
}

/** Pictures are scaled down to print of this height at most; the print of a phone's picture is 20 to 60 px high. */
const LOADED_TEXT_PX = 24;
/** Places are compared at this height. */
const PATCH_HEIGHT = 16;
const PATCH_WIDTH_MAX = 1_200;
/** The boxes of two OCR runs differ by a pixel or two. */
const SHIFT_MAX = 2;
/** About one and a half characters. */
const WINDOW_WIDTH = 16;
const WINDOW_STEP = 6;
/** A window with a smaller standard deviation is blank; also the least deviation that a window counts with. */
const BLANK_DEVIATION = 8;

/**
 * Compares two pictures at places of the first; `map` maps points of the first to the second. Uses the correlation of
 * shades, which changes little with light, size and compression. Null for a place that is blank in both. Yields to the
 * event loop after each place (1 to 5 ms). Throws the errors of `load`.
 */
export async function comparePictures(
  from: ViewedPicture,
  to: ViewedPicture,
  map: Affine,
  places: readonly Quad[],
  load: (picture: ViewedPicture) => Promise<GreyPixels> = loadGrey,
): Promise<(PlaceSimilarity | null)[]> {
  const pictures = [await load(from), await load(to)] as const;
  const compared = async (one: GreyPixels, other: GreyPixels): Promise<(PlaceSimilarity | null)[]> => {
    const found: (PlaceSimilarity | null)[] = [];
    for (const polygon of places) {
      found.push(similarityAt(one, other, map, polygon));
      await setImmediate();
    }
    return found;
  };
  const found = await compared(...pictures);
  const matched = matchHighlights(...pictures, pairsOfShades(...pictures, map, places, found));
  return matched ? compared(...matched) : found;
}

/** Places with a lower correlation don't count for the tone curve between the pictures. */
const SHADES_OVERALL_MIN = 0.8;
/** Every third pixel of a place is enough for the tone curve. */
const SHADES_STEP = 3;

/** Returns the shades of both pictures at the same points of the places, the first one's times 256. */
function pairsOfShades(
  from: GreyPixels,
  to: GreyPixels,
  map: Affine,
  places: readonly Quad[],
  found: readonly (PlaceSimilarity | null)[],
): number[] {
  return places.flatMap((polygon, i) => {
    const similarity = found[i];
    if (!similarity || similarity.overall < SHADES_OVERALL_MIN) return [];
    const { x, y } = similarity.aside;
    const own = patchOf(from, polygon, null, { x: 0, y: 0 }).data;
    const other = patchOf(to, polygon, map, { x: x * PATCH_HEIGHT, y: y * PATCH_HEIGHT }).data;
    const count = Math.floor(own.length / SHADES_STEP);
    return Array.from({ length: count }, (_, spot) => {
      const at = spot * SHADES_STEP;
      return 256 * Math.round(own[at]!) + Math.round(other[at]!);
    });
  });
}

/** Loads a picture in shades, scaled down to the print's height for the comparison. Throws the errors of sharp. */
export async function loadGrey({ path, width, height, rotation, textHeight }: ViewedPicture): Promise<GreyPixels> {
  const scale = Math.min(1, LOADED_TEXT_PX / textHeight);
  const [scaledWidth, scaledHeight] = [width, height].map((side) => Math.max(2, Math.round(side * scale)));
  const { data, info } = await sharp(path, { failOn: "error", sequentialRead: true })
    .rotate(rotation)
    .resize(scaledWidth, scaledHeight, { fit: "fill" })
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, scale: info.width / width };
}

/** Compares two pictures at a place of the first. */
function similarityAt(from: GreyPixels, to: GreyPixels, map: Affine, polygon: Quad): PlaceSimilarity | null {
  const patch = patchOf(from, polygon, null, { x: 0, y: 0 });
  const { width } = patch;
  if (isBlank(patch) && isBlank(patchOf(to, polygon, map, { x: 0, y: 0 }))) return null;
  const correlated = (shift: PlanePoint) => {
    const shifted = patchOf(to, polygon, map, shift);
    return { shift, shifted, overall: correlation(patch, shifted, 0, width) };
  };
  // Small print shifted by a quarter of a pixel looks as different as another digit.
  const coarse = shiftsAround({ x: 0, y: 0 }, SHIFT_MAX, 1).map(correlated);
  const halves = shiftsAround(bestOf(coarse).shift, 1, 0.5).map(correlated);
  const near = [...halves, ...shiftsAround(bestOf(halves).shift, 0.25, 0.25).map(correlated)];
  const { overall, shift: aside } = bestOf(near);
  let weakest = 1;
  for (let left = 0; left === 0 || left + WINDOW_WIDTH <= width; left += WINDOW_STEP) {
    const right = Math.min(width, left + WINDOW_WIDTH);
    weakest = Math.min(weakest, Math.max(...near.map(({ shifted }) => correlation(patch, shifted, left, right))));
  }
  return { overall, weakest, aside: { x: aside.x / PATCH_HEIGHT, y: aside.y / PATCH_HEIGHT } };
}

function bestOf<Compared extends { readonly overall: number }>(compared: readonly Compared[]): Compared {
  return compared.reduce((one, other) => (other.overall > one.overall ? other : one));
}

function shiftsAround(centre: PlanePoint, reach: number, step: number): PlanePoint[] {
  const offsets = Array.from({ length: Math.round((2 * reach) / step) + 1 }, (_, i) => i * step - reach);
  return offsets.flatMap((y) => offsets.map((x) => ({ x: centre.x + x, y: centre.y + y })));
}

interface Patch {
  readonly data: Float32Array;
  readonly width: number;
}

/**
 * Returns the shades of a place, straightened. With a map: of the mapped place in the other picture, moved by `shift`.
 */
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

/** Returns the correlation of two patches between two columns; 1 if both are blank. */
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
