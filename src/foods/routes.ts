import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database, Tx } from "../adapters/postgres.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { singleValues } from "../http/query.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { linkHeader } from "../lists/link.ts";
import { readPage, slice } from "../lists/page.ts";
import { Problem } from "../problems.ts";
import { aliasOf, missingTarget, presentAlias } from "./alias.ts";
import { presentCandidate, readMatchQuery } from "./candidates.ts";
import type { Catalogue } from "./catalogue.ts";
import { ownWordOf, presentOwnWord } from "./own-words.ts";
import { readFor } from "./resolve.ts";
import type { Resolver } from "./resolve.ts";
import * as operations from "./schema.ts";
import { lookUp } from "./store.ts";
import { countAliases, forgetAlias, listAliases, teachAlias } from "./taught/store.ts";
import { countWords, forgetWord, listWords, teachWord } from "./taught/store.ts";
import type { Taught } from "./taught/store.ts";

export interface FoodRouteDeps {
  database: Database;
  idempotency: Idempotency;
  publicUrl: string;
  catalogue: Catalogue;
  resolver: Resolver;
  now: () => Date;
  newId: () => string;
}

/** What names mean: the question, and what an application teaches. */
export function foodRoutes(
  server: Server,
  { database, idempotency, publicUrl, catalogue, resolver, now, newId }: FoodRouteDeps,
): void {
  server.get(operations.matchName.path, routeOf(operations.matchName), async (request) => {
    const query = readMatchQuery(singleValues(request.url));
    if ("faults" in query) throw new Problem("validation", { faults: query.faults });
    const { name, merchantName, source, limit } = query;
    const applicationId = request.application.id;
    const item = { foodId: null, name, merchants: merchantName === null ? [] : [merchantName] };
    const known = await lookUp(database, [{ applicationId, ...item }]);
    const candidates = resolver.resolve(item, known, applicationId, { source, limit });
    return {
      candidates: candidates.map((each) => presentCandidate(each, resolver.rateFood(each.food))),
      readAs: readFor(known, applicationId, name).readAs,
    };
  });

  server.post(operations.teachAlias.path, routeOf(operations.teachAlias), async (request, reply) => {
    const { name, merchantName, foodId, gtin } = request.body;
    const lesson = { name, merchantName: merchantName?.trim() || null, foodId: foodId ?? null, gtin: gtin ?? null };
    const taught = aliasOf(lesson, catalogue, { id: newId(), author: "api", createdAt: now() });
    if ("faults" in taught) throw new Problem("validation", { faults: taught.faults });
    const { alias } = taught;
    return idempotency.once(request, reply, async (tx) => {
      const isThere = await teachAlias(tx, request.application.id, alias);
      if (!isThere) throw new Problem("validation", { faults: missingTarget(alias) });
      return { answer: { alias: presentAlias(alias) }, userId: null };
    });
  });

  server.get(operations.listAliases.path, routeOf(operations.listAliases), async (request, reply) => {
    const { count, rows } = await taughtPage(request, reply, countAliases, listAliases);
    return { aliases: rows.map(presentAlias), count };
  });

  server.delete(operations.removeAlias.path, routeOf(operations.removeAlias), async (request) => {
    const { id } = request.params;
    const isGone = isUuid(id) && (await forgetAlias(database, request.application.id, id));
    if (!isGone) throw new Problem("notFound");
    return { id };
  });

  server.post(operations.teachWord.path, routeOf(operations.teachWord), async (request, reply) => {
    const taught = ownWordOf(request.body, { id: newId(), author: "api", createdAt: now() });
    if ("faults" in taught) throw new Problem("validation", { faults: taught.faults });
    const { word } = taught;
    return idempotency.once(request, reply, async (tx) => {
      await teachWord(tx, request.application.id, word);
      return { answer: { word: presentOwnWord(word) }, userId: null };
    });
  });

  server.get(operations.listWords.path, routeOf(operations.listWords), async (request, reply) => {
    const { count, rows } = await taughtPage(request, reply, countWords, listWords);
    return { words: rows.map(presentOwnWord), count };
  });

  server.delete(operations.removeWord.path, routeOf(operations.removeWord), async (request) => {
    const { id } = request.params;
    const isGone = isUuid(id) && (await forgetWord(database, request.application.id, id));
    if (!isGone) throw new Problem("notFound");
    return { id };
  });

  /** A page of what an application taught; numbered like a user's records, the newest highest, so that it is cut alike. */
  async function taughtPage<Row>(
    request: FastifyRequest,
    reply: FastifyReply,
    countOf: (tx: Tx, taught: Taught) => Promise<number>,
    list: (tx: Tx, taught: Taught, offset: number, limit: number) => Promise<Row[]>,
  ): Promise<{ count: number; rows: Row[] }> {
    const asked = readPage(singleValues(request.url), now());
    if ("faults" in asked) throw new Problem("validation", { faults: asked.faults });
    const taught = { applicationId: request.application.id, ...asked.range };
    const count = await countOf(database, taught);
    const link = linkHeader(publicUrl, request.url, asked.page, count);
    if (link !== null) void reply.header("link", link);
    const { low, high } = slice(asked.page, { low: 1, high: count });
    return { count, rows: high < low ? [] : await list(database, taught, count - high, high - low + 1) };
  }
}
