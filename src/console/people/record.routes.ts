import type { Static } from "typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Explanation } from "../../points/explanation-schema.ts";
import type { MovedResponse } from "../../points/adjustments/schema.ts";
import type { TransactionRecord } from "../../points/schema.ts";
import type { VoucherDocument } from "../../rewards/vouchers/schema.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import { fieldsOf, idIn, textIn } from "../form.ts";
import { colon } from "../format.ts";
import { addressOf } from "../page.ts";
import { problemIn } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { confirmPage } from "./confirm-page.ts";
import { kindOf, wayBackOf } from "./kinds.ts";
import type { UserSummary, WayBack } from "./kinds.ts";
import { recordPage } from "./record-page.ts";

const SEE = { config: { console: "see" } } as const;
const MANAGE = { config: { console: "manage" } } as const;
const RECORD = "/console/:application/people/:id/records/:record";

interface Typed {
  readonly reason: string;
  readonly items: readonly string[];
}
const NOTHING_TYPED: Typed = { reason: "", items: [] };

/** Adds the page of a record, its reversal and its refund. */
export function recordRoutes(scope: Server, { newId }: { readonly newId: () => string }): void {
  scope.get(RECORD, SEE, (request, reply) => showRecord(request, reply, 200, NOTHING_TYPED, null));
  scope.post(`${RECORD}/reverse`, MANAGE, (request, reply) => takeBack(request, reply, { way: "reverse", newId }));
  scope.post(`${RECORD}/refund`, MANAGE, (request, reply) => takeBack(request, reply, { way: "refund", newId }));
}

async function recordOf({ params, console: { api } }: FastifyRequest): Promise<TransactionRecord> {
  const path = `/users/${idIn(params)}/transactions/${idIn(params, "record")}`;
  return (await api.get<{ transaction: TransactionRecord }>(path)).transaction;
}

async function showRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  typed: Typed,
  problem: ShownProblem | null,
): Promise<FastifyReply> {
  const { view, api } = request.console;
  const userId = idIn(request.params);
  const record = await recordOf(request);
  const { code } = record.reward;
  const [explained, voucher] = await Promise.all([
    api.call({ method: "GET", path: `/users/${userId}/transactions/${record.id}/explanation` }),
    // A code of the integrator's own is no voucher here.
    code === "" ? null : api.call({ method: "GET", path: `/vouchers/${encodeURIComponent(code)}` }),
  ]);
  const content = {
    userId,
    record,
    explanation:
      explained.status === 200 ? (explained.body as { explanation: Static<typeof Explanation> }).explanation : null,
    voucher: voucher?.status === 200 ? (voucher.body as { voucher: VoucherDocument }).voucher : null,
    typedReason: typed.reason,
    chosenItems: typed.items,
    problem,
  };
  return sendPage(reply, status, recordPage(view, content));
}

/** First shows the balance after it; the form of that page has a key, and books. */
async function takeBack(
  request: FastifyRequest,
  reply: FastifyReply,
  { way, newId }: { readonly way: WayBack; readonly newId: () => string },
): Promise<FastifyReply> {
  const { view, api } = request.console;
  const fields = fieldsOf(request);
  const userId = idIn(request.params);
  const record = await recordOf(request);
  const typed = { reason: textIn(fields, "reason", 255), items: fields.getAll("item").slice(0, 1_000) };
  const body = { reason: typed.reason, ...(way === "reverse" && typed.items.length > 0 && { items: typed.items }) };
  const path =
    way === "reverse"
      ? `/users/${userId}/transactions/${record.id}/reversal`
      : `/users/${userId}/redemptions/${record.id}/refund`;
  const key = textIn(fields, "key", 64);
  if (isUuid(key)) {
    const response = await api.change(
      { action: way === "reverse" ? "points.reverse" : "redemption.refund", subject: record.id },
      { method: "POST", path, headers: { "idempotency-key": key }, body },
    );
    const problem = problemIn(response);
    if (problem) return showRecord(request, reply, response.status, typed, problem);
    const done = way === "reverse" ? "reversed" : "refunded";
    return redirectFromPage(reply, addressOf(view, "people", `/${userId}`, { done }));
  }
  const { user } = await api.get<{ user: UserSummary }>(`/users/${userId}/summary`);
  const outcome = await outcomeOf(request, { way, path, body, record, available: user.availablePoints });
  if ("problem" in outcome) return showRecord(request, reply, outcome.status, typed, outcome.problem);
  const back = `/${userId}/records/${record.id}`;
  const items = record.transaction.items.filter(({ id }) => typed.items.includes(id)).map(({ name }) => name);
  const { reverse, refund } = view.language.phrases.people;
  const content = {
    title: `${(way === "reverse" ? reverse : refund).title}${colon(view.language)} ${kindOf(view.language, record)}`,
    user,
    action: `${back}/${way}`,
    back,
    fields: [
      ["key", newId()],
      ["reason", typed.reason],
      ...typed.items.map((item) => ["item", item] as const),
    ] as const,
    reason: typed.reason,
    ...outcome,
    countsAsEarned: null,
    items,
    problem: null,
  };
  return sendPage(reply, 200, confirmPage(view, content));
}

interface Plan {
  readonly way: WayBack;
  readonly path: string;
  readonly body: { readonly reason: string };
  readonly record: TransactionRecord;
  readonly available: number;
}

/** Returns what it would book. A reversal is asked for without booking it: what was taken back before counts. */
async function outcomeOf(
  { console: { api, view } }: FastifyRequest,
  { way, path, body, record, available }: Plan,
): Promise<
  | { readonly points: number; readonly balanceAfter: number; readonly waivedPoints: number }
  | { readonly status: number; readonly problem: ShownProblem }
> {
  if (way === "refund") {
    if (wayBackOf(record) !== "refund") throw new Problem("notFound");
    const points = -record.totalPoints;
    if (body.reason !== "") return { points, balanceAfter: available + points, waivedPoints: 0 };
    const { people } = view.language.phrases;
    const errors = { reason: [people.adjust.wrong] };
    return { status: 400, problem: { title: people.refund.title, detail: "", code: "", errors } };
  }
  const response = await api.call({ method: "POST", path, body: { ...body, dryRun: true } });
  const problem = problemIn(response);
  if (problem) return { status: response.status, problem };
  const { transaction, balance, waivedPoints } = response.body as MovedResponse & { waivedPoints: number };
  return { points: transaction.totalPoints, balanceAfter: balance.availablePoints, waivedPoints };
}
