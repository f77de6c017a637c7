import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream, mkdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ignoreMissing, isErrno } from "./errno.ts";

/** The disk is full (ENOSPC, or a quota): nothing was stored. The cause is the error of the file system. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
}

/**
 * The key of a stored file: a folder, two characters that spread the files, an id, `receipts/7f/0198…7f.jpg`. Further
 * files of the same id have their number behind it, `receipts/7f/0198…7f-2.jpg`.
 */
export type FileKey = string;

/** The result of `receive`. `path` is a temporary file, `sha256` the hash of its bytes in hex. */
export type Received =
  | { readonly kind: "ok"; readonly path: string; readonly bytes: number; readonly sha256: string }
  | { readonly kind: "too_large" };

/** Uploads on their way, on this machine. Methods that write can throw StorageFull. */
export interface TemporaryFiles {
  /**
   * Writes a stream to a temporary file and hashes it. More than `bytesMax` bytes, or any error, leave no file. The
   * rest of the stream is read and dropped, since a multipart parser would otherwise wait for it without end.
   */
  receive(stream: Readable, limits: { bytesMax: number }): Promise<Received>;
  /** Returns a path for a temporary file that does not exist yet. */
  temporaryPath(): string;
  /** Removes temporary files last written before `olderThan`, left by killed processes; returns their number. */
  sweepTemporary(olderThan: Date): Promise<number>;
}

/**
 * Where clients get a stored file: `here` from the service, or for some time at an address of the store; `missing`:
 * there is none.
 */
export type Place =
  | { readonly kind: "here" }
  | { readonly kind: "at"; readonly url: string }
  | { readonly kind: "missing" };

/** A stored file as a file of this machine, until it is disposed of. */
export interface BorrowedFile extends AsyncDisposable {
  /** Leads to no file if there is none. */
  readonly path: string;
}

/** Stored files by key. Every method throws StorageUnavailable while the store is away, unless it says otherwise. */
export interface FileStore {
  /**
   * Stores a temporary file under its key, durably and in one step: the key has the whole file or none. Afterwards the
   * temporary file may be gone. Throws StorageFull.
   */
  put(key: FileKey, temporaryPath: string): Promise<void>;
  /** Opens the file of a key; null if there is none. */
  open(key: FileKey): Promise<Readable | null>;
  /** Returns whether a key has a file. */
  has(key: FileKey): Promise<boolean>;
  /** For libraries that need a path. */
  borrow(key: FileKey): Promise<BorrowedFile>;
  /** Returns where clients get a file for `seconds`. It never fails: while the store is away, that is where it was. */
  placeOf(key: FileKey, seconds: number): Promise<Place>;
  /** Removes the file of a key, if there is one. */
  remove(key: FileKey): Promise<void>;
  /** Yields the keys of all files of a folder, in parts. */
  keysIn(folder: string): AsyncIterable<readonly FileKey[]>;
  /**
   * Whether the store responded when it was last asked, which this begins again if it was long ago: nobody waits for
   * it. Absent: it is on this machine.
   */
  isReachable?(): boolean;
  /** Whether `put` would fail now without an attempt. Absent: it is on this machine. */
  isAway?(): boolean;
}

/** Temporary and stored files. */
export interface Files extends TemporaryFiles, FileStore {}

/** Files on disk below one folder. */
export interface FolderFiles extends Files {
  /** Returns the path of a key's file. */
  pathOf(key: FileKey): string;
}

const KEY = /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[2-9])?\.jpg$/;
const ID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the key of a stored JPEG. The two characters are the last of the id: the first ones of a UUIDv7 are its time.
 */
export function fileKey(folder: string, id: string): FileKey {
  assert.match(id, UUID);
  const key = `${folder}/${id.slice(-2)}/${id}.jpg`;
  assert.match(key, KEY);
  return key;
}

/** Whether a text is the key of a stored file. */
export function isFileKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the id in a key. */
export function idOfKey(key: FileKey): string {
  const from = key.lastIndexOf("/") + 1;
  return key.slice(from, from + ID_LENGTH);
}

/** Returns StorageFull for an error that means a full disk, any other error unchanged. */
export function storageError(error: unknown): unknown {
  if (!isErrno(error, "ENOSPC", "EDQUOT")) return error;
  return new StorageFull("The storage for files is full.", { cause: error });
}

/** Creates a store below `dir`, which is made if missing. Temporary files are in `dir/tmp`, on the same file system. */
export function createFiles(options: { dir: string }): FolderFiles {
  const { dir } = options;
  const temporaryDir = join(dir, "tmp");
  mkdirSync(temporaryDir, { recursive: true, mode: 0o700 });

  const temporaryPath = () => join(temporaryDir, randomUUID());
  // Paths are built only from keys of the pattern above, so nothing that a client sends can name a file.
  const pathOf = (key: FileKey) => {
    assert.match(key, KEY);
    return join(dir, key);
  };

  const has = async (key: FileKey) => (await stat(pathOf(key)).catch(ignoreMissing)) !== undefined;

  return {
    temporaryPath,
    pathOf,
    receive: (stream, { bytesMax }) => receiveFile(stream, temporaryPath(), bytesMax),
    put: async (key, temporaryPath) => moveDurably(temporaryPath, pathOf(key), dir),

    async open(key) {
      const handle = await open(pathOf(key), "r").catch(ignoreMissing);
      return handle?.createReadStream() ?? null;
    },

    has,
    borrow: async (key) => ({ path: pathOf(key), [Symbol.asyncDispose]: async () => {} }),
    placeOf: async (key) => ({ kind: (await has(key)) ? "here" : "missing" }),

    remove: (key) => rm(pathOf(key), { force: true }),

    keysIn: (folder) => keysBelow(dir, folder),

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

/** Yields the keys of all files of a folder below `dir`, in parts. */
export async function* keysBelow(dir: string, folder: string): AsyncGenerator<FileKey[]> {
  for (const spread of (await readdir(join(dir, folder)).catch(ignoreMissing)) ?? []) {
    const names = (await readdir(join(dir, folder, spread)).catch(ignoreMissing)) ?? [];
    const keys = names.map((name) => `${folder}/${spread}/${name}`).filter(isFileKey);
    if (keys.length > 0) yield keys;
  }
}

async function receiveFile(stream: Readable, path: string, bytesMax: number): Promise<Received> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = async function* () {
    // Not `for await` over the stream itself: leaving that loop would destroy the stream.
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
    // A source can fail before the file is created. Wait, or the file would be created after its removal.
    if (!target.closed) await new Promise((resolve) => target.once("close", resolve));
    await rm(path, { force: true });
    discard(stream);
    throw storageError(error);
  }
  await rm(path, { force: true });
  discard(stream);
  return { kind: "too_large" };
}

/** Moves a file to `path` below `dir` in one step, and syncs it and the folders it created to disk. */
async function moveDurably(from: string, path: string, dir: string): Promise<void> {
  try {
    await syncToDisk(from);
    const firstCreated = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(from, path);
    await syncToDisk(dirname(path));
    // A new folder is itself an entry of its parent folder.
    if (firstCreated !== undefined) {
      await syncToDisk(dirname(dirname(path)));
      await syncToDisk(dir);
    }
  } catch (error) {
    throw storageError(error);
  }
}

/** Reads and drops the rest of a stream, and ignores its errors. */
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
