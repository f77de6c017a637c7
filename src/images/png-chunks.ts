import { inflateSync } from "node:zlib";

// A decoder keeps all text of a PNG in memory, and text may be compressed a thousandfold: of 6.4 MB, 900 chunks of it took 1.9 GB and 47 s. So what isn't
// picture never reaches the decoder, and text is read here, within bounds.

/** A chunk of a PNG: `whole` with its length and checksum (PNG, third edition, 5.3). */
interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  readonly whole: Buffer;
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const FRAME_BYTES = 12;
/** What the looks of a picture come from: pixels, palette, transparency, colours, and the turn that stands in EXIF. */
const PICTURE_CHUNKS = new Set(
  ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].concat(["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "eXIf"]),
);
const TEXT_CHUNKS = new Set(["tEXt", "zTXt", "iTXt", "eXIf"]);
const TEXTS_MAX = 20;
const TEXT_BYTES_MAX = 1024 * 1024;

/** The same PNG with what its looks come from and nothing else; what follows a chunk that is cut off stays as it is. */
export function pictureOnly(png: Buffer): Buffer {
  const { chunks, rest } = chunksOf(png);
  const kept = chunks.filter(({ type }) => PICTURE_CHUNKS.has(type)).map(({ whole }) => whole);
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...kept, rest]);
}

/** The text of a PNG's metadata: of its first 20 pieces at most the first MiB each; one that inflates to more is left out. */
export function textOf(png: Buffer): string[] {
  const { chunks } = chunksOf(png);
  const texts = chunks.filter(({ type }) => TEXT_CHUNKS.has(type)).slice(0, TEXTS_MAX);
  return texts.map((chunk) => inflated(chunk).subarray(0, TEXT_BYTES_MAX).toString("latin1"));
}

function chunksOf(png: Buffer): { chunks: Chunk[]; rest: Buffer } {
  const chunks: Chunk[] = [];
  let at = SIGNATURE_BYTES;
  while (at + FRAME_BYTES <= png.length) {
    const end = at + FRAME_BYTES + png.readUInt32BE(at);
    if (end > png.length) break;
    const whole = png.subarray(at, end);
    chunks.push({ type: whole.toString("latin1", 4, 8), data: whole.subarray(8, -4), whole });
    at = end;
  }
  return { chunks, rest: png.subarray(at) };
}

/** A chunk's data with the text that is compressed in it. */
function inflated({ type, data }: Chunk): Buffer {
  const start = compressedAt(type, data);
  if (start === null) return data;
  try {
    return Buffer.concat([
      data.subarray(0, start),
      inflateSync(data.subarray(start), { maxOutputLength: TEXT_BYTES_MAX }),
    ]);
  } catch {
    return data.subarray(0, start);
  }
}

/** Where compressed text begins: behind keyword and method; in iTXt, where its flag says so, behind two more texts that end with NUL. */
function compressedAt(type: string, data: Buffer): number | null {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0) return null;
  if (type === "zTXt") return keywordEnd + 2;
  if (type !== "iTXt" || data[keywordEnd + 1] !== 1) return null;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translatedEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1);
  return translatedEnd < 0 ? null : translatedEnd + 1;
}
