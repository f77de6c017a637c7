import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32, createDeflate } from "node:zlib";

// Pictures that are made to cost their decoder time or memory, or to break it. None needs more than a few hundred kB.

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const END_CHUNK = pngChunk("IEND", Buffer.alloc(0));
const MIB = 1024 * 1024;

/** Returns a chunk of a PNG, with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return chunk;
}

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colourType?: number;
  readonly interlace?: number;
}

/** Returns the signature of a PNG with its header. */
export function pngHeader({ width, height, depth = 8, colourType = 2, interlace = 0 }: PngHeader): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlace], 8);
  return Buffer.concat([SIGNATURE, pngChunk("IHDR", header)]);
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Returns a complete PNG whose pixels are all 0, with `chunks` before the pixels. */
export async function blackPng(header: PngHeader, chunks: readonly Buffer[] = []): Promise<Buffer> {
  const { width, height, depth = 8, colourType = 2, interlace = 0 } = header;
  const bits = depth * CHANNELS[colourType]!;
  const sizes = interlace === 1 ? passesOf(width, height) : [[width, height] as const];
  const bytes = sizes.reduce((sum, [w, h]) => sum + (w === 0 ? 0 : h * (1 + Math.ceil((w * bits) / 8))), 0);
  return Buffer.concat([pngHeader(header), ...chunks, pngChunk("IDAT", await deflatedZeros(bytes)), END_CHUNK]);
}

/** Deflates zeros piece by piece, so that a test never holds what it says the decoder must not. */
function deflatedZeros(bytes: number): Promise<Buffer> {
  const whole = Array<Buffer>(Math.floor(bytes / MIB)).fill(Buffer.alloc(MIB));
  return buffer(Readable.from([...whole, Buffer.alloc(bytes % MIB)]).pipe(createDeflate({ level: 9 })));
}

/** Returns the sizes of the seven passes of an interlaced PNG (PNG, third edition, 8.2). */
function passesOf(width: number, height: number): (readonly [number, number])[] {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  return passes.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]);
}

/** Returns a segment of a JPEG with its length. */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Codes for "no difference" (DC), and for a run of blocks without further coefficients (AC): one bit each. */
const ONE_CODE = [1, ...Array<number>(15).fill(0)];
const RUN_OF_BLOCKS = 0xe0;
const RUN_MAX = 2 ** 15 - 1;

/**
 * Returns a grey progressive JPEG of one shade with this number of scans, each over all of its blocks, within what the
 * format allows (ITU-T T.81, annex G): each of 63 coefficients in 14 scans, from its highest bit to its lowest.
 */
export function manyScans(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const empty = entropyCoded(`0${"1".repeat(14)}`, Math.ceil(blocks / RUN_MAX));
  const parts = [
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    jpegSegment(0xc2, frame),
    jpegSegment(0xc4, Buffer.from([0x00, ...ONE_CODE, 0])),
    jpegSegment(0xc4, Buffer.from([0x10, ...ONE_CODE, RUN_OF_BLOCKS])),
    scan(0, 0, 0),
    entropyCoded("0", blocks),
  ];
  for (let i = 0; i < scans - 1; i++) {
    const bit = 13 - Math.floor(i / 63);
    parts.push(scan(1 + (i % 63), bit === 13 ? 0 : bit + 1, bit), empty);
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

function scan(coefficient: number, previousBit: number, bit: number): Buffer {
  return jpegSegment(0xda, Buffer.from([1, 1, 0, coefficient, coefficient, (previousBit << 4) | bit]));
}

/** Returns a repeated code as bytes; a byte 0xFF is followed by 0, and the rest of the last byte is ones. */
function entropyCoded(code: string, times: number): Buffer {
  const bytes: number[] = [];
  let bits = "";
  for (let i = 0; i < times; i++) {
    bits += code;
    while (bits.length >= 8) {
      const byte = Number.parseInt(bits.slice(0, 8), 2);
      bits = bits.slice(8);
      bytes.push(byte, ...(byte === 0xff ? [0] : []));
    }
  }
  if (bits.length > 0) bytes.push(Number.parseInt(bits.padEnd(8, "1"), 2));
  return Buffer.from(bytes);
}

/** Returns EXIF of `entries` texts, in little-endian TIFF. */
export function exifOf(entries: number): Buffer {
  const exif = Buffer.alloc(8 + 2 + 12 * entries + 4);
  exif.write("II*\0\x08\0\0\0", "latin1");
  exif.writeUInt16LE(Math.min(entries, 65_535), 8);
  for (let i = 0; i < entries; i++) {
    const at = 10 + 12 * i;
    exif.writeUInt16LE(0x010e + (i % 200), at);
    exif.writeUInt16LE(2, at + 2);
    exif.writeUInt32LE(4, at + 4);
    exif.write("abc\0", at + 8, "latin1");
  }
  return exif;
}

/** Returns a chunk whose compressed content has this number of MiB: a text (`zTXt`) or a colour profile (`iCCP`). */
export async function inflating(type: "zTXt" | "iCCP", mib: number): Promise<Buffer> {
  return pngChunk(type, Buffer.concat([Buffer.from("k\0\0", "latin1"), await deflatedZeros(mib * MIB)]));
}

/** Returns the chunks of an animation with this number of empty frames. */
export function framesOf(count: number): Buffer[] {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(count, 0);
  return [pngChunk("acTL", control), ...Array<Buffer>(count).fill(pngChunk("fdAT", Buffer.alloc(4)))];
}
