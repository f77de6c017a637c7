import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { idOfKey } from "../files.ts";
import type { FileKey, FileStore, TemporaryFiles } from "../files.ts";
import type { Database } from "../postgres/postgres.ts";
import { createSemaphore } from "../queue/semaphore.ts";
import { StorageUnavailable } from "../storage-failures.ts";
import { RECEIPT_IMAGES } from "./receipt.ts";
import { wantedImageKeys } from "./store.ts";

export interface MoveDeps {
  readonly database: Database;
  readonly from: FileStore;
  readonly to: FileStore;
  readonly temporary: Pick<TemporaryFiles, "temporaryPath">;
}

/** How far a move is. */
export interface Moved {
  readonly images: number;
  readonly bytes: number;
  /** Without a receipt: the daily sweep removes them. */
  readonly left: number;
  /** What was read from the new place was not what was stored there. They stay where they were. */
  readonly failed: number;
}

/** Images on their way at once. Each takes a file of its size, and is read back. */
const AT_ONCE = 4;

/**
 * Moves all images from one store to the other, while the service runs: copies, reads the copy back, and removes the
 * original if that has the same bytes. Ended at any time, it goes on where it was when it is called again: what was
 * moved is not listed any more. Throws StorageUnavailable.
 */
export async function moveImages(
  deps: MoveDeps,
  signal: AbortSignal,
  onProgress: (moved: Moved) => void,
): Promise<Moved> {
  const places = createSemaphore(AT_ONCE);
  let moved: Moved = { images: 0, bytes: 0, left: 0, failed: 0 };
  const moveOne = async (key: FileKey): Promise<void> => {
    if (signal.aborted) return;
    const outcome = await moveImage(deps, key);
    if (outcome.kind === "moved") moved = { ...moved, images: moved.images + 1, bytes: moved.bytes + outcome.bytes };
    if (outcome.kind === "differs") moved = { ...moved, failed: moved.failed + 1 };
    onProgress(moved);
  };
  for await (const keys of deps.from.keysIn(RECEIPT_IMAGES)) {
    if (signal.aborted) break;
    const wanted = await wantedImageKeys(deps.database, keys.map(idOfKey));
    const ended = await Promise.allSettled(
      keys.filter((key) => wanted.has(key)).map((key) => places.run(() => moveOne(key))),
    );
    moved = { ...moved, left: moved.left + keys.filter((key) => !wanted.has(key)).length };
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  }
  return moved;
}

type Outcome = { readonly kind: "moved"; readonly bytes: number } | { readonly kind: "gone" | "differs" };

async function moveImage({ database, from, to, temporary }: MoveDeps, key: FileKey): Promise<Outcome> {
  const original = await from.borrow(key);
  const path = temporary.temporaryPath();
  try {
    const wanted = await digestOf(original.path);
    // Removed since it was listed.
    if (!wanted) return { kind: "gone" };
    // A call that was ended between the copy and the removal of the original has left both.
    if ((await digestIn(to, key))?.sha256 !== wanted.sha256) {
      // The store may take the copy away.
      if (!(await isCopied(original.path, path))) return { kind: "gone" };
      await to.put(key, path);
      if ((await digestIn(to, key))?.sha256 !== wanted.sha256) return { kind: "differs" };
    }
    // An erasure marks the user first. Without the mark it removes the image later, from both places.
    if (!(await wantedImageKeys(database, [idOfKey(key)])).has(key)) await to.remove(key);
    await from.remove(key);
    return { kind: "moved", bytes: wanted.bytes };
  } finally {
    await rm(path, { force: true });
    await original.release();
  }
}

/** False: it was removed meanwhile, as with its user. */
async function isCopied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return false;
    throw error;
  }
}

/** Null: there is none, or it cannot be read as it was stored. */
async function digestIn(store: FileStore, key: FileKey): Promise<Digest | null> {
  try {
    const { path, release } = await store.borrow(key);
    try {
      return await digestOf(path);
    } finally {
      await release();
    }
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    return null;
  }
}

interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

async function digestOf(path: string): Promise<Digest | null> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  }
  return { sha256: hash.digest("hex"), bytes };
}
