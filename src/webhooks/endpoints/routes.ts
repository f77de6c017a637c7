import type { FastifyRequest } from "fastify";
import type { HttpSender } from "../../outgoing/http-sender.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { parseInstant } from "../../http/formats.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import { checkWebhookUrl, resolvedRefusal } from "../address.ts";
import type { AllowNets } from "../address.ts";
import { newTestEvent } from "../event.ts";
import { presentEntry } from "../log/entry.ts";
import { findEntry } from "../log/store.ts";
import { presentReplay } from "../replays/replay.ts";
import type { Replays } from "../replays/replay.task.ts";
import { findReplay } from "../replays/store.ts";
import { signingSecret } from "../sign.ts";
import { ENDPOINTS_MAX, REFUSALS, presentEndpoint } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  getWebhookReplay,
  listWebhookEndpoints,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
} from "./operations.ts";
import {
  addEndpoint,
  appendTest,
  changeEndpoint,
  findEndpoint,
  findEndpoints,
  removeEndpoint,
  rotateSecret,
} from "./store.ts";

export interface EndpointRouteDeps {
  database: Database;
  idempotency: Idempotency;
  now: () => Date;
  newId: () => string;
  installationKey: Uint8Array;
  allowNets: AllowNets;
  sender: Pick<HttpSender, "isRefused">;
  previousSecretMs: number;
  replays: Pick<Replays, "request">;
  /** Sends, in a tx, the notice that a delivery is due. */
  hint: (tx: Tx) => Promise<void>;
}

/** Adds the routes of an application's webhook endpoints. */
export function endpointRoutes(server: Server, deps: EndpointRouteDeps): void {
  addRegistration(server, deps);
  addReading(server, deps);
  addChanging(server, deps);
  addSecretRotation(server, deps);
  addTest(server, deps);
  addReplay(server, deps);
}

function addRegistration(server: Server, deps: EndpointRouteDeps): void {
  const options = { ...routeOf(createWebhookEndpoint), attachValidation: true };
  server.post(createWebhookEndpoint.path, options, async (request, reply) => {
    refuseInvalid(request, deps.allowNets);
    const { url: address, events, description, disabled } = request.body;
    const url = await checkedUrl(address, deps);
    return deps.idempotency.once(request, reply, async (tx) => {
      const createdAt = deps.now();
      const endpoint = await addEndpoint(tx, {
        id: deps.newId(),
        applicationId: request.application.id,
        url,
        description: description ?? "",
        eventTypes: events ?? null,
        createdAt,
        disabledAt: disabled ? createdAt : null,
      });
      if (!endpoint) throw urlError(`is one too many: an application has at most ${ENDPOINTS_MAX} endpoints`);
      return { response: withSecret(endpoint, deps), userId: null };
    });
  });
}

function addReading(server: Server, deps: EndpointRouteDeps): void {
  const { database, now } = deps;
  server.get(listWebhookEndpoints.path, routeOf(listWebhookEndpoints), async (request) => {
    knownValues(request);
    const endpoints = await findEndpoints(database, request.application.id);
    return { endpoints: endpoints.map((endpoint) => presentEndpoint(endpoint, now())), count: endpoints.length };
  });

  server.get(getWebhookEndpoint.path, routeOf(getWebhookEndpoint), async (request) =>
    presentEndpoint(await endpointInPath(database, request.application.id, request.params.id), now()),
  );
}

function addChanging(server: Server, deps: EndpointRouteDeps): void {
  const { database, now } = deps;
  const options = { ...routeOf(changeWebhookEndpoint), attachValidation: true };
  server.patch(changeWebhookEndpoint.path, options, async (request) => {
    refuseInvalid(request, deps.allowNets);
    const { id } = await endpointInPath(database, request.application.id, request.params.id);
    const { url, events, description, disabled } = request.body;
    const change = {
      ...(url !== undefined && { url: await checkedUrl(url, deps) }),
      ...(description !== undefined && { description }),
      ...(events !== undefined && { eventTypes: events }),
      ...(disabled !== undefined && { isDisabled: disabled }),
    };
    const changed = await database.requestTx(request.application.id, async (tx) => {
      const endpoint = await changeEndpoint(tx, id, change, now());
      if (disabled === false) await deps.hint(tx);
      return endpoint;
    });
    return presentEndpoint(found(changed), now());
  });

  server.delete(deleteWebhookEndpoint.path, routeOf(deleteWebhookEndpoint), async (request) => {
    const { id } = await endpointInPath(database, request.application.id, request.params.id);
    await database.requestTx(request.application.id, (tx) => removeEndpoint(tx, id));
    return { id };
  });
}

function addSecretRotation(server: Server, deps: EndpointRouteDeps): void {
  const { database, idempotency, now, previousSecretMs } = deps;
  server.post(rotateWebhookSecret.path, routeOf(rotateWebhookSecret), async (request, reply) => {
    const { id } = await endpointInPath(database, request.application.id, request.params.id);
    return idempotency.once(request, reply, async (tx) => {
      const rotated = found(await rotateSecret(tx, id, new Date(now().getTime() + previousSecretMs)));
      return { response: withSecret(rotated, deps), userId: null };
    });
  });
}

function addTest(server: Server, deps: EndpointRouteDeps): void {
  const { database, idempotency, now, newId, hint } = deps;
  server.post(testWebhookEndpoint.path, routeOf(testWebhookEndpoint), async (request, reply) => {
    const endpoint = await endpointInPath(database, request.application.id, request.params.id);
    const { id: endpointId, applicationId } = endpoint;
    return idempotency.once(request, reply, async (tx) => {
      const event = newTestEvent(newId(), { applicationId, endpointId }, now());
      await appendTest(tx, event, endpointId);
      await hint(tx);
      const entry = found(await findEntry(tx, applicationId, { eventId: event.id, endpointId }));
      return { response: presentEntry(entry), userId: null };
    });
  });
}

function addReplay(server: Server, deps: EndpointRouteDeps): void {
  const { database, idempotency, replays } = deps;
  server.post(replayWebhooks.path, routeOf(replayWebhooks), async (request, reply) => {
    const endpoint = await endpointInPath(database, request.application.id, request.params.id);
    const { since, only } = request.body;
    if (since === undefined && only === undefined) {
      throw new Problem("validation", { errors: { since: ["is required, unless only is given"] } });
    }
    const sinceTime = new Date(since === undefined ? 0 : parseInstant(since)!);
    return idempotency.once(request, reply, async (tx) => {
      const replay = await replays.request(tx, endpoint, { since: sinceTime, onlyFailed: only === "failed" });
      return { response: presentReplay(replay), userId: null };
    });
  });

  server.get(getWebhookReplay.path, routeOf(getWebhookReplay), async ({ application, params: { id } }) =>
    presentReplay(found(isUuid(id) ? await findReplay(database, application.id, id) : null)),
  );
}

/**
 * Throws when the body breaks its schema. The errors include an address that is refused before its name is resolved.
 */
function refuseInvalid(request: FastifyRequest, allowNets: AllowNets): void {
  if (!request.validationError) return;
  refuseErrors(request, (accepted) => {
    const { url } = (accepted ?? {}) as { url?: unknown };
    const checked = typeof url === "string" ? checkWebhookUrl(url, allowNets) : null;
    return checked?.kind === "refused" ? { url: [REFUSALS[checked.reason]] } : {};
  });
}

/** Returns the normal form of an address. Throws when it, or what its name resolves to, is refused. */
async function checkedUrl(address: string, { allowNets, sender }: EndpointRouteDeps): Promise<string> {
  const checked = checkWebhookUrl(address, allowNets);
  if (checked.kind === "refused") throw urlError(REFUSALS[checked.reason]);
  if (await sender.isRefused(checked.url)) throw urlError(REFUSALS[resolvedRefusal(checked.url)]);
  return checked.url;
}

function withSecret(endpoint: Endpoint, { installationKey, now }: EndpointRouteDeps) {
  const secret = signingSecret(installationKey, endpoint.id, endpoint.generation);
  return { ...presentEndpoint(endpoint, now()), secret };
}

/** Finds the endpoint of a path. Throws unless it is the application's. */
async function endpointInPath(database: Database, applicationId: string, id: string): Promise<Endpoint> {
  return found(isUuid(id) ? await findEndpoint(database, id, applicationId) : null);
}

function found<Found>(value: Found | null): Found {
  if (value === null) throw new Problem("notFound");
  return value;
}

function urlError(error: string): Problem {
  return new Problem("validation", { errors: { url: [error] } });
}
