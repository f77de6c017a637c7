import { Type } from "@fastify/type-provider-typebox";
import type { Database } from "../adapters/postgres.ts";
import { singleValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { userInPath } from "../users/store.ts";
import { readPage, slice } from "./page.ts";
import { explain } from "./explanation.ts";
import { findExplained, findRecord, recordsBetween, sequencesBetween } from "./store.ts";
import { presentRecord } from "./transaction.ts";

export interface PointsDeps {
  database: Database;
  now: () => Date;
}

/** A user's records: the list and one in detail. */
export function pointsRoutes(server: Server, { database, now }: PointsDeps): void {
  server.get("/users/:id/transactions", { schema: { params: Type.Object({ id: Type.String() }) } }, async (request) => {
    const user = await userInPath(database, request.application.id, request.params.id);
    const asked = readPage(singleValues(request.url), now());
    if ("faults" in asked) throw new Problem("validation", { faults: asked.faults });
    const matching = await sequencesBetween(database, user.id, asked.range, user.records);
    const { low, high } = slice(asked.page, matching);
    const records = high < low ? [] : await recordsBetween(database, user.id, low, high);
    return {
      transactions: records.map(presentRecord),
      count: Math.max(0, matching.high - matching.low + 1),
    };
  });

  const params = Type.Object({ id: Type.String(), transactionId: Type.String() });
  server.get("/users/:id/transactions/:transactionId", { schema: { params } }, async (request) => {
    const { id, transactionId } = request.params;
    const user = await userInPath(database, request.application.id, id);
    const record = isUuid(transactionId) ? await findRecord(database, user.id, transactionId) : null;
    if (!record) throw new Problem("notFound");
    return { transaction: presentRecord(record) };
  });

  server.get("/users/:id/transactions/:transactionId/explanation", { schema: { params } }, async (request) => {
    const { id, transactionId } = request.params;
    const user = await userInPath(database, request.application.id, id);
    const record = isUuid(transactionId) ? await findExplained(database, user.id, transactionId) : null;
    if (!record) throw new Problem("notFound");
    return { explanation: explain(record) };
  });
}
