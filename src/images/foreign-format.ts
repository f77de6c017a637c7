import { open } from "node:fs/promises";

/** Enough for an `ftyp` box with its first brand, and for every other signature. */
const HEAD_BYTES = 32;

/** Signatures of other formats that people upload, as latin1; ISO BMFF files are recognised by their brand. */
const SIGNATURES: readonly (readonly [name: string, signature: RegExp])[] = [
  ["HEIC", /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s],
  ["AVIF", /^.{4}ftypavi[fs]/s],
  ["WebP", /^RIFF.{4}WEBP/s],
  ["GIF", /^GIF8/],
  ["TIFF", /^(?:II\*\0|MM\0\*)/],
  ["PDF", /^%PDF-/],
];

/**
 * Returns the format of a file by its first bytes, if it is one that people upload instead of JPEG or PNG; else null.
 */
export async function foreignFormatOf(path: string): Promise<string | null> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), { position: 0 });
    const head = buffer.toString("latin1", 0, bytesRead);
    return SIGNATURES.find(([, signature]) => signature.test(head))?.[0] ?? null;
  } finally {
    await file.close();
  }
}
