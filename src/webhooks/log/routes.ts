import type { Database, Tx } from "../../postgres/postgres.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import { entryId, parseEntryId, presentEntry, readLogQuery, withinBytes } from "./entry.ts";
import type { Entry, EntryKey } from "./entry.ts";
import { getWebhookDelivery, listWebhookDeliveries, retryWebhookDelivery } from "./operations.ts";
import { findBody, findEntry, listEntries, retryEntry } from "./store.ts";

const PAGE_BYTES_MAX = 1024 * 1024;

export interface DeliveryLogRouteDeps {
  database: Database;
  idempotency: Idempotency;
  now: () => Date;
  publicUrl: string;
  /** Sends, in a tx, the notice that a delivery is due. */
  hint: (tx: Tx) => Promise<void>;
}

/** The delivery log of an application: list, read, retry. */
export function deliveryLogRoutes(server: Server, deps: DeliveryLogRouteDeps): void {
  const { database, idempotency, now, publicUrl, hint } = deps;
  server.get(listWebhookDeliveries.path, routeOf(listWebhookDeliveries), async (request, reply) => {
    const parameters = knownValues(request);
    const query = readLogQuery(parameters);
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const { entries, next: nextKey } = await listEntries(database, request.application.id, query);
    const page = withinBytes(entries, PAGE_BYTES_MAX);
    const nextOrCut = page.length < entries.length ? page.at(-1)! : nextKey;
    const next = nextOrCut && entryId(nextOrCut);
    if (next !== null) {
      parameters.set("before", next);
      reply.header("link", `<${publicUrl}${request.url.split("?", 1)[0]}?${parameters}>; rel="next"`);
    }
    return { deliveries: page.map(presentEntry), next };
  });

  /** Finds the delivery of a path. Throws unless it is the application's. */
  const entryInPath = async (tx: Tx, applicationId: string, id: string): Promise<{ key: EntryKey; entry: Entry }> => {
    const key = parseEntryId(id);
    const entry = key && (await findEntry(tx, applicationId, key));
    if (!key || !entry) throw new Problem("notFound");
    return { key, entry };
  };

  server.get(getWebhookDelivery.path, routeOf(getWebhookDelivery), async (request) => {
    const { id: applicationId } = request.application;
    const { key, entry } = await entryInPath(database, applicationId, request.params.id);
    const body = await findBody(database, applicationId, key.eventId);
    if (body === null) throw new Problem("notFound");
    return { ...presentEntry(entry), payload: JSON.parse(body) as object };
  });

  server.post(retryWebhookDelivery.path, routeOf(retryWebhookDelivery), async (request, reply) => {
    const { application, params } = request;
    return idempotency.once(request, reply, async (tx) => {
      const { key } = await entryInPath(tx, application.id, params.id);
      await retryEntry(tx, application.id, key, now());
      await hint(tx);
      const { entry } = await entryInPath(tx, application.id, params.id);
      return { response: presentEntry(entry), userId: null };
    });
  });
}
