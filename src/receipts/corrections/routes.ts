import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { isUuid } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import type { Errors } from "../../problems.ts";
import { holdUserInPath } from "../../users/store.ts";
import { lockHeld } from "../holding/store.ts";
import type { Reviewing } from "../review/review.task.ts";
import { findReceipt } from "../store.ts";
import type { CorrectOutcome, CorrectReceipt, LookUpFoods } from "./correct.task.ts";
import { correctionErrors } from "./correction.ts";
import type { Correction } from "./correction.ts";
import { correctReceipt, previewCorrection } from "./operations.ts";
import type { PreviewCorrection } from "./preview.task.ts";

export interface CorrectionRouteDeps extends Pick<Reviewing, "decide"> {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly lookUpFoods: LookUpFoods;
  readonly correct: CorrectReceipt;
  readonly preview: PreviewCorrection;
}

/** Adds the correction of a receipt, which may accept a held one in the same tx. */
export function correctionRoutes(server: Server, deps: CorrectionRouteDeps): void {
  const { database, idempotency, lookUpFoods, correct, decide, preview } = deps;
  const route = { ...routeOf(correctReceipt), attachValidation: true };
  server.post(correctReceipt.path, route, async (request, reply) => {
    refuseErrors(request, (body) => (isCorrection(body) ? correctionErrors(body) : {}));
    const applicationId = request.application.id;
    const receiptId = request.params.id;
    const found = isUuid(receiptId) ? await findReceipt(database, applicationId, receiptId) : null;
    if (!found) throw new Problem("notFound");
    const { decision, ...body } = request.body;
    const correction: Correction = { ...body, reason: body.reason.trim() };
    const rate = await lookUpFoods(found, correction);
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, found.userId);
      if (decision && !(await lockHeld(tx, applicationId, receiptId))) throw new Problem("notHeld");
      const outcome = await correct(tx, { applicationId, receiptId }, correction, rate);
      if (outcome.kind !== "corrected") throw problemOf(outcome);
      if (decision) await decide(tx, { applicationId, id: receiptId }, decision, correction.reason);
      return { response: outcome.response, userId: found.userId };
    });
  });

  const previewRoute = { ...routeOf(previewCorrection), attachValidation: true };
  server.post(previewCorrection.path, previewRoute, async (request) => {
    refuseErrors(request, previewErrors);
    const receiptId = request.params.id;
    const found = isUuid(receiptId) ? await findReceipt(database, request.application.id, receiptId) : null;
    if (!found) throw new Problem("notFound");
    const correction: Correction = { ...request.body, reason: "" };
    const outcome = await preview(found, correction, await lookUpFoods(found, correction));
    if (outcome.kind !== "previewed") throw problemOf(outcome);
    return outcome.response;
  });
}

/** A preview may change nothing: then it shows the receipt as it is. */
function previewErrors(body: unknown): Errors {
  const { body: _nothing, ...errors } = isCorrection(body) ? correctionErrors(body) : {};
  return errors;
}

/** Whether the schema has accepted what the rules look at. */
function isCorrection(body: unknown): body is Correction {
  if (typeof body !== "object" || body === null) return false;
  const { items } = body as { items?: unknown };
  const isEach = (item: unknown) => typeof item === "object" && item !== null;
  return items === undefined || (Array.isArray(items) && items.every(isEach));
}

function problemOf(outcome: Exclude<CorrectOutcome, { readonly kind: "corrected" }>): Problem {
  if (outcome.kind === "invalid") return new Problem("validation", { errors: outcome.errors });
  if (outcome.kind === "unknown") return new Problem("notFound");
  return new Problem(outcome.kind === "taken" ? "receiptTaken" : "notCorrectable");
}
