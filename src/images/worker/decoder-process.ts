import { endProcess, setHold, startApart } from "../../child-process.ts";
import { StorageFull } from "../../files.ts";
import type { ExaminationReply, ExaminationRequest } from "./decoder.ts";
import type { Examined } from "./examination.ts";
import { watchSteps } from "./step-watch.ts";
import type { Exceeded, StepWatch, UploadLimits } from "./step-watch.ts";

/**
 * The result of an examination. `too_costly`: the upload took more than a limit of processor time or memory. `late`: it
 * took too long otherwise, or the process ended, which may not be due to the upload. An error rejects.
 */
export type Outcome = Examined | { readonly kind: "late" } | Error;

export interface DecoderOptions extends UploadLimits {
  /** The program that the process runs. */
  readonly program: URL;
  /** Called once, when the process can examine no more uploads: it has ended, or is about to. */
  readonly onLost: (reason: string) => void;
}

/** A process that examines one upload at a time. */
export interface Decoder {
  readonly pid: number | undefined;
  isIdle(): boolean;
  /** Examines an upload. After a limit is exceeded it resolves when the process has ended: it writes no more. */
  examine(request: ExaminationRequest): Promise<Outcome>;
  /** Ends the process; an upload in progress is late. */
  end(): Promise<void>;
}

/** A process that keeps more than this share of its limit after an upload is replaced. */
const KEPT_SHARE_MAX = 0.8;

/**
 * For the memory allocator of Linux: after ten photos a process held 290 MB at most, with its default 550. Where the
 * system leaves large pages (2 MB) to programs (`madvise`), it asks for them: a decoded photo of 12 megapixels is 36
 * MB, 9,000 pages of the usual size, and to add them was 32 to 52 ms of an examination's processor time, now 14 to 35.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: "2", GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };

/** Starts a process. Throws the error of `startApart`. */
export function startDecoder({ program, onLost, ...limits }: DecoderOptions): Decoder {
  const child = startApart(program, limits.memoryLimitBytes, ENVIRONMENT);
  let work: { readonly watch: StepWatch; readonly settle: (outcome: Outcome) => void } | null = null;
  let isLost = false;
  /** Why the process was killed. */
  let verdict: Exceeded | null = null;

  const lose = (reason: string): void => {
    if (!isLost) onLost(reason);
    isLost = true;
  };
  const settle = (outcome: Outcome): void => {
    const settled = work;
    work = null;
    setHold(child, false);
    settled?.watch.stop();
    settled?.settle(outcome);
  };
  const kill = (exceeded: Exceeded, reason: string): void => {
    verdict ??= exceeded;
    lose(reason);
    child.kill("SIGKILL");
  };

  child.on("message", (message: ExaminationReply) => {
    // A process that is being killed may have sent its result; its output file could still be changed.
    if (verdict !== null) return;
    if (message.kind === "step") return work?.watch.begin(message.step);
    if (message.rssBytes > KEPT_SHARE_MAX * limits.memoryLimitBytes) {
      lose("it keeps too much memory");
      void endProcess(child);
    }
    settle(outcomeOf(message));
  });
  child.on("error", (error) => {
    lose(error.message);
    settle(error);
  });
  child.on("exit", (code, signal) => {
    lose(`it ended with ${signal ?? `code ${code}`}`);
    // Not by the picture: it had not begun with it, or the system is out of memory (SIGKILL that is not ours).
    const isInnocent = work?.watch.step() === "start" || signal === "SIGKILL";
    settle({ kind: verdict ?? (isInnocent ? "late" : "unreadable") });
  });

  return {
    pid: child.pid,
    isIdle: () => work === null && !isLost,
    examine: (request) =>
      new Promise((resolve) => {
        work = { watch: watchSteps(child.pid, limits, kill), settle: resolve };
        setHold(child, true);
        // If the process has ended meanwhile, its exit is reported.
        if (child.connected) child.send(request, () => undefined);
      }),
    end: async () => {
      verdict ??= "late";
      isLost = true;
      await endProcess(child);
      settle({ kind: "late" });
    },
  };
}

function outcomeOf(reply: Exclude<ExaminationReply, { kind: "step" }>): Outcome {
  if (reply.kind === "examined") return reply.examined;
  if (reply.kind === "storage_full") return new StorageFull("The storage for files is full.");
  return reply.error instanceof Error ? reply.error : new Error(String(reply.error));
}
