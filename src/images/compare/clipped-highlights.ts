import type { GreyPixels } from "./features.ts";

/** From here on paper and print are one white. */
const BLEACHED_SHADE = 250;
/** Shades so near count for each other where the curve of shades is found. */
const SHADES_NEAR = 4;
/** Of the shades so many are white in one picture alone where one was brightened beyond what it can show. */
const BLEACHED_SHARE_MIN = 0.1;

/**
 * Where one of the pictures was brightened until a part of its print went white, the other one as bleached as that: what no longer shows in one tells
 * nothing of the other. `pairs` holds the shades of both at the same spots, the first one's times 256. Null where neither was.
 */
export function equallyBleached(
  from: GreyPixels,
  to: GreyPixels,
  pairs: readonly number[],
): [GreyPixels, GreyPixels] | null {
  const whiteOnlyIn = (one: (pair: number) => number, other: (pair: number) => number): number =>
    pairs.filter((pair) => one(pair) >= BLEACHED_SHADE && other(pair) < BLEACHED_SHADE).length;
  const [own, other] = [(pair: number) => pair >> 8, (pair: number) => pair & 255];
  const [inFrom, inTo] = [whiteOnlyIn(own, other), whiteOnlyIn(other, own)];
  if (Math.max(inFrom, inTo) < BLEACHED_SHARE_MIN * Math.max(1, pairs.length)) return null;
  return inFrom > inTo ? [from, recoloured(to, pairs, other, own)] : [recoloured(from, pairs, own, other), to];
}

/** The picture with each shade as the other picture shows it, on average over shades as bright. */
function recoloured(
  picture: GreyPixels,
  pairs: readonly number[],
  shadeIn: (pair: number) => number,
  shadeOut: (pair: number) => number,
): GreyPixels {
  const [sums, counts] = [new Float64Array(256), new Float64Array(256)];
  for (const pair of pairs) {
    const shade = shadeIn(pair);
    for (let near = Math.max(0, shade - SHADES_NEAR); near <= Math.min(255, shade + SHADES_NEAR); near++) {
      sums[near]! += shadeOut(pair);
      counts[near]! += 1;
    }
  }
  const curve = Uint8Array.from({ length: 256 }, (_, shade) => (counts[shade] ? sums[shade]! / counts[shade] : shade));
  return { ...picture, data: picture.data.map((shade) => curve[shade]!) };
}
