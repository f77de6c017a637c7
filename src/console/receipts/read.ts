import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import type { ConsoleApi } from "../api.ts";
import type { ReadReceipt, Reading, Status } from "./types.ts";

/** Reads a receipt of the page's application; not found as one of another. */
export async function readReceipt(api: ConsoleApi, id: string): Promise<ReadReceipt> {
  if (!isUuid(id)) throw new Problem("notFound");
  const [status, reading] = await Promise.all([
    api.get<Status>(`/track/receipts/${id}/status`),
    api.get<Reading>(`/track/receipts/${id}/reading`),
  ]);
  return { status, reading };
}

/** Reads the earlier receipt that one was found to be the same as; null: there is none, or it was erased meanwhile. */
export async function readSimilar(api: ConsoleApi, { reading }: ReadReceipt): Promise<ReadReceipt | null> {
  const { similarReceiptID: id } = reading;
  if (id === null) return null;
  const path = `/track/receipts/${id}`;
  const [status, places] = await Promise.all([
    api.call({ method: "GET", path: `${path}/status` }),
    api.call({ method: "GET", path: `${path}/reading` }),
  ]);
  if (status.status !== 200 || places.status !== 200) return null;
  return { status: status.body as Status, reading: places.body as Reading };
}
