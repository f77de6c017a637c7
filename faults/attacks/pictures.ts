import { deflateSync } from "node:zlib";
import sharp from "sharp";
import glyphs from "../../reference/till-font/glyphs.json" with { type: "json" };
import { randomness } from "../../src/receipts/samples/seeded-noise.ts";
import { crc32 } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a PNG of one colour. Its size in bytes is a thousandth of its size in memory. */
export function plainPng(options: {
  width: number;
  height: number;
  bitDepth: 1 | 16;
  /** Truecolour with alpha instead of grey. */
  hasColour?: boolean;
  isInterlaced?: boolean;
}): Buffer {
  const { width, height, bitDepth, hasColour = false, isInterlaced = false } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, hasColour ? 6 : 0, 0, 0, isInterlaced ? 1 : 0], 8);
  const rowBytes = 1 + Math.ceil((width * bitDepth * (hasColour ? 4 : 1)) / 8);
  // Interlaced rows are shorter but more; a few bytes beyond the end are ignored by decoders.
  const pixels = deflateSync(Buffer.alloc(Math.ceil(rowBytes * height * (isInterlaced ? 1.01 : 1))), { level: 9 });
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Draws a page full of small print, of about 580 kB: far more boxes to read than any receipt has. */
export async function densePage(seed = 1): Promise<Buffer> {
  const [widthPx, heightPx, rows, columns] = [2_400, 3_200, 140, 150];
  const random = randomness(seed);
  const characters = Object.entries(glyphs as Record<string, string>).filter(([name]) => /^[A-Z0-9]$/.test(name));
  const defined = characters.map(([name, path]) => `<path id="g${name}" d="${path}"/>`).join("");
  const print: string[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (random() < 0.18) continue;
      const [name] = characters[Math.floor(random() * characters.length)]!;
      const place = `translate(${20 + column * 15.7} ${30 + row * 22.5}) scale(0.026)`;
      print.push(`<use href="#g${name}" transform="${place}" stroke="#000" stroke-width="40"/>`);
    }
  }
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><defs>${defined}</defs>` +
    `<rect width="100%" height="100%" fill="#fff"/>${print.join("")}</svg>`;
  return sharp(Buffer.from(svg), { unlimited: true }).resize({ width: 1_400 }).jpeg({ quality: 20 }).toBuffer();
}

/** Returns the same JPEG with other bytes: a comment of four bytes behind its start. */
export function withComment(jpeg: Buffer, number: number): Buffer {
  const comment = Buffer.from([0xff, 0xfe, 0x00, 0x06, 0, 0, 0, 0]);
  comment.writeUInt32BE(number, 4);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

/** Returns a form with a photo of a receipt. */
export function receiptForm(image: Buffer, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("receiptImage", new Blob([Uint8Array.from(image)]), "receipt.jpg");
  return form;
}
