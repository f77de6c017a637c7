import type { FastifyRequest } from "fastify";
import type { HttpSender } from "../../outgoing/http-sender.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { parseInstant } from "../../http/formats.ts";
import type { Idempotency } from "../../http/idempotency.ts";
import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import { checkWebhookUrl, resolvedRefusal } from "../address.ts";
import type { AllowNets } from "../address.ts";
import { newTestEvent } from "../event.ts";
import { presentEntry } from "../log/entry.ts";
import { findEntry, replayFailed, replaySince } from "../log/store.ts";
import { signingSecret } from "../sign.ts";
import { ENDPOINTS_MAX, REFUSALS, presentEndpoint } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
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
  /** How long a delivery may be under way in a process. */
  leaseMs: number;
  /** Says in a tx that a delivery is due. */
  hint: (tx: Tx) => Promise<void>;
}

/** What an application does with its own endpoints. */
export function endpointRoutes(server: Server, deps: EndpointRouteDeps): void {
  const { database, idempotency, now, newId, installationKey, allowNets, sender, previousSecretMs, leaseMs, hint } =
    deps;

  /** Names an address that is refused as it stands together with what breaks the schema, and throws where anything does. */
  const refuseBroken = (request: FastifyRequest): void => {
    if (!request.validationError) return;
    const { url } = (request.body ?? {}) as { url?: unknown };
    const checked = typeof url === "string" ? checkWebhookUrl(url, allowNets) : null;
    refuseErrors(request.validationError, checked?.kind === "refused" ? { url: [REFUSALS[checked.reason]] } : {});
  };
  const checkedUrl = async (address: string): Promise<string> => {
    const checked = checkWebhookUrl(address, allowNets);
    if (checked.kind === "refused") throw urlError(REFUSALS[checked.reason]);
    if (await sender.isRefused(checked.url)) throw urlError(REFUSALS[resolvedRefusal(checked.url)]);
    return checked.url;
  };
  const withSecret = (endpoint: Endpoint) => ({
    ...presentEndpoint(endpoint, now()),
    secret: signingSecret(installationKey, endpoint.id, endpoint.generation),
  });
  /** The endpoint that a path names, if it is the application's. */
  const endpointInPath = async (applicationId: string, id: string): Promise<Endpoint> =>
    found(isUuid(id) ? await findEndpoint(database, id, applicationId) : null);

  server.post(
    createWebhookEndpoint.path,
    { ...routeOf(createWebhookEndpoint), attachValidation: true },
    async (request, reply) => {
      refuseBroken(request);
      const { url: address, events, description, disabled } = request.body;
      const url = await checkedUrl(address);
      return idempotency.once(request, reply, async (tx) => {
        const createdAt = now();
        const endpoint = await addEndpoint(tx, {
          id: newId(),
          applicationId: request.application.id,
          url,
          description: description ?? "",
          eventTypes: events ?? null,
          createdAt,
          disabledAt: disabled ? createdAt : null,
        });
        if (!endpoint) throw urlError(`is one too many: an application has at most ${ENDPOINTS_MAX} endpoints`);
        return { response: withSecret(endpoint), userId: null };
      });
    },
  );

  server.get(listWebhookEndpoints.path, routeOf(listWebhookEndpoints), async (request) => {
    const endpoints = await findEndpoints(database, request.application.id);
    return { endpoints: endpoints.map((endpoint) => presentEndpoint(endpoint, now())), count: endpoints.length };
  });

  server.get(getWebhookEndpoint.path, routeOf(getWebhookEndpoint), async (request) =>
    presentEndpoint(await endpointInPath(request.application.id, request.params.id), now()),
  );

  server.patch(
    changeWebhookEndpoint.path,
    { ...routeOf(changeWebhookEndpoint), attachValidation: true },
    async (request) => {
      refuseBroken(request);
      const { id } = await endpointInPath(request.application.id, request.params.id);
      const { url, events, description, disabled } = request.body;
      const change = {
        ...(url !== undefined && { url: await checkedUrl(url) }),
        ...(description !== undefined && { description }),
        ...(events !== undefined && { eventTypes: events }),
        ...(disabled !== undefined && { isDisabled: disabled }),
      };
      const changed = await database.tx(async (tx) => {
        const endpoint = await changeEndpoint(tx, id, change, now());
        if (disabled === false) await hint(tx);
        return endpoint;
      });
      return presentEndpoint(found(changed), now());
    },
  );

  server.delete(deleteWebhookEndpoint.path, routeOf(deleteWebhookEndpoint), async (request) => {
    const { id } = await endpointInPath(request.application.id, request.params.id);
    await removeEndpoint(database, id);
    return { id };
  });

  server.post(rotateWebhookSecret.path, routeOf(rotateWebhookSecret), async (request, reply) => {
    const { id } = await endpointInPath(request.application.id, request.params.id);
    return idempotency.once(request, reply, async (tx) => {
      const rotated = found(await rotateSecret(tx, id, new Date(now().getTime() + previousSecretMs)));
      return { response: withSecret(rotated), userId: null };
    });
  });

  server.post(testWebhookEndpoint.path, routeOf(testWebhookEndpoint), async (request, reply) => {
    const { id: endpointId, applicationId } = await endpointInPath(request.application.id, request.params.id);
    return idempotency.once(request, reply, async (tx) => {
      const event = newTestEvent(newId(), { applicationId, endpointId }, now());
      await appendTest(tx, event, endpointId);
      await hint(tx);
      const entry = found(await findEntry(tx, applicationId, { eventId: event.id, endpointId }));
      return { response: presentEntry(entry), userId: null };
    });
  });

  server.post(replayWebhooks.path, routeOf(replayWebhooks), async (request, reply) => {
    const endpoint = await endpointInPath(request.application.id, request.params.id);
    const { since, only } = request.body;
    if (since === undefined && only === undefined) {
      throw new Problem("validation", { errors: { since: ["is required, unless only is given"] } });
    }
    const asked = { since: new Date(since === undefined ? 0 : parseInstant(since)!), leaseMs };
    const replay = only === "failed" ? replayFailed : replaySince;
    return idempotency.once(request, reply, async (tx) => {
      const { replayed, nextSince } = await replay(tx, endpoint, { ...asked, now: now() });
      await hint(tx);
      return { response: { replayed, nextSince: nextSince?.toISOString() ?? null }, userId: null };
    });
  });
}

function found<Found>(value: Found | null): Found {
  if (value === null) throw new Problem("notFound");
  return value;
}

function urlError(error: string): Problem {
  return new Problem("validation", { errors: { url: [error] } });
}
