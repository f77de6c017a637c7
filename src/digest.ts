import { createHash } from "node:crypto";
import type { Readable } from "node:stream";

/** The hash of some bytes, in hex, and their number. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

/** Reads a stream to its end. Throws its errors. */
export async function digestOf(stream: Readable): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
