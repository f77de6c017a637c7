import { createReadStream } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { digestOf } from "../digest.ts";
import { ignoreMissing } from "../errno.ts";
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
  await using original = await from.borrow(key);
  // The store may take it away.
  const copy = temporary.temporaryPath();
  try {
    // Removed since it was listed.
    const isThere = await copyFile(original.path, copy).then(() => true, ignoreMissing);
    if (!isThere) return { kind: "gone" };
    const { sha256, bytes } = await digestOf(createReadStream(copy));
    // A call that was ended between the copy and the removal of the original has left both.
    let isCopied = (await digestIn(to, key)) === sha256;
    if (!isCopied) {
      await to.put(key, copy);
      isCopied = (await digestIn(to, key)) === sha256;
    }
    // An erasure marks the user first. Without the mark it removes the image later, from both places.
    const isWanted = (await wantedImageKeys(database, [idOfKey(key)])).has(key);
    if (isWanted && !isCopied) return { kind: "differs" };
    if (!isWanted) await to.remove(key);
    await from.remove(key);
    return isWanted ? { kind: "moved", bytes } : { kind: "gone" };
  } finally {
    await rm(copy, { force: true });
  }
}

/** Null: there is none, or it cannot be read as it was stored. */
async function digestIn(store: FileStore, key: FileKey): Promise<string | null> {
  try {
    await using image = await store.borrow(key);
    return (await digestOf(createReadStream(image.path))).sha256;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    return null;
  }
}
