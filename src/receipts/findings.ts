import type { ComposedRecord } from "../points/record.ts";
import type { Check } from "./checks/check.ts";
import type { NameEvidence } from "./checks/name.ts";
import type { ReceiptReading } from "./parsing/parse.ts";
import type { PartedPage } from "./parts/parted-page.ts";
import type { Enriched } from "./enrichment.ts";

/** The findings of one stage, as stored, and the time. */
export interface Found<Data> {
  readonly data: Data;
  readonly at: Date;
}

/** The findings of extraction: what is on the receipt. */
export interface Extracted {
  readonly reading: ReceiptReading;
  /** The OCR's text. Absent in receipts that were read by a release that didn't store it. */
  readonly page?: PartedPage;
  /** Evidence in the text for the declared merchant. */
  readonly name: NameEvidence;
  /** The declared amount is in the text. */
  readonly isAmountPrinted: boolean;
}

/** The findings of a receipt's stages. A stage that has not finished is absent. */
export interface Findings {
  readonly Extracted?: Found<Extracted>;
  readonly Enriched?: Found<Enriched>;
  readonly Validated?: Found<{ readonly checks: readonly Check[] }>;
  readonly Scored?: Found<ComposedRecord>;
  readonly Completed?: Found<{ readonly transactionId: string }>;
  /** The checks that rejected the receipt. */
  readonly Failed?: Found<{ readonly checks: readonly Check[]; readonly similarTo?: string }>;
}
