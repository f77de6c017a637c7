import { randomBytes } from "node:crypto";
import { createHttpSender } from "../outgoing/http-sender.ts";
import type { Tx } from "../postgres/postgres.ts";
import { installationKey } from "../installation.store.ts";
import type { Config } from "../config.ts";
import { parseInstant } from "../http/formats.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import { checkWebhookUrl, isAllowedAddress, resolvedRefusal } from "../webhooks/address.ts";
import { ENDPOINTS_MAX, REFUSALS, presentEndpoint } from "../webhooks/endpoints/endpoint.ts";
import type { Endpoint } from "../webhooks/endpoints/endpoint.ts";
import {
  addEndpoint,
  appendTest,
  changeEndpoint,
  findEndpoint,
  findEndpoints,
  removeEndpoint,
  rotateSecret,
} from "../webhooks/endpoints/store.ts";
import { EVENT_TYPES, newTestEvent } from "../webhooks/event.ts";
import type { EventType } from "../webhooks/event.ts";
import { replayFailed, replaySince } from "../webhooks/replays/redelivery.store.ts";
import { leaseMsFor } from "../webhooks/retry.ts";
import { signingSecret } from "../webhooks/sign.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, flag, optional, required } from "./command.ts";
import type { Command } from "./command.ts";

const ENDPOINT_ID = required("ID", 'the endpoint, as "webhook list" shows it');

export const WEBHOOK_COMMANDS: readonly Command[] = [
  command({
    name: "webhook add",
    summary: "add an endpoint; the signing secret is shown only now",
    options: {
      clientId: CLIENT_ID,
      url: required("URL", "the address that events are posted to"),
      events: optional("LIST", "only these events, comma-separated; all without it"),
      description: optional("TEXT", "a note"),
      disabled: flag("send nothing yet: events are kept until it is enabled"),
    },
    examples: [
      "webhook add --client-id app_… --url https://example.org/hooks",
      "webhook add --client-id app_… --url https://example.org/done --events intake.completed,receipt_completed",
    ],
    run: async ({ database, config, now, options, print }) => {
      const { id: applicationId } = await applicationOf(database, options.clientId);
      const url = await checkedUrl(options.url, config);
      const endpoint = await database.tx((tx) => addWebhook(tx, now, applicationId, { ...options, url }));
      print(endpoint, [`endpoint ${endpoint.id}`, `secret   ${endpoint.secret}`]);
    },
  }),
  command({
    name: "webhook list",
    summary: "list the endpoints of an application, and their problems",
    options: { clientId: CLIENT_ID },
    examples: ["webhook list --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const endpoints = (await findEndpoints(database, applicationId)).map((each) => presentEndpoint(each, now));
      print({ endpoints }, endpoints.map(lineOf));
    },
  }),
  command({
    name: "webhook disable",
    summary: "stop deliveries to an endpoint; pending and new events are kept",
    options: { endpointId: ENDPOINT_ID },
    examples: ["webhook disable --endpoint-id 01a1…"],
    run: async ({ database, now, options: { endpointId }, print }) => {
      const { id } = await endpointOf(database, endpointId);
      const endpoint = presentEndpoint(found(await changeEndpoint(database, id, { isDisabled: true }, now)), now);
      print({ endpointId: id, disabledAt: endpoint.disabledAt }, ["disabled"]);
    },
  }),
  command({
    name: "webhook enable",
    summary: "continue deliveries to an endpoint, including the events kept",
    options: { endpointId: ENDPOINT_ID },
    examples: ["webhook enable --endpoint-id 01a1…"],
    run: async ({ database, now, options: { endpointId }, print }) => {
      const { id } = await endpointOf(database, endpointId);
      found(await changeEndpoint(database, id, { isDisabled: false }, now));
      print({ endpointId: id, disabledAt: null }, ["enabled"]);
    },
  }),
  command({
    name: "webhook remove",
    summary: "delete an endpoint, with its pending deliveries",
    options: { endpointId: ENDPOINT_ID },
    examples: ["webhook remove --endpoint-id 01a1…"],
    run: async ({ database, options: { endpointId }, print }) => {
      const { id, url } = await endpointOf(database, endpointId);
      await removeEndpoint(database, id);
      print({ endpointId: id }, [`${url} is no longer an endpoint`]);
    },
  }),
  command({
    name: "webhook rotate",
    summary: "create a new signing secret, shown only now; for a while both secrets sign",
    options: { endpointId: ENDPOINT_ID },
    examples: ["webhook rotate --endpoint-id 01a1…"],
    run: async ({ database, config, now, options: { endpointId }, print }) => {
      const { id } = await endpointOf(database, endpointId);
      const until = new Date(now.getTime() + config.webhookOldSecretMs);
      const { generation } = found(await rotateSecret(database, id, until));
      const secret = signingSecret(await installationKey(database), id, generation);
      print({ endpointId: id, secret, previousSecretValidUntil: until }, [
        `secret ${secret}`,
        `Both secrets sign until ${until.toISOString()}.`,
      ]);
    },
  }),
  command({
    name: "webhook test",
    summary: "send a test event to an endpoint",
    options: { endpointId: ENDPOINT_ID },
    examples: ["webhook test --endpoint-id 01a1…"],
    run: async ({ database, now, options, print }) => {
      const { id: endpointId, applicationId } = await endpointOf(database, options.endpointId);
      const event = newTestEvent(newId(now), { applicationId, endpointId }, now);
      await database.tx((tx) => appendTest(tx, event, endpointId));
      print({ endpointId, eventId: event.id }, [`${event.id} is sent within seconds; see "webhook attempts"`]);
    },
  }),
  command({
    name: "webhook replay",
    summary: "send events to an endpoint again: all since a time, the failed ones, or the failed ones since a time",
    options: {
      endpointId: ENDPOINT_ID,
      since: optional("TIME", "events since this time, e.g. 2026-01-31T12:00:00Z"),
      failed: flag("only deliveries that failed, or wait for a retry after a failed attempt"),
    },
    examples: [
      "webhook replay --endpoint-id 01a1… --since 2026-01-31T12:00:00Z",
      "webhook replay --endpoint-id 01a1… --failed",
    ],
    run: async ({ database, config, now, options: { endpointId, since, failed }, print }) => {
      const endpoint = await endpointOf(database, endpointId);
      if (since === undefined && !failed) throw new Refusal("--since or --failed is required");
      const fromMs = since === undefined ? 0 : parseInstant(since);
      if (fromMs === null) throw new Refusal("--since must be a date and time with its zone");
      const replay = failed ? replayFailed : replaySince;
      const { replayed, nextSince } = await replay(database, endpoint, {
        since: new Date(fromMs),
        now,
        leaseMs: leaseMsFor(config.webhookTimeoutMs),
      });
      print({ endpointId, replayed, nextSince }, [
        `${replayed} deliveries are sent again`,
        ...(nextSince ? [`There are more: continue with --since ${nextSince.toISOString()}`] : []),
      ]);
    },
  }),
];

/**
 * Adds an endpoint to an application. `url` has passed `checkedUrl`, which asks name servers, so it runs outside of
 * the tx.
 */
export async function addWebhook(
  tx: Tx,
  now: Date,
  applicationId: string,
  settings: { url: string; events?: string | undefined; description?: string | undefined; disabled?: boolean },
): Promise<{ id: string; url: string; secret: string }> {
  const { url, description = "", disabled = false } = settings;
  const endpoint = await addEndpoint(tx, {
    id: newId(now),
    applicationId,
    url,
    description,
    eventTypes: settings.events === undefined ? null : eventTypesOf(settings.events),
    createdAt: now,
    disabledAt: disabled ? now : null,
  });
  if (!endpoint) throw new Refusal(`an application has at most ${ENDPOINTS_MAX} endpoints`);
  const { id, generation } = endpoint;
  return { id, url, secret: signingSecret(await installationKey(tx), id, generation) };
}

/** Returns a webhook address in its normal form; refuses one that webhooks may not reach. */
export async function checkedUrl(address: string, { webhookAllowNets }: Config): Promise<string> {
  const refuse = (error: string) =>
    new Refusal(`the webhook address ${error}; WEBHOOK_ALLOW_NETS opens private networks`);
  const checked = checkWebhookUrl(address, webhookAllowNets);
  if (checked.kind === "refused") throw refuse(REFUSALS[checked.reason]);
  const sender = createHttpSender({
    isAllowedAddress: (ip, target) => isAllowedAddress(ip, target, webhookAllowNets),
    now: () => new Date(),
  });
  try {
    if (await sender.isRefused(checked.url)) throw refuse(REFUSALS[resolvedRefusal(checked.url)]);
  } finally {
    await sender.close();
  }
  return checked.url;
}

function eventTypesOf(list: string): EventType[] {
  return list.split(",").map((name) => {
    const type = EVENT_TYPES.find((each) => each === name.trim());
    if (!type) throw new Refusal(`${name.trim()} is no event; the events are ${EVENT_TYPES.join(", ")}`);
    return type;
  });
}

async function endpointOf(tx: Tx, id: string): Promise<Endpoint> {
  return found(isUuid(id) ? await findEndpoint(tx, id, null) : null);
}

function found(endpoint: Endpoint | null): Endpoint {
  if (endpoint === null) throw new Refusal("there is no endpoint of this id");
  return endpoint;
}

function lineOf({ id, url, disabledReason, failingSince }: ReturnType<typeof presentEndpoint>): string {
  if (disabledReason !== null) return `${id}  ${url} (disabled: ${disabledReason})`;
  return `${id}  ${url}${failingSince === null ? "" : ` (failing since ${failingSince})`}`;
}

function newId(now: Date): string {
  return uuidv7(now.getTime(), randomBytes(10));
}
