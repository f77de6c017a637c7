import { existsSync } from "node:fs";
import { loadGrey } from "./features.ts";
import type { ViewedPicture } from "./features.ts";
import type { GreyPixels } from "./patch.ts";

/** A picture of 12 megapixels with the usual print is 0.7 to 2 MB in shades, with the smallest print up to 16. */
const BYTES_MAX = 32 * 1024 * 1024;
/** As long as an idle process lives. After that there is nothing of a user who was erased meanwhile. */
const MS_MAX = 60_000;

interface Kept {
  readonly pixels: GreyPixels;
  readonly usedMs: number;
}

/**
 * Creates a `load` for `comparePictures` that keeps the pictures it used last: a new picture is compared with several
 * earlier ones, and the next one often with the same of those. A picture whose file is gone is not used.
 */
export function createLoader(
  load = loadGrey,
  bytesMax = BYTES_MAX,
  now: () => number = () => performance.now(),
): (picture: ViewedPicture) => Promise<GreyPixels> {
  /** By the picture as it was viewed, the one that was used longest ago first. */
  const kept = new Map<string, Kept>();
  let bytes = 0;

  const drop = (view: string): void => {
    bytes -= kept.get(view)?.pixels.data.length ?? 0;
    kept.delete(view);
  };

  return async (picture) => {
    const view = JSON.stringify(picture);
    for (const [old, { usedMs }] of kept) if (now() - usedMs > MS_MAX) drop(old);
    const known = kept.get(view);
    const isUsable = known !== undefined && existsSync(picture.path);
    drop(view);
    const pixels = isUsable ? known.pixels : await load(picture);
    kept.set(view, { pixels, usedMs: now() });
    bytes += pixels.data.length;
    for (const oldest of kept.keys()) if (bytes > bytesMax) drop(oldest);
    return pixels;
  };
}
