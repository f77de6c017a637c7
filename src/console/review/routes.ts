import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage, wantsJson } from "../../html/page.ts";
import type { CallResponse } from "../../http/call-as.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import type { PreviewResponse } from "../../receipts/corrections/schema.ts";
import { doneIn, fieldsOf, idIn } from "../form.ts";
import { addressOf } from "../page.ts";
import { readReceipt, readSimilar } from "../receipts/read.ts";
import type { ReadReceipt, Status } from "../receipts/types.ts";
import { changesOf, readForm, typedOf, withProposal } from "./form.ts";
import type { Changes, FieldErrors, Typed } from "./form.ts";
import { pointsLine, reviewPage } from "./page.ts";
import type { Points, ReviewContent } from "./page.ts";
import { readQueue } from "./queue.ts";
import { REASONS } from "./reject.ts";
import { seenOf } from "./seen.ts";

const REVIEW = { config: { console: "review" } } as const;
const REVIEW_DATA = { config: { console: "review", isData: true } } as const;
const PATH = "/console/:application/review";
/** Foods that are suggested while somebody types. */
const SUGGESTIONS = "8";

/** Adds the queue of receipts that wait for a person, and what is decided there. */
export function reviewRoutes(scope: Server): void {
  scope.get(PATH, REVIEW, async (request, reply) => {
    const { api, view } = request.console;
    const queue = await readQueue(api);
    const done = doneIn(request);
    const first = queue.waiting[0];
    if (!first) return sendPage(reply, 200, reviewPage(view, { ...NOTHING, queue, done }));
    const query: Record<string, string> = done === null ? {} : { done };
    return redirectFromPage(reply, addressOf(view, "review", `/${first.receiptID}`, query));
  });

  scope.get(`${PATH}/foods`, REVIEW_DATA, async (request) => {
    const { name } = request.query as { name?: unknown };
    if (typeof name !== "string" || name.trim() === "") return { foods: [] };
    const query = { name: name.slice(0, 255), limit: SUGGESTIONS };
    const { candidates } = await request.console.api.get<{ candidates: { foodId: string; name: string }[] }>(
      "/catalogue/match",
      query,
    );
    return { foods: candidates.map(({ foodId, name: food }) => ({ foodId, name: food })) };
  });

  scope.get(`${PATH}/:id`, REVIEW, async (request, reply) => {
    const { use } = request.query as { use?: unknown };
    const receipt = await readReceipt(request.console.api, idIn(request.params));
    const dispute = receipt.status.disputes?.find(({ disputeId }) => disputeId === use);
    const typed = typedOf(receipt.reading);
    const filled = dispute?.correction ? withProposal(typed, dispute.correction) : typed;
    const disputeIds = dispute ? [dispute.disputeId] : [];
    return show(request, reply, 200, receipt, { typed: { ...filled, disputeIds }, done: doneIn(request) });
  });

  scope.post(`${PATH}/:id/decide`, REVIEW, decide);
  scope.post(`${PATH}/:id/reject`, REVIEW, reject);
  scope.post(`${PATH}/:id/disputes/:dispute/reject`, REVIEW, rejectDispute);
}

const NO_POINTS: Points = { now: null, corrected: null, waived: 0 };
const NOTHING: Omit<ReviewContent, "queue"> = {
  current: null,
  typed: null,
  points: NO_POINTS,
  errors: {},
  refusal: null,
  done: null,
  late: null,
};

/** Shows one receipt of the queue. */
async function show(
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

function isWaiting({ held, disputes = [] }: Status): boolean {
  return held === true || disputes.some(({ state }) => state === "open");
}

/** What somebody else has decided. */
function lateSentence({ console: { view } }: FastifyRequest, { review }: Status): string {
  const { late } = view.language.phrases.review;
  return review?.decision ? late[review.decision] : late.other;
}

/** The points of a held receipt as it is; those of a credited one don't change by themselves. */
async function pointsAsRead(request: FastifyRequest, { status }: ReadReceipt): Promise<Points> {
  if (status.held !== true) return { ...NO_POINTS, now: 0 };
  const response = await preview(request, status.receiptID, {});
  return response.status === 200 ? { ...NO_POINTS, now: (response.body as PreviewResponse).points } : NO_POINTS;
}

function preview({ console: { api } }: FastifyRequest, id: string, changes: Changes): Promise<CallResponse> {
  return api.call({ method: "POST", path: `/track/receipts/${id}/corrections/preview`, body: changes });
}

/** Shows what a correction would book, or books it and accepts the receipt. */
async function decide(request: FastifyRequest, reply: FastifyReply) {
  const { api, view } = request.console;
  const words = view.language.phrases.review;
  const receipt = await readReceipt(api, idIn(request.params));
  const { status, reading } = receipt;
  const form = fieldsOf(request);
  const typed = readForm(form, reading);
  if (form.get("do") === "preview") return showPreview(request, reply, receipt, typed);
  if (!isWaiting(status)) return show(request, reply, 409, receipt, { late: lateSentence(request, status) });
  if (form.get("seen") !== seenOf(status)) return show(request, reply, 409, receipt, { late: words.late.changed });
  const { changes, errors } = changesOf(typed, reading);
  const again = (code: number, more: Partial<ReviewContent>) => show(request, reply, code, receipt, { typed, ...more });
  if (Object.keys(errors).length > 0) return again(400, { errors });
  if (typed.reason === "") return again(400, { refusal: words.errors.reason });
  const isChanged = Object.keys(changes).length > 0;
  const isHeld = status.held === true;
  if (!isChanged && !isHeld) return again(400, { refusal: words.errors.nothing });
  const about = { subject: status.receiptID };
  if (isChanged) {
    const { reason, disputeIds } = typed;
    const body = { ...changes, reason, ...(disputeIds.length > 0 && { disputeIds }) };
    const path = `/track/receipts/${status.receiptID}/corrections`;
    const response = await api.change({ action: "receipt.correct", ...about }, { method: "POST", path, body });
    if (response.status !== 200) return again(refusedWith(response), { refusal: refusalOf(request, response) });
  }
  if (isHeld) {
    const path = `/track/receipts/${status.receiptID}/decision`;
    const body = { decision: "accept", reason: typed.reason };
    const response = await api.change({ action: "receipt.accept", ...about }, { method: "POST", path, body });
    if (response.status !== 200) return tooLate(request, reply, response, status.receiptID);
  }
  return onward(request, reply, isHeld ? "accepted" : "corrected");
}

/** Shows what a correction would book: the page with what was typed, or for the script the sentence alone. */
async function showPreview(request: FastifyRequest, reply: FastifyReply, receipt: ReadReceipt, typed: Typed) {
  const { view } = request.console;
  const isHeld = receipt.status.held === true;
  const { changes, errors } = changesOf(typed, receipt.reading);
  const asRead = await pointsAsRead(request, receipt);
  const outcome = await pointsOf(request, receipt, changes, errors, asRead);
  const { points, refusal, status } = outcome;
  if (wantsJson(request)) {
    return reply.send({
      points: refusal ?? plainText(pointsLine(view, points, isHeld).text),
      isRefused: refusal !== null,
    });
  }
  return show(request, reply, status, receipt, { typed, points, errors, refusal });
}

async function pointsOf(
  request: FastifyRequest,
  { status: { receiptID } }: ReadReceipt,
  changes: Changes,
  errors: FieldErrors,
  asRead: Points,
): Promise<{ readonly points: Points; readonly refusal: string | null; readonly status: number }> {
  if (Object.keys(errors).length > 0) return { points: asRead, refusal: null, status: 400 };
  if (Object.keys(changes).length === 0) return { points: asRead, refusal: null, status: 200 };
  const response = await preview(request, receiptID, changes);
  if (response.status !== 200) {
    return { points: asRead, refusal: refusalOf(request, response), status: refusedWith(response) };
  }
  const { points: corrected, waivedPoints: waived } = response.body as PreviewResponse;
  return { points: { ...asRead, corrected, waived }, refusal: null, status: 200 };
}

/** The text of a fragment without its markup, for a script that inserts it as text. */
function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

async function reject(request: FastifyRequest, reply: FastifyReply) {
  const { api, view } = request.console;
  const id = idIn(request.params);
  const form = fieldsOf(request);
  const { reject: words, errors } = view.language.phrases.review;
  const why = REASONS.find((reason) => reason === form.get("why"));
  const reason = why ? words.reasons[why] : (form.get("reason") ?? "").trim().slice(0, 255);
  if (reason === "") {
    return show(request, reply, 400, await readReceipt(api, id), { refusal: errors.reason });
  }
  const path = `/track/receipts/${id}/decision`;
  const body = { decision: "reject", reason };
  const response = await api.change({ action: "receipt.reject", subject: id }, { method: "POST", path, body });
  if (response.status !== 200) return tooLate(request, reply, response, id);
  return onward(request, reply, "rejected");
}

async function rejectDispute(request: FastifyRequest, reply: FastifyReply) {
  const { api, view } = request.console;
  const id = idIn(request.params);
  const dispute = idIn(request.params, "dispute");
  const receipt = await readReceipt(api, id);
  // Of this receipt, so that the log and the page name the right one.
  if (!receipt.status.disputes?.some(({ disputeId }) => disputeId === dispute)) throw new Problem("notFound");
  const reason = (fieldsOf(request).get("reason") ?? "").trim().slice(0, 255);
  if (reason === "") {
    return show(request, reply, 400, receipt, { refusal: view.language.phrases.review.errors.reason });
  }
  const path = `/track/disputes/${dispute}/reject`;
  const about = { action: "dispute.reject", subject: dispute };
  const response = await api.change(about, { method: "POST", path, body: { reason } });
  if (response.status !== 200) return tooLate(request, reply, response, id);
  return redirectFromPage(reply, addressOf(view, "review", `/${id}`, { done: "disputeRejected" }));
}

/** Somebody else was first: shows the receipt as it is now, with who was first. */
async function tooLate(request: FastifyRequest, reply: FastifyReply, response: CallResponse, id: string) {
  if (response.status === 404) throw new Problem("notFound");
  if (response.status !== 409) throw new Problem("unavailable");
  const receipt = await readReceipt(request.console.api, id);
  return show(request, reply, 409, receipt, { late: lateSentence(request, receipt.status) });
}

/** Goes to the next receipt of the queue. */
function onward(request: FastifyRequest, reply: FastifyReply, done: string): FastifyReply {
  const next = fieldsOf(request).get("next") ?? "";
  return redirectFromPage(reply, addressOf(request.console.view, "review", isUuid(next) ? `/${next}` : "", { done }));
}

/** The sentence of a refused correction: that of the API, which names the field. */
function refusalOf(request: FastifyRequest, { status, body }: CallResponse): string {
  const { late, errors: words } = request.console.view.language.phrases.review;
  const { code, errors } = body as { code?: string; errors?: Readonly<Record<string, readonly string[]>> };
  if (code === "ReceiptTaken") return words.taken;
  if (status === 409) return late.other;
  return Object.entries(errors ?? {})
    .map(([field, messages]) => `${field}: ${messages.join(", ")}`)
    .join("; ");
}

function refusedWith({ status }: CallResponse): number {
  if (status === 400 || status === 409) return status;
  throw new Problem(status === 404 ? "notFound" : "unavailable");
}
