import { PATCH_HEIGHT } from "./patch.ts";
import type { Patch } from "./patch.ts";

// The correlation of two patches, of all columns and of windows of columns. Windows overlap, so sums are kept from the
// first column to each of the others: those of a window are a difference of two.

/** A window with a smaller standard deviation is blank; also the least deviation that a window counts with. */
const BLANK_DEVIATION = 8;
const NOISE = BLANK_DEVIATION ** 2;

/** Sums of the shades of the columns before each column of a patch, and of their squares. */
export interface ShadeSums {
  readonly shades: Float64Array;
  readonly squares: Float64Array;
}

/** The same for the patch of another picture, with the sums of its products with the first one. */
export interface PairSums extends ShadeSums {
  readonly products: Float64Array;
}

/** Returns the sums of a patch. */
export function shadeSums(patch: Patch): ShadeSums {
  const { shades, squares } = pairSums(patch, patch, 0, 0);
  return { shades, squares };
}

/** Returns the sums of another patch, moved by whole pixels within its margin, beside one without a margin. */
export function pairSums(patch: Patch, other: Patch, shiftX: number, shiftY: number): PairSums {
  const { data, stride: width } = patch;
  const { data: otherData, stride } = other;
  const shades = new Float64Array(width + 1);
  const squares = new Float64Array(width + 1);
  const products = new Float64Array(width + 1);
  const first = (other.margin + shiftY) * stride + other.margin + shiftX;
  let [sum, sumOfSquares, sumOfProducts] = [0, 0, 0];
  for (let column = 0; column < width; column++) {
    for (
      let row = 0, at = column, otherAt = first + column;
      row < PATCH_HEIGHT;
      row++, at += width, otherAt += stride
    ) {
      const shade = otherData[otherAt]!;
      sum += shade;
      sumOfSquares += shade * shade;
      sumOfProducts += shade * data[at]!;
    }
    shades[column + 1] = sum;
    squares[column + 1] = sumOfSquares;
    products[column + 1] = sumOfProducts;
  }
  return { shades, squares, products };
}

/** Returns the correlation of two patches between two columns; 1 if both are blank. */
export function correlation(one: ShadeSums, other: PairSums, left: number, right: number): number {
  const n = (right - left) * PATCH_HEIGHT;
  const meanOf = (sums: Float64Array): number => (sums[right]! - sums[left]!) / n;
  const [mean, otherMean] = [meanOf(one.shades), meanOf(other.shades)];
  const variance = meanOf(one.squares) - mean * mean;
  const otherVariance = meanOf(other.squares) - otherMean * otherMean;
  if (variance < NOISE && otherVariance < NOISE) return 1;
  const covariance = meanOf(other.products) - mean * otherMean;
  return covariance / Math.sqrt(Math.max(variance, NOISE) * Math.max(otherVariance, NOISE));
}

/** Whether all of a patch is blank. */
export function isBlank({ shades, squares }: ShadeSums): boolean {
  const n = (shades.length - 1) * PATCH_HEIGHT;
  const mean = shades.at(-1)! / n;
  return squares.at(-1)! / n - mean * mean < NOISE;
}
