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
import { findExplained, findRecord, recordsBetween, sequencesBetween } from "./store.ts";
import { presentRecord } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

export interface PointsRouteDeps {
  database: Database;
  publicUrl: string;
  now: () => Date;
}

/** Records that are read before their size is known, and characters of a part of a list. */
const FIRST_RECORDS = 4;
const CHUNK_CHARACTERS = 512 * 1024;

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
    const readBetween = (from: number, to: number) => recordsBetween(database, user.id, from, to);
    const start = await readStart(readBetween, low, high);
    if (start.rest < low) return { transactions: start.records.map(presentRecord), count };
    return reply
      .type("application/json; charset=utf-8")
      .send(Readable.from(listText(readBetween, { low, high, count })));
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

type ReadBetween = (low: number, high: number) => Promise<RecordRow[]>;

/** Returns the newest records, all if they are small together, and the sequence number at which the rest begins. */
async function readStart(
  readBetween: ReadBetween,
  low: number,
  high: number,
): Promise<{ records: RecordRow[]; rest: number }> {
  if (high < low) return { records: [], rest: high };
  const top = Math.max(low, high - FIRST_RECORDS + 1);
  const records = await readBetween(top, high);
  if (top === low || high - low >= PAGE_SIZE_MAX) return { records, rest: top - 1 };
  const size = sizeOf(records.map((record) => JSON.stringify(record.body)));
  if (size.each * (top - low) > CHUNK_CHARACTERS) return { records, rest: top - 1 };
  return { records: [...records, ...(await readBetween(low, top - 1))], rest: low - 1 };
}

/**
 * The list as JSON text in parts of about the same size, each read and written in a few milliseconds. A record has up
 * to 260 kB: a page of 100 at once was 26 MB and held up all other requests for half a second. A record keeps its
 * number, so the parts form one consistent list.
 */
async function* listText(
  readBetween: ReadBetween,
  { low, high, count }: { low: number; high: number; count: number },
): AsyncGenerator<string> {
  let isFirst = true;
  let size = FIRST_RECORDS;
  for (let top = high; top >= low;) {
    const bottom = Math.max(low, top - size + 1);
    const texts = (await readBetween(bottom, top)).map((record) => JSON.stringify(presentRecord(record)));
    top = bottom - 1;
    if (texts.length === 0) continue;
    size = sizeOf(texts).records;
    yield (isFirst ? '{"transactions":[' : ",") + texts.join(",");
    isFirst = false;
  }
  yield `${isFirst ? '{"transactions":[' : ""}],"count":${count}}`;
}

/** Returns the average length of some texts, and how many of this length make a part. */
function sizeOf(texts: readonly string[]): { each: number; records: number } {
  const each = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  return { each, records: Math.max(1, Math.min(PAGE_SIZE_MAX, Math.floor(CHUNK_CHARACTERS / each))) };
}
