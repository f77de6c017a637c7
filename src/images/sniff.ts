import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** The header of an image. Sizes are in pixels, as stored, before any rotation by EXIF. */
export type Sniffed =
  | { readonly kind: "ok"; readonly format: "jpeg" | "png"; readonly width: number; readonly height: number }
  | { readonly kind: "too_large" }
  | { readonly kind: "not_a_photo" }
  | { readonly kind: "not_an_image" };

/**
 * The longest side of a photo, and how many times its shorter side that may be. Of 113 real photos of receipts the
 * longest was 4 times as long as wide, and 7,016 pixels long. Panoramas of phones have up to 16,384 pixels, pictures
 * stitched in a browser at most 32,767 (its canvas); a till receipt 80 mm wide and 3 m long is 40 times as long as
 * wide. A decoder works by rows: 19 million rows of one pixel took it 12 times as long as a square of as many. There is
 * no shortest side: a small picture costs nothing, and ends as no receipt.
 */
export const PHOTO_SIDES = { longestMaxPx: 32_767, ratioMax: 100 } as const;

/** The number of pixels that an image may have at most. */
export interface SizeLimit {
  readonly pixelsMax: number;
}

/** `incomplete`: the header continues after the given bytes. */
export type SniffedHead = Sniffed | { readonly kind: "incomplete" };

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** The bit depths that PNG allows for each colour type (PNG, third edition, 11.2.1). */
const PNG_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Enough for the header of nearly every photo: the EXIF block of a phone with its thumbnail is at most 64 KiB. */
const HEAD_BYTES = 256 * 1024;
/** Segments and padding bytes before the size of a JPEG; 10 MB of metadata in whole segments are 160. */
const JPEG_STEPS_MAX = 10_000;
/** A coded block of 8 × 8 pixels takes a bit at least: a JPEG of 49 megapixels in 1 kB is not complete. */
const JPEG_PIXELS_PER_BYTE_MAX = 512;

/** Detects a JPEG or PNG by its first bytes and reads its size, without decoding. */
export function sniffImage(head: Buffer, limits: SizeLimit): SniffedHead {
  const sniffed = head[0] === PNG_SIGNATURE[0] ? sniffPng(head) : sniffJpeg(head);
  if (sniffed.kind !== "ok") return sniffed;
  const { width, height } = sniffed;
  if (width * height > limits.pixelsMax) return { kind: "too_large" };
  return isOfPhoto(width, height) ? sniffed : { kind: "not_a_photo" };
}

function isOfPhoto(width: number, height: number): boolean {
  const longest = Math.max(width, height);
  return longest <= PHOTO_SIDES.longestMaxPx && longest <= PHOTO_SIDES.ratioMax * Math.min(width, height);
}

/**
 * Like `sniffImage` for a file, reading only its header. A file that ends within its header, or has fewer bytes than
 * its size needs, is not an image.
 */
export async function sniffFile(path: string, limits: SizeLimit): Promise<Sniffed> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for (let length = HEAD_BYTES; ; length *= 4) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, size)), { position: 0 });
      const sniffed = sniffImage(buffer.subarray(0, bytesRead), limits);
      if (sniffed.kind === "ok" && isCutShort(sniffed, size)) return { kind: "not_an_image" };
      if (sniffed.kind !== "incomplete") return sniffed;
      if (length >= size) return { kind: "not_an_image" };
    }
  } finally {
    await file.close();
  }
}

function isCutShort({ format, width, height }: Extract<Sniffed, { kind: "ok" }>, bytes: number): boolean {
  return format === "jpeg" && width * height > bytes * JPEG_PIXELS_PER_BYTE_MAX;
}

/** Reads a PNG: the signature, then a chunk IHDR of 13 bytes with a checksum. */
function sniffPng(head: Buffer): SniffedHead {
  const signature = head.subarray(0, PNG_SIGNATURE.length);
  if (!signature.equals(PNG_SIGNATURE.subarray(0, signature.length))) return { kind: "not_an_image" };
  if (head.length < 33) return { kind: "incomplete" };
  const isHeaderChunk = head.readUInt32BE(8) === 13 && head.toString("latin1", 12, 16) === "IHDR";
  if (!isHeaderChunk || crc32(head.subarray(12, 29)) !== head.readUInt32BE(29)) return { kind: "not_an_image" };
  const width = head.readUInt32BE(16);
  const height = head.readUInt32BE(20);
  const [depth = 0, colourType = 0, compression, filter, interlace = 0] = head.subarray(24, 29);
  const isKnown = (PNG_DEPTHS[colourType] ?? []).includes(depth) && compression === 0 && filter === 0 && interlace <= 1;
  if (width === 0 || height === 0 || !isKnown) return { kind: "not_an_image" };
  return { kind: "ok", format: "png", width, height };
}

/** Reads a JPEG: follows the segments to the frame header (ITU-T T.81, B.2.2), the only one with the size. */
function sniffJpeg(head: Buffer): SniffedHead {
  if (head.length < 3) return { kind: isPrefixOfJpeg(head) ? "incomplete" : "not_an_image" };
  if (!isPrefixOfJpeg(head.subarray(0, 3))) return { kind: "not_an_image" };
  let at = 2;
  for (let step = 0; step < JPEG_STEPS_MAX; step++) {
    if (at + 1 >= head.length) return { kind: "incomplete" };
    if (head[at] !== 0xff) return { kind: "not_an_image" };
    const marker = head[at + 1] as number;
    // Any number of 0xFF may precede a marker as padding.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isFrameHeader(marker)) {
      if (at + 10 > head.length) return { kind: "incomplete" };
      const height = head.readUInt16BE(at + 5);
      const width = head.readUInt16BE(at + 7);
      if (width === 0 || height === 0) return { kind: "not_an_image" };
      return { kind: "ok", format: "jpeg", width, height };
    }
    if (!isTableOrComment(marker)) return { kind: "not_an_image" };
    if (at + 4 > head.length) return { kind: "incomplete" };
    const length = head.readUInt16BE(at + 2);
    if (length < 2) return { kind: "not_an_image" };
    at += 2 + length;
  }
  return { kind: "not_an_image" };
}

function isPrefixOfJpeg(head: Buffer): boolean {
  return head.every((byte, index) => byte === [0xff, 0xd8, 0xff][index]);
}

/** SOF0 to SOF15, except DHT, JPG and DAC in the middle of that range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Segments that are allowed before a frame header: DHT, DAC, DQT, DRI, APPn, COM. */
function isTableOrComment(marker: number): boolean {
  return [0xc4, 0xcc, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);
}
