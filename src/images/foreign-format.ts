import { open } from "node:fs/promises";

/** Enough for a `ftyp` box with its first brand, and for every other mark. */
const HEAD_BYTES = 32;

/** How files begin that are sent in place of a JPEG or PNG, `latin1`; a box of ISO BMFF by its brand. */
const MARKS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["HEIC", /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s],
  ["AVIF", /^.{4}ftypavi[fs]/s],
  ["WebP", /^RIFF.{4}WEBP/s],
  ["GIF", /^GIF8/],
  ["TIFF", /^(?:II\*\0|MM\0\*)/],
  ["PDF", /^%PDF-/],
];

/** What a file is that is no JPEG or PNG, by its first bytes, where people send such files; else null. */
export async function foreignFormatOf(path: string): Promise<string | null> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), { position: 0 });
    const head = buffer.toString("latin1", 0, bytesRead);
    return MARKS.find(([, mark]) => mark.test(head))?.[0] ?? null;
  } finally {
    await file.close();
  }
}
