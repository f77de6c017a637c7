import type { Affine, PlanePoint } from "./affine.ts";
import { correlation, isBlank, pairSums, shadeSums } from "./correlation.ts";
import type { PairSums, ShadeSums } from "./correlation.ts";
import { PATCH_HEIGHT, PATCH_WIDTH_MIN, patchAt, placeIn } from "./patch.ts";
import type { GreyPixels, Patch, PatchPlace, Quad } from "./patch.ts";

/** Correlation of two pictures at a place, from -1 to 1: of the whole place, and of its weakest window. */
export interface PlaceSimilarity {
  readonly overall: number;
  readonly weakest: number;
  /** Distance of the place in the other picture from its mapped position, in heights of the place. */
  readonly aside: PlanePoint;
}

/** The boxes of two OCR runs differ by a pixel or two. */
const SHIFT_MAX = 2;
/** About one and a half characters. */
const WINDOW_WIDTH = PATCH_WIDTH_MIN;
const WINDOW_STEP = 6;

/** Compares two pictures at a place of the first; null: it is blank in both. */
export function similarityAt(from: GreyPixels, to: GreyPixels, map: Affine, polygon: Quad): PlaceSimilarity | null {
  const patch = patchAt(from, placeIn(from, polygon, null));
  const pair: Pair = { patch, sums: shadeSums(patch), to, place: placeIn(to, polygon, map) };
  if (isBlank(pair.sums) && isBlank(shadeSums(patchAt(to, pair.place)))) return null;
  const { stride: width } = patch;
  // Small print shifted by a quarter of a pixel looks as different as another digit.
  const coarse = shiftedAround(pair, { x: 0, y: 0 }, SHIFT_MAX, 1);
  const halves = shiftedAround(pair, bestOf(coarse).shift, 1, 0.5);
  const near = [...halves, ...shiftedAround(pair, bestOf(halves).shift, 0.25, 0.25)];
  const { overall, shift: aside } = bestOf(near);
  let weakest = 1;
  for (let left = 0; left === 0 || left + WINDOW_WIDTH <= width; left += WINDOW_STEP) {
    const right = Math.min(width, left + WINDOW_WIDTH);
    let most = -1;
    for (const { sums } of near) most = Math.max(most, correlation(pair.sums, sums, left, right));
    weakest = Math.min(weakest, most);
  }
  return { overall, weakest, aside: { x: aside.x / PATCH_HEIGHT, y: aside.y / PATCH_HEIGHT } };
}

/** The patch of a place in the first picture, and where the place is in the other one. */
interface Pair {
  readonly patch: Patch;
  readonly sums: ShadeSums;
  readonly to: GreyPixels;
  readonly place: PatchPlace;
}

/** The other picture moved by `shift`, and its correlation with the first one. */
interface Shifted {
  readonly shift: PlanePoint;
  readonly sums: PairSums;
  readonly overall: number;
}

/**
 * Moves the other picture by every step around a shift. Shifts that differ by whole pixels share one patch with a
 * margin: of the 59 shifts of a place 14 are sampled.
 */
function shiftedAround({ patch, sums, to, place }: Pair, centre: PlanePoint, reach: number, step: number): Shifted[] {
  const margin = Math.floor(reach);
  const patches = new Map<number, Patch>();
  const offsets = Array.from({ length: Math.round((2 * reach) / step) + 1 }, (_, i) => i * step - reach);
  return offsets.flatMap((y) =>
    offsets.map((x): Shifted => {
      const whole = { x: Math.round(x), y: Math.round(y) };
      const part = { x: x - whole.x, y: y - whole.y };
      const key = 8 * part.x + part.y;
      const other = patches.get(key) ?? patchAt(to, place, { x: centre.x + part.x, y: centre.y + part.y }, margin);
      patches.set(key, other);
      const moved = pairSums(patch, other, whole.x, whole.y);
      return {
        shift: { x: centre.x + x, y: centre.y + y },
        sums: moved,
        overall: correlation(sums, moved, 0, patch.stride),
      };
    }),
  );
}

function bestOf(all: readonly Shifted[]): Shifted {
  return all.reduce((one, other) => (other.overall > one.overall ? other : one));
}
