import { createHash, randomBytes } from "node:crypto";
import type { Static } from "typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientSecretFrom } from "../../applications/application.ts";
import type { Application } from "../../applications/application.ts";
import { addCredential, listCredentials, revokeCredential } from "../../applications/credentials.store.ts";
import { refuseClosed } from "../../applications/refuse-closed.ts";
import { findApplication, setSecretHash } from "../../applications/store.ts";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import { measureJson } from "../../measure-json.ts";
import { createEventStreams } from "../../http/event-stream.ts";
import type { Server } from "../../http/server.ts";
import { OPERATIONS } from "../../openapi/operations.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import type { Report } from "../../reports/schema.ts";
import { HOUR_MS } from "../../time.ts";
import type { ChartSpec, DrawnChart } from "../charts/chart.ts";
import { doneIn, fieldsOf, idIn } from "../form.ts";
import { instant } from "../format.ts";
import { reportQuery } from "../overview/timeframe.ts";
import { addressOf } from "../page.ts";
import { problemIn } from "../problem.ts";
import { deliveriesPage, deliveryPage, given } from "./delivery-pages.ts";
import type { Deliveries, Delivery, DeliveryFilters } from "./delivery-pages.ts";
import { knownCall } from "./known-call.ts";
import { followEvents } from "./live-events.ts";
import { callPage, eventsPage } from "./live-pages.ts";
import type { ShownEvent, TypedCall } from "./live-pages.ts";
import { endpointChart, endpointNow, lastDays } from "./endpoint-figures.ts";
import { endpointPage } from "./endpoint-page.ts";
import { keysPage, secretPage } from "./page.ts";
import type { Endpoint, FormState } from "./page.ts";
import { typedCredentialIn, wantedCredential } from "./new-credential.ts";
import type { CredentialError } from "./new-credential.ts";

export interface DeveloperDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  draw(spec: ChartSpec): Promise<DrawnChart | null>;
}

const SEE = { config: { console: "see" } } as const;
const SEE_DATA = { config: { console: "see", isData: true } } as const;
const DEVELOP = { config: { console: "develop" } } as const;
const BASE = "/console/:application/developers";

/** Adds the section for developers: keys, endpoints, deliveries, live events, and calls of the API. */
export function developerRoutes(scope: Server, deps: DeveloperDeps): void {
  keyRoutes(scope, deps);
  endpointRoutes(scope, deps);
  deliveryRoutes(scope);
  eventRoutes(scope, deps);
  callRoutes(scope);
}

function keyRoutes(scope: Server, deps: DeveloperDeps): void {
  const { database, now } = deps;
  scope.get(BASE, SEE, (request, reply) => showKeys(deps, request, reply, stateOf(request)));
  scope.post(`${BASE}/secret`, DEVELOP, async (request, reply) => {
    const { view, api } = request.console;
    const { clientId } = await applicationOf(database, request);
    const { hours: offered } = view.language.phrases.developers.keys;
    const hours = fieldsOf(request).get("hours") ?? "0";
    if (!Object.hasOwn(offered, hours)) throw new Problem("validation");
    const secret = clientSecretFrom(randomBytes(32));
    const previousUntil = hours === "0" ? null : new Date(now().getTime() + Number(hours) * HOUR_MS);
    await api.audited({ action: "application.rotate-secret" }, () =>
      database.tx(async (tx) => {
        const changed = await setSecretHash(tx, clientId, { hash: sha256(secret), previousUntil }, now());
        // It may have been closed since the request came: then the secret stays as it was.
        if (changed) refuseClosed(changed);
      }),
    );
    const title = view.language.phrases.developers.keys.made;
    return sendPage(reply, 200, secretPage(view, { title, secret, back: addressOf(view, "developers") }));
  });
  credentialRoutes(scope, deps);
}

function credentialRoutes(scope: Server, deps: DeveloperDeps): void {
  const { database, now, newId } = deps;
  scope.post(`${BASE}/credentials`, DEVELOP, async (request, reply) => {
    const { view, api } = request.console;
    const { id: applicationId } = view.application!;
    const { keys } = view.language.phrases.developers;
    const at = now();
    const wanted = wantedCredential(typedCredentialIn(fieldsOf(request)), keys.days, at);
    if (wanted === null) throw new Problem("validation");
    if (typeof wanted === "string") return showKeys(deps, request, reply, NOTHING_DONE, wanted);
    const secret = clientSecretFrom(randomBytes(32));
    const credential = { id: newId(), applicationId, ...wanted, secretHash: sha256(secret), createdAt: at };
    const isAdded = await api.audited({ action: "credential.add", subject: credential.id }, () =>
      database.tx((tx) => addCredential(tx, credential)),
    );
    if (!isAdded) return showKeys(deps, request, reply, NOTHING_DONE, "tooMany");
    return sendPage(reply, 200, secretPage(view, { title: keys.made, secret, back: addressOf(view, "developers") }));
  });
  scope.post(`${BASE}/credentials/:credential/revoke`, DEVELOP, async (request, reply) => {
    const { view, api } = request.console;
    const credential = idIn(request.params, "credential");
    const { id: applicationId } = view.application!;
    const isRevoked = await api.audited({ action: "credential.revoke", subject: credential }, () =>
      revokeCredential(database, applicationId, credential, now()),
    );
    if (!isRevoked) throw new Problem("notFound");
    return redirectFromPage(reply, `${addressOf(view, "developers")}?done=revoked`);
  });
}

function endpointRoutes(scope: Server, deps: DeveloperDeps): void {
  scope.post(`${BASE}/endpoints`, DEVELOP, async (request, reply) => {
    const { view, api } = request.console;
    const body = endpointFields(request);
    const response = await api.change(
      { action: "endpoint.add" },
      { method: "POST", path: "/webhooks/endpoints", body },
    );
    const problem = problemIn(response);
    if (problem) return showKeys(deps, request, reply, { done: null, problem });
    const { secret } = response.body as { secret: string };
    const title = view.language.phrases.developers.endpoints.secret;
    return sendPage(reply, 200, secretPage(view, { title, secret, back: addressOf(view, "developers") }));
  });
  scope.get(`${BASE}/endpoints/:endpoint`, SEE, (request, reply) =>
    showEndpoint(deps, request, reply, stateOf(request)),
  );
  scope.get(`${BASE}/endpoints/:endpoint/csv`, SEE_DATA, async (request, reply) => {
    const endpointId = idIn(request.params, "endpoint");
    const { from, till } = lastDays(deps.now());
    const query = { timeframe: `${from}/${till}`, by: "day", endpointId, format: "csv" };
    await request.console.api.get<Endpoint>(`/webhooks/endpoints/${endpointId}`);
    const csv = await request.console.api.get<string>("/reports/deliveries", query);
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="deliveries-${from}-${till}.csv"`)
      .header("x-content-type-options", "nosniff")
      .send(csv);
  });

  const onEndpoint = (
    name: string,
    done: string | null,
    callOf: (
      fields: URLSearchParams,
      request: FastifyRequest,
    ) => { method: "POST" | "PATCH" | "DELETE"; below?: string; body?: object },
  ) =>
    scope.post(`${BASE}/endpoints/:endpoint/${name}`, DEVELOP, async (request, reply) => {
      const { view, api } = request.console;
      const endpoint = idIn(request.params, "endpoint");
      const { below = "", ...call } = callOf(fieldsOf(request), request);
      const path = `/webhooks/endpoints/${endpoint}${below}`;
      const response = await api.change({ action: `endpoint.${name}`, subject: endpoint }, { ...call, path });
      if (response.status === 404) throw new Problem("notFound");
      const problem = problemIn(response);
      if (problem) return showEndpoint(deps, request, reply, { done: null, problem });
      const back = addressOf(view, "developers", name === "remove" ? "" : `/endpoints/${endpoint}`);
      if (done !== null) return redirectFromPage(reply, `${back}?done=${done}`);
      const { secret } = response.body as { secret: string };
      const title = view.language.phrases.developers.endpoints.secret;
      return sendPage(reply, 200, secretPage(view, { title, secret, back }));
    });
  onEndpoint("change", "changed", (_, request) => ({ method: "PATCH", body: endpointFields(request) }));
  onEndpoint("enable", "changed", () => ({ method: "PATCH", body: { disabled: false } }));
  onEndpoint("disable", "changed", () => ({ method: "PATCH", body: { disabled: true } }));
  onEndpoint("remove", "removed", () => ({ method: "DELETE" }));
  onEndpoint("test", "tested", () => ({ method: "POST", below: "/test" }));
  onEndpoint("secret", null, () => ({ method: "POST", below: "/rotate-secret" }));
  onEndpoint("replay", "replayed", (fields) => {
    const since = fields.get("since") ?? "";
    // Browsers send the minute without seconds and without a zone; the page shows times in UTC.
    const body = {
      ...(since !== "" && { since: `${since.slice(0, 16)}:00Z` }),
      ...(fields.has("only") && { only: "failed" }),
    };
    return { method: "POST", below: "/replay", body };
  });
}

function deliveryRoutes(scope: Server): void {
  scope.get(`${BASE}/deliveries`, SEE, async (request, reply) => {
    const { view, api } = request.console;
    const query = request.query as Record<string, unknown>;
    const text = (name: string) => (typeof query[name] === "string" ? query[name] : "");
    const filters: DeliveryFilters = { state: text("state"), event: text("event"), endpointId: text("endpointId") };
    const before = text("before");
    const [list, { endpoints }] = await Promise.all([
      api.get<Deliveries>("/webhooks/deliveries", { ...given(filters), ...(before !== "" && { before }) }),
      api.get<{ endpoints: Endpoint[] }>("/webhooks/endpoints"),
    ]);
    return sendPage(reply, 200, deliveriesPage(view, list, filters, endpoints));
  });
  const deliveryIn = ({ params }: FastifyRequest): string => {
    const { delivery } = params as { delivery: string };
    // The id of an event and that of an endpoint.
    if (!/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/.test(delivery)) throw new Problem("notFound");
    return delivery;
  };
  const pathOf = (request: FastifyRequest) => `/webhooks/deliveries/${deliveryIn(request)}`;
  scope.get(`${BASE}/deliveries/:delivery`, SEE, async (request, reply) => {
    const { view, api } = request.console;
    return sendPage(reply, 200, deliveryPage(view, await api.get<Delivery>(pathOf(request)), stateOf(request)));
  });
  scope.post(`${BASE}/deliveries/:delivery/retry`, DEVELOP, async (request, reply) => {
    const { view, api } = request.console;
    const delivery = deliveryIn(request);
    const about = { action: "delivery.retry", subject: delivery };
    const { status } = await api.change(about, { method: "POST", path: `${pathOf(request)}/retry` });
    if (status >= 400) throw new Problem(status === 404 ? "notFound" : "unavailable");
    return redirectFromPage(reply, `${addressOf(view, "developers", `/deliveries/${delivery}`)}?done=retried`);
  });
}

function eventRoutes(scope: Server, { now }: DeveloperDeps): void {
  const streams = createEventStreams(scope);
  scope.get(`${BASE}/events`, SEE, async (request, reply) => {
    const { view, api } = request.console;
    const since = new Date(now().getTime() - HOUR_MS).toISOString();
    const { events } = await api.get<{ events: ShownEvent[] }>("/events", { since });
    return sendPage(reply, 200, eventsPage(view, events.toReversed()));
  });
  scope.get(`${BASE}/events/stream`, SEE_DATA, async (request, reply) => {
    const { view, api, isStillAllowed } = request.console;
    const nextEvents = followEvents((place) =>
      api.get<{ events: ShownEvent[]; next: string }>("/events", place === null ? {} : { after: place }),
    );
    const holder = { application: view.application!.id, session: view.user.id };
    const stream = streams.send(reply, holder, async () => {
      // Who has signed out, or lost the role, sees nothing more.
      if (!(await isStillAllowed())) return null;
      const { id, events } = await nextEvents();
      const shown = events.map(({ event, subjectId, createdAt, payload }) => ({
        at: instant(view.language, createdAt),
        event,
        subjectId,
        payload: JSON.stringify(payload, null, 2),
      }));
      return { id, data: { events: shown }, isLast: false };
    });
    if (!stream) throw new Problem("unavailable", { retryAfterSeconds: 5 });
    return stream;
  });
}

function callRoutes(scope: Server): void {
  scope.get(`${BASE}/call`, DEVELOP, async (request, reply) => {
    const typed: TypedCall = { method: "GET", path: "/webhooks/endpoints", body: "", error: null, response: null };
    return sendPage(reply, 200, callPage(request.console.view, typed));
  });
  scope.post(`${BASE}/call`, DEVELOP, async (request, reply) => {
    const { view, api } = request.console;
    if (!view.application?.isSandbox) throw new Problem("notFound");
    const fields = fieldsOf(request);
    const [method, path, body] = ["method", "path", "body"].map((name) => fields.get(name) ?? "") as [
      string,
      string,
      string,
    ];
    const refuse = (error: TypedCall["error"]) =>
      sendPage(reply, 400, callPage(view, { method, path, body, error, response: null }));
    const known = knownCall(OPERATIONS, method, path);
    if (!known) return refuse("unknown");
    const parsed = body.trim() === "" || method === "GET" ? undefined : parsedObject(body);
    if (parsed === null) return refuse("badJson");
    const call = { ...known, ...(parsed && { body: parsed }) };
    const response = method === "GET" ? await api.call(call) : await api.change({ action: "api.call" }, call);
    return sendPage(reply, 200, callPage(view, { method, path, body, error: null, response }));
  });
}

async function showKeys(
  { database, now }: DeveloperDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  state: FormState,
  error: CredentialError | null = null,
): Promise<FastifyReply> {
  const { view, api } = request.console;
  const { id, clientId, previousSecretUntil } = await applicationOf(database, request);
  const typedCredential = typedCredentialIn(error === null ? new URLSearchParams() : fieldsOf(request));
  const listed = await listCredentials(database, id);
  const credentials = { credentials: listed, now: now(), error, typed: typedCredential };
  const { endpoints } = await api.get<{ endpoints: Endpoint[] }>("/webhooks/endpoints");
  const previousUntil = previousSecretUntil !== null && previousSecretUntil > now() ? previousSecretUntil : null;
  const fields = fieldsOf(request);
  const typed = { url: fields.get("url") ?? "", description: fields.get("description") ?? "" };
  const page = keysPage(view, { clientId, previousUntil, credentials, endpoints, state, typed });
  return sendPage(reply, state.problem || error ? 400 : 200, page);
}

async function showEndpoint(
  { now, draw }: DeveloperDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  state: FormState,
): Promise<FastifyReply> {
  const { view, api } = request.console;
  const id = idIn(request.params, "endpoint");
  const endpoint = await api.get<Endpoint>(`/webhooks/endpoints/${id}`);
  // One after the other: an application reads one report at a time.
  const frame = lastDays(now());
  const report = await api.get<Static<typeof Report>>("/reports/deliveries", { ...reportQuery(frame), endpointId: id });
  const { rows: endpoints } = await api.get<Static<typeof Report>>("/reports/webhooks");
  const csv = addressOf(view, "developers", `/endpoints/${id}/csv`);
  const planned = endpointChart(view.language, frame, report);
  const drawn = planned.spec && (await draw(planned.spec));
  const figure = { ...planned, drawn, table: { ...planned.table, csv } };
  const content = { endpoint, now: endpointNow(endpoints, id), figure, state };
  return sendPage(reply, state.problem ? 400 : 200, endpointPage(view, content));
}

async function applicationOf(database: Database, request: FastifyRequest): Promise<Application> {
  const application = await findApplication(database, request.console.view.application!.id);
  if (!application) throw new Problem("notFound");
  return application;
}

function endpointFields(request: FastifyRequest): object {
  const fields = fieldsOf(request);
  const events = fields.getAll("events");
  return {
    url: fields.get("url") ?? "",
    description: fields.get("description") ?? "",
    events: events.length > 0 ? events : null,
  };
}

const NOTHING_DONE: FormState = { done: null, problem: null };

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function stateOf(request: FastifyRequest): FormState {
  return { done: doneIn(request), problem: null };
}

/** Deeper than any body of the API; what is deeper cannot be written again. */
const BODY_DEPTH_MAX = 64;

function parsedObject(text: string): object | null {
  const bounds = { depth: BODY_DEPTH_MAX, values: Infinity, members: Infinity };
  if (measureJson(text, bounds).depth > BODY_DEPTH_MAX) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
