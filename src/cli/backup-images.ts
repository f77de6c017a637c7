// The images of a back-up: a copy of those of the folder and of the bucket, their list, and whether all are there.

import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { copyFile, cp, lstat, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { digestOf } from "../digest.ts";
import { StorageFull, idOfKey, isFileKey, keysBelow } from "../files.ts";
import type { FileKey, FileStore } from "../files.ts";
import type { Images } from "../images/open-images.ts";
import type { Progress } from "../postgres/dump.ts";
import type { Database } from "../postgres/postgres.ts";
import { createSemaphore } from "../queue/semaphore.ts";
import { RECEIPT_IMAGES } from "../receipts/receipt.ts";
import { countWantedImages, wantedImageKeys } from "../receipts/store.ts";
import { StorageUnavailable } from "../storage-failures.ts";

export const FILES = "files";
const TEMPORARY = "tmp";
/** Digests and paths, as `sha256sum --check` reads them. */
const LIST = "images.sha256";
const LINE = /^([0-9a-f]{64}) {2}files\/(.+)$/;
/** Objects that are read at once. */
const READ_AT_ONCE = 8;

/** Copies the images of both places: first those of the place that they may be moved from meanwhile. */
export async function saveImages(
  { folder, bucket, first }: { folder: string; bucket: Images["bucket"]; first: "folder" | "s3" },
  to: string,
  report: Progress,
): Promise<void> {
  if (first === "s3") await copyImages(folder, to);
  if (bucket) await copyBucket(bucket, to, report);
  if (first === "folder") await copyImages(folder, to);
}

async function copyBucket(bucket: FileStore, to: string, report: Progress): Promise<void> {
  const places = createSemaphore(READ_AT_ONCE);
  let saved = 0;
  const save = async (key: FileKey): Promise<void> => {
    await using borrowed = await bucket.borrow(key).catch((error: unknown) => {
      if (error instanceof StorageUnavailable || error instanceof StorageFull) throw error;
      // Damaged. Without it the back-up has all the others, and says that one is missing.
      return null;
    });
    if (borrowed === null) return;
    await mkdir(dirname(join(to, key)), { recursive: true, mode: 0o700 });
    // Removed since it was listed, as with its user.
    if (existsSync(borrowed.path)) await copyFile(borrowed.path, join(to, key));
    report("the bucket", ++saved);
  };
  for await (const keys of bucket.keysIn(RECEIPT_IMAGES)) {
    const ended = await Promise.allSettled(keys.map((key) => places.run(() => save(key))));
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  }
}

/**
 * Copies the images below a folder, without temporary files. Returns their number. No symbolic link is copied: the
 * service makes none, and one in a manipulated backup would show any file of the machine as an image.
 */
export async function copyImages(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return 0;
  for (const folder of await readdir(from)) {
    if (folder !== TEMPORARY) await cp(join(from, folder), join(to, folder), { recursive: true, filter: isNoLink });
  }
  return countImages(to);
}

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink();
}

export async function countImages(dir: string): Promise<number> {
  return (await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".jpg")).length;
}

/** Writes the list of the images of a back-up. Returns their number. */
export async function writeList(dir: string): Promise<number> {
  let images = 0;
  await pipeline(
    async function* () {
      for await (const keys of keysBelow(join(dir, FILES), RECEIPT_IMAGES)) {
        for (const key of keys) {
          images += 1;
          yield `${await digestAt(join(dir, FILES, key))}  ${FILES}/${key}\n`;
        }
      }
    },
    createWriteStream(join(dir, LIST), { mode: 0o600, flush: true }),
  );
  return images;
}

/** What a back-up has not as it was listed. `first` names one. */
export interface NotWhole {
  readonly images: number;
  readonly first: string;
}

/** Compares the images of a back-up with its list, which must have as many; null: all are there. */
export async function findNotWhole(dir: string, wanted: number): Promise<NotWhole | null> {
  const bad: string[] = [];
  let listed = 0;
  if (existsSync(join(dir, LIST))) {
    for await (const line of createInterface({ input: createReadStream(join(dir, LIST)), crlfDelay: Infinity })) {
      const [, sha256, key = ""] = LINE.exec(line) ?? [];
      listed += 1;
      if (!isFileKey(key) || (await digestAt(join(dir, FILES, key))) !== sha256) bad.push(key || line.slice(0, 80));
    }
  }
  const images = bad.length + Math.max(0, wanted - listed);
  return images === 0 ? null : { images, first: bad[0] ?? LIST };
}

/** Null: there is no such file, or it is no ordinary one. */
async function digestAt(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile()) return null;
  return (await digestOf(createReadStream(path))).sha256;
}

/** Where images are looked for. */
export type Place = Pick<FileStore, "keysIn" | "has">;

export function savedPlace(dir: string): Place {
  return {
    keysIn: (folder) => keysBelow(join(dir, FILES), folder),
    has: async (key) => existsSync(join(dir, FILES, key)),
  };
}

/** Counts the images that receipts with an id below one have, and that are in none of the places. */
export async function countMissing(database: Database, places: readonly Place[], belowId: string): Promise<number> {
  let found = 0;
  for (const [i, place] of places.entries()) {
    for await (const keys of place.keysIn(RECEIPT_IMAGES)) {
      const wanted = await wantedImageKeys(database, keys.map(idOfKey));
      for (const key of keys.filter((each) => wanted.has(each) && idOfKey(each) < belowId)) {
        const isCounted = await anyHas(places.slice(0, i), key);
        if (!isCounted) found += 1;
      }
    }
  }
  return Math.max(0, (await countWantedImages(database, belowId)) - found);
}

async function anyHas(places: readonly Place[], key: FileKey): Promise<boolean> {
  for (const place of places) if (await place.has(key)) return true;
  return false;
}
