import type { GreyPixels } from "./patch.ts";

/** From this shade on paper and print are the same white. */
const CLIPPED_SHADE = 250;
/** Distance of the shades that are averaged for one point of the tone curve. */
const SHADES_NEAR = 4;
/** A picture counts as clipped if this share of the shades is white in it and not in the other one. */
const CLIPPED_SHARE_MIN = 0.1;

/**
 * If one picture was brightened until a part of its print became white, gives the other picture the same clipped
 * highlights, so that both can be compared: print lost in one says nothing about the other. `pairs` holds the shades of
 * both pictures at the same points, the first one's times 256. Returns null if neither picture is clipped.
 */
export function matchHighlights(
  from: GreyPixels,
  to: GreyPixels,
  pairs: readonly number[],
): [GreyPixels, GreyPixels] | null {
  const whiteOnlyIn = (one: (pair: number) => number, other: (pair: number) => number): number =>
    pairs.filter((pair) => one(pair) >= CLIPPED_SHADE && other(pair) < CLIPPED_SHADE).length;
  const [own, other] = [(pair: number) => pair >> 8, (pair: number) => pair & 255];
  const [inFrom, inTo] = [whiteOnlyIn(own, other), whiteOnlyIn(other, own)];
  if (Math.max(inFrom, inTo) < CLIPPED_SHARE_MIN * Math.max(1, pairs.length)) return null;
  return inFrom > inTo ? [from, withToneCurve(to, pairs, other, own)] : [withToneCurve(from, pairs, own, other), to];
}

/** Returns the picture with each shade replaced by the average shade of the other picture at the same points. */
function withToneCurve(
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
