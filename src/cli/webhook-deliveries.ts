import { PAGE_SIZE_MAX } from "../lists/page.ts";
import { DELIVERY_STATES, parseEntryId, presentEntry, readLogQuery } from "../webhooks/log/entry.ts";
import { findEntry, listEntries, retryEntry } from "../webhooks/log/store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional, refusalOf, required } from "./command.ts";
import type { Command } from "./command.ts";

/** The commands for the log of deliveries. */
export const DELIVERY_COMMANDS: readonly Command[] = [
  command({
    name: "webhook attempts",
    summary: "list the deliveries to an application's endpoints, newest first, with every attempt",
    options: {
      clientId: CLIENT_ID,
      endpointId: optional("ID", "only deliveries to this endpoint"),
      state: optional("STATE", `only deliveries that are ${DELIVERY_STATES.join(", ")}`),
      before: optional("ID", "only deliveries after this one in the list"),
      pageSize: optional("N", `number of deliveries; 20 by default, ${PAGE_SIZE_MAX} at most`),
    },
    examples: ["webhook attempts --client-id app_…", "webhook attempts --client-id app_… --state failed"],
    run: async ({ database, options: { clientId, ...filter }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const query = readLogQuery(new URLSearchParams(given));
      if ("errors" in query) throw refusalOf(query.errors);
      const deliveries = (await listEntries(database, applicationId, query)).map(presentEntry);
      print({ deliveries }, deliveries.flatMap(linesOf));
    },
  }),
  command({
    name: "webhook retry",
    summary: "send one delivery again, with all attempts of the schedule",
    options: {
      clientId: CLIENT_ID,
      deliveryId: required("ID", 'the delivery, as "webhook attempts" shows it'),
    },
    examples: ["webhook retry --client-id app_… --delivery-id 01a1….01a2…"],
    run: async ({ database, now, options: { clientId, deliveryId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const key = parseEntryId(deliveryId);
      if (!key || !(await findEntry(database, applicationId, key))) {
        throw new Refusal("there is no delivery of this id");
      }
      await retryEntry(database, applicationId, key, now);
      print({ deliveryId }, ["it is sent within seconds"]);
    },
  }),
];

function linesOf({ id, event, state, attempts }: ReturnType<typeof presentEntry>): string[] {
  return [
    `${id}  ${event}  ${state}`,
    ...attempts.map(({ at, durationMs, status, error, answer }) =>
      `  ${at}  ${durationMs} ms  ${status ?? error}  ${answer}`.trimEnd(),
    ),
  ];
}
