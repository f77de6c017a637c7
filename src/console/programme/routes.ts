import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Call } from "../../http/call-as.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import { doneIn, fieldsOf, idIn, pageNumberIn, queryOf, textIn } from "../form.ts";
import { addressOf } from "../page.ts";
import { PAGE_SIZE } from "../pager.ts";
import { problemIn } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { typedNumber } from "../typed-number.ts";
import { PARTS, definitionIn, errorsOfDefinition, textOfDefinition, withPart } from "./draft.ts";
import type { Part } from "./draft.ts";
import { draftPage } from "./draft-page.ts";
import { programmePage, versionPage } from "./pages.ts";
import type { Version } from "./pages.ts";
import { previewPage } from "./preview-page.ts";
import type { Preview } from "./preview-page.ts";

export interface ProgrammeRouteDeps {
  /** Returns the key of a new form: what the form does is done once. */
  readonly newId: () => string;
}

const SEE = { config: { console: "see" } } as const;
const MANAGE = { config: { console: "manage" } } as const;
const BASE = "/console/:application/programme";
const JSON_LENGTH_MAX = 400_000;
const DAYS_DEFAULT = "30";

/** Adds the programme: its history, a version, the editor of a draft, previews, publishing and withdrawing. */
export function programmeRoutes(scope: Server, deps: ProgrammeRouteDeps): void {
  scope.get(BASE, SEE, showProgramme);
  scope.get(`${BASE}/draft`, MANAGE, (request, reply) => newDraft(deps, request, reply));
  scope.post(`${BASE}/draft`, MANAGE, editDraft);
  scope.get(`${BASE}/previews/:id`, SEE, async (request, reply) => {
    const path = `/program-previews/${idIn(request.params)}`;
    const { preview } = await request.console.api.get<{ preview: Preview }>(path);
    return sendPage(reply, 200, previewPage(request.console.view, preview));
  });
  scope.get(`${BASE}/:version`, SEE, (request, reply) => showVersion(deps, request, reply, 200, null));
  scope.post(`${BASE}/:version/preview`, MANAGE, (request, reply) => preview(deps, request, reply));
  scope.post(`${BASE}/:version/publish`, MANAGE, (request, reply) => publish(deps, request, reply));
  scope.post(`${BASE}/:version/withdraw`, MANAGE, (request, reply) => withdraw(deps, request, reply));
  scope.post(`${BASE}/:version/roll-back`, MANAGE, (request, reply) => rollBack(deps, request, reply));
}

function versionIn(params: unknown): string {
  const { version = "" } = params as { version?: string };
  if (!/^[1-9]\d{0,8}$/.test(version)) throw new Problem("notFound");
  return version;
}

async function versionOf(request: FastifyRequest, version = versionIn(request.params)): Promise<Version> {
  return (await request.console.api.get<{ program: Version }>(`/programs/${version}`)).program;
}

/** The header of a form that is sent twice. */
function once(fields: URLSearchParams): Pick<Call, "headers"> {
  const key = textIn(fields, "key", 64);
  return isUuid(key) ? { headers: { "idempotency-key": key } } : {};
}

async function showProgramme(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const page = pageNumberIn(queryOf(request));
  const [{ program }, listed] = await Promise.all([
    api.get<{ program: Version | null }>("/programs/current"),
    api.get<{ programs: readonly Version[]; count: number }>("/programs", {
      page: String(page),
      pageSize: String(PAGE_SIZE),
    }),
  ]);
  const content = { current: program, versions: listed.programs, count: listed.count, page, done: doneIn(request) };
  return sendPage(reply, 200, programmePage(view, content));
}

async function showVersion(
  { newId }: ProgrammeRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  problem: ShownProblem | null,
): Promise<FastifyReply> {
  const version = await versionOf(request);
  const fields = fieldsOf(request);
  const typed = {
    startsAt: textIn(fields, "startsAt", 40),
    days: textIn(fields, "days", 10) || DAYS_DEFAULT,
    pointValue: textIn(fields, "pointValue", 20),
  };
  const done = problem ? null : doneIn(request);
  const content = { version, typed, newKey: newId, problem, done };
  return sendPage(reply, status, versionPage(request.console.view, content));
}

async function newDraft({ newId }: ProgrammeRouteDeps, request: FastifyRequest, reply: FastifyReply) {
  const from = queryOf(request).get("from");
  const definition = from === null ? { name: "" } : (await versionOf(request, versionIn({ version: from }))).definition;
  const content = { json: textOfDefinition(definition), note: "", key: newId(), part: null };
  return sendPage(
    reply,
    200,
    draftPage(request.console.view, { ...content, isNotJson: false, problem: null, errors: {} }),
  );
}

/** Puts the form of a part into the JSON, shows the JSON in the forms, or saves it. */
async function editDraft(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const fields = fieldsOf(request);
  const json = (fields.get("json") ?? "").slice(0, JSON_LENGTH_MAX);
  const content = { json, note: textIn(fields, "note", 1_000), key: textIn(fields, "key", 64) };
  const action = fields.get("do") ?? "read";
  const part = PARTS.find((each) => action === `part:${each}`) ?? null;
  const definition = definitionIn(json);
  const show = (
    status: number,
    more: { isNotJson?: boolean; problem?: ShownProblem; json?: string; part?: Part | null },
  ) =>
    sendPage(
      reply,
      status,
      draftPage(view, {
        ...content,
        part,
        isNotJson: false,
        problem: null,
        errors: errorsOfDefinition(more.problem?.errors ?? {}),
        ...more,
      }),
    );
  if (!definition) return show(400, { isNotJson: true });
  if (part) return show(200, { json: textOfDefinition(withPart(definition, part, fields)) });
  if (action !== "save") return show(200, { json: textOfDefinition(definition) });
  const body = { definition, note: content.note, author: view.user.name.slice(0, 100) };
  const call = { method: "POST", path: "/programs", body, ...once(fields) } as const;
  const response = await api.change({ action: "program.save" }, call);
  const problem = problemIn(response);
  if (problem) return show(response.status, { problem });
  const { program } = response.body as { program: Version };
  return redirectFromPage(reply, addressOf(view, "programme", `/${program.version}`, { done: "saved" }));
}

async function publish(deps: ProgrammeRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const fields = fieldsOf(request);
  const typed = textIn(fields, "startsAt", 40);
  // A field of date and time has minutes, and no zone: it is UTC, as it says.
  const startsAt = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? `${typed}:00Z` : typed;
  const { name } = request.console.view.user;
  const body = { ...(startsAt !== "" && { startsAt }), author: name.slice(0, 100) };
  return act(deps, request, reply, { action: "program.publish", path: "publish", body, done: "published" });
}

async function withdraw(deps: ProgrammeRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = { author: request.console.view.user.name.slice(0, 100) };
  return act(deps, request, reply, { action: "program.withdraw", path: "withdraw", body, done: "withdrawn" });
}

/** A change of a version: the page of the version says what became of it. */
async function act(
  deps: ProgrammeRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, path, body, done }: { action: string; path: string; body: object; done: string },
): Promise<FastifyReply> {
  const { api, view } = request.console;
  const version = versionIn(request.params);
  const response = await api.change(
    { action, subject: version },
    { method: "POST", path: `/programs/${version}/${path}`, body, ...once(fieldsOf(request)) },
  );
  const problem = problemIn(response);
  if (problem) return showVersion(deps, request, reply, response.status, problem);
  return redirectFromPage(reply, addressOf(view, "programme", `/${version}`, { done }));
}

/** Saves the definition of an earlier version as a new draft, which is then previewed and published like any other. */
async function rollBack(deps: ProgrammeRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const { version, definition } = await versionOf(request);
  const note = view.language.phrases.programme.one.rollBackNote(String(version));
  const body = { definition, note, author: view.user.name.slice(0, 100) };
  const response = await api.change(
    { action: "program.roll-back", subject: String(version) },
    { method: "POST", path: "/programs", body, ...once(fieldsOf(request)) },
  );
  const problem = problemIn(response);
  if (problem) return showVersion(deps, request, reply, response.status, problem);
  const { program } = response.body as { program: Version };
  return redirectFromPage(reply, addressOf(view, "programme", `/${program.version}`, { done: "saved" }));
}

async function preview(deps: ProgrammeRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const fields = fieldsOf(request);
  const version = versionIn(request.params);
  const [days, pointValue] = [textIn(fields, "days", 10), textIn(fields, "pointValue", 20)];
  const body = {
    version: Number(version),
    ...(days !== "" && { days: typedNumber(days) }),
    ...(pointValue !== "" && { pointValue: typedNumber(pointValue) }),
  };
  const response = await api.change(
    { action: "program.preview", subject: version },
    { method: "POST", path: "/programs/preview", body, ...once(fields) },
  );
  const problem = problemIn(response);
  if (problem) return showVersion(deps, request, reply, response.status, problem);
  const { id } = (response.body as { preview: Preview }).preview;
  return redirectFromPage(reply, addressOf(view, "programme", `/previews/${id}`));
}
