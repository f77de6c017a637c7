import { numberedKeys } from "../../numbered-keys.ts";
import type { Files } from "../../files.ts";
import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { isUuid } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { holdUserInPath } from "../../users/store.ts";
import type { Receipt } from "../receipt.ts";
import { findReceipt } from "../store.ts";
import { decideReceipt, retryReceipt } from "./operations.ts";
import type { Reviewing } from "./review.task.ts";

export interface ReviewRouteDeps extends Reviewing {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly files: Pick<Files, "has">;
}

/** Adds what a person decides about a receipt: to process it again, to accept or to reject it. */
export function reviewRoutes(server: Server, deps: ReviewRouteDeps): void {
  const { database, idempotency, files, retry, decide } = deps;
  const receiptInPath = async (applicationId: string, id: string): Promise<Receipt> => {
    const receipt = isUuid(id) ? await findReceipt(database, applicationId, id) : null;
    if (!receipt) throw new Problem("notFound");
    return receipt;
  };

  server.post(retryReceipt.path, routeOf(retryReceipt), async (request, reply) => {
    const applicationId = request.application.id;
    const { id, userId, imageKey, moreImages } = await receiptInPath(applicationId, request.params.id);
    const keys = numberedKeys(imageKey, 1 + moreImages.length);
    const hasImage = (await Promise.all(keys.map((key) => files.has(key)))).every(Boolean);
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      const outcome = hasImage ? await retry(tx, applicationId, id) : "not retryable";
      if (outcome === "unknown") throw new Problem("notFound");
      if (outcome === "taken") throw new Problem("receiptTaken");
      if (outcome === "not retryable") throw new Problem("notRetryable");
      const message = "The receipt will be processed again.";
      return { response: { receiptID: id, status: outcome.stage, message }, userId };
    });
  });

  server.post(decideReceipt.path, routeOf(decideReceipt), async (request, reply) => {
    const applicationId = request.application.id;
    const { id, userId } = await receiptInPath(applicationId, request.params.id);
    const { decision, reason } = request.body;
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      if (!(await decide(tx, { applicationId, id }, decision, reason.trim()))) throw new Problem("notHeld");
      const response =
        decision === "accept"
          ? ({ receiptID: id, status: "Validated", message: "The receipt will be credited." } as const)
          : ({ receiptID: id, status: "Failed", message: "The receipt was rejected." } as const);
      return { response, userId };
    });
  });
}
