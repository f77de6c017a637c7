import { parentPort } from "node:worker_threads";
import { StorageFull } from "../../files.ts";
import { examineImage } from "./examination.ts";
import type { Examined } from "./examination.ts";
import type { ImageLimits } from "../images.ts";

// What runs in the thread that examines uploads for the one that answers requests (image-examiner.ts).

/** To the thread: an upload to examine. */
export interface ExaminationRequest {
  id: number;
  inputPath: string;
  outputPath: string;
  limits: ImageLimits;
}
/** From the thread. */
export type ExaminationReply =
  | { kind: "examined"; id: number; examined: Examined }
  | { kind: "storage_full"; id: number }
  | { kind: "failed"; id: number; error: unknown };

/** Uploads whose pixels are held at once; one that takes long to decode doesn't stop the others. */
const AT_ONCE_MAX = 2;

const waiting: ExaminationRequest[] = [];
let inHand = 0;

parentPort!.on("message", (request: ExaminationRequest) => {
  waiting.push(request);
  takeUp();
});

function takeUp(): void {
  while (inHand < AT_ONCE_MAX && waiting.length > 0) {
    inHand++;
    void examine(waiting.shift()!).then((reply) => {
      inHand--;
      parentPort!.postMessage(reply);
      takeUp();
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
