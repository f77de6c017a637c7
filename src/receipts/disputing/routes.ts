import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { isUuid } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { holdUserInPath } from "../../users/store.ts";
import { findDisputed } from "../disputes/store.ts";
import type { Disputes } from "./dispute.task.ts";
import { rejectDispute } from "./operations.ts";

export interface DisputeRouteDeps extends Pick<Disputes, "reject"> {
  readonly database: Database;
  readonly idempotency: Idempotency;
}

/** Adds the rejection of a dispute. */
export function disputeRoutes(server: Server, { database, idempotency, reject }: DisputeRouteDeps): void {
  server.post(rejectDispute.path, routeOf(rejectDispute), async (request, reply) => {
    const applicationId = request.application.id;
    const { id: disputeId } = request.params;
    const found = isUuid(disputeId) ? await findDisputed(database, applicationId, disputeId) : null;
    if (!found) throw new Problem("notFound");
    const { userId, receiptId } = found;
    const reason = request.body.reason.trim();
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      const outcome = await reject(tx, { applicationId, receiptId, disputeId }, reason);
      if (outcome === "unknown") throw new Problem("notFound");
      if (outcome === "not open") throw new Problem("disputeNotOpen");
      return { response: outcome, userId };
    });
  });
}
