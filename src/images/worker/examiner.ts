import { Worker } from "node:worker_threads";
import { StorageFull } from "../../files.ts";
import type { examineImage, Examined } from "./examination.ts";
import type { ExaminationReply, ExaminationRequest } from "./thread.ts";

/** Examines uploads in a separate thread, so that requests are served meanwhile. */
export interface ImageExaminer {
  /** Like `examineImage`. Rejects if the thread ends during an upload; the next upload gets a new thread. */
  readonly examine: typeof examineImage;
  /** Ends the thread; rejects the uploads in progress. */
  close(): Promise<void>;
}

type Outcome = Examined | Error;

const PROGRAM = new URL("./thread.ts", import.meta.url);

/** Creates the examiner. The thread starts with the first upload and runs `program`. */
export function createImageExaminer(program: URL = PROGRAM): ImageExaminer {
  const inProgress = new Map<number, (outcome: Outcome) => void>();
  let thread: Worker | null = null;
  let lastId = 0;

  const start = (): Worker => {
    const started = new Worker(program, { execArgv: [] });
    started.on("message", (reply: ExaminationReply) => inProgress.get(reply.id)?.(outcomeOf(reply)));
    started.on("error", (error) => abandon(started, asError(error)));
    started.on("exit", () => abandon(started, new Error("the thread that examines images has ended")));
    return started;
  };

  const abandon = (ended: Worker, error: Error): void => {
    if (thread !== ended) return;
    thread = null;
    for (const settle of inProgress.values()) settle(error);
  };

  const examine: ImageExaminer["examine"] = async (inputPath, outputPath, limits) => {
    const running = (thread ??= start());
    const id = ++lastId;
    // A busy thread keeps the process alive, an idle one doesn't.
    running.ref();
    const outcome = await new Promise<Outcome>((settle) => {
      inProgress.set(id, settle);
      running.postMessage({ id, inputPath, outputPath, limits } satisfies ExaminationRequest);
    });
    inProgress.delete(id);
    if (inProgress.size === 0) running.unref();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  return {
    examine,
    close: async () => {
      await thread?.terminate();
    },
  };
}

function outcomeOf(reply: ExaminationReply): Outcome {
  if (reply.kind === "examined") return reply.examined;
  return reply.kind === "storage_full" ? new StorageFull("The storage for files is full.") : asError(reply.error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
