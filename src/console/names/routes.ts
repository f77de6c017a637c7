import type { FastifyReply, FastifyRequest } from "fastify";
import type { Candidate } from "../../foods/schema.ts";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import type { MeaningPreview, UnknownName } from "../../unknown-names/schema.ts";
import { doneIn, fieldsOf, pageNumberIn, queryOf } from "../form.ts";
import { addressOf } from "../page.ts";
import { PAGE_SIZE } from "../pager.ts";
import { problemIn } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { listPage } from "./list-page.ts";
import { bodyOfMeaning, meaningIn, placeIn, queryOfPlace } from "./meaning.ts";
import type { ListedNames, Meaning, Place } from "./meaning.ts";
import { namePage, previewPage } from "./name-page.ts";

const SEE = { config: { console: "see" } } as const;
const SEE_DATA = { config: { console: "see", isData: true } } as const;
const REVIEW = { config: { console: "review" } } as const;
const BASE = "/console/:application/names";
const FOUND_MAX = 8;

/** Adds the names that nobody matched: the list, one name, what a meaning would change, and applying it. */
export function namesRoutes(scope: Server): void {
  scope.get(BASE, SEE, async (request, reply) => {
    const place = placeOf(request);
    const listed = await listNames(request, place);
    return sendPage(reply, 200, listPage(request.console.view, { listed, place, done: doneIn(request) }));
  });
  // For the search as one types.
  scope.get(`${BASE}/foods`, SEE_DATA, async (request, reply) => {
    const foods = await foodsLike(request, queryOf(request).get("q") ?? "");
    return reply.send({ foods: foods.map(({ foodId, name, confidence }) => ({ foodId, name, confidence })) });
  });
  scope.get(`${BASE}/:id`, SEE, (request, reply) => showName(request, reply, 200, null));
  scope.get(`${BASE}/:id/preview`, SEE, async (request, reply) => {
    const meaning = meaningIn(queryOf(request));
    return meaning
      ? showPreview(request, reply, { status: 200, meaning, problem: null })
      : showName(request, reply, 400, null);
  });
  scope.post(`${BASE}/:id/apply`, REVIEW, apply);
}

function placeOf(request: FastifyRequest): Place {
  const query = queryOf(request);
  return placeIn(query, pageNumberIn(query));
}

function listNames({ console: { api } }: FastifyRequest, { page, timeframe, spendIn }: Place): Promise<ListedNames> {
  return api.get<ListedNames>("/catalogue/unknown-names", {
    page: String(page),
    pageSize: String(PAGE_SIZE),
    timeframe,
    ...(spendIn !== "" && { spendIn }),
  });
}

/** The id of the address: the API's ids of names are letters and digits. */
function nameId({ params }: FastifyRequest): string {
  const { id = "" } = params as { id?: string };
  if (!/^[\w-]{1,64}$/.test(id)) throw new Problem("notFound");
  return id;
}

/** Reads the name of the address. Null: it is not listed any more, since somebody has decided it. */
async function findName(request: FastifyRequest): Promise<UnknownName | null> {
  const path = `/catalogue/unknown-names/${nameId(request)}`;
  const response = await request.console.api.call({ method: "GET", path });
  if (response.status === 404) return null;
  if (response.status !== 200) throw new Problem("unavailable", { retryAfterSeconds: 1 });
  return (response.body as { name: UnknownName }).name;
}

async function nameOf(request: FastifyRequest): Promise<UnknownName> {
  const found = await findName(request);
  if (!found) throw new Problem("notFound");
  return found;
}

async function foodsLike({ console: { api } }: FastifyRequest, text: string): Promise<readonly Candidate[]> {
  const name = text.trim().slice(0, 255);
  if (name === "") return [];
  // As a word of a person, not as one of a till.
  const query = { name, source: "food", limit: String(FOUND_MAX) };
  return (await api.get<{ candidates: readonly Candidate[] }>("/catalogue/match", query)).candidates;
}

async function showName(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  problem: ShownProblem | null,
): Promise<FastifyReply> {
  const place = placeOf(request);
  const searched = (queryOf(request).get("q") ?? "").trim().slice(0, 255);
  const name = await nameOf(request);
  const candidates = searched === "" ? name.candidates : await foodsLike(request, searched);
  return sendPage(reply, status, namePage(request.console.view, { name, place, searched, candidates, problem }));
}

async function showPreview(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, meaning, problem }: { status: number; meaning: Meaning; problem: ShownProblem | null },
): Promise<FastifyReply> {
  const { api, view } = request.console;
  const place = placeOf(request);
  const name = await nameOf(request);
  const query = Object.fromEntries(Object.entries(bodyOfMeaning(meaning)).map(([key, value]) => [key, String(value)]));
  const response = await api.call({ method: "GET", path: `/catalogue/unknown-names/${name.id}/preview`, query });
  const refused = problemIn(response);
  if (refused) return showName(request, reply, response.status, refused);
  const { preview } = response.body as { preview: MeaningPreview };
  return sendPage(reply, status, previewPage(view, { name, place, meaning, preview, problem }));
}

async function apply(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, view } = request.console;
  const id = nameId(request);
  const meaning = meaningIn(fieldsOf(request));
  if (!meaning) return showName(request, reply, 400, null);
  const place = queryOfPlace(placeOf(request));
  // Somebody else has decided it meanwhile: their meaning stays.
  if (!(await findName(request))) return redirectFromPage(reply, addressOf(view, "names", "", place));
  const response = await api.change(
    { action: "name.decide", subject: id },
    { method: "POST", path: `/catalogue/unknown-names/${id}/alias`, body: bodyOfMeaning(meaning) },
  );
  const problem = problemIn(response);
  if (problem) return showName(request, reply, response.status, problem);
  return redirectFromPage(reply, addressOf(view, "names", "", { ...place, done: "applied" }));
}
