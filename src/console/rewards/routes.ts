import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import { CODES_A_REQUEST_MAX, isCode } from "../../rewards/codes/code.ts";
import type { RewardDocument } from "../../rewards/schema.ts";
import { number } from "../format.ts";
import { doneIn, fieldsOf, idIn, pageNumberIn, queryOf, textIn } from "../form.ts";
import { addressOf } from "../page.ts";
import { PAGE_SIZE } from "../pager.ts";
import { problemIn } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { formPage } from "./form-page.ts";
import { rewardsPage } from "./list-page.ts";
import type { RedeemedMonth } from "./list-page.ts";
import { removePage, rewardPage } from "./reward-page.ts";
import type { CodesOutcome } from "./reward-page.ts";
import { NO_REWARD, changedMembers, codesIn, typedIn, typedOf } from "./typed.ts";

export interface RewardPagesDeps {
  readonly now: () => Date;
  /** Returns the key of a new form: what the form adds is added once. */
  readonly newId: () => string;
}

const SEE = { config: { console: "see" } } as const;
const MANAGE = { config: { console: "manage" } } as const;
const BASE = "/console/:application/rewards";
/** Codes of one form: calls of the API one after the other, of some 20 ms each. */
const CODES_MAX = 5 * CODES_A_REQUEST_MAX;
/** Wrong lines that a page names. */
const LINES_MAX = 20;

/** Adds the catalogue of rewards: the list, one reward, its form, its codes, and removing it. */
export function rewardPages(scope: Server, deps: RewardPagesDeps): void {
  scope.get(BASE, SEE, (request, reply) => showList(deps, request, reply));
  scope.get(`${BASE}/new`, MANAGE, async (request, reply) => {
    const content = { id: null, name: "", drawn: NO_REWARD, typed: NO_REWARD, key: deps.newId(), problem: null };
    return sendPage(reply, 200, formPage(request.console.view, content));
  });
  scope.post(BASE, MANAGE, add);
  scope.get(`${BASE}/:id`, SEE, (request, reply) => showReward(deps, request, reply, {}));
  scope.get(`${BASE}/:id/edit`, MANAGE, async (request, reply) => {
    const reward = await rewardOf(request);
    const typed = typedOf(reward);
    const content = { id: reward.id, name: reward.name, drawn: typed, typed, key: "", problem: null };
    return sendPage(reply, 200, formPage(request.console.view, content));
  });
  scope.post(`${BASE}/:id`, MANAGE, change);
  scope.post(`${BASE}/:id/codes`, MANAGE, (request, reply) => loadCodes(deps, request, reply));
  scope.get(`${BASE}/:id/remove`, MANAGE, async (request, reply) =>
    sendPage(reply, 200, removePage(request.console.view, await rewardOf(request))),
  );
  scope.post(`${BASE}/:id/remove`, MANAGE, remove);
}

async function rewardOf({ params, console: { api } }: FastifyRequest): Promise<RewardDocument> {
  return (await api.get<{ reward: RewardDocument }>(`/rewards/${idIn(params)}`)).reward;
}

async function showList({ now }: RewardPagesDeps, request: FastifyRequest, reply: FastifyReply) {
  const { api, view } = request.console;
  const page = pageNumberIn(queryOf(request));
  const [listed, report] = await Promise.all([
    api.get<{ rewards: readonly RewardDocument[]; count: number }>("/rewards", {
      page: String(page),
      pageSize: String(PAGE_SIZE),
    }),
    api.get<{ rows: readonly RedeemedMonth[] }>("/reports/points", { timeframe: "12m", by: "month" }),
  ]);
  const content = { ...listed, page, months: report.rows, done: doneIn(request), now: now().toISOString() };
  return sendPage(reply, 200, rewardsPage(view, content));
}

async function add(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const fields = fieldsOf(request);
  const typed = typedIn(fields);
  const key = textIn(fields, "key", 64);
  const body = { name: "", points: "", ...changedMembers(NO_REWARD, typed) };
  const response = await api.change(
    { action: "reward.add" },
    { method: "POST", path: "/rewards", body, ...(isUuid(key) && { headers: { "idempotency-key": key } }) },
  );
  const problem = problemIn(response);
  if (problem) {
    const content = { id: null, name: "", drawn: NO_REWARD, typed, key, problem };
    return sendPage(reply, response.status, formPage(view, content));
  }
  const { reward } = response.body as { reward: RewardDocument };
  return redirectFromPage(reply, addressOf(view, "rewards", `/${reward.id}`, { done: "added" }));
}

async function change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const id = idIn(request.params);
  const fields = fieldsOf(request);
  const [drawn, typed] = [typedIn(fields, "was-"), typedIn(fields)];
  // A form of a reward that exists has no kind of codes.
  const { codes: _codes, ...body } = changedMembers(drawn, { ...typed, codes: drawn.codes });
  const path = `/rewards/${id}`;
  if (Object.keys(body).length === 0) {
    return redirectFromPage(reply, addressOf(view, "rewards", `/${id}`, { done: "same" }));
  }
  const response = await api.change({ action: "reward.change", subject: id }, { method: "PATCH", path, body });
  const problem = problemIn(response);
  if (problem) {
    const { name } = await rewardOf(request);
    return sendPage(reply, response.status, formPage(view, { id, name, drawn, typed, key: "", problem }));
  }
  return redirectFromPage(reply, addressOf(view, "rewards", `/${id}`, { done: "changed" }));
}

async function remove(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const { id } = await rewardOf(request);
  const response = await api.change(
    { action: "reward.remove", subject: id },
    { method: "DELETE", path: `/rewards/${id}` },
  );
  const done = response.status < 400 || response.status === 404 ? { done: "removed" } : undefined;
  return redirectFromPage(reply, addressOf(view, "rewards", done ? "" : `/${id}`, done));
}

interface ShownOutcome {
  readonly status?: number;
  readonly typedCodes?: string;
  readonly outcome?: CodesOutcome;
  readonly problem?: ShownProblem;
}

async function showReward(
  { now }: RewardPagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, typedCodes = "", outcome, problem }: ShownOutcome,
): Promise<FastifyReply> {
  const { view } = request.console;
  const reward = await rewardOf(request);
  const content = {
    reward,
    now: now().toISOString(),
    done: outcome || problem ? null : doneIn(request),
    typedCodes,
    outcome: outcome ?? null,
    problem: problem ?? null,
  };
  return sendPage(reply, status, rewardPage(view, content));
}

/** Loads codes. A reload of the response sends them again: they are duplicates then, and nothing is added twice. */
async function loadCodes(deps: RewardPagesDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const id = idIn(request.params);
  const typedCodes = fieldsOf(request).get("codes") ?? "";
  const lines = codesIn(typedCodes);
  const { codes: words } = view.language.phrases.rewards;
  const refused = (detail: string, wrong: readonly { line: number; code: string }[] = []) => {
    const errors = Object.fromEntries(
      wrong.slice(0, LINES_MAX).map(({ line, code }) => [words.line(number(view.language, line)), [code.slice(0, 80)]]),
    );
    const problem = { title: words.title, detail, code: "", errors };
    return showReward(deps, request, reply, { status: 400, typedCodes: typedCodes.slice(0, 100_000), problem });
  };
  if (lines.length === 0) return refused(words.empty);
  if (lines.length > CODES_MAX) return refused(words.tooMany(number(view.language, CODES_MAX)));
  const wrong = lines.filter(({ code }) => !isCode(code));
  if (wrong.length > 0) return refused(words.wrong, wrong);
  let outcome: CodesOutcome = { added: 0, duplicates: [], freeCodes: 0 };
  for (let from = 0; from < lines.length; from += CODES_A_REQUEST_MAX) {
    const codes = lines.slice(from, from + CODES_A_REQUEST_MAX).map(({ code }) => code);
    const response = await api.change(
      { action: "reward.codes", subject: id },
      { method: "POST", path: `/rewards/${id}/codes`, body: { codes } },
    );
    const problem = problemIn(response);
    if (problem) return showReward(deps, request, reply, { status: response.status, typedCodes, problem });
    const { added, duplicates, freeCodes } = response.body as CodesOutcome;
    outcome = { added: outcome.added + added, duplicates: [...outcome.duplicates, ...duplicates], freeCodes };
  }
  return showReward(deps, request, reply, { outcome });
}
