import type { Files } from "../files.ts";
import { isUuid } from "../ids.ts";
import type { Database } from "../postgres/postgres.ts";
import { blobLink } from "./blob-link.ts";
import { correctionsOf } from "./corrections/store.ts";
import { disputesOf } from "./disputes/store.ts";
import { presentStatus } from "./status.ts";
import { findReceipt, readFindings } from "./store.ts";

/** Returns the status document of a receipt of this application; null: there is none. */
export type ReadReceiptStatus = (
  applicationId: string,
  receiptId: string,
) => Promise<ReturnType<typeof presentStatus> | null>;

/** Creates the reader of status documents, for the API and the hosted page. */
export function createStatusReader(deps: {
  database: Database;
  files: Pick<Files, "has">;
  now: () => Date;
  publicUrl: string;
  /** Key of the links to images; see `blobLinkKey`. */
  linkKey: Uint8Array;
}): ReadReceiptStatus {
  const { database, files, publicUrl, linkKey, now } = deps;
  return async (applicationId, receiptId) => {
    const receipt = isUuid(receiptId) ? await findReceipt(database, applicationId, receiptId) : null;
    if (!receipt) return null;
    const findings = await readFindings(database, receipt);
    const isStored = await files.has(receipt.imageKey);
    const blobUrl = isStored ? blobLink({ baseUrl: publicUrl, linkKey }, receipt.imageKey, now()) : null;
    const disputes = await disputesOf(database, receipt);
    return presentStatus(receipt, findings, blobUrl, await correctionsOf(database, receipt), disputes);
  };
}
