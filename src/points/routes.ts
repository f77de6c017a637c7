import { Type } from "@fastify/type-provider-typebox";
import type { Database } from "../adapters/postgres.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { userInPath } from "../users/store.ts";
import { readPage, slice } from "./page.ts";
import { findRecord, recordsBetween, sequencesBetween } from "./store.ts";
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
}

/** The query of an address, each parameter once: a 400 names those given twice or as an array. */
function singleValues(url: string): URLSearchParams {
  const start = url.indexOf("?");
  const query = new URLSearchParams(start < 0 ? "" : url.slice(start));
  const names = [...query.keys()];
  const bad = names.filter((name, i) => names.indexOf(name) !== i || /[[\]]/.test(name));
  if (bad.length > 0) {
    throw new Problem("validation", {
      faults: Object.fromEntries(bad.map((name) => [name.slice(0, 100), ["must be given once, and not as a list"]])),
    });
  }
  return query;
}
