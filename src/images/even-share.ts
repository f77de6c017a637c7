import sharp from "sharp";
import type { Pixels } from "./normalise.ts";
import { shadeOf } from "./shades.ts";

const SMALL_SIDE_PX = 512;
const SHADES = 256;
/** Shades this near count as one: JPEG compression spreads the white of a drawing over three shades. */
const SHADE_TOLERANCE = 1;

/** Rows that are left out of a large picture: every third one of 4,000 is enough to average. */
const ROWS_MIN = 1_024;

/** Returns the share of a picture's area (0 to 1) that has its most common shade of 256. */
export async function evenShareOf({ data, width, height }: Pixels): Promise<number> {
  // One row of `step` is used. The rows of a step lie side by side, so that the others need not be read.
  const step = Math.max(1, Math.floor(height / ROWS_MIN));
  const rows = Math.floor(height / step);
  // Shades of the small picture only: libvips would compute those of the whole one, which takes four times as long.
  const small = await sharp(data.subarray(0, 3 * step * width * rows), {
    raw: { width: step * width, height: rows, channels: 3 },
  })
    .extract({ left: 0, top: 0, width, height: rows })
    .resize({ ...smallSizeOf(width, height), fit: "fill" })
    .raw()
    .toBuffer();
  const counts = Array.from({ length: SHADES }, () => 0);
  for (let at = 0; at < small.length; at += 3) counts[Math.round(shadeOf(small, at))]!++;
  const near = counts.map((_, shade) =>
    counts
      .slice(Math.max(0, shade - SHADE_TOLERANCE), shade + SHADE_TOLERANCE + 1)
      .reduce((sum, count) => sum + count, 0),
  );
  return (3 * Math.max(...near)) / small.length;
}

function smallSizeOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, SMALL_SIDE_PX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
