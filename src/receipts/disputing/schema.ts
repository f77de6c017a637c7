import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, text } from "../../http/schema-members.ts";
import { disputeMembers } from "../../webhooks/receipt-event-schema.ts";
import { CorrectionBody } from "../corrections/schema.ts";
import { DISPUTE_STATES } from "../disputes/dispute.ts";

/** A dispute in the status of its receipt. */
export const DisputeEntry = Type.Object(
  {
    ...disputeMembers,
    state: oneOf(DISPUTE_STATES, "open until it is decided; accepted by a correction; or rejected."),
    openedAt: instant("When the person reported it."),
    decidedAt: nullable(instant("When it was decided; null while it is open.")),
    reason: nullable(text("Why it was rejected, as you sent it; null for any other.")),
    correctionId: nullable(text("The correction that accepted it; null for any other.")),
    correction: nullable(
      CorrectionBody,
      "The body of a correction that does what the person asks for, to be sent as it is or changed. Null if the dispute " +
        "is decided, does not say what is right, or its line is gone.",
    ),
  },
  { title: "ReceiptDispute", description: "What a user reported as wrong on a receipt." },
);
export type DisputeEntry = Static<typeof DisputeEntry>;
