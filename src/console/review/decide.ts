// The decision on one receipt of the queue: accepted as it is, accepted or corrected by a form, or previewed.
import type { FastifyRequest } from "fastify";
import type { CallResponse } from "../../http/call-as.ts";
import { Problem } from "../../problems.ts";
import type { PreviewResponse } from "../../receipts/corrections/schema.ts";
import { fieldsOf, idIn } from "../form.ts";
import { readReceipt } from "../receipts/read.ts";
import type { ReadReceipt } from "../receipts/types.ts";
import { changesOf, readForm } from "./form.ts";
import type { Changes, FieldErrors, Typed } from "./form.ts";
import { pointsLine } from "./page.ts";
import type { Points, ReviewContent } from "./page.ts";
import { seenOf } from "./seen.ts";
import { isWaiting, lateSentence, onward, pointsAsRead, preview, shown, tooLate } from "./shown.ts";
import type { Shown } from "./shown.ts";

/** What a correction would book, as a sentence for the script of the page. */
export interface PreviewedPoints {
  readonly points: string;
  readonly isRefused: boolean;
}

/** Shows what a correction would book, or books it and accepts the receipt. */
export async function decide(
  request: FastifyRequest,
  { isForScript }: { readonly isForScript: boolean },
): Promise<Shown | PreviewedPoints> {
  const { api, view } = request.console;
  const words = view.language.phrases.review;
  const receipt = await readReceipt(api, idIn(request.params));
  const { status, reading } = receipt;
  const form = fieldsOf(request);
  const typed = readForm(form, reading);
  if (form.get("do") === "preview") return previewed(request, receipt, typed, isForScript);
  if (!isWaiting(status)) return shown(request, 409, receipt, { late: lateSentence(request, status) });
  if (form.get("seen") !== seenOf(status)) return shown(request, 409, receipt, { late: words.late.changed });
  const { changes, errors } = changesOf(typed, reading);
  const again = (code: number, more: Partial<ReviewContent>) => shown(request, code, receipt, { typed, ...more });
  if (Object.keys(errors).length > 0) return again(400, { errors });
  if (typed.reason === "") return again(400, { refusal: words.errors.reason });
  const isChanged = Object.keys(changes).length > 0;
  const isHeld = status.held === true;
  if (!isChanged && !isHeld) return again(400, { refusal: words.errors.nothing });
  const response = await carryOut(request, receipt, { changes, typed });
  if (response.status === 200) return onward(request, isHeld ? "accepted" : "corrected");
  const { code } = response.body as { code?: string };
  if (!isChanged || code === "NotHeld") return tooLate(request, response, status.receiptID);
  return again(refusedWith(response), { refusal: refusalOf(request, response) });
}

/** Corrects the receipt, accepts it, or both at once: a held one is never left corrected but undecided. */
function carryOut(
  { console: { api } }: FastifyRequest,
  { status: { receiptID, held } }: ReadReceipt,
  { changes, typed: { reason, disputeIds } }: { readonly changes: Changes; readonly typed: Typed },
): Promise<CallResponse> {
  const path = `/track/receipts/${receiptID}`;
  const decision = held === true && ({ decision: "accept" } as const);
  if (Object.keys(changes).length === 0) {
    const call = { method: "POST", path: `${path}/decision`, body: { ...decision, reason } } as const;
    return api.change({ action: "receipt.accept", subject: receiptID }, call);
  }
  const action = decision ? "receipt.correctAndAccept" : "receipt.correct";
  const body = { ...changes, ...decision, reason, ...(disputeIds.length > 0 && { disputeIds }) };
  return api.change({ action, subject: receiptID }, { method: "POST", path: `${path}/corrections`, body });
}

/** What a correction would book: the page with what was typed, or for the script the sentence alone. */
async function previewed(
  request: FastifyRequest,
  receipt: ReadReceipt,
  typed: Typed,
  isForScript: boolean,
): Promise<Shown | PreviewedPoints> {
  const { view } = request.console;
  const isHeld = receipt.status.held === true;
  const { changes, errors } = changesOf(typed, receipt.reading);
  const asRead = await pointsAsRead(request, receipt);
  const outcome = await pointsOf(request, receipt, changes, errors, asRead);
  const { points, refusal, status } = outcome;
  if (isForScript) {
    return { points: refusal ?? plainText(pointsLine(view, points, isHeld).text), isRefused: refusal !== null };
  }
  return shown(request, status, receipt, { typed, points, errors, refusal });
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
