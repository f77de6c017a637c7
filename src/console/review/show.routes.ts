// One receipt of the queue, as it is shown and left again.
import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
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

/** Shows one receipt of the queue. */
export async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  receipt: ReadReceipt,
  content: Partial<ReviewContent>,
) {
  const { api, view } = request.console;
  const [queue, similar, points] = await Promise.all([
    readQueue(api),
    readSimilar(api, receipt),
    content.points ?? pointsAsRead(request, receipt),
  ]);
  const late = content.late ?? (isWaiting(receipt.status) ? null : lateSentence(request, receipt.status));
  const page = reviewPage(view, { ...NOTHING, ...content, queue, points, late, current: { ...receipt, similar } });
  return sendPage(reply, status, page);
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

/** Somebody else was first: shows the receipt as it is now, with who was first. */
export async function tooLate(request: FastifyRequest, reply: FastifyReply, response: CallResponse, id: string) {
  if (response.status === 404) throw new Problem("notFound");
  if (response.status !== 409) throw new Problem("unavailable");
  const receipt = await readReceipt(request.console.api, id);
  return show(request, reply, 409, receipt, { late: lateSentence(request, receipt.status) });
}

/** Goes to the next receipt of the queue. */
export function onward(request: FastifyRequest, reply: FastifyReply, done: string): FastifyReply {
  const next = fieldsOf(request).get("next") ?? "";
  return redirectFromPage(reply, addressOf(request.console.view, "review", isUuid(next) ? `/${next}` : "", { done }));
}
