import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database, Tx } from "../postgres/postgres.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { singleValues } from "../http/query.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { linkHeader } from "../lists/link.ts";
import { readPage, slice } from "../lists/page.ts";
import { Problem } from "../problems.ts";
import { aliasOf, missingTarget, presentAlias } from "./aliases/alias.ts";
import { presentCandidate, readMatchQuery } from "./matching/candidates.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { customWordOf, presentCustomWord } from "./aliases/custom-words.ts";
import { readFor } from "./lookup/resolve.ts";
import type { Resolver } from "./lookup/resolve.ts";
import * as operations from "./schema.ts";
import { lookUp } from "./store.ts";
import { countAliases, deleteAlias, listAliases, saveAlias } from "./aliases/store.ts";
import { countWords, deleteWord, listWords, saveWord } from "./aliases/store.ts";
import type { AliasFilter } from "./aliases/store.ts";

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
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
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
    if ("errors" in taught) throw new Problem("validation", { errors: taught.errors });
    const { alias } = taught;
    return idempotency.once(request, reply, async (tx) => {
      const isThere = await saveAlias(tx, request.application.id, alias);
      if (!isThere) throw new Problem("validation", { errors: missingTarget(alias) });
      return { response: { alias: presentAlias(alias) }, userId: null };
    });
  });

  server.get(operations.listAliases.path, routeOf(operations.listAliases), async (request, reply) => {
    const { count, rows } = await taughtPage(request, reply, countAliases, listAliases);
    return { aliases: rows.map(presentAlias), count };
  });

  server.delete(operations.removeAlias.path, routeOf(operations.removeAlias), async (request) => {
    const { id } = request.params;
    const isGone = isUuid(id) && (await deleteAlias(database, request.application.id, id));
    if (!isGone) throw new Problem("notFound");
    return { id };
  });

  server.post(operations.teachWord.path, routeOf(operations.teachWord), async (request, reply) => {
    const taught = customWordOf(request.body, { id: newId(), author: "api", createdAt: now() });
    if ("errors" in taught) throw new Problem("validation", { errors: taught.errors });
    const { word } = taught;
    return idempotency.once(request, reply, async (tx) => {
      await saveWord(tx, request.application.id, word);
      return { response: { word: presentCustomWord(word) }, userId: null };
    });
  });

  server.get(operations.listWords.path, routeOf(operations.listWords), async (request, reply) => {
    const { count, rows } = await taughtPage(request, reply, countWords, listWords);
    return { words: rows.map(presentCustomWord), count };
  });

  server.delete(operations.removeWord.path, routeOf(operations.removeWord), async (request) => {
    const { id } = request.params;
    const isGone = isUuid(id) && (await deleteWord(database, request.application.id, id));
    if (!isGone) throw new Problem("notFound");
    return { id };
  });

  /** A page of what an application taught; numbered like a user's records, the newest highest, so that it is cut alike. */
  async function taughtPage<Row>(
    request: FastifyRequest,
    reply: FastifyReply,
    countOf: (tx: Tx, taught: AliasFilter) => Promise<number>,
    list: (tx: Tx, taught: AliasFilter, offset: number, limit: number) => Promise<Row[]>,
  ): Promise<{ count: number; rows: Row[] }> {
    const asked = readPage(singleValues(request.url), now());
    if ("errors" in asked) throw new Problem("validation", { errors: asked.errors });
    const taught = { applicationId: request.application.id, ...asked.range };
    const count = await countOf(database, taught);
    const link = linkHeader(publicUrl, request.url, asked.page, count);
    if (link !== null) void reply.header("link", link);
    const { low, high } = slice(asked.page, { low: 1, high: count });
    return { count, rows: high < low ? [] : await list(database, taught, count - high, high - low + 1) };
  }
}
