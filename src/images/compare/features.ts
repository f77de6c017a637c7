import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import type { Affine } from "./affine.ts";
import { matchHighlights } from "./match-highlights.ts";
import { PATCH_HEIGHT, patchAt, placeIn } from "./patch.ts";
import type { GreyPixels, Quad } from "./patch.ts";
import { similarityAt } from "./place-similarity.ts";
import type { PlaceSimilarity } from "./place-similarity.ts";

/** A stored picture as OCR read it: its size after a clockwise turn by `rotation` degrees. */
export interface ViewedPicture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 90 | 180 | 270;
  /** Height of the print, in pixels of that size. */
  readonly textHeight: number;
}

/** Pictures are scaled down to print of this height at most; the print of a phone's picture is 20 to 60 px high. */
const LOADED_TEXT_PX = 24;

/**
 * Compares two pictures at places of the first; `map` maps points of the first to the second. Uses the correlation of
 * shades, which changes little with light, size and compression. Null for a place that is blank in both. Yields to the
 * event loop after each place: 51 of them took a new process 97 ms. Throws the errors of `load`.
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
    const own = patchAt(from, placeIn(from, polygon, null)).data;
    const other = patchAt(to, placeIn(to, polygon, map), { x: x * PATCH_HEIGHT, y: y * PATCH_HEIGHT }).data;
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
