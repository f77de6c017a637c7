// One receipt of the queue, as it is shown and left again.
import type { FastifyRequest } from "fastify";
import type { PageDocument } from "../../html/document.ts";
import type { CallResponse } from "../../http/call-as.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import type { PreviewResponse } from "../../receipts/corrections/schema.ts";
import { fieldsOf } from "../form.ts";
import { addressOf } from "../page.ts";
import { readReceipt, readSimilar } from "../receipts/read.ts";
import type { ReadReceipt, Status } from "../receipts/types.ts";
import type { Changes } from "./form.ts";
import { reviewPage } from "./page.ts";
import type { Points, ReviewContent } from "./page.ts";
import { readQueue } from "./queue.ts";

export const NO_POINTS: Points = { now: null, corrected: null, waived: 0 };
export const NOTHING: Omit<ReviewContent, "queue"> = {
  current: null,
  typed: null,
  points: NO_POINTS,
  errors: {},
  refusal: null,
  done: null,
  late: null,
};

/** A page with its status, or the address of the next one. */
export type Shown = { readonly status: number; readonly page: PageDocument } | { readonly address: string };

/** The page of one receipt of the queue. */
export async function shown(
  request: FastifyRequest,
  status: number,
  receipt: ReadReceipt,
  content: Partial<ReviewContent>,
): Promise<Shown> {
  const { api, view } = request.console;
  const [queue, similar, points] = await Promise.all([
    readQueue(api),
    readSimilar(api, receipt),
    content.points ?? pointsAsRead(request, receipt),
  ]);
  const late = content.late ?? (isWaiting(receipt.status) ? null : lateSentence(request, receipt.status));
  const page = reviewPage(view, { ...NOTHING, ...content, queue, points, late, current: { ...receipt, similar } });
  return { status, page };
}

export function isWaiting({ held, disputes = [] }: Status): boolean {
  return held === true || disputes.some(({ state }) => state === "open");
}

/** What somebody else has decided. */
export function lateSentence({ console: { view } }: FastifyRequest, { review }: Status): string {
  const { late } = view.language.phrases.review;
  return review?.decision ? late[review.decision] : late.other;
}

/** The points of a held receipt as it is; those of a credited one don't change by themselves. */
export async function pointsAsRead(request: FastifyRequest, { status }: ReadReceipt): Promise<Points> {
  if (status.held !== true) return { ...NO_POINTS, now: 0 };
  const response = await preview(request, status.receiptID, {});
  return response.status === 200 ? { ...NO_POINTS, now: (response.body as PreviewResponse).points } : NO_POINTS;
}

export function preview({ console: { api } }: FastifyRequest, id: string, changes: Changes): Promise<CallResponse> {
  return api.call({ method: "POST", path: `/track/receipts/${id}/corrections/preview`, body: changes });
}

/** Somebody else was first: the receipt as it is now, with what was decided. */
export async function tooLate(request: FastifyRequest, response: CallResponse, id: string): Promise<Shown> {
  if (response.status === 404) throw new Problem("notFound");
  if (response.status !== 409) throw new Problem("unavailable");
  const receipt = await readReceipt(request.console.api, id);
  return shown(request, 409, receipt, { late: lateSentence(request, receipt.status) });
}

/** The next receipt of the queue. */
export function onward(request: FastifyRequest, done: string): Shown {
  const next = fieldsOf(request).get("next") ?? "";
  return { address: addressOf(request.console.view, "review", isUuid(next) ? `/${next}` : "", { done }) };
}
