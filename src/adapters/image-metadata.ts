import sharp from "sharp";

/** What a picture file says of itself: all text of its metadata, and the share of its area (0 to 1) that has its commonest shade of 256. */
export interface FileTraces {
  readonly metadata: string;
  readonly evenShare: number;
}

const METADATA_BYTES_MAX = 1024 * 1024;
const SMALL_SIDE_PX = 512;
const SHADES = 256;
/** Shades this near to one another are one: what JPEG leaves of a white drawing. */
const SHADE_TOLERANCE = 1;

/** Reads metadata of the original file, and shades of the picture as it was rewritten. Throws what sharp throws. */
export async function readTraces(originalPath: string, rewrittenPath: string): Promise<FileTraces> {
  const { exif, xmp, iptc, comments } = await sharp(originalPath).metadata();
  const blocks = [exif, xmp, iptc].map((block) => block?.subarray(0, METADATA_BYTES_MAX).toString("latin1") ?? "");
  const texts = (comments ?? []).map(({ keyword, text }) => `${keyword} ${text.slice(0, METADATA_BYTES_MAX)}`);
  const { data } = await sharp(rewrittenPath)
    .resize({ width: SMALL_SIDE_PX, height: SMALL_SIDE_PX, fit: "inside", withoutEnlargement: true })
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const counts = Array.from({ length: SHADES }, () => 0);
  for (const shade of data) counts[shade]!++;
  const near = counts.map((_, shade) =>
    counts
      .slice(Math.max(0, shade - SHADE_TOLERANCE), shade + SHADE_TOLERANCE + 1)
      .reduce((sum, count) => sum + count, 0),
  );
  return { metadata: [...blocks, ...texts].join("\n"), evenShare: Math.max(...near) / data.length };
}
