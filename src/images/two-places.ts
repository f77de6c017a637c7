import { constants, existsSync } from "node:fs";
import { copyFile, link, rm } from "node:fs/promises";
import { isErrno } from "../errno.ts";
import type { BorrowedFile, FileKey, FileStore, FolderFiles } from "../files.ts";

/**
 * Images in a folder and in a bucket, in whatever part of a move from one to the other: new ones are stored in `first`.
 * The folder is searched before and after the bucket, so that an image which is moved meanwhile is found.
 */
export function inTwoPlaces(folder: FolderFiles, bucket: FileStore, first: "folder" | "s3"): FileStore {
  const stores = [folder, bucket, folder];

  const has = async (key: FileKey): Promise<boolean> => {
    for (const store of stores) if (await store.has(key)) return true;
    return false;
  };

  return {
    has,
    put: (key, path) => (first === "s3" ? bucket : folder).put(key, path),
    open: async (key) => {
      for (const store of stores) {
        const image = await store.open(key);
        if (image) return image;
      }
      return null;
    },
    borrow: async (key) => {
      const inFolder = await borrowLinked(folder, key);
      if (inFolder) return inFolder;
      const borrowed = await bucket.borrow(key);
      if (existsSync(borrowed.path)) return borrowed;
      return (await borrowLinked(folder, key)) ?? borrowed;
    },
    placeOf: async (key, seconds) => {
      for (const store of stores) {
        const place = await store.placeOf(key, seconds);
        if (place.kind !== "missing") return place;
      }
      return { kind: "missing" };
    },
    remove: async (key) => {
      await folder.remove(key);
      await bucket.remove(key);
    },
    async *keysIn(name) {
      yield* folder.keysIn(name);
      yield* bucket.keysIn(name);
    },
    isReachable: () => bucket.isReachable?.() ?? true,
    isAway: () => first === "s3" && (bucket.isAway?.() ?? false),
  };
}

/** Borrows a file under a name of its own: the image may be moved before it is read. Null: there is none. */
async function borrowLinked(folder: FolderFiles, key: FileKey): Promise<BorrowedFile | null> {
  const path = folder.temporaryPath();
  try {
    await link(folder.pathOf(key), path).catch((error: unknown) => {
      if (isErrno(error, "ENOENT")) throw error;
      // Not every file system has links.
      return copyFile(folder.pathOf(key), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
