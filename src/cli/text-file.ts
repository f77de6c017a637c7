import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import type { Gunzip } from "node:zlib";
import { Refusal } from "./command.ts";

const GZIP_MAGIC = 0x1f_8b;

/** A text file that is read piece by piece. */
export interface TextFile {
  /** Refuses a file that turns out to be cut off or damaged. Bytes that are no UTF-8 become U+FFFD. */
  readonly pieces: AsyncIterable<string>;
  /** The share of the file's bytes that was read, 0 to 1. */
  share(): number;
}

/** Opens a text file, gzipped or not. Refuses one that cannot be opened. */
export async function openText(path: string): Promise<TextFile> {
  let handle;
  try {
    handle = await open(path);
  } catch {
    throw new Refusal("the file cannot be opened");
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Refusal("the file cannot be opened: it is no file");
    const { size } = stat;
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
    const isGzipped = bytesRead === 2 && buffer.readUInt16BE() === GZIP_MAGIC;
    const plain = isGzipped ? createGunzip() : bytes;
    if (plain !== bytes) bytes.once("error", (error) => plain.destroy(error)).pipe(plain as Gunzip);
    return {
      pieces: undamaged(plain.setEncoding("utf8")),
      share: () => (size === 0 ? 1 : bytes.bytesRead / size),
    };
  } finally {
    await handle.close();
  }
}

async function* undamaged(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith("Z_")) throw error;
    throw new Refusal("the file is cut off or damaged; what was read before that is done");
  }
}
