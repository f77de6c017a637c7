// A long receipt as several photos: its paper cut into pieces that overlap, each photographed by itself.
import sharp from "sharp";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";
import { roughened } from "./roughened.ts";
import type { Roughness } from "./roughened.ts";

/** Nobody photographs a shorter receipt in pieces; in rows of its print. */
export const LONG_ROWS_MIN = 24;
/** Share of a piece that the next one shows as well. */
const COMMON_MIN = 0.15;
const COMMON_MAX = 0.35;
/** How the paper lies, by turns. */
const POSES: readonly Roughness[] = ["tilted", "perspective", "bent", "curled"];
const STRENGTH = 1;

/** Photographs the whole paper, as its pieces are. */
export async function wholeOf(flat: Uint8Array, seed: number): Promise<Uint8Array> {
  return roughened(flat, POSES[seed % POSES.length]!, STRENGTH, seed);
}

/** Photographs the paper in `count` pieces that overlap, in an order of the seed. */
export async function piecesOf(flat: Uint8Array, count: number, seed: number): Promise<Uint8Array[]> {
  const { width, height } = await sharp(flat).metadata();
  const random = randomness(seed ^ 0x9a275);
  const step = height / count;
  const pieces: { image: Uint8Array; at: number }[] = [];
  for (let i = 0; i < count; i++) {
    const common = i === 0 ? 0 : (COMMON_MIN + (COMMON_MAX - COMMON_MIN) * random()) * step;
    const [top, bottom] = [Math.round(i * step - common), i === count - 1 ? height : Math.round((i + 1) * step)];
    const piece = await sharp(flat)
      .extract({ left: 0, top, width, height: bottom - top })
      .jpeg({ quality: 95 })
      .toBuffer();
    const pose = POSES[Math.floor(random() * POSES.length)]!;
    pieces.push({ image: await roughened(piece, pose, STRENGTH, 10 * seed + i), at: random() });
  }
  return pieces.toSorted((a, b) => a.at - b.at).map(({ image }) => image);
}
