import type { Database, Tx } from "../../postgres/postgres.ts";
import type { Log } from "../../log.ts";
import type { Pressure } from "../../queue/pressure.ts";
import { Problem } from "../../problems.ts";
import type { Jobs } from "../../queue/jobs.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../time.ts";
import type { GroupOf } from "../eligibility.ts";
import type { Preview, PreviewRequest } from "./preview.ts";
import { preview } from "./preview.task.ts";
import * as store from "./previews.store.ts";
import type { ClaimedPreview } from "./previews.store.ts";

/** Queue of the jobs that say that a preview is waiting. */
export const PREVIEW_QUEUE = "preview-programs";

/** How long a result is kept. */
export const KEPT_MS = DAY_MS;
/** Longest time of one preview: some ten times that of a million records. */
const RUN_MS_MAX = 30 * MINUTE_MS;
/** A process without a sign for this time is gone. */
const GONE_MS = MINUTE_MS;
const PROGRESS_MS = 2 * SECOND_MS;
const ATTEMPTS_MAX = 3;
const RETRY_AFTER_SECONDS = 10;

export interface PreviewsDeps {
  readonly database: Database;
  /** For the work in the background. */
  readonly background: Database;
  readonly jobs: Pick<Jobs, "send">;
  readonly pressure: Pick<Pressure, "giveWay">;
  readonly groupOf: GroupOf;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** Shorter in tests. */
  readonly runMsMax?: number;
}

/** Previews that applications request: one at a time for each, and one at a time in each process. */
export interface Previews {
  /** Stores a preview in the tx of its request. Throws while another one of the application is not finished. */
  request(tx: Tx, applicationId: string, request: PreviewRequest): Promise<Preview>;
  find(applicationId: string, id: string): Promise<Preview | null>;
  /** Carries out the previews that wait, the oldest first. */
  run(signal: AbortSignal): Promise<void>;
  /** Sends a job if a preview waits whose job was lost with its process. Deletes old ones. */
  sweep(): Promise<void>;
  /** Ends the preview in progress; another process takes it up. */
  stop(): void;
}

export function createPreviews(deps: PreviewsDeps): Previews {
  const { database, jobs, now, newId } = deps;
  const stopping = new AbortController();
  const goneSince = () => new Date(now().getTime() - GONE_MS);
  const keptSince = () => new Date(now().getTime() - KEPT_MS);
  return {
    request: async (tx, applicationId, request) => {
      const inserted = await store.insertPreview(tx, applicationId, newId(), request, now());
      if (!inserted) {
        const detail = "Another preview of the application is not finished.";
        throw new Problem("unavailable", { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      await jobs.send(tx, PREVIEW_QUEUE, {});
      return inserted;
    },
    find: (applicationId, id) => store.findPreview(database, applicationId, id, keptSince()),
    run: async (signal) => {
      const either = AbortSignal.any([signal, stopping.signal]);
      while (!either.aborted) {
        const claimed = await store.claimPreview(database, now(), goneSince());
        if (!claimed) return;
        await carryOut(deps, claimed, either);
      }
    },
    sweep: async () => {
      await store.dropPreviewsBefore(database, keptSince());
      if (await store.isPreviewWaiting(database, goneSince())) await jobs.send(database, PREVIEW_QUEUE, {});
    },
    stop: () => stopping.abort(),
  };
}

async function carryOut(deps: PreviewsDeps, claimed: ClaimedPreview, stopped: AbortSignal): Promise<void> {
  const { database, background, pressure, groupOf, now, log, runMsMax = RUN_MS_MAX } = deps;
  const { applicationId, id } = claimed;
  if (claimed.attempts > ATTEMPTS_MAX) return store.finishPreview(database, claimed, "internal", now());
  const timeOut = AbortSignal.timeout(runMsMax);
  const lost = new AbortController();
  let reportedMs = -Infinity;
  let counted: number | null = null;
  const progress = async (replayed: number, total: number | null): Promise<void> => {
    if (performance.now() - reportedMs < PROGRESS_MS && total === counted) return;
    [reportedMs, counted] = [performance.now(), total];
    if (!(await store.storeProgress(database, claimed, { replayed, total }, now()))) lost.abort();
  };
  try {
    const signal = AbortSignal.any([stopped, timeOut, lost.signal]);
    const giveWay = () => pressure.giveWay(now().getTime());
    const previewDeps = { database: background, groupOf, now, stopped: signal, progress, giveWay };
    await store.finishPreview(database, claimed, await preview(previewDeps, applicationId, claimed), now());
  } catch (error) {
    if (lost.signal.aborted) return;
    if (stopped.aborted) return store.releasePreview(database, claimed);
    log.warn({ err: error, preview: id }, "a preview of a programme failed");
    await store.finishPreview(database, claimed, timeOut.aborted ? "time_out" : "internal", now());
  }
}
