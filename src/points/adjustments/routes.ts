import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import { Problem } from "../../problems.ts";
import { holdUserInPath } from "../../users/store.ts";
import type { MoveDeps } from "../moved-event.ts";
import { adjustPoints } from "./operations.ts";
import { adjust } from "./store.ts";

export interface AdjustmentRouteDeps extends MoveDeps {
  readonly idempotency: Idempotency;
}

/** Adds the adjustment of a balance. */
export function adjustmentRoutes(server: Server, deps: AdjustmentRouteDeps): void {
  const { idempotency } = deps;
  const route = { ...routeOf(adjustPoints), attachValidation: true };
  server.post(adjustPoints.path, route, async (request, reply) => {
    refuseErrors(request, zeroError);
    const applicationId = request.application.id;
    const { id: userId } = request.params;
    const { points, reason, reference, countsAsEarned = false } = request.body;
    const adjustment = { points, reason: reason.trim(), reference: reference.trim(), countsAsEarned };
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      const outcome = await adjust(tx, { applicationId, userId }, adjustment, deps);
      if (outcome === "reference used") throw new Problem("referenceUsed");
      if ("availablePoints" in outcome) throw new Problem("pointsShort", outcome);
      return { response: outcome.moved, userId };
    });
  });
}

function zeroError(body: unknown): Record<string, string[]> {
  const points = (body as { points?: unknown } | null)?.points;
  return points === 0 ? { points: ["must not be 0"] } : {};
}
