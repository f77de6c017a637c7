import type { Readable } from "node:stream";
import { digestOf } from "../digest.ts";
import type { Files } from "../files.ts";
import { numberedKeys } from "../numbered-keys.ts";
import type { Tx } from "../postgres/postgres.ts";
import { createSemaphore } from "../queue/semaphore.ts";
import { receiptsAfter } from "./move.store.ts";

const RECEIPTS_A_PAGE = 500;
/** Removals at once: of a store on other machines each takes its time. */
const REMOVALS_AT_ONCE = 8;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** Yields the keys of all images of an application, some hundred at once. */
export async function* imageKeysOf(tx: Tx, applicationId: string): AsyncGenerator<string[]> {
  for (let after = LOWEST_ID; ;) {
    const receipts = await receiptsAfter(tx, applicationId, { after, limit: RECEIPTS_A_PAGE });
    if (receipts.length === 0) return;
    yield receipts.flatMap(({ imageKey, photos }) => numberedKeys(imageKey, photos));
    after = receipts.at(-1)!.id;
  }
}

/**
 * Copies an image unless the same one is there, and reads both again to compare them. "missing": there is none to copy,
 * as where an operator removed it.
 */
export async function copyImage(
  { source, target }: { source: Pick<Files, "open">; target: Pick<Files, "open" | "receive" | "put"> },
  key: string,
): Promise<"copied" | "missing"> {
  const digest = await sha256Of(await source.open(key));
  if (digest === null) return "missing";
  if ((await sha256Of(await target.open(key))) === digest) return "copied";
  const image = await source.open(key);
  if (image === null) return "missing";
  const received = await target.receive(image, { bytesMax: Infinity });
  if (received.kind === "ok") await target.put(key, received.path);
  if ((await sha256Of(await target.open(key))) !== digest) throw new Error(`the copy of the image ${key} differs`);
  return "copied";
}

async function sha256Of(image: Readable | null): Promise<string | null> {
  return image && (await digestOf(image)).sha256;
}

/** Removes all images of an application. Returns their number. */
export async function removeImages(
  tx: Tx,
  files: Pick<Files, "remove">,
  applicationId: string,
  report: (line: string) => void,
): Promise<number> {
  const places = createSemaphore(REMOVALS_AT_ONCE);
  let images = 0;
  for await (const keys of imageKeysOf(tx, applicationId)) {
    await Promise.all(keys.map((key) => places.run(() => files.remove(key))));
    images += keys.length;
    report(`${images} images removed`);
  }
  return images;
}
