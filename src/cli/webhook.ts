import { randomBytes } from "node:crypto";
import type { Tx } from "../adapters/postgres.ts";
import { installationKey } from "../applications/store.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import { checkWebhookUrl } from "../webhooks/address.ts";
import { signingSecret } from "../webhooks/sign.ts";
import { addEndpoint, disableEndpoint, findEndpoints } from "../webhooks/endpoints/store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, required } from "./command.ts";
import type { Command, Context } from "./command.ts";

export const WEBHOOK_COMMANDS: readonly Command[] = [
  command({
    name: "webhook add",
    summary: "where its events are sent; the signing secret is shown this once",
    options: { clientId: CLIENT_ID, url: required("URL", "the address that takes events by POST") },
    examples: ["webhook add --client-id app_… --url https://example.org/hooks"],
    run: async ({ database, config, now, options: { clientId, url }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const endpoint = await addWebhook(database, { config, now }, applicationId, url);
      print(endpoint, [`endpoint ${endpoint.id}`, `secret   ${endpoint.secret}`]);
    },
  }),
  command({
    name: "webhook list",
    summary: "the endpoints of an application",
    options: { clientId: CLIENT_ID },
    examples: ["webhook list --client-id app_…"],
    run: async ({ database, options: { clientId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const endpoints = await findEndpoints(database, applicationId);
      print(
        { endpoints },
        endpoints.map(({ id, url, disabledAt }) => `${id}  ${url}${disabledAt ? " (disabled)" : ""}`),
      );
    },
  }),
  command({
    name: "webhook disable",
    summary: "stop deliveries to an endpoint; what is pending is kept",
    options: { endpointId: required("ID", 'the endpoint, as "webhook list" shows it') },
    examples: ["webhook disable --endpoint-id 01a1…"],
    run: async ({ database, now, options: { endpointId }, print }) => {
      if (!isUuid(endpointId)) throw new Refusal("there is no endpoint of this id");
      await disableEndpoint(database, endpointId, "requested", now);
      print({ endpointId, disabledAt: now }, ["disabled"]);
    },
  }),
];

/** Adds an endpoint to an application; refuses an address that webhooks may not reach. */
export async function addWebhook(
  tx: Tx,
  { config, now }: Pick<Context, "config" | "now">,
  applicationId: string,
  address: string,
): Promise<{ id: string; url: string; secret: string }> {
  const checked = checkWebhookUrl(address, config.webhookAllowNets);
  if (checked.kind === "refused") {
    throw new Refusal(`the webhook address is refused (${checked.reason}); WEBHOOK_ALLOW_NETS opens private networks`);
  }
  const id = uuidv7(now.getTime(), randomBytes(10));
  const { url } = checked;
  await addEndpoint(tx, {
    id,
    applicationId,
    url,
    description: "",
    eventTypes: null,
    createdAt: now,
    disabledAt: null,
  });
  return { id, url, secret: signingSecret(await installationKey(tx), id, 1) };
}
