import os from "node:os";
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import type { Affine } from "./affine.ts";
import { comparePictures } from "./features.ts";
import type { ViewedPicture } from "./features.ts";
import { createLoader } from "./loaded.ts";
import type { Quad } from "./patch.ts";
import type { PlaceSimilarity } from "./place-similarity.ts";

// The program of a comparing process: compares one pair of stored pictures after another for its parent (comparer.ts).

/** Message to the process: two pictures to compare, see `comparePictures`. */
export interface ComparisonRequest {
  readonly from: ViewedPicture;
  readonly to: ViewedPicture;
  readonly map: Affine;
  readonly places: readonly Quad[];
}
/** Message from the process. `failed`: a picture is not there, or cannot be decoded. */
export type ComparisonReply =
  | { readonly kind: "compared"; readonly places: (PlaceSimilarity | null)[]; readonly rssBytes: number }
  | { readonly kind: "failed"; readonly reason: string; readonly rssBytes: number };

/** From -20 to 19 (`os.setPriority`): behind the service and the examination of uploads, beside the reading. */
const NICENESS = 3;
/** From -1000 to 1000: if memory runs out, Linux ends a comparing process before the service. */
const OOM_SCORE = 600;

const load = createLoader();

async function compare({ from, to, map, places }: ComparisonRequest): Promise<void> {
  let reply: ComparisonReply;
  try {
    const compared = await comparePictures(from, to, map, places, load);
    reply = { kind: "compared", places: compared, rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    reply = { kind: "failed", reason, rssBytes: process.memoryUsage.rss() };
  }
  process.send?.(reply);
}

// The parent decides when a process ends: a signal to the whole group (Ctrl-C) must not end a comparison in progress.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
process.on("message", (request: ComparisonRequest) => void compare(request));
os.setPriority(NICENESS);
if (process.platform === "linux") await writeFile("/proc/self/oom_score_adj", String(OOM_SCORE)).catch(() => undefined);
// What is compared was stored by the service: JPEG.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg"] });
