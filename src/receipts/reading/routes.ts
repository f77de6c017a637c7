import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { correctionsOf } from "../corrections/store.ts";
import { contextOf } from "../context.store.ts";
import { readCandidates } from "../duplicates/store.ts";
import type { MerchantDictionary } from "../parsing/header/merchant-dictionary.ts";
import { placesOf } from "../parsing/places.ts";
import { placesOnParts } from "../parts/part-places.ts";
import { findReceipt, readFindings } from "../store.ts";
import { getReceiptReading } from "./operations.ts";
import { presentReading } from "./present.ts";

/** Adds the reading of a receipt with its places. */
export function readingRoutes(
  server: Server,
  { database, merchants }: { readonly database: Database; readonly merchants: MerchantDictionary },
): void {
  server.get(getReceiptReading.path, routeOf(getReceiptReading), async (request) => {
    const { id } = request.params;
    const applicationId = request.application.id;
    const receipt = isUuid(id) ? await findReceipt(database, applicationId, id) : null;
    if (!receipt) throw new Problem("notFound");
    const findings = await readFindings(database, receipt);
    const corrections = await correctionsOf(database, receipt);
    const page = (await readCandidates(database, [receipt])).get(receipt.id)?.page ?? null;
    const hasText = page !== null && page.boxes.length > 0;
    // As the stage that read it did.
    const context = await contextOf(database, receipt);
    const places = hasText ? placesOnParts(page, placesOf(page, merchants, context)) : null;
    const similarTo = receipt.review?.similarTo ?? findings.Failed?.data.similarTo ?? receipt.duplicateOf;
    const isThere = similarTo !== null && (await findReceipt(database, applicationId, similarTo)) !== null;
    return presentReading({ receipt, findings, corrections, page, places, similarTo: isThere ? similarTo : null });
  });
}
