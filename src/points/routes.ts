import { Readable } from "node:stream";
import type { Database } from "../postgres/postgres.ts";
import { singleValues } from "../http/query.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { linkHeader } from "../lists/link.ts";
import { PAGE_SIZE_MAX, readPage, slice } from "../lists/page.ts";
import { Problem } from "../problems.ts";
import type { AlternativesOf } from "../foods/alternatives/alternatives.ts";
import { createShares } from "../shares.ts";
import { userInPath } from "../users/store.ts";
import { explainBonus } from "./bonuses/explanation.ts";
import { withNames } from "./bonuses/store.ts";
import { explain, sourceOf } from "./explanation.ts";
import type { TransactionRecord } from "./schema.ts";
import { explainTransaction, getTransaction, listTransactions } from "./operations.ts";
import { findExplained, findRecord, recordsBetween, sequencesBetween } from "./store.ts";
import type { TermsByRule } from "./terms.ts";
import { presentRecord } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

export interface PointsRouteDeps {
  database: Database;
  publicUrl: string;
  termsByRule: TermsByRule;
  now: () => Date;
  /** Better alternatives to a food. */
  alternativesOf: AlternativesOf;
}

/** Records that are read before their size is known, and characters of a part of a list. */
const FIRST_RECORDS = 1;
const CHUNK_CHARACTERS = 256 * 1024;
/** Records of a part at most: behind many small ones may be the largest, 260 kB each. */
const PART_RECORDS_MAX = 24;
/** Parts of all lists that are read and written at a time. Of eight lists at once all had a part in one go: 0.8 s. */
const PARTS_AT_ONCE = 1;
/** A part of another list takes a few milliseconds. A list whose turn does not come in this time is cut off. */
const PART_WAIT_MS = 60_000;

/** Adds the routes of a user's records: the list, one record, and its explanation. */
export function pointsRoutes(server: Server, deps: PointsRouteDeps): void {
  const { database, publicUrl, termsByRule, now, alternativesOf } = deps;
  // By turns of applications: in order of arrival each part waited for one of every other list.
  const parts = createShares({ max: PARTS_AT_ONCE, perHolder: PARTS_AT_ONCE, waitMsMax: PART_WAIT_MS });
  server.get(listTransactions.path, routeOf(listTransactions), async (request, reply) => {
    const user = await userInPath(database, request.application.id, request.params.id);
    const requested = readPage(singleValues(request.url), now());
    if ("errors" in requested) throw new Problem("validation", { errors: requested.errors });
    const matching = await sequencesBetween(database, user.id, requested.range, user.records);
    const { low, high } = slice(requested.page, matching);
    const count = Math.max(0, matching.high - matching.low + 1);
    const link = linkHeader(publicUrl, request.url, requested.page, count);
    if (link !== null) void reply.header("link", link);
    const readBetween: ReadBetween = (from, to) => recordsBetween(database, user.id, from, to);
    const start = await readStart(readBetween, low, high);
    const present: Present = (rows) => withNames(database, user.applicationId, rows.map(presentRecord));
    if (start.rest < low) return { transactions: await present(start.records), count };
    const readTexts: ReadTexts = async (from, to) => {
      const end = await parts.take(user.applicationId);
      if (!end) throw new Problem("unavailable", { retryAfterSeconds: 1 });
      try {
        return (await present(await readBetween(from, to))).map((record) => JSON.stringify(record));
      } finally {
        end();
      }
    };
    return reply.type("application/json; charset=utf-8").send(Readable.from(listText(readTexts, { low, high, count })));
  });

  server.get(getTransaction.path, routeOf(getTransaction), async (request) => {
    const { id, transactionId } = request.params;
    const user = await userInPath(database, request.application.id, id);
    const record = isUuid(transactionId) ? await findRecord(database, user.id, transactionId) : null;
    if (!record) throw new Problem("notFound");
    const [transaction] = await withNames(database, user.applicationId, [presentRecord(record)]);
    return { transaction };
  });

  server.get(explainTransaction.path, routeOf(explainTransaction), async (request) => {
    const { id, transactionId } = request.params;
    const user = await userInPath(database, request.application.id, id);
    const record = isUuid(transactionId) ? await findExplained(database, user.id, transactionId) : null;
    if (!record) throw new Problem("notFound");
    const { bonus } = record.ruleInputs;
    if (bonus) return { explanation: explainBonus(record, bonus) };
    const { applicationId, userId, rule } = record;
    const terms = await termsByRule(database, { applicationId, userId, source: sourceOf(record), rule });
    return { explanation: explain(record, terms, alternativesOf) };
  });
}

type ReadBetween = (low: number, high: number) => Promise<RecordRow[]>;
type Present = (rows: readonly RecordRow[]) => Promise<readonly TransactionRecord[]>;
type ReadTexts = (low: number, high: number) => Promise<readonly string[]>;

/** Returns the newest records, all if they are small together, and the sequence number at which the rest begins. */
async function readStart(
  readBetween: ReadBetween,
  low: number,
  high: number,
): Promise<{ records: RecordRow[]; rest: number }> {
  if (high < low) return { records: [], rest: high };
  let bottom = Math.max(low, high - FIRST_RECORDS + 1);
  const records = [...(await readBetween(bottom, high))];
  if (high - low >= PAGE_SIZE_MAX) return { records, rest: bottom - 1 };
  let characters = charactersOf(records);
  while (bottom > low) {
    const next = Math.max(low, bottom - PART_RECORDS_MAX);
    const each = characters / Math.max(1, records.length);
    if (characters + each * (bottom - next) > CHUNK_CHARACTERS) break;
    const part = await readBetween(next, bottom - 1);
    records.push(...part);
    characters += charactersOf(part);
    bottom = next;
  }
  return { records, rest: bottom - 1 };
}

/**
 * The list as JSON text in parts of about the same size, each read and written in a few milliseconds. A record has up
 * to 260 kB: a page of 100 at once was 26 MB and held up all other requests for half a second. A record keeps its
 * number, so the parts form one consistent list.
 */
async function* listText(
  readTexts: ReadTexts,
  { low, high, count }: { low: number; high: number; count: number },
): AsyncGenerator<string> {
  let isFirst = true;
  let size = FIRST_RECORDS;
  for (let top = high; top >= low;) {
    const bottom = Math.max(low, top - size + 1);
    const texts = await readTexts(bottom, top);
    top = bottom - 1;
    if (texts.length === 0) continue;
    size = partOf(texts);
    yield (isFirst ? '{"transactions":[' : ",") + texts.join(",");
    isFirst = false;
  }
  yield `${isFirst ? '{"transactions":[' : ""}],"count":${count}}`;
}

/** Returns how many texts of their average length make a part. There is at least one. */
function partOf(texts: readonly string[]): number {
  const each = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  return Math.max(1, Math.min(PART_RECORDS_MAX, Math.floor(CHUNK_CHARACTERS / each)));
}

/** Returns the characters of the stored bodies of records. */
function charactersOf(records: readonly RecordRow[]): number {
  return records.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
}
