// What a person reports as wrong on their receipt. Pure. A dispute changes nothing: a correction or a rejection does.
import type { DisputeKind } from "../../webhooks/event.ts";

/** Kinds about one line; the other kinds are about the receipt. */
export const LINE_KINDS = ["wrong_name", "wrong_quantity", "wrong_price", "not_food", "not_mine"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** Ever, of one receipt: bounds what a link can store. A session has one receipt. */
export const DISPUTES_MAX = 20;
/** Of a name and of a note, in characters. */
export const DISPUTE_TEXT_MAX = 255;

export const DISPUTE_STATES = ["open", "accepted", "rejected"] as const;

/** What a person sends. Numbers are decimal texts in `expected`; a day is `YYYY-MM-DD`. */
export interface NewDispute {
  readonly kind: DisputeKind;
  readonly lineId: string | null;
  readonly expected: string | null;
  /** Of a missing line, in major units. */
  readonly price: number | null;
  readonly note: string | null;
}

/** A dispute as stored. */
export interface Dispute extends NewDispute {
  readonly id: string;
  /** What the page showed. */
  readonly shown: string | null;
  readonly openedAt: Date;
  readonly state: (typeof DISPUTE_STATES)[number];
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  readonly correctionId: string | null;
}

/** Returns whether the same is disputed already. Any number of lines may be missing, each once. */
export function isAlreadyOpen(disputes: readonly Dispute[], added: NewDispute): boolean {
  return disputes.some(
    ({ state, kind, lineId, expected, price }) =>
      state === "open" &&
      lineId === added.lineId &&
      (lineId !== null || kind === added.kind) &&
      (kind !== "missing_line" || (expected === added.expected && price === added.price)),
  );
}
