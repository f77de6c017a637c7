import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import type { UserStatistics } from "../../points/statistics/schema.ts";
import { Problem } from "../../problems.ts";
import { doneIn, fieldsOf, idIn, pageNumberIn, queryOf, textIn } from "../form.ts";
import { addressOf } from "../page.ts";
import { PAGE_SIZE } from "../pager.ts";
import { problemIn } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { confirmPage } from "./confirm-page.ts";
import { erasePage } from "./erase-page.ts";
import { findPage } from "./find-page.ts";
import type { FoundUser, ListedTransactions, UserSummary } from "./kinds.ts";
import { personPage } from "./person-page.ts";
import type { TypedAdjustment } from "./person-page.ts";

const SEE = { config: { console: "see" } } as const;
const MANAGE = { config: { console: "manage" } } as const;
const BASE = "/console/:application/people";

export interface PeopleRouteDeps {
  /** Returns the key of a new form: what the form books is booked once. */
  readonly newId: () => string;
}

/** Adds finding a person, the page of one, and what is done with the balance and the data. */
export function peopleRoutes(scope: Server, deps: PeopleRouteDeps): void {
  scope.get(BASE, SEE, async (request, reply) =>
    sendPage(reply, 200, findPage(request.console.view, { typed: null, done: doneIn(request) })),
  );
  scope.post(BASE, SEE, find);
  scope.get(`${BASE}/:id`, SEE, (request, reply) => showPerson(request, reply, 200, null, null));
  scope.post(`${BASE}/:id/adjust`, MANAGE, (request, reply) => adjust(deps, request, reply));
  scope.post(`${BASE}/:id/export`, MANAGE, exportData);
  scope.get(`${BASE}/:id/erase`, MANAGE, async (request, reply) => {
    const user = await userOf(request);
    return sendPage(reply, 200, erasePage(request.console.view, { user, isWrong: false, problem: null }));
  });
  scope.post(`${BASE}/:id/erase`, MANAGE, erase);
}

/** Reads the person of the address. */
async function userOf({ params, console: { api } }: FastifyRequest): Promise<UserSummary> {
  return (await api.get<{ user: UserSummary }>(`/users/${idIn(params)}/summary`)).user;
}

async function find(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { view, api } = request.console;
  const typed = textIn(fieldsOf(request), "who", 254);
  const id = typed.toLowerCase();
  const path = isUuid(id) ? `/users/${id}/summary` : "/users";
  const response = await api.call({ method: "GET", path, query: isUuid(id) ? {} : { email: typed } });
  const body = response.body as { user?: FoundUser; users?: FoundUser[] };
  const user = response.status === 200 ? (body.user ?? body.users?.[0]) : undefined;
  if (user) return redirectFromPage(reply, addressOf(view, "people", `/${user.userID}`));
  return sendPage(reply, 404, findPage(view, { typed, done: null }));
}

async function showPerson(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  typed: TypedAdjustment | null,
  problem: ShownProblem | null,
): Promise<FastifyReply> {
  const { view, api } = request.console;
  const id = idIn(request.params);
  const page = pageNumberIn(queryOf(request));
  const [user, statistics, listed] = await Promise.all([
    userOf(request),
    statisticsOf(request, id),
    api.get<ListedTransactions>(`/users/${id}/transactions`, { page: String(page), pageSize: String(PAGE_SIZE) }),
  ]);
  const history = { records: listed.transactions, count: listed.count, page };
  const content = { user, statistics, history, typed, problem, done: doneIn(request) };
  return sendPage(reply, status, personPage(view, content));
}

/** Null: the records are still being added up, which the rest of the page does not wait for. */
async function statisticsOf({ console: { api } }: FastifyRequest, id: string): Promise<UserStatistics | null> {
  const found = api.get<{ statistics: UserStatistics }>(`/users/${id}/statistics`, { timeframe: "12m" });
  return found.then(
    ({ statistics }) => statistics,
    (error: unknown) => {
      if (error instanceof Problem && error.problem === "unavailable") return null;
      throw error;
    },
  );
}

/** First shows the balance after it; the form of that page has a key, and books. */
async function adjust({ newId }: PeopleRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { view, api } = request.console;
  const { people } = view.language.phrases;
  const fields = fieldsOf(request);
  const id = idIn(request.params);
  const typed = {
    points: textIn(fields, "points", 12),
    reason: textIn(fields, "reason", 255),
    countsAsEarned: fields.get("countsAsEarned") === "yes",
  };
  // What is no number is refused by the API, with its words.
  const points = /^[+-]?\d+$/.test(typed.points) ? Number(typed.points) : typed.points;
  const key = textIn(fields, "key", 64);
  if (isUuid(key)) {
    const response = await api.change(
      { action: "points.adjust", subject: id },
      {
        method: "POST",
        path: `/users/${id}/adjustments`,
        headers: { "idempotency-key": key },
        body: { points, reason: typed.reason, countsAsEarned: typed.countsAsEarned, reference: `console-${key}` },
      },
    );
    const problem = problemIn(response);
    if (problem) return showPerson(request, reply, response.status, typed, problem);
    return redirectFromPage(reply, addressOf(view, "people", `/${id}`, { done: "adjusted" }));
  }
  const user = await userOf(request);
  if (typeof points !== "number" || points === 0 || typed.reason === "") {
    const errors = { [typed.reason === "" ? "reason" : "points"]: [people.adjust.wrong] };
    return showPerson(request, reply, 400, typed, { title: people.adjust.title, detail: "", code: "", errors });
  }
  const content = {
    title: people.kinds.adjusted,
    user,
    action: `/${id}/adjust`,
    back: `/${id}`,
    fields: [
      ["key", newId()],
      ["points", typed.points],
      ["reason", typed.reason],
      ["countsAsEarned", typed.countsAsEarned ? "yes" : "no"],
    ],
    reason: typed.reason,
    points,
    balanceAfter: user.availablePoints + points,
    waivedPoints: 0,
    countsAsEarned: typed.countsAsEarned,
    items: [],
    problem: null,
  } as const;
  return sendPage(reply, 200, confirmPage(view, content));
}

async function exportData(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const id = idIn(request.params);
  const path = `/users/${id}/export`;
  const { status, stream } = await request.console.api.download(
    { action: "user.export", subject: id },
    { method: "GET", path },
  );
  if (status !== 200) {
    stream.destroy();
    const problem = { title: request.console.view.language.phrases.shell.problems.busy.title, detail: "" };
    if (status === 503) return showPerson(request, reply, 503, null, { ...problem, code: "", errors: {} });
    // Shows the page of a person who does not exist.
    return showPerson(request, reply, status, null, null);
  }
  return reply
    .type("application/json; charset=utf-8")
    .header("content-disposition", `attachment; filename="user-${id}.json"`)
    .header("x-content-type-options", "nosniff")
    .send(stream);
}

async function erase(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { view, api } = request.console;
  const user = await userOf(request);
  const typed = textIn(fieldsOf(request), "typed", 254);
  if (typed.toLowerCase() !== user.email) {
    return sendPage(reply, 422, erasePage(view, { user, isWrong: true, problem: null }));
  }
  const { userID } = user;
  const response = await api.change(
    { action: "user.erase", subject: userID },
    { method: "DELETE", path: `/users/${userID}` },
  );
  const problem = problemIn(response);
  if (problem) return sendPage(reply, response.status, erasePage(view, { user, isWrong: false, problem }));
  return redirectFromPage(reply, addressOf(view, "people", "", { done: "erased" }));
}
