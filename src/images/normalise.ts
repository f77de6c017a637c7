import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { storageError } from "../files.ts";
import { pictureOnly } from "./png-chunks.ts";
import { sniffFile } from "./sniff.ts";
import type { SizeLimit } from "./sniff.ts";

// One image is decoded by one thread, and nothing of it is cached: the number of images at once bounds the memory.
sharp.concurrency(1);
sharp.cache(false);

/** Limits of an upload (`pixelsMax`) and of the stored picture (`longSideMaxPx`). */
export interface ImageLimits extends SizeLimit {
  readonly longSideMaxPx: number;
}

/**
 * The result for an upload, with the size of the stored picture. `unreadable`: the header is valid, the pixels are not.
 */
export type Normalised =
  | { readonly kind: "ok"; readonly width: number; readonly height: number; readonly bytes: number }
  | { readonly kind: "too_large" }
  | { readonly kind: "not_an_image" }
  | { readonly kind: "unreadable" };

/** A greyscale picture: one byte for a pixel, row by row. */
export interface Shades {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Of 85 receipts, re-encoded at quality 88 with halved chroma 93 % are read whole and take 19 MB, at 92 with full
 * chroma 95 % and 23 MB, at 95 the same 95 % and 27 MB (as uploaded: 40 MB).
 */
const STORED_JPEG = { quality: 92, chromaSubsampling: "4:4:4" } as const;
const DECODE_TIMEOUT_SECONDS = 60;

/**
 * Writes the picture that is stored for an upload: a JPEG turned upright by its EXIF orientation, in 8-bit sRGB, on
 * white where it was transparent, the first frame of an animation, no side above `longSideMaxPx`. Nothing else of the
 * original is in it: no place, no camera, no text. Throws StorageFull.
 */
export async function normaliseImage(inputPath: string, outputPath: string, limits: ImageLimits): Promise<Normalised> {
  const sniffed = await sniffFile(inputPath, limits);
  if (sniffed.kind !== "ok") return sniffed;
  const jpeg = await reencode(await decodable(inputPath, sniffed.format), limits);
  if (jpeg === null) return { kind: "unreadable" };
  const { data, info } = jpeg;
  try {
    await writeFile(outputPath, data, { mode: 0o600 });
  } catch (error) {
    throw storageError(error);
  }
  return { kind: "ok", width: info.width, height: info.height, bytes: data.length };
}

/** Returns what the decoder reads of an upload: a PNG without its text (`png-chunks.ts`), a JPEG as it is. */
async function decodable(path: string, format: "jpeg" | "png"): Promise<Buffer | string> {
  return format === "png" ? pictureOnly(await readFile(path)) : path;
}

async function reencode(input: Buffer | string, { pixelsMax, longSideMaxPx }: ImageLimits) {
  try {
    return await sharp(input, { failOn: "error", limitInputPixels: pixelsMax, sequentialRead: true, pages: 1 })
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .flatten({ background: "white" })
      .resize({ width: longSideMaxPx, height: longSideMaxPx, fit: "inside", withoutEnlargement: true })
      .toColourspace("srgb")
      .jpeg(STORED_JPEG)
      .toBuffer({ resolveWithObject: true });
  } catch {
    // Every error of the decoder means the same here: these bytes are no valid picture.
    return null;
  }
}

/** Decodes a stored picture in greyscale. Throws the errors of sharp. */
export async function decodeShades(path: string): Promise<Shades> {
  const picture = sharp(path).greyscale().toColourspace("b-w").raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
