import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, nullable, oneOf, points, text } from "../../http/schema-members.ts";
import { MovedResponse } from "../../points/adjustments/schema.ts";
import { CorrectionStateSchema } from "../../points/explanation-schema.ts";
import { TransactionRecord } from "../../points/schema.ts";
import { STAGES } from "../receipt.ts";
import { DISPUTES_MAX } from "../disputes/dispute.ts";
import { LINES_MAX, LINE_UNITS } from "./correction.ts";

const AMOUNT_MAX = 1_000_000;

const LineChangeSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          "The line, by its id in the status document. Of a receipt that failed before its lines were matched, the first " +
          "line as read is `<receiptID>-1`. Without it: a new line, which needs name, quantity and totalPrice.",
      }),
    ),
    remove: Type.Optional(Type.Boolean({ description: "The receipt doesn't have this line." })),
    notFood: Type.Optional(Type.Boolean({ description: "The line is no food and earns nothing." })),
    name: Type.Optional(Type.String({ pattern: "\\S", maxLength: 255, description: "The food, in words." })),
    foodId: Type.Optional(
      Type.String({ pattern: "\\S", maxLength: 255, description: "The food, by its id in the catalogue or your own." }),
    ),
    quantity: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: "Pieces, or kilograms or litres." }),
    ),
    unit: Type.Optional(oneOf(LINE_UNITS, "Unit of the quantity; without it as before, or pieces.")),
    totalPrice: Type.Optional(
      Type.Number({ minimum: -AMOUNT_MAX, maximum: AMOUNT_MAX, description: "Price of the line, in major units." }),
    ),
  },
  { title: "LineCorrection", description: "What becomes of one line. Members that are absent stay as they are." },
);

export const CorrectionBody = Type.Object(
  {
    reason: Type.String({ pattern: "\\S", maxLength: 255, description: "Why, for people to read later." }),
    merchantName: Type.Optional(Type.String({ pattern: "\\S", maxLength: 255, description: "The merchant's name." })),
    transactionTimestamp: Type.Optional(
      Type.String({
        format: "date-time",
        description: "When it was bought: the time that the receipt prints, as UTC.",
      }),
    ),
    totalAmount: Type.Optional(
      Type.Number({ minimum: 0, maximum: AMOUNT_MAX, description: "Amount paid, in major units." }),
    ),
    items: Type.Optional(
      Type.Array(LineChangeSchema, {
        minItems: 1,
        maxItems: LINES_MAX,
        description: `The lines that change. The receipt then has at most ${LINES_MAX}.`,
      }),
    ),
    disputeIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64, description: "The id of an open dispute of this receipt." }), {
        maxItems: DISPUTES_MAX,
        description: "The disputes that this correction accepts.",
      }),
    ),
    decision: Type.Optional(
      oneOf(["accept"], "Accepts a held receipt as corrected, for the same reason: both happen, or neither."),
    ),
  },
  {
    title: "ReceiptCorrection",
    description: "What was misread on a receipt. At least one of merchant, time, total and items.",
  },
);

const { reason: _reason, disputeIds: _disputeIds, decision: _decision, ...corrected } = CorrectionBody.properties;

/** A correction that is only previewed: it needs no reason. */
export const PreviewBody = Type.Object(
  { reason: Type.Optional(CorrectionBody.properties.reason), ...corrected },
  {
    title: "CorrectionPreviewRequest",
    description: "What would be corrected. Without any member: the receipt as it is.",
  },
);

export const PreviewResponse = Type.Object(
  {
    receiptID: text("The receipt's id."),
    points: points("What would be booked: the difference, or all points of a receipt that is not credited yet."),
    waivedPoints: count("Points that are spent already and would not be taken; 0 unless a setting says so."),
    before: CorrectionStateSchema,
    after: CorrectionStateSchema,
  },
  { title: "CorrectionPreview", description: "What a correction would change, at this moment." },
);
export type PreviewResponse = Static<typeof PreviewResponse>;

export const CorrectionResponse = Type.Object(
  {
    correctionId: text("The correction's id: the subject of its event."),
    receiptID: text("The receipt's id."),
    status: oneOf(
      [...STAGES],
      "Completed; Enriched, if the receipt had failed and is processed again; or Validated, if it is or was held.",
    ),
    transaction: nullable(
      TransactionRecord,
      "The record of the difference; null for a receipt that is not credited yet.",
    ),
    balance: nullable(MovedResponse.properties.balance, "The balance just after this record; null without a record."),
    waivedPoints: count("Points that were spent already and were not taken; 0 unless a setting says so."),
    before: CorrectionStateSchema,
    after: nullable(CorrectionStateSchema, "Null for a receipt that is not credited yet: its status shows it."),
  },
  { title: "CorrectionResponse", description: "What the correction has changed." },
);
export type CorrectionResponse = Static<typeof CorrectionResponse>;

/** A correction in a status document. */
export const CorrectionEntry = Type.Object(
  {
    correctionId: text("The correction's id."),
    reason: text("The reason as you sent it."),
    correctedAt: instant("When it was corrected."),
    transactionID: nullable(text("The record of the difference; null if the receipt was processed again instead.")),
    totalPoints: points("Points that the record has added; negative for points taken."),
    before: CorrectionStateSchema,
    after: nullable(CorrectionStateSchema, "Null if the receipt was not credited yet: the stages show it."),
  },
  { title: "ReceiptCorrectionEntry", description: "A correction of the receipt, with what it was before and after." },
);
export type CorrectionEntry = Static<typeof CorrectionEntry>;
