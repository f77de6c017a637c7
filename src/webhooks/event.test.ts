import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES, newEvent } from "./event.ts";
import type { IntakeFailed, RewardsAwarded } from "./event.ts";

const OWNER = { applicationId: "a", userId: "u", subject: "s" };
const AT = new Date("2026-05-01T12:00:00.000Z");

const FAILED: IntakeFailed = {
  event: "intake.failed",
  source: "meal",
  transactionId: "order-1",
  trackId: "s",
  userId: "u",
  errorType: "DATA_INCOMPLETE",
  errorMessage: "ingredients[0].currency",
  failedAt: AT.toISOString(),
};
const AWARDED: RewardsAwarded = {
  eventType: "rewards.awarded",
  data: {
    user: { id: "u", availablePoints: 5, lifetimePoints: 5 },
    transaction: {
      transactionID: "r",
      totalPoints: 5,
      items: [
        { name: "crème 漢字\u202e\u0000\ud800", carbonImpactRating: 1, healthImpactRating: 2, totalServicePoints: 5 },
      ],
    },
  },
};

test("an endpoint can subscribe to these events, and to no other", () => {
  assert.deepEqual(EVENT_TYPES, [
    "intake.received",
    "intake.scored",
    "intake.completed",
    "intake.failed",
    "receipt_uploaded",
    "receipt_extracted",
    "receipt_validated",
    "receipt_completed",
    "receipt_failed",
    "rewards.awarded",
    "receipt_held",
    "receipt_corrected",
    "receipt_disputed",
    "bonus.awarded",
    "points.adjusted",
    "points.reversed",
    "points.redeemed",
    "redemption.confirmed",
    "voucher.used",
    "points.refunded",
    "points.expiring",
    "points.expired",
    "tier.changed",
    "session.completed",
    "session.declined",
    "session.expired",
  ]);
});

test("an event goes out flat, with exactly its members", () => {
  const { body, type } = newEvent("id", OWNER, FAILED, AT);
  assert.equal(type, "intake.failed");
  assert.deepEqual(JSON.parse(body), FAILED);
});

test("rewards.awarded names itself by eventType and comes after the completion", () => {
  const event = newEvent("id", OWNER, AWARDED, AT);
  assert.equal(event.type, "rewards.awarded");
  assert.ok(event.position > newEvent("id", OWNER, FAILED, AT).position);
});

test("a body can be stored whatever the names hold: no NUL and no lone surrogate is left in it", () => {
  const { body } = newEvent("id", OWNER, AWARDED, AT);
  assert.ok(body.isWellFormed() && !body.includes("\0"));
  assert.deepEqual(JSON.parse(body), AWARDED);
});
