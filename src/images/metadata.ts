import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { Shades } from "./normalise.ts";
import { textOf } from "./png-chunks.ts";
import { sniffFile } from "./sniff.ts";

const METADATA_BYTES_MAX = 1024 * 1024;
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

/** Returns all text in the metadata of a picture file. Throws the errors of sharp. */
export async function metadataOf(path: string): Promise<string> {
  const sniffed = await sniffFile(path, { pixelsMax: Number.POSITIVE_INFINITY });
  if (sniffed.kind === "ok" && sniffed.format === "png")
    return textOf(await readFile(path))
      .join("\n")
      .slice(0, METADATA_BYTES_MAX);
  const { exif, xmp, iptc } = await sharp(path).metadata();
  return [exif, xmp, iptc].map((block) => block?.subarray(0, METADATA_BYTES_MAX).toString("latin1") ?? "").join("\n");
}
