import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream, mkdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The disk holds no more (ENOSPC, or a quota): nothing was stored, and the file system's error is the cause. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
}

/** Where a stored file is found: a folder, two characters that spread the files, an id, `receipts/7f/0198…7f.jpg`. */
export type FileKey = string;

/** What `receive` made of a stream. `path` is a temporary file of ours, `sha256` the hash of its bytes in hex. */
export type Received =
  | { readonly kind: "ok"; readonly path: string; readonly bytes: number; readonly sha256: string }
  | { readonly kind: "too_large" };

/** Files on disk below one folder. Every method may throw StorageFull where it writes. */
export interface Files {
  /**
   * Writes a stream to a temporary file, hashing it on the way. More than `bytesMax` bytes, or any error, leave no file.
   * Whatever is not wanted of the stream is read and thrown away, since a multipart parser behind it would otherwise wait for ever.
   */
  receive(stream: Readable, limits: { bytesMax: number }): Promise<Received>;
  /** A path for a temporary file, of which nothing exists yet. */
  temporaryPath(): string;
  /** Moves a temporary file to its key, durably and in one step: the key holds all of it or nothing. */
  put(key: FileKey, temporaryPath: string): Promise<void>;
  /** The bytes under a key; null if there are none. */
  open(key: FileKey): Promise<Readable | null>;
  /** Whether there are bytes under a key. */
  has(key: FileKey): Promise<boolean>;
  /** The path under which the bytes of a key lie, for libraries that want one. */
  pathOf(key: FileKey): string;
  /** Removes what lies under a key; nothing there is as good. */
  remove(key: FileKey): Promise<void>;
  /** The keys of all files of a folder, some hundredth of them at a time. */
  keysIn(folder: string): AsyncIterable<readonly FileKey[]>;
  /** Removes temporary files last written before `olderThan`, as a killed process leaves them; gives their number. */
  sweepTemporary(olderThan: Date): Promise<number>;
}

const KEY = /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jpg$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key of a JPEG of ours. The spreading characters are the id's last: the first of a UUIDv7 are the time. */
export function fileKey(folder: string, id: string): FileKey {
  assert.match(id, UUID);
  const key = `${folder}/${id.slice(-2)}/${id}.jpg`;
  assert.match(key, KEY);
  return key;
}

/** The id that a key was made of. */
export function idOfKey(key: FileKey): string {
  return key.slice(key.lastIndexOf("/") + 1, -".jpg".length);
}

/** StorageFull for an error that says the disk is full, any other error as it is. */
export function storageError(error: unknown): unknown {
  const code = errorCode(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new StorageFull("The storage for files is full.", { cause: error });
}

/** Files below `dir`, which is made if it is not there. Temporary ones lie in `dir/tmp`, on the same file system. */
export function createFiles(options: { dir: string }): Files {
  const { dir } = options;
  const temporaryDir = join(dir, "tmp");
  mkdirSync(temporaryDir, { recursive: true, mode: 0o700 });

  const temporaryPath = () => join(temporaryDir, randomUUID());
  // A path is only ever built from a key of the shape above, so nothing that a client sends can name a file.
  const pathOf = (key: FileKey) => {
    assert.match(key, KEY);
    return join(dir, key);
  };

  return {
    temporaryPath,
    pathOf,

    async receive(stream, { bytesMax }) {
      const path = temporaryPath();
      const hash = createHash("sha256");
      let bytes = 0;
      const measured = async function* () {
        // An own iterator, since leaving a `for await` over the stream would destroy it.
        for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
          bytes += (chunk as Buffer).length;
          if (bytes > bytesMax) return;
          hash.update(chunk as Buffer);
          yield chunk as Buffer;
        }
      };
      const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
      try {
        await pipeline(measured, target);
        if (bytes <= bytesMax) return { kind: "ok", path, bytes, sha256: hash.digest("hex") };
      } catch (error) {
        // A source that fails at once does so before the file is made, which would then come after its removal.
        if (!target.closed) await new Promise((resolve) => target.once("close", resolve));
        await rm(path, { force: true });
        discard(stream);
        throw storageError(error);
      }
      await rm(path, { force: true });
      discard(stream);
      return { kind: "too_large" };
    },

    async put(key, temporaryPath) {
      const path = pathOf(key);
      try {
        await syncToDisk(temporaryPath);
        const firstMade = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(temporaryPath, path);
        await syncToDisk(dirname(path));
        // A folder that was just made is itself an entry of the one above it.
        if (firstMade !== undefined) {
          await syncToDisk(dirname(dirname(path)));
          await syncToDisk(dir);
        }
      } catch (error) {
        throw storageError(error);
      }
    },

    async open(key) {
      try {
        const handle = await open(pathOf(key), "r");
        return handle.createReadStream();
      } catch (error) {
        if (errorCode(error) === "ENOENT") return null;
        throw error;
      }
    },

    has: async (key) => (await stat(pathOf(key)).catch(ignoreMissing)) !== undefined,

    remove: (key) => rm(pathOf(key), { force: true }),

    async *keysIn(folder) {
      for (const spread of (await readdir(join(dir, folder)).catch(ignoreMissing)) ?? []) {
        const names = (await readdir(join(dir, folder, spread)).catch(ignoreMissing)) ?? [];
        const keys = names.map((name) => `${folder}/${spread}/${name}`).filter((key) => KEY.test(key));
        if (keys.length > 0) yield keys;
      }
    },

    async sweepTemporary(olderThan) {
      let removed = 0;
      for (const name of await readdir(temporaryDir)) {
        const path = join(temporaryDir, name);
        const modifiedAt = await stat(path).then((found) => found.mtime, ignoreMissing);
        if (modifiedAt === undefined || modifiedAt >= olderThan) continue;
        await rm(path, { force: true });
        removed++;
      }
      return removed;
    },
  };
}

/** Reads the rest of a stream to nowhere; what becomes of it concerns nobody any more. */
function discard(stream: Readable): void {
  stream.on("error", () => {});
  stream.resume();
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** For a file that another process removed first. */
function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}
