import { parentPort } from "node:worker_threads";
import { StorageFull } from "../../files.ts";
import { examineImage } from "./examination.ts";
import type { Examined } from "./examination.ts";
import type { ImageLimits } from "../normalise.ts";

// The program of the thread that examines uploads (started by examiner.ts).

/** Message to the thread: an upload to examine. */
export interface ExaminationRequest {
  id: number;
  inputPath: string;
  outputPath: string;
  limits: ImageLimits;
}
/** Message from the thread. */
export type ExaminationReply =
  | { kind: "examined"; id: number; examined: Examined }
  | { kind: "storage_full"; id: number }
  | { kind: "failed"; id: number; error: unknown };

/** Number of uploads examined at once: a slow one doesn't block the others, and the memory for pixels is bounded. */
const CONCURRENT_MAX = 2;

const waiting: ExaminationRequest[] = [];
let running = 0;

parentPort!.on("message", (request: ExaminationRequest) => {
  waiting.push(request);
  startNext();
});

function startNext(): void {
  while (running < CONCURRENT_MAX && waiting.length > 0) {
    running++;
    void examine(waiting.shift()!).then((reply) => {
      running--;
      parentPort!.postMessage(reply);
      startNext();
    });
  }
}

async function examine({ id, inputPath, outputPath, limits }: ExaminationRequest): Promise<ExaminationReply> {
  try {
    return { kind: "examined", id, examined: await examineImage(inputPath, outputPath, limits) };
  } catch (error) {
    return error instanceof StorageFull ? { kind: "storage_full", id } : { kind: "failed", id, error };
  }
}
