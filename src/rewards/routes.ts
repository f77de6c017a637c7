import type { FastifyReply, FastifyRequest } from "fastify";
import { routeOf } from "../http/operation.ts";
import { knownValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import { refuseErrors } from "../http/validation.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { isUuid } from "../ids.ts";
import { linkHeader } from "../lists/link.ts";
import { readPage, slice } from "../lists/page.ts";
import { TIER } from "../points/codes.ts";
import type { TierKeeper } from "../points/tiers/keeper.store.ts";
import type { Database } from "../postgres/postgres.ts";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { userInPath } from "../users/store.ts";
import * as operations from "./operations.ts";
import { NEW_TERMS, changedTerms, presentReward, presentToUser, rewardErrors, termsErrors } from "./reward.ts";
import type { Reward } from "./reward.ts";
import { REWARDS_MAX } from "./schema.ts";
import * as store from "./store.ts";
import type { LoadedCodes, RewardFilter } from "./store.ts";
import { CODES_OF_APPLICATION_MAX, CODES_OF_REWARD_MAX, isCode } from "./codes/code.ts";

export interface RewardRouteDeps {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
  readonly tiers: Pick<TierKeeper, "codeNow">;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Adds the routes of an application's catalogue of rewards. */
export function rewardRoutes(server: Server, deps: RewardRouteDeps): void {
  addAdding(server, deps);
  addReading(server, deps);
  addChanging(server, deps);
  addCodes(server, deps);
}

function addAdding(server: Server, { idempotency, now, newId }: RewardRouteDeps): void {
  const route = { ...routeOf(operations.addReward), attachValidation: true };
  server.post(operations.addReward.path, route, async (request, reply) => {
    refuseErrors(request, rewardErrors);
    const terms = changedTerms(NEW_TERMS, request.body);
    const applicationId = request.application.id;
    return idempotency.once(request, reply, async (tx) => {
      const reward = await store.addReward(tx, { ...terms, id: newId(), applicationId }, now());
      if (!reward) throw refusal("name", `is one too many: an application has at most ${REWARDS_MAX} rewards`);
      return { response: { reward: presentReward(reward) }, userId: null };
    });
  });
}

function addReading(server: Server, deps: RewardRouteDeps): void {
  const { database, now } = deps;
  server.get(operations.listRewards.path, routeOf(operations.listRewards), async (request, reply) => {
    const { count, rows } = await pageOf(deps, request, reply, null);
    return { rewards: rows.map(presentReward), count };
  });

  server.get(operations.getReward.path, routeOf(operations.getReward), async ({ application, params: { id } }) => {
    const reward = isUuid(id) ? await store.findReward(database, application.id, id) : null;
    if (!reward) throw new Problem("notFound");
    return { reward: presentReward(reward) };
  });

  server.get(operations.listUserRewards.path, routeOf(operations.listUserRewards), async (request, reply) => {
    const { id: userId, ...user } = await userInPath(database, request.application.id, request.params.id);
    const { applicationId, lifetimePoints, availablePoints } = user;
    const query = knownValues(request, true);
    const sent = tierOf(query);
    const at = now();
    const tier = (await deps.tiers.codeNow(database, { applicationId, userId, lifetimePoints }, at)) ?? sent;
    const canHave = { at, tier: areAllTiers(query) ? HIGHEST_TIER : tier };
    const { count, rows } = await pageOf(deps, request, reply, canHave);
    const member = { availablePoints, tier };
    return { rewards: rows.map((reward) => presentToUser(reward, member)), count, availablePoints };
  });
}

function addChanging(server: Server, { database, now }: RewardRouteDeps): void {
  const route = { ...routeOf(operations.changeReward), attachValidation: true };
  server.patch(operations.changeReward.path, route, async (request) => {
    refuseErrors(request, () => ({}));
    const { id } = request.params;
    const changed = await database.requestTx(request.application.id, async (tx) => {
      const reward = isUuid(id) ? await store.lockReward(tx, request.application.id, id) : null;
      if (!reward) throw new Problem("notFound");
      const terms = changedTerms(reward, request.body);
      const errors = termsErrors(terms);
      if (Object.keys(errors).length > 0) throw new Problem("validation", { errors });
      return store.changeReward(tx, id, { ...terms, codes: reward.codes }, now());
    });
    return { reward: presentReward(changed) };
  });

  server.delete(operations.removeReward.path, routeOf(operations.removeReward), async (request) => {
    const { id } = request.params;
    const { id: applicationId } = request.application;
    const archive = () => database.requestTx(applicationId, (tx) => store.archiveReward(tx, applicationId, id, now()));
    if (!isUuid(id) || !(await archive())) throw new Problem("notFound");
    return { id };
  });
}

function addCodes(server: Server, { idempotency }: RewardRouteDeps): void {
  const { loadRewardCodes } = operations;
  const route = { ...routeOf(loadRewardCodes), attachValidation: true };
  server.post(loadRewardCodes.path, route, async (request, reply) => {
    refuseErrors(request, codeErrors);
    const { id } = request.params;
    if (!isUuid(id)) throw new Problem("notFound");
    const sent = request.body.codes;
    return idempotency.once(request, reply, async (tx) => {
      const loaded = await store.loadCodes(tx, request.application.id, id, [...new Set(sent)]);
      if (loaded.kind !== "loaded") throw problemOf(loaded.kind);
      const left = new Set(loaded.added);
      // A code that is sent twice in one request is a duplicate, too.
      const duplicates = sent.filter((code) => !left.delete(code));
      return { response: { added: loaded.added.size, duplicates, freeCodes: loaded.freeCodes }, userId: null };
    });
  });
}

function problemOf(kind: Exclude<LoadedCodes["kind"], "loaded">): Problem {
  if (kind === "unknown") return new Problem("notFound");
  if (kind === "no pool") return refusal("codes", "are only for a reward with codes: pool");
  return kind === "too many of reward"
    ? refusal("codes", `are too many: a reward has at most ${CODES_OF_REWARD_MAX}`)
    : refusal("codes", `are too many: an application has at most ${CODES_OF_APPLICATION_MAX}`);
}

/** Wrong codes that one response names. */
const ERRORS_MAX = 20;

function codeErrors(body: unknown): Errors {
  const codes = (body as { codes?: unknown } | null)?.codes;
  if (!Array.isArray(codes)) return {};
  const wrong = codes.flatMap((code, i) => (typeof code === "string" && isCode(code) ? [] : [i]));
  return Object.fromEntries(
    wrong.slice(0, ERRORS_MAX).map((i) => [`codes[${i}]`, ["must be letters, digits, -, _ and ., at most 64"]]),
  );
}

function refusal(member: string, error: string): Problem {
  return new Problem("validation", { errors: { [member]: [error] } });
}

const HIGHEST_TIER = Math.max(...Object.values(TIER));

function valueIn(query: URLSearchParams, wanted: string): string | undefined {
  return [...query].find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function areAllTiers(query: URLSearchParams): boolean {
  const sent = valueIn(query, "alltiers") ?? "false";
  if (sent !== "true" && sent !== "false") {
    throw new Problem("validation", { errors: { allTiers: ["must be true or false"] } });
  }
  return sent === "true";
}

function tierOf(query: URLSearchParams): number {
  const sent = valueIn(query, "tier") ?? "0";
  if (!/^[0-4]$/.test(sent)) throw new Problem("validation", { errors: { tier: ["must be one of 0, 1, 2, 3, 4"] } });
  return Number(sent);
}

/** Reads one page of rewards, and sets the `Link` header. */
async function pageOf(
  { database, publicUrl, now }: RewardRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  canHave: RewardFilter["canHave"],
): Promise<{ count: number; rows: Reward[] }> {
  const query = readPage(knownValues(request, true), now());
  if ("errors" in query) throw new Problem("validation", { errors: query.errors });
  const filter = { applicationId: request.application.id, ...query.range, canHave };
  const count = await store.countRewards(database, filter);
  const link = linkHeader(publicUrl, request.url, query.page, count);
  if (link !== null) void reply.header("link", link);
  const { low, high } = slice(query.page, { low: 1, high: count });
  return { count, rows: high < low ? [] : await store.listRewards(database, filter, count - high, high - low + 1) };
}
