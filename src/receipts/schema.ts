import { Type } from "typebox";
import { instant, nullable, oneOf, text, money } from "../http/schema-members.ts";
import { ExcludedItem, Item, exclusionReason } from "../points/schema.ts";
import { ExtractedData, ReceiptCheck, receiptErrorCode, receiptTotals } from "../webhooks/receipt-event-schema.ts";
import { CorrectionEntry } from "./corrections/schema.ts";
import { DisputeEntry } from "./disputing/schema.ts";
import { STAGES } from "./receipt.ts";
import { DECISIONS } from "./holding/review.ts";
import { IMAGE_FIELDS } from "./upload.ts";
import { uploadMembers } from "./upload-schema.ts";

const partOf = (description: string) => Type.Optional(Type.String({ contentMediaType: "image/jpeg", description }));

/** The form of an upload. */
export const UploadForm = Type.Object(
  {
    ...uploadMembers,
    receiptImage: Type.String({
      contentMediaType: "image/jpeg",
      description:
        "The photo: JPEG or PNG by its content, at most 10 MiB and 50 megapixels. HEIC, the format of iPhones, has to be " +
        "converted before. iOS does so if a file field accepts `image/jpeg`. With further photos of one long receipt they " +
        "have at most 10 MiB together.",
    }),
    receiptImage2: partOf("A second photo of the same receipt, joined to the others by the lines that both show."),
    receiptImage3: partOf("A third one. Without a second one it is refused."),
    receiptImage4: partOf("A fourth one."),
    receiptImage5: partOf("A fifth one."),
  },
  {
    title: "ReceiptUpload",
    description:
      "A photo of a receipt, and the purchase as you know it. In any order. A long receipt may have up to five photos.",
  },
);

/** The response to an upload. */
export const UploadResponse = Type.Object(
  { receiptID: text("The receipt's id, for its events and its status."), message: text("For people.") },
  { title: "ReceiptAccepted", description: "The image is stored and will be read." },
);

const stateMembers = (stage: string) => ({
  stateType: Type.Literal(stage, { description: "The name of the stage." }),
  receiptID: text("The receipt's id."),
  userID: text("The user's id."),
  createdAt: instant("When the stage finished."),
  errorMessage: text("Why the receipt failed, if it failed after this stage; else empty."),
  receiptSource: oneOf(["api", "hosted_page"], "How the receipt was submitted."),
});

const UploadState = Type.Object(
  {
    ...stateMembers("Uploaded"),
    blobUrl: nullable(text("A link to the stored image, valid for 5 minutes; null if the image was deleted.")),
    blobName: text("The image's name in the store."),
    images: Type.Optional(
      Type.Array(
        Type.Object({
          blobUrl: nullable(text("A link to it, valid for 5 minutes; null if it was deleted.")),
          blobName: text("Its name in the store."),
        }),
        {
          minItems: 2,
          maxItems: IMAGE_FIELDS.length,
          description:
            "All images in the order in which they were sent, if there are several; the first one is that of `blobUrl`.",
        },
      ),
    ),
  },
  { title: "UploadState", description: "The image was received and stored." },
);

const ExtractedState = Type.Object(
  { ...stateMembers("Extracted"), extractedData: ExtractedData },
  { title: "ExtractedState", description: "The lines were read." },
);

const MatchedItem = Type.Object(
  {
    id: text("The item's own id, the same in the record."),
    name: text("As printed."),
    cleanedName: text("In a form for display."),
    qty: Type.Number({ description: "Pieces, or kilograms or litres." }),
    totalPrice: money("Of the line."),
    matchedIngredientName: text("The food that the line was matched to; empty if there is none."),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Confidence of the match; 0 if the line earns nothing.",
    }),
    exclusionReason: nullable(exclusionReason),
  },
  { title: "MatchedItem", description: "A line of the receipt and its food." },
);

const EnrichState = Type.Object(
  {
    ...stateMembers("Enriched"),
    businessName: text("The merchant's usual name."),
    businessID: text("The same as an id."),
    currency: text("ISO 4217 code."),
    currencyAssumed: Type.Boolean({ description: "The receipt shows neither a currency nor a country." }),
    items: Type.Array(MatchedItem, { description: "The lines of the receipt." }),
  },
  { title: "EnrichState", description: "The lines were matched to foods." },
);

const checks = Type.Array(ReceiptCheck, { description: "The checks and their results." });

const ValidatedState = Type.Object(
  { ...stateMembers("Validated"), checks },
  { title: "ValidatedState", description: "The receipt has passed every check." },
);

const Totals = Type.Object(receiptTotals, { title: "ReceiptTotals", description: "The sums of a receipt." });

const ScoredState = Type.Object(
  {
    ...stateMembers("Scored"),
    items: Type.Array(Item, { description: "The lines that earn points." }),
    excludedItems: Type.Array(ExcludedItem, { description: "The lines that earn nothing, and why." }),
    totals: Totals,
  },
  { title: "ScoredState", description: "The points were counted." },
);

const CompletedState = Type.Object(
  {
    ...stateMembers("Completed"),
    transactionID: text("The id of the record, for reading its details."),
    ...receiptTotals,
  },
  { title: "CompletedState", description: "The points were credited." },
);

const FailedState = Type.Object(
  { ...stateMembers("Failed"), checks },
  { title: "FailedState", description: "The checks that rejected the receipt." },
);

const StatusDocument = Type.Object(
  {
    status: Type.Enum([0, 1, 2, 3, 4, 5, 6], {
      type: "integer",
      description: `The stage as a number: ${STAGES.map((stage, i) => `${i} = ${stage}`).join(", ")}, 6 = Failed.`,
    }),
    lastUpdated: instant("When the status last changed."),
    uploadStateData: UploadState,
    extractedStateData: Type.Optional(ExtractedState),
    enrichStateData: Type.Optional(EnrichState),
    validatedStateData: Type.Optional(ValidatedState),
    scoredStateData: Type.Optional(ScoredState),
    completedStateData: Type.Optional(CompletedState),
    failedStateData: Type.Optional(FailedState),
  },
  {
    title: "ReceiptStatusDoc",
    description: "The findings of each finished stage. A stage that has not finished is absent.",
  },
);

/** The response with a receipt's status. */
export const ReceiptStatus = Type.Object(
  {
    status: oneOf([...STAGES, "Failed"], "The last stage that finished, or Failed."),
    receiptID: text("The receipt's id."),
    transactionId: text("Your own reference; the receipt's id if you gave none."),
    userId: text("The user's id."),
    lastUpdated: instant("When the status last changed."),
    errorCode: nullable(receiptErrorCode),
    errorMessage: nullable(text("Why the receipt failed, for people; null if it has not.")),
    duplicateOf: Type.Optional(
      text("The earlier receipt that it repeats, if that is the same user's; absent for any other failure."),
    ),
    held: Type.Optional(
      Type.Boolean({ description: "Whether it waits for your decision; absent if it was never held." }),
    ),
    review: Type.Optional(
      Type.Object(
        {
          because: Type.Array(Type.String(), { description: "Names of checks that hold it, or `confidence`." }),
          heldAt: instant("When it was held."),
          decision: nullable(oneOf(DECISIONS, "Your decision; null before it.")),
          reason: nullable(text("The reason as you sent it; null before the decision.")),
          decidedAt: nullable(instant("When it was decided; null before.")),
        },
        { title: "ReceiptReview", description: "Why the receipt was held, and your decision; absent if it never was." },
      ),
    ),
    corrections: Type.Optional(
      Type.Array(CorrectionEntry, {
        description:
          "The corrections, the first one first; absent without any. The stages show the receipt as first read.",
      }),
    ),
    disputes: Type.Optional(
      Type.Array(DisputeEntry, {
        description: "What the user reported as wrong on the hosted page, the first one first; absent without any.",
      }),
    ),
    receiptStatusDoc: StatusDocument,
  },
  { title: "ReceiptStatus", description: "The status of a receipt." },
);
