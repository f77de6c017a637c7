import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { rollback } from "../../postgres/rollback.ts";
import { Problem } from "../../problems.ts";
import type { Errors } from "../../problems.ts";
import { holdUserInPath } from "../../users/store.ts";
import type { AdjustmentRouteDeps } from "../adjustments/routes.ts";
import { reverseTransaction } from "./operations.ts";
import { reverse } from "./store.ts";
import type { Reversed } from "./store.ts";

export interface ReversalRouteDeps extends AdjustmentRouteDeps {
  readonly database: Database;
}

/** Adds the reversal of a record. */
export function reversalRoutes(server: Server, deps: ReversalRouteDeps): void {
  const { idempotency, database } = deps;
  server.post(reverseTransaction.path, routeOf(reverseTransaction), async (request, reply) => {
    const applicationId = request.application.id;
    const { id: userId, transactionId } = request.params;
    if (!isUuid(transactionId)) throw new Problem("notFound");
    const { reason, items, dryRun = false } = request.body;
    const reversal = { reason: reason.trim(), itemIds: items ?? null };
    const work = async (tx: Tx) => {
      await holdUserInPath(tx, applicationId, userId);
      const outcome = await reverse(tx, { applicationId, userId }, transactionId, reversal, deps);
      if (outcome.kind !== "reversed") throw problemOf(outcome);
      return { response: { ...outcome.moved, waivedPoints: outcome.waivedPoints }, userId };
    };
    if (!dryRun) return idempotency.once(request, reply, work);
    return database.requestTx(applicationId, async (tx) => rollback((await work(tx)).response));
  });
}

function problemOf(outcome: Exclude<Reversed, { readonly kind: "reversed" }>): Problem {
  if (outcome.kind === "unknown record") return new Problem("notFound");
  if (outcome.kind === "not reversible") return new Problem("notReversible");
  if (outcome.kind === "already reversed") return new Problem("alreadyReversed");
  const errors: Errors = {};
  for (const index of outcome.indexes) errors[`items[${index}]`] = ["names no item of this transaction"];
  return new Problem("validation", { errors });
}
