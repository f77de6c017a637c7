import { aliasOf, missingTarget, presentAlias } from "../foods/aliases/alias.ts";
import type { Alias } from "../foods/aliases/alias.ts";
import { saveAlias } from "../foods/aliases/store.ts";
import type { Catalogue } from "../foods/catalogue/catalogue.ts";
import type { Resolver } from "../foods/lookup/resolve.ts";
import { routeOf } from "../http/operation.ts";
import { knownValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { isUuid } from "../ids.ts";
import { linkHeader } from "../lists/link.ts";
import { readPage } from "../lists/page.ts";
import type { Database } from "../postgres/postgres.ts";
import type { TermsByRule } from "../points/terms.ts";
import { Problem } from "../problems.ts";
import type { Shares } from "../shares.ts";
import { withCandidates } from "./candidates.store.ts";
import { aliasFor, readMeaning } from "./meaning.ts";
import { aliasUnknownName, getUnknownName, listUnknownNames, previewMeaning } from "./operations.ts";
import { previewAlias } from "./preview.store.ts";
import type { MeaningBody } from "./schema.ts";
import { listedName, unknownNames } from "./list.store.ts";
import { unknownName } from "./store.ts";

export interface UnknownNameRouteDeps {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
  readonly catalogue: Catalogue;
  readonly resolver: Resolver;
  readonly termsByRule: TermsByRule;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Lists and previews at a time: each reads up to some hundred thousand rows, or scores 200 awards. */
  readonly shares: Shares;
}

/** Adds the routes of an application's unknown names. */
export function unknownNameRoutes(server: Server, deps: UnknownNameRouteDeps): void {
  const { database, idempotency, publicUrl, now } = deps;

  server.get(listUnknownNames.path, routeOf(listUnknownNames), async (request, reply) => {
    const sent = knownValues(request, true);
    const query = readPage(sent, now());
    const spendIn = new Map(sent).get("spendIn") ?? null;
    const errors = {
      ...("errors" in query && query.errors),
      ...(spendIn !== null && !/^[A-Za-z]{3}$/.test(spendIn) && { spendIn: ["must be a code of three letters"] }),
    };
    if ("errors" in query || Object.keys(errors).length > 0) throw new Problem("validation", { errors });
    const { page, range } = query;
    if (page.kind !== "page") throw new Error("the list has neither First nor All");
    const applicationId = request.application.id;
    const part = { offset: (page.number - 1) * page.size, limit: page.size };
    const currency = spendIn && spendIn.toUpperCase();
    return inTurn(deps, applicationId, async () => {
      const { total, names } = await unknownNames(database, { applicationId, ...range, currency, ...part });
      const link = linkHeader(publicUrl, request.url, page, total);
      if (link !== null) void reply.header("link", link);
      return { names: await withCandidates(deps, applicationId, names), count: total };
    });
  });

  server.get(getUnknownName.path, routeOf(getUnknownName), async (request) => {
    const { id } = request.params;
    const applicationId = request.application.id;
    if (!isUuid(id)) throw new Problem("notFound");
    return inTurn(deps, applicationId, async () => {
      const found = await listedName(database, applicationId, id);
      if (!found) throw new Problem("notFound");
      const [name] = await withCandidates(deps, applicationId, [found]);
      return { name: name! };
    });
  });

  server.get(previewMeaning.path, routeOf(previewMeaning), async (request) => {
    const applicationId = request.application.id;
    const { id } = request.params;
    const meaning = readMeaning(knownValues(request));
    if ("errors" in meaning) throw new Problem("validation", { errors: meaning.errors });
    const alias = await namedAlias(deps, applicationId, id, meaning);
    return inTurn(deps, applicationId, async () => {
      const preview = await previewAlias(deps, applicationId, id, alias);
      if (!preview) throw new Problem("validation", { errors: missingTarget(alias) });
      return { preview };
    });
  });

  server.post(aliasUnknownName.path, routeOf(aliasUnknownName), async (request, reply) => {
    const alias = await namedAlias(deps, request.application.id, request.params.id, request.body);
    return idempotency.once(request, reply, async (tx) => {
      const isSaved = await saveAlias(tx, request.application.id, alias);
      if (!isSaved) throw new Problem("validation", { errors: missingTarget(alias) });
      return { response: { alias: presentAlias(alias) }, userId: null };
    });
  });
}

/** The alias that a request means, for a name that the application has. */
async function namedAlias(
  { database, catalogue, now, newId }: UnknownNameRouteDeps,
  applicationId: string,
  id: string,
  body: MeaningBody,
): Promise<Alias> {
  const name = isUuid(id) ? await unknownName(database, applicationId, id) : null;
  if (name === null) throw new Problem("notFound");
  const sent = aliasFor(name, body);
  const read = "errors" in sent ? sent : aliasOf(sent, catalogue, { id: newId(), author: "api", createdAt: now() });
  if ("errors" in read) throw new Problem("validation", { errors: read.errors });
  return read.alias;
}

async function inTurn<Result>(
  { shares }: UnknownNameRouteDeps,
  applicationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = await shares.take(applicationId);
  if (!end) throw new Problem("unavailable", { retryAfterSeconds: 1 });
  try {
    return await work();
  } finally {
    end();
  }
}
