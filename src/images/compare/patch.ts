import { moved } from "./affine.ts";
import type { Affine, PlanePoint } from "./affine.ts";

/** Four corners, clockwise from the top left. */
export type Quad = readonly [PlanePoint, PlanePoint, PlanePoint, PlanePoint];

/** A picture in shades of grey, row after row. */
export interface GreyPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Its pixels per pixel of the size that OCR read. */
  readonly scale: number;
}

/** Places are compared at this height. */
export const PATCH_HEIGHT = 16;
export const PATCH_WIDTH_MIN = 16;
const PATCH_WIDTH_MAX = 1_200;

/** A place in a picture: its corners in pixels of that picture, and the width of its patch. */
export interface PatchPlace {
  readonly corners: Quad;
  readonly width: number;
}

/** Shades of a place, straightened, and of a margin of some pixels around it. */
export interface Patch {
  readonly data: Float32Array;
  readonly stride: number;
  readonly margin: number;
}

const NO_SHIFT: PlanePoint = { x: 0, y: 0 };

/** Locates a place of the first picture in a picture; with a map, in the other one. */
export function placeIn({ scale }: GreyPixels, polygon: Quad, map: Affine | null): PatchPlace {
  const [topLeft, topRight, , bottomLeft] = polygon;
  const length = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
  const pitch = Math.max(1, Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y)) / PATCH_HEIGHT;
  const width = Math.max(PATCH_WIDTH_MIN, Math.min(PATCH_WIDTH_MAX, Math.round(length / pitch)));
  const cornerOf = (point: PlanePoint): PlanePoint => {
    const { x, y } = map ? moved(map, point) : point;
    return { x: x * scale - 0.5, y: y * scale - 0.5 };
  };
  const [first, second, third, fourth] = polygon;
  return { corners: [cornerOf(first), cornerOf(second), cornerOf(third), cornerOf(fourth)], width };
}

/** Returns the shades of a place, straightened, moved by `shift` in pixels of the patch. */
export function patchAt(picture: GreyPixels, place: PatchPlace, shift: PlanePoint = NO_SHIFT, margin = 0): Patch {
  const { data, width: pictureWidth, height: pictureHeight } = picture;
  const { corners, width } = place;
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const stride = width + 2 * margin;
  const rows = PATCH_HEIGHT + 2 * margin;
  const shades = new Float32Array(stride * rows);
  const [xMax, yMax] = [pictureWidth - 1.001, pictureHeight - 1.001];
  for (let row = 0, to = 0; row < rows; row++) {
    const v = (row - margin + 0.5 + shift.y) / PATCH_HEIGHT;
    // On a row the points are at even distances.
    const startX = (1 - v) * topLeft.x + v * bottomLeft.x;
    const startY = (1 - v) * topLeft.y + v * bottomLeft.y;
    const alongX = (1 - v) * topRight.x + v * bottomRight.x - startX;
    const alongY = (1 - v) * topRight.y + v * bottomRight.y - startY;
    for (let column = 0; column < stride; column++, to++) {
      const u = (column - margin + 0.5 + shift.x) / width;
      let x = startX + u * alongX;
      let y = startY + u * alongY;
      // Comparisons, which are nearly always false: Math.min and Math.max take longer.
      if (!(x > 0)) x = 0;
      else if (x > xMax) x = xMax;
      if (!(y > 0)) y = 0;
      else if (y > yMax) y = yMax;
      // Neither is negative: this rounds down, faster than Math.floor.
      const left = x | 0;
      const top = y | 0;
      const at = top * pictureWidth + left;
      const upper = data[at]! + (data[at + 1]! - data[at]!) * (x - left);
      const below = at + pictureWidth;
      const lower = data[below]! + (data[below + 1]! - data[below]!) * (x - left);
      shades[to] = upper + (lower - upper) * (y - top);
    }
  }
  return { data: shades, stride, margin };
}
