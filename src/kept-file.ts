import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

// What takes long to make at each start, and depends on the release only, is kept in files: the optimised models of
// reading processes, and the index of the food catalogue. Nothing depends on the files: without them, or without the
// right to write them, each process makes its own.

const DIGEST_BYTES = 32;
const NAME_CHARACTERS = 32;

/** Bytes to make, from everything that decides on the result. */
export interface Made {
  /** Name of the files. */
  readonly name: string;
  /** Ending of the files. */
  readonly type: string;
  readonly from: readonly (Uint8Array | string)[];
  readonly make: () => Uint8Array;
}

/** Returns the bytes from their file in the folder, or makes them and writes the file. `undefined`: no folder. */
export async function keptFile(folder: string | undefined, { name, type, from, make }: Made): Promise<Uint8Array> {
  if (folder === undefined) return make();
  const hash = createHash("sha256");
  for (const part of from) hash.update(`${part.length}:`).update(part);
  const file = `${name}-${hash.digest("hex").slice(0, NAME_CHARACTERS)}.${type}`;
  const kept = await readFile(join(folder, file)).then(contentOf, () => null);
  if (kept) return kept;
  const made = make();
  // A full disk or a folder that cannot be written: the next process makes it again.
  await writeKept(folder, name, file, made).catch(() => undefined);
  return made;
}

/** Returns what follows the digest; null for a file that was cut off, as by a loss of power. */
function contentOf(file: Buffer): Uint8Array | null {
  const content = file.subarray(DIGEST_BYTES);
  return digestOf(content).equals(file.subarray(0, DIGEST_BYTES)) ? content : null;
}

/** Two processes may write at once: each writes a file of its own and renames it. Removes files of earlier releases. */
async function writeKept(folder: string, name: string, file: string, content: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, `${name}-${randomUUID()}`);
  try {
    await writeFile(unfinished, Buffer.concat([digestOf(content), content]), { mode: 0o600 });
    await rename(unfinished, join(folder, file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const others = (await readdir(folder)).filter((other) => other.startsWith(`${name}-`) && other !== file);
  await Promise.all(others.map((other) => rm(join(folder, other), { force: true })));
}

function digestOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
