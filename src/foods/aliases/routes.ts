import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database, Tx } from "../../postgres/postgres.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { knownValues } from "../../http/query.ts";
import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import { linkHeader } from "../../lists/link.ts";
import { readPage, slice } from "../../lists/page.ts";
import { Problem } from "../../problems.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import * as operations from "../operations.ts";
import { aliasOf, missingTarget, presentAlias } from "./alias.ts";
import { customWordOf, presentCustomWord } from "./custom-words.ts";
import { countAliases, deleteAlias, listAliases, saveAlias } from "./store.ts";
import { countWords, deleteWord, listWords, saveWord } from "./store.ts";
import type { AddedWithin } from "./store.ts";

export interface AliasRouteDeps {
  database: Database;
  idempotency: Idempotency;
  publicUrl: string;
  catalogue: Catalogue;
  now: () => Date;
  newId: () => string;
}

/** Adds the routes for an application's aliases. */
export function aliasRoutes(server: Server, deps: AliasRouteDeps): void {
  const { database, idempotency, catalogue, now, newId } = deps;

  server.post(operations.teachAlias.path, routeOf(operations.teachAlias), async (request, reply) => {
    const { name, merchantName, foodId, gtin } = request.body;
    const sent = { name, merchantName: merchantName?.trim() || null, foodId: foodId ?? null, gtin: gtin ?? null };
    const read = aliasOf(sent, catalogue, { id: newId(), author: "api", createdAt: now() });
    if ("errors" in read) throw new Problem("validation", { errors: read.errors });
    const { alias } = read;
    return idempotency.once(request, reply, async (tx) => {
      const isSaved = await saveAlias(tx, request.application.id, alias);
      if (!isSaved) throw new Problem("validation", { errors: missingTarget(alias) });
      return { response: { alias: presentAlias(alias) }, userId: null };
    });
  });

  server.get(operations.listAliases.path, routeOf(operations.listAliases), async (request, reply) => {
    const { count, rows } = await pageOf(deps, request, reply, { count: countAliases, list: listAliases });
    return { aliases: rows.map(presentAlias), count };
  });

  server.delete(operations.removeAlias.path, routeOf(operations.removeAlias), async (request) => {
    const { id } = request.params;
    const isRemoved = isUuid(id) && (await deleteAlias(database, request.application.id, id));
    if (!isRemoved) throw new Problem("notFound");
    return { id };
  });
}

/** Adds the routes for an application's custom words. */
export function customWordRoutes(server: Server, deps: AliasRouteDeps): void {
  const { database, idempotency, now, newId } = deps;

  server.post(operations.teachWord.path, routeOf(operations.teachWord), async (request, reply) => {
    const read = customWordOf(request.body, { id: newId(), author: "api", createdAt: now() });
    if ("errors" in read) throw new Problem("validation", { errors: read.errors });
    const { word } = read;
    return idempotency.once(request, reply, async (tx) => {
      await saveWord(tx, request.application.id, word);
      return { response: { word: presentCustomWord(word) }, userId: null };
    });
  });

  server.get(operations.listWords.path, routeOf(operations.listWords), async (request, reply) => {
    const { count, rows } = await pageOf(deps, request, reply, { count: countWords, list: listWords });
    return { words: rows.map(presentCustomWord), count };
  });

  server.delete(operations.removeWord.path, routeOf(operations.removeWord), async (request) => {
    const { id } = request.params;
    const isRemoved = isUuid(id) && (await deleteWord(database, request.application.id, id));
    if (!isRemoved) throw new Problem("notFound");
    return { id };
  });
}

/** The queries of one list. */
interface ListQueries<Row> {
  count: (tx: Tx, filter: AddedWithin) => Promise<number>;
  list: (tx: Tx, filter: AddedWithin, offset: number, limit: number) => Promise<Row[]>;
}

/**
 * Reads one page of a list, and sets the `Link` header. As in a user's records the newest row has the highest number.
 */
async function pageOf<Row>(
  { database, publicUrl, now }: Pick<AliasRouteDeps, "database" | "publicUrl" | "now">,
  request: FastifyRequest,
  reply: FastifyReply,
  queries: ListQueries<Row>,
): Promise<{ count: number; rows: Row[] }> {
  const query = readPage(knownValues(request, true), now());
  if ("errors" in query) throw new Problem("validation", { errors: query.errors });
  const filter = { applicationId: request.application.id, ...query.range };
  const count = await queries.count(database, filter);
  const link = linkHeader(publicUrl, request.url, query.page, count);
  if (link !== null) void reply.header("link", link);
  const { low, high } = slice(query.page, { low: 1, high: count });
  return { count, rows: high < low ? [] : await queries.list(database, filter, count - high, high - low + 1) };
}
