import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { fromMinor } from "../../points/money.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { listReceipts } from "./operations.ts";
import { readReceiptQuery } from "./query.ts";
import type { ReceiptEntry } from "./schema.ts";
import { listReceiptRows } from "./store.ts";
import type { ReceiptListRow } from "./store.ts";

/** Adds the list of an application's receipts. */
export function receiptListRoutes(
  server: Server,
  { database, now, publicUrl }: { database: Database; now: () => Date; publicUrl: string },
): void {
  server.get(listReceipts.path, routeOf(listReceipts), async (request, reply) => {
    const parameters = knownValues(request);
    const query = readReceiptQuery(parameters, now());
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const { rows, next } = await listReceiptRows(database, request.application.id, query);
    if (next !== null) {
      parameters.set("before", next);
      reply.header("link", `<${publicUrl}${request.url.split("?", 1)[0]}?${parameters}>; rel="next"`);
    }
    return { receipts: rows.map(presentRow), next };
  });
}

function presentRow(row: ReceiptListRow): ReceiptEntry {
  const { id, userId, reference, stage, errorCode, errorMessage, merchantName, totalMinor, currency } = row;
  return {
    receiptID: id,
    userId,
    transactionId: reference,
    status: errorCode === null ? stage : "Failed",
    errorCode,
    errorMessage,
    merchantName,
    totalAmount: totalMinor === null ? null : fromMinor(totalMinor, currency ?? ""),
    currency,
    totalPoints: stage === "Completed" ? row.points : null,
    acceptedAt: row.acceptedAt.toISOString(),
    lastUpdated: row.updatedAt.toISOString(),
    receiptSource: row.source,
    isSample: row.isSample,
    corrections: row.corrections,
    held: row.held,
    openDisputes: row.openDisputes,
  };
}
