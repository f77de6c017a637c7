import type { Static } from "typebox";
import type { ReceiptEntry as ListEntry } from "../../receipts/list/schema.ts";
import type { ReceiptPlaces } from "../../receipts/reading/schema.ts";
import type { ReceiptStatus } from "../../receipts/schema.ts";

// What the API returns, as the pages read it.
export type Entry = ListEntry;
export type Status = Static<typeof ReceiptStatus>;
export type Reading = ReceiptPlaces;
export type Line = Reading["lines"][number];
export type Check = NonNullable<Status["receiptStatusDoc"]["validatedStateData"]>["checks"][number];
export type Dispute = NonNullable<Status["disputes"]>[number];
export type Correction = NonNullable<Status["corrections"]>[number];

/** A receipt with its reading. */
export interface ReadReceipt {
  readonly status: Status;
  readonly reading: Reading;
}

/** The checks of a receipt: those that rejected it, else those that it passed. */
export function checksOf({ receiptStatusDoc: doc }: Status): readonly Check[] {
  return doc.failedStateData?.checks ?? doc.validatedStateData?.checks ?? [];
}
