import { numberedKeys } from "../numbered-keys.ts";
import type { Files } from "../files.ts";
import { isUuid } from "../ids.ts";
import { awardNow } from "../points/award-now.ts";
import { findRecord, relatedRecords } from "../points/store.ts";
import type { Database } from "../postgres/postgres.ts";
import { BLOB_LINK_SECONDS, blobLink } from "./blob-link.ts";
import { correctionsOf } from "./corrections/store.ts";
import { disputesOf } from "./disputes/store.ts";
import { presentStatus } from "./status.ts";
import { findReceipt, readFindings } from "./store.ts";

/** Returns the status document of a receipt of this application; null: there is none. */
export type ReadReceiptStatus = (
  applicationId: string,
  receiptId: string,
) => Promise<ReturnType<typeof presentStatus> | null>;

/** Reads the status document with what the hosted page shows beside it: the award as it is now. */
export function createResultReader(database: Database, readStatus: ReadReceiptStatus) {
  return async (applicationId: string, receiptId: string) => {
    const status = await readStatus(applicationId, receiptId);
    const recordId = status?.receiptStatusDoc.completedStateData?.transactionID;
    if (!status || !recordId) return status;
    const later = await relatedRecords(database, status.userId, recordId);
    const award = later.length > 0 ? await findRecord(database, status.userId, recordId) : null;
    return award ? { ...status, changedAward: awardNow(award, later) } : status;
  };
}

/** Creates the reader of status documents, for the API and the hosted page. */
export function createStatusReader(deps: {
  database: Database;
  files: Pick<Files, "placeOf">;
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
    const keys = numberedKeys(receipt.imageKey, 1 + receipt.moreImages.length);
    const images = await Promise.all(
      keys.map(async (key) => {
        const place = await files.placeOf(key, BLOB_LINK_SECONDS);
        if (place.kind === "at") return { blobUrl: place.url, blobName: key };
        const isHere = place.kind === "here";
        return { blobUrl: isHere ? blobLink({ baseUrl: publicUrl, linkKey }, key, now()) : null, blobName: key };
      }),
    );
    const disputes = await disputesOf(database, receipt);
    return presentStatus(receipt, findings, images, await correctionsOf(database, receipt), disputes);
  };
}
