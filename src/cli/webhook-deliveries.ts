import { PAGE_SIZE_MAX } from "../lists/page.ts";
import { DELIVERY_STATES, entryId, parseEntryId, presentEntry, readLogQuery } from "../webhooks/log/entry.ts";
import { findBody, findEntry, listEntries, retryEntry } from "../webhooks/log/store.ts";
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
      event: optional("NAME", "only deliveries of this event"),
      userId: optional("ID", "only deliveries of events about this user"),
      subjectId: optional("ID", "only deliveries of events of this subject, as the list shows it"),
      transactionId: optional("REFERENCE", "only deliveries of events with this reference of the integrator"),
      since: optional("TIME", "only events from then on, as in 2026-01-31T12:00:00Z"),
      until: optional("TIME", "only events before then"),
      before: optional("ID", "only deliveries after this one in the list"),
      pageSize: optional("N", `number of deliveries; 20 by default, ${PAGE_SIZE_MAX} at most`),
    },
    examples: ["webhook attempts --client-id app_…", "webhook attempts --client-id app_… --state failed"],
    run: async ({ database, options: { clientId, ...filter }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const query = readLogQuery(new URLSearchParams(given));
      if ("errors" in query) throw refusalOf(query.errors);
      const { entries, next: nextKey } = await listEntries(database, applicationId, query);
      const deliveries = entries.map(presentEntry);
      const next = nextKey && entryId(nextKey);
      const more = next === null ? [] : [`there may be more: --before ${next}`];
      print({ deliveries, next }, [...deliveries.flatMap(linesOf), ...more]);
    },
  }),
  command({
    name: "webhook delivery",
    summary: "show one delivery with its attempts and the event",
    options: {
      clientId: CLIENT_ID,
      deliveryId: required("ID", 'the delivery, as "webhook attempts" shows it'),
    },
    examples: ["webhook delivery --client-id app_… --delivery-id 01a1….01a2…"],
    run: async ({ database, options: { clientId, deliveryId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const key = parseEntryId(deliveryId);
      const entry = key && (await findEntry(database, applicationId, key));
      const body = key && (await findBody(database, applicationId, key.eventId));
      if (!entry || !body) throw new Refusal("there is no delivery of this id");
      const delivery = presentEntry(entry);
      const payload = JSON.parse(body) as object;
      print({ ...delivery, payload }, [...linesOf(delivery), JSON.stringify(payload, null, 2)]);
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

function linesOf({ id, event, sequence, state, attempts }: ReturnType<typeof presentEntry>): string[] {
  return [
    `${id}  ${event}  #${sequence}  ${state}`,
    ...attempts.map(({ at, durationMs, status, error, answer }) =>
      `  ${at}  ${durationMs} ms  ${status ?? error}  ${answer}`.trimEnd(),
    ),
  ];
}
