import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import sharp from "sharp";
import type { OcrPage } from "./page.ts";
import { loadPixels } from "./image.ts";
import { loadModels } from "./models.ts";
import { readPage } from "./read-page.ts";
import type { StepCpuMs } from "./read-page.ts";

// The program of a reading process: loads the models once, then reads one image after another for the parent
// (reading-process.ts). Its argument, if any, is the folder of the optimised models (kept-file.ts).

/** Message from the parent: an image to read. */
export interface OcrRequest {
  id: number;
  image: { path: string } | { bytes: Uint8Array };
}
/**
 * Message to the parent. `cpuMs` is the processor time of the image, `stepCpuMs` that of each step; `rssBytes` is the
 * memory that the process holds afterwards, `peakRssBytes` the most it ever held.
 */
export type OcrReply =
  | { kind: "ready" }
  | {
      kind: "page";
      id: number;
      page: OcrPage;
      cpuMs: number;
      stepCpuMs: StepCpuMs;
      rssBytes: number;
      peakRssBytes: number;
    }
  | { kind: "unreadable" | "failed"; id: number; reason: string; rssBytes: number };

const reply = (message: OcrReply): void => void process.send?.(message);

/**
 * Returns whether the bytes of a failed image are no valid picture. A file that cannot be opened may exist on a retry.
 */
async function isUnreadable(image: OcrRequest["image"]): Promise<boolean> {
  const bytes = "path" in image ? await readFile(image.path).catch(() => null) : image.bytes;
  if (bytes === null) return false;
  return loadPixels(bytes).then(
    () => false,
    () => true,
  );
}

/** From -20 to 19; see `os.setPriority`. */
const NICENESS = 5;
/** From -1000 to 1000: if memory runs out, Linux ends a reading process rather than the service or its database. */
const OOM_SCORE = 500;

async function main(): Promise<void> {
  // The parent decides when a process ends: a signal to the whole group (Ctrl-C) must not end an image in progress.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit(0));
  // Requests have priority on a shared core: OCR gets a third of a core beside one busy process of ordinary priority.
  // With the lowest priority it gets 1.5 %, and beside three such processes no image was read within a minute.
  os.setPriority(NICENESS);
  if (process.platform === "linux")
    await writeFile("/proc/self/oom_score_adj", String(OOM_SCORE)).catch(() => undefined);
  sharp.concurrency(1);
  sharp.cache(false);
  const loaded = await loadModels(process.argv[2]);
  process.on("message", ({ id, image }: OcrRequest) => {
    const before = process.cpuUsage();
    readPage(loaded, "path" in image ? image.path : image.bytes).then(
      ({ page, stepCpuMs }) => {
        const { user, system } = process.cpuUsage(before);
        const rssBytes = process.memoryUsage.rss();
        const peakRssBytes = process.resourceUsage().maxRSS * 1024;
        reply({ kind: "page", id, page, cpuMs: (user + system) / 1000, stepCpuMs, rssBytes, peakRssBytes });
      },
      async (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        const kind = (await isUnreadable(image)) ? "unreadable" : "failed";
        reply({ kind, id, reason, rssBytes: process.memoryUsage.rss() });
      },
    );
  });
  reply({ kind: "ready" });
}

await main();
