import { createIdleTimers } from "../../idle-timers.ts";
import type { Log } from "../../log.ts";
import type { ImageLimits } from "../normalise.ts";
import { sniffFile } from "../sniff.ts";
import { startDecoder } from "./decoder-process.ts";
import type { Decoder, Outcome } from "./decoder-process.ts";
import type { ExaminationRequest } from "./decoder.ts";
import type { Examined } from "./examination.ts";
import type { StepLimit, StepLimits } from "./step-watch.ts";
import { createTurns } from "./turns.ts";
import type { Sender, WaitingLimits } from "./turns.ts";

/** `busy`: too many uploads wait, or this one waited too long. `late`: see `Outcome`. */
export type Examination = Examined | { readonly kind: "busy" } | { readonly kind: "late" };

/** Examines uploads in processes of their own: no byte of a picture is decoded in the service's own process. */
export interface ImageExaminer {
  /**
   * Examines an upload like `examineImage`; if the result is not `ok`, the caller removes the output file. Rejects with
   * StorageFull.
   */
  examine(inputPath: string, outputPath: string, limits: ImageLimits, sender: Sender): Promise<Examination>;
  /** Ends the processes; uploads waiting or in progress are late. */
  close(): Promise<void>;
}

/** Limits of the examiner, and its program; all have defaults. */
export interface ExaminerOptions {
  /** Number of processes at most. The first starts with the first upload, another one when all are busy. */
  readonly processes?: number;
  /** Further processes, for applications without an upload in progress only; default 0. */
  readonly reserve?: number;
  readonly program?: URL;
  /** The limit of pixels of an upload, for the defaults of the next two. */
  readonly pixelsMax?: number;
  readonly memoryLimitBytes?: number;
  readonly stepLimits?: StepLimits;
  readonly waitingLimits?: WaitingLimits;
  /** Time that an upload waits for a process at most. */
  readonly waitMsMax?: number;
  /** A process without an upload for this time is ended. */
  readonly idleMsMax?: number;
  /** Logs each replaced process with the reason. */
  readonly log?: Log;
}

interface Upload {
  readonly sender: Sender;
  readonly request: ExaminationRequest;
  readonly settle: (outcome: Outcome | { kind: "busy" }) => void;
}

const PROGRAM = new URL("./decoder.ts", import.meta.url);
/** A slow upload delays no other, and the memory for pixels is bounded. */
const PROCESSES = 2;
/** Of 50 megapixels a progressive JPEG in CMYK took most: 675 MB, 3.7 s of the processor to normalise. */
const MEASURED_PIXELS = 50_000_000;
const MEMORY_BYTES = 320 * 1024 * 1024;
const MEMORY_BYTES_PER_PIXEL = 10;
const STEP_LIMITS: StepLimits = {
  start: { cpuMs: 10_000, ms: 20_000 },
  normalise: { cpuMs: 8_000, ms: 20_000 },
  write: { cpuMs: 2_000, ms: 10_000 },
  metadata: { cpuMs: 2_000, ms: 10_000 },
  measure: { cpuMs: 4_000, ms: 10_000 },
};
const WAITING_LIMITS: WaitingLimits = { all: 128, ofApplication: 64, ofSession: 4 };
/** Clients and proxies give up after 45 s or more. */
const WAIT_MS_MAX = 15_000;
/** As OCR processes: one keeps up to 290 MB. */
const IDLE_MS_MAX = 5 * 60_000;

/** Creates the examiner; no process starts before the first upload, and idle ones end. */
export function createImageExaminer(options: ExaminerOptions = {}): ImageExaminer {
  const { processes = PROCESSES, reserve = 0, program = PROGRAM, waitMsMax = WAIT_MS_MAX, log } = options;
  const { pixelsMax = MEASURED_PIXELS, idleMsMax = IDLE_MS_MAX } = options;
  const { memoryLimitBytes = MEMORY_BYTES + MEMORY_BYTES_PER_PIXEL * pixelsMax } = options;
  const decoders = new Set<Decoder>();
  const turns = createTurns<Upload>(options.waitingLimits ?? WAITING_LIMITS);
  const idleTimers = createIdleTimers(decoders, idleMsMax, (decoder) => decoder.end());
  let isClosed = false;

  const dispatch = (): void => {
    for (;;) {
      const idle = [...decoders].find((decoder) => decoder.isIdle());
      if (!idle && decoders.size >= processes + reserve) return;
      const upload = turns.take(turns.running() >= processes);
      if (!upload) return;
      void run(idle, upload);
    }
  };

  const start = (): Decoder => {
    const started: Decoder = startDecoder({
      program,
      memoryLimitBytes,
      stepLimits: options.stepLimits ?? stepLimitsOf(pixelsMax),
      onLost: (reason) => {
        decoders.delete(started);
        if (!isClosed) log?.warn({ pid: started.pid, reason }, "image decoder replaced");
      },
    });
    decoders.add(started);
    return started;
  };

  const run = async (idle: Decoder | undefined, { sender, request, settle }: Upload): Promise<void> => {
    try {
      const decoder = idle ?? start();
      idleTimers.stop(decoder);
      settle(await decoder.examine(request));
      idleTimers.start(decoder);
    } catch (error) {
      settle(error instanceof Error ? error : new Error(String(error)));
    }
    turns.end(sender);
    dispatch();
  };

  const examine: ImageExaminer["examine"] = async (inputPath, outputPath, limits, sender) => {
    const sniffed = await sniffFile(inputPath, limits);
    if (sniffed.kind !== "ok") return sniffed;
    if (isClosed) return { kind: "late" };
    const { promise, resolve: settle } = Promise.withResolvers<Outcome | { kind: "busy" }>();
    const upload = { sender, request: { inputPath, outputPath, limits }, settle };
    if (!turns.add(upload)) return { kind: "busy" };
    const waiting = setTimeout(() => turns.remove(upload) && settle({ kind: "busy" }), waitMsMax);
    dispatch();
    const outcome = await promise;
    clearTimeout(waiting);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  return {
    examine,
    close: async () => {
      isClosed = true;
      for (const { settle } of turns.clear()) settle({ kind: "late" });
      await Promise.all([...[...decoders].map((decoder) => decoder.end()), idleTimers.ended()]);
    },
  };
}

/** Larger pictures take longer, where the operator allows them. */
function stepLimitsOf(pixelsMax: number): StepLimits {
  const { start, normalise, write, metadata, measure } = STEP_LIMITS;
  const scale = Math.max(1, pixelsMax / MEASURED_PIXELS);
  const scaled = ({ cpuMs, ms }: StepLimit): StepLimit => ({ cpuMs: scale * cpuMs, ms: scale * ms });
  return { start, normalise: scaled(normalise), write, metadata, measure: scaled(measure) };
}
