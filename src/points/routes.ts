import { Readable } from "node:stream";
import type { Database } from "../postgres/postgres.ts";
import { singleValues } from "../http/query.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { linkHeader } from "../lists/link.ts";
import { PAGE_SIZE_MAX, readPage, slice } from "../lists/page.ts";
import { Problem } from "../problems.ts";
import { userInPath } from "../users/store.ts";
import { explain } from "./explanation.ts";
import { explainTransaction, getTransaction, listTransactions } from "./operations.ts";
import { findExplained, findRecord, recordsBetween, recordsInChunks, sequencesBetween } from "./store.ts";
import { presentRecord } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

export interface PointsRouteDeps {
  database: Database;
  publicUrl: string;
  now: () => Date;
}

/** Adds the routes of a user's records: the list, one record, and its explanation. */
export function pointsRoutes(server: Server, { database, publicUrl, now }: PointsRouteDeps): void {
  server.get(listTransactions.path, routeOf(listTransactions), async (request, reply) => {
    const user = await userInPath(database, request.application.id, request.params.id);
    const requested = readPage(singleValues(request.url), now());
    if ("errors" in requested) throw new Problem("validation", { errors: requested.errors });
    const matching = await sequencesBetween(database, user.id, requested.range, user.records);
    const { low, high } = slice(requested.page, matching);
    const count = Math.max(0, matching.high - matching.low + 1);
    const link = linkHeader(publicUrl, request.url, requested.page, count);
    if (link !== null) void reply.header("link", link);
    if (high - low >= PAGE_SIZE_MAX) {
      const chunks = recordsInChunks(database, user.id, low, high, PAGE_SIZE_MAX);
      return reply.type("application/json; charset=utf-8").send(Readable.from(listText(chunks, count)));
    }
    const records = high < low ? [] : await recordsBetween(database, user.id, low, high);
    return { transactions: records.map(presentRecord), count };
  });

  server.get(getTransaction.path, routeOf(getTransaction), async (request) => {
    const { id, transactionId } = request.params;
    const user = await userInPath(database, request.application.id, id);
    const record = isUuid(transactionId) ? await findRecord(database, user.id, transactionId) : null;
    if (!record) throw new Problem("notFound");
    return { transaction: presentRecord(record) };
  });

  server.get(explainTransaction.path, routeOf(explainTransaction), async (request) => {
    const { id, transactionId } = request.params;
    const user = await userInPath(database, request.application.id, id);
    const record = isUuid(transactionId) ? await findExplained(database, user.id, transactionId) : null;
    if (!record) throw new Problem("notFound");
    return { explanation: explain(record) };
  });
}

/** The list as JSON text in pieces, so that 5,000 records of 100 items are never in memory at once. */
async function* listText(chunks: AsyncIterable<RecordRow[]>, count: number): AsyncGenerator<string> {
  let isFirst = true;
  for await (const records of chunks) {
    const text = records.map((record) => JSON.stringify(presentRecord(record))).join(",");
    if (text === "") continue;
    yield (isFirst ? '{"transactions":[' : ",") + text;
    isFirst = false;
  }
  yield `${isFirst ? '{"transactions":[' : ""}],"count":${count}}`;
}
