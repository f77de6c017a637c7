// A preview that an application requested. Pure.
import type { ProgramDefinition } from "../definition.ts";
import type { PreviewResult } from "./schema.ts";

/** What to preview. */
export interface PreviewRequest {
  /** The number of a saved version; null: a definition that was sent. */
  readonly version: number | null;
  readonly definition: ProgramDefinition;
  /** Days of the programme's time zone, today included. */
  readonly days: number;
  readonly pointValue: number | null;
}

export const FAILURES = ["time_out", "internal"] as const;
export type Failure = (typeof FAILURES)[number];

/** A preview as stored. */
export interface Preview extends Omit<PreviewRequest, "definition"> {
  readonly id: string;
  /** Attempts that were begun. */
  readonly attempts: number;
  /** Records replayed so far. */
  readonly replayed: number;
  /** Null until they are counted. */
  readonly total: number | null;
  readonly result: PreviewResult | null;
  readonly failure: Failure | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Days back that the API replays at most. */
export const DAYS_MAX = 92;
export const DAYS_DEFAULT = 30;

/** Where a preview has come to. */
export function stateOfPreview({ attempts, failure, finishedAt }: Preview): PreviewState {
  if (failure !== null) return "failed";
  if (finishedAt !== null) return "finished";
  return attempts > 0 ? "running" : "waiting";
}

export const PREVIEW_STATES = ["waiting", "running", "finished", "failed"] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

/** The forms of a result. */
export const FORMATS = ["json", "csv"] as const;
