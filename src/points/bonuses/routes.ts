import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { holdUserInPath, knownUsers } from "../../users/store.ts";
import type { AdjustmentRouteDeps } from "../adjustments/routes.ts";
import { awardBonus } from "./operations.ts";
import { grantBonus, withNames } from "./store.ts";

export interface BonusRouteDeps extends AdjustmentRouteDeps {
  readonly database: Database;
}

/** Adds the award of a bonus. */
export function bonusRoutes(server: Server, deps: BonusRouteDeps): void {
  const { idempotency, database } = deps;
  server.post(awardBonus.path, routeOf(awardBonus), async (request, reply) => {
    const applicationId = request.application.id;
    const { id: userId } = request.params;
    const { points, type, reason, reference, profile } = request.body;
    const profileId = profile?.profileId ?? null;
    const bonus = { points, type, reason: reason.trim(), reference: reference.trim(), profileId };
    const moved = await idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      if (profileId !== null) {
        const known = isUuid(profileId) ? await knownUsers(tx, [profileId]) : null;
        if (known?.get(profileId) !== applicationId) throw new Problem("notFound");
      }
      const outcome = await grantBonus(tx, { applicationId, userId }, bonus, deps);
      if (outcome === "reference used") throw new Problem("referenceUsed");
      return { response: outcome.moved, userId };
    });
    // Only now: the stored response has no names.
    const [transaction] = await withNames(database, applicationId, [moved.transaction]);
    return { ...moved, transaction: transaction! };
  });
}
