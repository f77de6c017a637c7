import os from "node:os";
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { StorageFull } from "../../files.ts";
import { examineImage } from "./examination.ts";
import type { ExaminationStep, Examined } from "./examination.ts";
import type { ImageLimits } from "../normalise.ts";

// The program of a decoding process: examines one upload after another for its parent (decoder-process.ts).

/** Message to the process: an upload to examine. */
export interface ExaminationRequest {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly limits: ImageLimits;
}
/**
 * Message from the process: a step begins, or the result. `rssBytes` is the memory that the process holds afterwards.
 */
export type ExaminationReply =
  | { readonly kind: "step"; readonly step: ExaminationStep }
  | { readonly kind: "examined"; readonly examined: Examined; readonly rssBytes: number }
  | { readonly kind: "storage_full"; readonly rssBytes: number }
  | { readonly kind: "failed"; readonly error: unknown; readonly rssBytes: number };

/**
 * From -20 to 19 (`os.setPriority`): behind the service, which responds meanwhile, and before the reading of receipts.
 */
const NICENESS = 2;
/** From -1000 to 1000: if memory runs out, Linux ends a decoding process before any other. */
const OOM_SCORE = 600;

const reply = (message: ExaminationReply): void => void process.send?.(message);

async function examine({ inputPath, outputPath, limits }: ExaminationRequest): Promise<void> {
  let result: Exclude<ExaminationReply, { kind: "step" }>;
  try {
    const examined = await examineImage(inputPath, outputPath, limits, (step) => reply({ kind: "step", step }));
    result = { kind: "examined", examined, rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    const rssBytes = process.memoryUsage.rss();
    result = error instanceof StorageFull ? { kind: "storage_full", rssBytes } : { kind: "failed", error, rssBytes };
  }
  reply(result);
}

// The parent decides when a process ends: a signal to the whole group (Ctrl-C) must not end an upload in progress.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
process.on("message", (request: ExaminationRequest) => void examine(request));
os.setPriority(NICENESS);
if (process.platform === "linux") await writeFile("/proc/self/oom_score_adj", String(OOM_SCORE)).catch(() => undefined);
// libvips would also open formats that are never accepted, by a signature behind the one that was checked.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng"] });
