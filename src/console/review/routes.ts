import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage, wantsJson } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import { doneIn, fieldsOf, idIn } from "../form.ts";
import { addressOf } from "../page.ts";
import { readReceipt } from "../receipts/read.ts";
import { decide } from "./decide.ts";
import { typedOf, withProposal } from "./form.ts";
import { reviewPage } from "./page.ts";
import { readQueue } from "./queue.ts";
import { REASONS } from "./reject.ts";
import { NOTHING, onward, shown, tooLate } from "./shown.ts";
import type { Shown } from "./shown.ts";

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
    const content = { typed: { ...filled, disputeIds }, done: doneIn(request) };
    return send(reply, await shown(request, 200, receipt, content));
  });

  scope.post(`${PATH}/:id/decide`, REVIEW, async (request, reply) => {
    const decided = await decide(request, { isForScript: wantsJson(request) });
    return "points" in decided ? reply.send(decided) : send(reply, decided);
  });
  scope.post(`${PATH}/:id/reject`, REVIEW, async (request, reply) => send(reply, await reject(request)));
  scope.post(`${PATH}/:id/disputes/:dispute/reject`, REVIEW, async (request, reply) =>
    send(reply, await rejectDispute(request)),
  );
}

function send(reply: FastifyReply, page: Shown): FastifyReply {
  return "address" in page ? redirectFromPage(reply, page.address) : sendPage(reply, page.status, page.page);
}

async function reject(request: FastifyRequest): Promise<Shown> {
  const { api, view } = request.console;
  const id = idIn(request.params);
  const form = fieldsOf(request);
  const { reject: words, errors } = view.language.phrases.review;
  const why = REASONS.find((reason) => reason === form.get("why"));
  const reason = why ? words.reasons[why] : (form.get("reason") ?? "").trim().slice(0, 255);
  if (reason === "") {
    return shown(request, 400, await readReceipt(api, id), { refusal: errors.reason });
  }
  const path = `/track/receipts/${id}/decision`;
  const body = { decision: "reject", reason };
  const response = await api.change({ action: "receipt.reject", subject: id }, { method: "POST", path, body });
  if (response.status !== 200) return tooLate(request, response, id);
  return onward(request, "rejected");
}

async function rejectDispute(request: FastifyRequest): Promise<Shown> {
  const { api, view } = request.console;
  const id = idIn(request.params);
  const dispute = idIn(request.params, "dispute");
  const receipt = await readReceipt(api, id);
  // Of this receipt, so that the log and the page name the right one.
  if (!receipt.status.disputes?.some(({ disputeId }) => disputeId === dispute)) throw new Problem("notFound");
  const reason = (fieldsOf(request).get("reason") ?? "").trim().slice(0, 255);
  if (reason === "") {
    return shown(request, 400, receipt, { refusal: view.language.phrases.review.errors.reason });
  }
  const path = `/track/disputes/${dispute}/reject`;
  const about = { action: "dispute.reject", subject: dispute };
  const response = await api.change(about, { method: "POST", path, body: { reason } });
  if (response.status !== 200) return tooLate(request, response, id);
  return { address: addressOf(view, "review", `/${id}`, { done: "disputeRejected" }) };
}
