import type { TSchema } from "typebox";
import { TEST_EVENT } from "./event.ts";
import type { EventType } from "./event.ts";
import { RewardsAwarded, TestEvent } from "./event-schema.ts";
import examples from "../openapi-examples/events.json" with { type: "json" };
import * as intakes from "./intake-event-schema.ts";
import * as points from "./points-event-schema.ts";
import * as receipts from "./receipt-event-schema.ts";
import * as sessions from "./session-event-schema.ts";

/** One kind of event, as the OpenAPI document describes it. */
export interface EventDescription {
  readonly type: EventType | typeof TEST_EVENT;
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

function describe(type: EventType, schema: TSchema, summary: string, description: string): EventDescription {
  return { type, summary, description, schema, example: examples[type] };
}

/** Every event that is sent, in the order of a submission's life. */
export const EVENT_DESCRIPTIONS: readonly EventDescription[] = [
  describe(
    "intake.received",
    intakes.IntakeReceived,
    "A meal or food was accepted",
    "It is safely stored: `createdAt` is that time. Sent before the other events, once it is scored.",
  ),
  describe(
    "intake.scored",
    intakes.IntakeScored,
    "A meal or food was rated",
    "Has the ratings of each ingredient and of the whole. Points follow with `intake.completed`.",
  ),
  describe(
    "intake.completed",
    intakes.IntakeCompleted,
    "A meal or food was credited",
    "The points are in the user's balance. This is the last event of the submission, before `rewards.awarded`.",
  ),
  describe(
    "intake.failed",
    intakes.IntakeFailed,
    "A meal or food earned nothing",
    "Has the reason. This is its last event; its reference can be used again.",
  ),
  describe(
    "receipt_uploaded",
    receipts.ReceiptUploaded,
    "A receipt was received",
    "Sent when the image is safely stored, for every way of uploading.",
  ),
  describe("receipt_extracted", receipts.ReceiptExtracted, "A receipt was read", "Has the content of the image."),
  describe(
    "receipt_validated",
    receipts.ReceiptValidated,
    "A receipt was found genuine",
    "Has the checks, with the confidence of each.",
  ),
  describe(
    "receipt_completed",
    receipts.ReceiptCompleted,
    "A receipt was credited",
    "The points are in the user's balance. This is the last event of the submission, before `rewards.awarded`.",
  ),
  describe(
    "receipt_failed",
    receipts.ReceiptFailed,
    "A receipt earned nothing",
    "Has the reason, and the last finished stage. This is its last event; its reference can be used again.",
  ),
  describe(
    "receipt_held",
    receipts.ReceiptHeld,
    "A receipt waits for your decision",
    "Sent after `receipt_validated` if your application holds such receipts for review. `receipt_completed` or " +
      "`receipt_failed` follows after the decision.",
  ),
  describe(
    "receipt_corrected",
    receipts.ReceiptCorrected,
    "A receipt was corrected",
    "Sent once for each correction. Points that it adds or takes have a record of their own; a receipt that had failed is " +
      "processed again, and its further events follow.",
  ),
  describe(
    "receipt_disputed",
    receipts.ReceiptDisputed,
    "A user reported something on a receipt as wrong",
    "Sent once for each dispute, from the hosted page. It changes no points: correct the receipt, or reject the dispute.",
  ),
  describe(
    "rewards.awarded",
    RewardsAwarded,
    "A balance has grown",
    "Sent once for each credited record of more than 0 points, after its `intake.completed` or `receipt_completed`. Its " +
      "name is in `eventType`.",
  ),
  describe(
    "bonus.awarded",
    points.BonusAwarded,
    "A bonus was awarded",
    "Sent once for each bonus, with its reason, its related user and the balance after it.",
  ),
  describe(
    "points.adjusted",
    points.PointsAdjusted,
    "A balance was adjusted",
    "Sent once for each adjustment, with its reason and the balance after it.",
  ),
  describe(
    "points.reversed",
    points.PointsReversed,
    "Points were taken back",
    "Sent once for each reversal, with its reason, the record that it reverses, and the balance after it.",
  ),
  describe(
    "points.redeemed",
    points.PointsRedeemed,
    "Points were spent on a reward",
    "Sent once for each redemption, with its reward and the balance after it; `status` is pending for a reservation.",
  ),
  describe(
    "redemption.confirmed",
    points.RedemptionConfirmed,
    "A reservation was confirmed",
    "Sent once for each reservation that is confirmed. No points move: they were taken when it was reserved.",
  ),
  describe(
    "voucher.used",
    points.VoucherUsed,
    "A voucher was used",
    "Sent once for each voucher, with the place and reference that you sent.",
  ),
  describe(
    "points.refunded",
    points.PointsRefunded,
    "A redemption was undone",
    "Sent once for each redemption that was refunded, released or not confirmed in time, with the balance after it.",
  ),
  describe(
    "points.expiring",
    points.PointsExpiring,
    "Points will expire soon",
    "Sent once for each user and date, some days before: `app points --notice-days`.",
  ),
  describe(
    "points.expired",
    points.PointsExpired,
    "Points have expired",
    "Sent once for each record of an expiry, with the balance after it.",
  ),
  describe(
    "tier.changed",
    points.TierChanged,
    "A user rose or fell to another tier",
    "Sent once for each change, whatever caused it: points that were earned or taken back, points that no longer count, " +
      "or another version of your programme. Written in the same transaction as what moved the points.",
  ),
  describe(
    "session.completed",
    sessions.SessionCompleted,
    "A hosted page was completed",
    "The user agreed to take part and is enrolled (`userId`), or uploaded a receipt (`receiptId`). Written in the same " +
      "transaction as the enrolment or the receipt, even if the user never returns to your app.",
  ),
  describe(
    "session.declined",
    sessions.SessionDeclined,
    "A user declined",
    "The user did not agree to take part on the consent page. Nobody was enrolled.",
  ),
  describe(
    "session.expired",
    sessions.SessionExpired,
    "A hosted page was not completed in time",
    "Sent within a minute after `expiresAt`.",
  ),
  {
    type: TEST_EVENT,
    summary: "An endpoint is tested",
    description: "Sent to one endpoint when its test is requested, independent of its choice of events.",
    schema: TestEvent,
    example: {
      event: TEST_EVENT,
      endpointId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
      createdAt: "2026-01-31T12:00:00.000Z",
    },
  },
];
