import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { storageError } from "../files.ts";
import { hasTooManyScans } from "./jpeg-scans.ts";
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
 * `too_costly`: decoding would take more time or memory than any photo.
 */
export type Normalised =
  | { readonly kind: "ok"; readonly width: number; readonly height: number; readonly bytes: number }
  | { readonly kind: "too_large" }
  | { readonly kind: "not_a_photo" }
  | { readonly kind: "not_an_image" }
  | { readonly kind: "too_costly" }
  | { readonly kind: "unreadable" };

/** A greyscale picture: one byte for a pixel, row by row. */
export interface Shades {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Of 85 receipts, re-encoded at quality 88 with halved chroma 93 % are read whole and take 19 MB, at 92 with full
 * chroma 95 % and 23 MB, at 95 the same 95 % and 27 MB (as uploaded: 40 MB). Huffman tables for each picture would save
 * 5 % of its bytes and change no pixel, for more processor time than all the rest of the encoding: of 12 megapixels
 * decoding and encoding take 57 ms with the standard tables, 125 ms with their own.
 */
const STORED_JPEG = { quality: 92, chromaSubsampling: "4:4:4", optimiseCoding: false } as const;

/**
 * Writes the picture that is stored for an upload: a JPEG turned upright by its EXIF orientation, in 8-bit sRGB, on
 * white where it was transparent, the first frame of an animation, no side above `longSideMaxPx`. Nothing else of the
 * original is in it: no place, no camera, no text. Calls `onWrite` before it writes. Throws StorageFull.
 */
export async function normaliseImage(
  inputPath: string,
  outputPath: string,
  limits: ImageLimits,
  onWrite: () => void = () => {},
): Promise<Normalised> {
  const sniffed = await sniffFile(inputPath, limits);
  if (sniffed.kind !== "ok") return sniffed;
  const bytes = await readFile(inputPath);
  const picture = sniffed.format === "png" ? pictureOnly(bytes) : hasTooManyScans(bytes) ? null : bytes;
  if (picture === null) return { kind: "too_costly" };
  const jpeg = await reencode(picture, limits);
  if (jpeg === null) return { kind: "unreadable" };
  onWrite();
  const { data, info } = jpeg;
  try {
    await writeFile(outputPath, data, { mode: 0o600 });
  } catch (error) {
    throw storageError(error);
  }
  return { kind: "ok", width: info.width, height: info.height, bytes: data.length };
}

async function reencode(input: Buffer, { pixelsMax, longSideMaxPx }: ImageLimits) {
  try {
    return await sharp(input, { failOn: "error", limitInputPixels: pixelsMax, sequentialRead: true, pages: 1 })
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
