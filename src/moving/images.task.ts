import { rm } from "node:fs/promises";
import { digestOf } from "../digest.ts";
import type { Files } from "../files.ts";
import { numberedKeys } from "../numbered-keys.ts";
import type { Tx } from "../postgres/postgres.ts";
import { createSemaphore } from "../queue/semaphore.ts";
import { removeImages } from "../remove-images.task.ts";
import { StorageUnavailable } from "../storage-failures.ts";
import { receiptsAfter } from "./move.store.ts";

const RECEIPTS_A_PAGE = 500;
/** Copies at once: in a store on other machines each takes its time. */
const COPIES_AT_ONCE = 8;
/** Images that are looked for in both stores before a move: some of them an operator may have removed. */
const COMPARED_PLACES = 20;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** Yields the keys of all images of an application, some hundred at once. */
export async function* applicationImageKeys(tx: Tx, applicationId: string): AsyncGenerator<string[]> {
  for (let after = LOWEST_ID; ;) {
    const receipts = await receiptsAfter(tx, applicationId, { after, limit: RECEIPTS_A_PAGE });
    if (receipts.length === 0) return;
    yield receipts.flatMap(({ imageKey, photos }) => numberedKeys(imageKey, photos));
    after = receipts.at(-1)!.id;
  }
}

type From = Pick<Files, "open">;
type To = Pick<Files, "open" | "receive" | "put">;

/** How many images were copied, and how many were not there, as where an operator removed them. */
export interface CopiedImages {
  readonly copied: number;
  readonly missing: number;
}

/** Copies all images of an application, and compares each. Those that are there already are compared alone. */
export async function copyImages(
  tx: Tx,
  files: { source: From; target: To },
  applicationId: string,
  report: (line: string) => void,
): Promise<CopiedImages> {
  const places = createSemaphore(COPIES_AT_ONCE);
  const images = { copied: 0, missing: 0 };
  const copyOne = async (key: string): Promise<void> => {
    images[await copyImage(files, key)] += 1;
  };
  for await (const keys of applicationImageKeys(tx, applicationId)) {
    // All of a page end before the command does: none is written behind what an operator does next.
    const ended = await Promise.allSettled(keys.map((key) => places.run(() => copyOne(key))));
    for (const each of ended) if (each.status === "rejected") throw each.reason;
    report(`${images.copied} images copied`);
  }
  return images;
}

/**
 * Copies an image through a temporary file here, unless the same one is there, and reads the copy again to compare it.
 * "missing": there is none to copy.
 */
async function copyImage({ source, target }: { source: From; target: To }, key: string): Promise<keyof CopiedImages> {
  const image = await source.open(key).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) throw error;
    throw new Error(`the image ${key} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  if (image === null) return "missing";
  const received = await target.receive(image, { bytesMax: Infinity });
  if (received.kind !== "ok") throw new Error(`the image ${key} is too large`);
  try {
    if ((await digestIn(target, key)) === received.sha256) return "copied";
    await target.put(key, received.path);
  } finally {
    await rm(received.path, { force: true });
  }
  if ((await digestIn(target, key)) !== received.sha256) throw new Error(`the copy of the image ${key} differs`);
  return "copied";
}

/**
 * Whether a store has images of an application, by the first ones that `source` has. Before anything is copied that
 * means that both are the same place, under whatever name: an undone move would remove what it has copied from it.
 */
export async function isSamePlace(
  tx: Tx,
  { source, target }: { source: Pick<Files, "has">; target: Pick<Files, "has"> },
  applicationId: string,
): Promise<boolean> {
  for await (const keys of applicationImageKeys(tx, applicationId)) {
    for (const key of keys.slice(0, COMPARED_PLACES)) {
      if (await target.has(key)) return true;
      if (await source.has(key)) return false;
    }
    break;
  }
  return false;
}

/** The digest of what a store has; null: nothing, or what cannot be read as it was stored. */
async function digestIn(files: From, key: string): Promise<string | null> {
  try {
    const image = await files.open(key);
    return image && (await digestOf(image)).sha256;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    return null;
  }
}

/** Removes all images of an application. Returns their number. */
export async function removeApplicationImages(
  tx: Tx,
  files: Pick<Files, "remove">,
  applicationId: string,
  report: (line: string) => void,
): Promise<number> {
  let images = 0;
  const onRemoved = () => void images++;
  for await (const keys of applicationImageKeys(tx, applicationId)) {
    await removeImages(files, keys, { onRemoved });
    report(`${images} images removed`);
  }
  return images;
}
