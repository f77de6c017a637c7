import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { isUuid } from "../../ids.ts";
import type { ProblemName } from "../../problem-types.ts";
import type { Errors } from "../../problems.ts";
import { Problem } from "../../problems.ts";
import { holdUserInPath } from "../../users/store.ts";
import { NEW_TERMS, changedTerms, rewardErrors } from "../reward.ts";
import { confirmRedemption, redeemPoints, refundRedemption, releaseRedemption } from "./operations.ts";
import { redemptionErrors } from "./redemption.ts";
import type { WayBack } from "./redemption.ts";
import { HOLD_SECONDS_DEFAULT } from "./schema.ts";
import type { RedemptionBody } from "./schema.ts";
import { confirm, giveBack, redeem } from "./store.ts";
import type { GivenBack, Redeemed, RedemptionDeps, Wanted } from "./store.ts";

export interface RedemptionRouteDeps extends RedemptionDeps {
  readonly idempotency: Idempotency;
}

/** Adds redemptions, and what becomes of them. */
export function redemptionRoutes(server: Server, deps: RedemptionRouteDeps): void {
  addRedeeming(server, deps);
  addConfirmation(server, deps);
  const release = routeOf(releaseRedemption);
  server.post(releaseRedemption.path, release, (request, reply) =>
    deps.idempotency.once(request, reply, (tx) => back(tx, request, { way: "release" }, deps)),
  );
  const refund = routeOf(refundRedemption);
  server.post(refundRedemption.path, refund, (request, reply) => {
    const reason = request.body.reason.trim();
    return deps.idempotency.once(request, reply, (tx) => back(tx, request, { way: "refund", reason }, deps));
  });
}

function addRedeeming(server: Server, deps: RedemptionRouteDeps): void {
  const route = { ...routeOf(redeemPoints), attachValidation: true };
  server.post(redeemPoints.path, route, (request, reply) => {
    refuseErrors(request, errorsOf);
    const applicationId = request.application.id;
    const { id: userId } = request.params;
    const wanted = wantedOf(request.body);
    return deps.idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      const outcome = await redeem(tx, { applicationId, userId }, wanted, deps);
      if (outcome.kind !== "redeemed") throw problemOf(outcome);
      const { moved, reservedUntil } = outcome;
      const response = { ...moved, ...(reservedUntil && { reservedUntil: reservedUntil.toISOString() }) };
      return { response, userId };
    });
  });
}

function addConfirmation(server: Server, deps: RedemptionRouteDeps): void {
  server.post(confirmRedemption.path, routeOf(confirmRedemption), (request, reply) => {
    const applicationId = request.application.id;
    const { id: userId, transactionId } = request.params;
    return deps.idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      if (!isUuid(transactionId)) throw new Problem("notFound");
      const outcome = await confirm(tx, { applicationId, userId }, transactionId, deps);
      if (outcome.kind !== "confirmed") throw new Problem(REFUSALS[outcome.kind]);
      return { response: outcome.moved, userId };
    });
  });
}

async function back(
  tx: Parameters<typeof giveBack>[0],
  request: { application: { id: string }; params: { id: string; transactionId: string } },
  how: { way: WayBack; reason?: string },
  deps: RedemptionRouteDeps,
) {
  const applicationId = request.application.id;
  const { id: userId, transactionId } = request.params;
  await holdUserInPath(tx, applicationId, userId);
  if (!isUuid(transactionId)) throw new Problem("notFound");
  const outcome = await giveBack(tx, { applicationId, userId }, transactionId, how, deps);
  if (outcome.kind !== "given back") throw new Problem(REFUSALS[outcome.kind]);
  return { response: outcome.moved, userId };
}

const REFUSALS: Readonly<Record<Exclude<GivenBack["kind"], "given back">, ProblemName>> = {
  "unknown record": "notFound",
  state: "redemptionState",
  used: "voucherUsed",
  already: "alreadyReversed",
};

function problemOf(outcome: Exclude<Redeemed, { readonly kind: "redeemed" }>): Problem {
  if (outcome.kind === "points short") return new Problem("pointsShort", { availablePoints: outcome.availablePoints });
  return new Problem(PROBLEMS_OF[outcome.kind]);
}

const PROBLEMS_OF: Readonly<Record<Exclude<Redeemed["kind"], "redeemed" | "points short">, ProblemName>> = {
  "unknown reward": "notFound",
  "reference used": "referenceUsed",
  "not yet valid": "rewardNotYetValid",
  expired: "rewardExpired",
  tier: "rewardTier",
  "out of stock": "rewardOutOfStock",
};

function errorsOf(body: unknown): Errors {
  const { reward } = (body ?? {}) as { reward?: unknown };
  const { code, codes } = (reward ?? {}) as { code?: unknown; codes?: unknown };
  const own = Object.entries({
    ...rewardErrors(reward),
    ...(code !== undefined && codes === "made" && { code: ["must not be given with codes: made"] }),
  });
  return { ...redemptionErrors(body), ...Object.fromEntries(own.map(([name, list]) => [`reward.${name}`, list])) };
}

function wantedOf(body: RedemptionBody): Wanted {
  const { rewardId, reward, points = 0, reference, tier = 0, reserve = false, holdSeconds } = body;
  const own = reward && { terms: changedTerms(NEW_TERMS, { ...reward, points }), code: reward.code?.trim() ?? "" };
  return {
    // A text that is no id names no reward, and PostgreSQL would refuse it.
    rewardId: rewardId === undefined ? null : isUuid(rewardId) ? rewardId : NO_ID,
    own: own ?? null,
    reference: reference.trim(),
    tier,
    holdSeconds: reserve ? (holdSeconds ?? HOLD_SECONDS_DEFAULT) : null,
  };
}

const NO_ID = "00000000-0000-0000-0000-000000000000";
