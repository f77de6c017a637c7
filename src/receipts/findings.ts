import type { ComposedRecord } from "../points/record.ts";
import type { Check } from "./checks/check.ts";
import type { NameEvidence } from "./checks/name.ts";
import type { ReceiptReading } from "./parsing/parse.ts";
import type { OcrPage } from "../ocr/page.ts";
import type { Enriched } from "./score.ts";

/** What a stage found, as stored, and when. */
export interface Found<Data> {
  readonly data: Data;
  readonly at: Date;
}

/** What the stages of a receipt found; a stage that has not finished is absent. */
export interface Findings {
  readonly Extracted?: Found<{
    readonly reading: ReceiptReading;
    /** What the OCR saw; absent in what was read before pages were kept. */
    readonly page?: OcrPage;
    /** What the text says of the declared merchant and amount. */
    readonly name: NameEvidence;
    readonly isAmountPrinted: boolean;
  }>;
  readonly Enriched?: Found<Enriched>;
  readonly Validated?: Found<{ readonly checks: readonly Check[] }>;
  readonly Scored?: Found<ComposedRecord>;
  readonly Completed?: Found<{ readonly transactionId: string }>;
  /** The checks of a receipt that they rejected. */
  readonly Failed?: Found<{ readonly checks: readonly Check[] }>;
}
