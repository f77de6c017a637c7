import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { textOf } from "./png-chunks.ts";
import { sniffFile } from "./sniff.ts";

const METADATA_BYTES_MAX = 1024 * 1024;

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
