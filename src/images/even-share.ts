import sharp from "sharp";
import type { Shades } from "./normalise.ts";

const SMALL_SIDE_PX = 512;
const SHADES = 256;
/** Shades this near count as one: JPEG compression spreads the white of a drawing over three shades. */
const SHADE_TOLERANCE = 1;

/** Returns the share of a picture's area (0 to 1) that has its most common shade of 256. */
export async function evenShareOf({ data, width, height }: Shades): Promise<number> {
  const small = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ width: SMALL_SIDE_PX, height: SMALL_SIDE_PX, fit: "inside", withoutEnlargement: true })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const counts = Array.from({ length: SHADES }, () => 0);
  for (const shade of small) counts[shade]!++;
  const near = counts.map((_, shade) =>
    counts
      .slice(Math.max(0, shade - SHADE_TOLERANCE), shade + SHADE_TOLERANCE + 1)
      .reduce((sum, count) => sum + count, 0),
  );
  return Math.max(...near) / small.length;
}
