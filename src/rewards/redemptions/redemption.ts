// A redemption: points for a reward, at once or reserved first, and the way back. Pure.
import { OPERATION, RECORD_STATUS } from "../../points/codes.ts";
import type { RecordStatus } from "../../points/codes.ts";
import { NO_AMOUNTS, NO_RULE, bodyWithoutItems } from "../../points/entry.ts";
import type { Entry } from "../../points/entry.ts";
import type { RecordRow } from "../../points/transaction.ts";
import type { Reward as RewardSnapshot } from "../../points/schema.ts";
import type { Errors } from "../../problems.ts";

export const REDEMPTION_STATES = ["pending", "completed", "released", "expired", "refunded"] as const;
export type RedemptionState = (typeof REDEMPTION_STATES)[number];

export interface RedemptionOwner {
  readonly applicationId: string;
  readonly userId: string;
}

/** The entry of a redemption. `id` (UUIDv7) is its own. */
export function redeeming(
  { applicationId, userId }: RedemptionOwner,
  {
    id,
    reward,
    reference,
    isReserved,
  }: {
    readonly id: string;
    readonly reward: RewardSnapshot;
    readonly reference: string;
    readonly isReserved: boolean;
  },
  at: Date,
): Entry {
  return {
    applicationId,
    userId,
    operation: OPERATION.redeem,
    status: isReserved ? RECORD_STATUS.pending : RECORD_STATUS.completed,
    source: "reward",
    submissionId: id,
    relatedId: null,
    isLifetime: false,
    // Not -0, which PostgreSQL would refuse as an integer.
    amounts: { ...NO_AMOUNTS, otherPoints: 0 - reward.points },
    body: {
      ...bodyWithoutItems(reference, at),
      brand: reward.brand,
      logo: reward.logoUrl,
      location: reward.location,
      reward,
    },
    ruleUse: NO_RULE,
    mayOverdraw: false,
  };
}

/** The entry that returns the points of a redemption. `id` (UUIDv7) is its own. */
export function refunding(redeemed: RecordRow, reason: string, id: string, at: Date): Entry {
  const { applicationId, userId, body, otherPoints } = redeemed;
  return {
    applicationId,
    userId,
    operation: OPERATION.refund,
    status: RECORD_STATUS.completed,
    source: "reward",
    submissionId: id,
    relatedId: redeemed.id,
    isLifetime: false,
    amounts: { ...NO_AMOUNTS, otherPoints: 0 - otherPoints },
    body: { ...body, timestamp: at.toISOString(), reason },
    ruleUse: NO_RULE,
    mayOverdraw: false,
  };
}

/** A way back: the state of the redemption and of its record after it. */
export const WAYS_BACK = {
  release: { from: "pending", to: "released", status: RECORD_STATUS.failed, reason: "Released" },
  expire: { from: "pending", to: "expired", status: RECORD_STATUS.expired, reason: "Not confirmed in time" },
  refund: { from: "completed", to: "refunded", status: RECORD_STATUS.reversed, reason: "Refunded" },
} as const satisfies Readonly<
  Record<string, { from: RedemptionState; to: RedemptionState; status: RecordStatus; reason: string }>
>;
export type WayBack = keyof typeof WAYS_BACK;

/** A stored redemption, as far as its end is concerned. */
export interface RedemptionStatus {
  readonly state: RedemptionState;
  /** Until when a reservation can be confirmed. */
  readonly holdUntil: Date | null;
  readonly validTill: Date | null;
  readonly usedAt: Date | null;
}

/** Why a redemption cannot go back this way; null if it can. */
export function refusalOfWayBack(
  { state, holdUntil, usedAt }: RedemptionStatus,
  way: WayBack,
  at: Date,
): "state" | "used" | "already" | null {
  if (way === "refund" && (state === "refunded" || state === "released" || state === "expired")) return "already";
  if (state !== WAYS_BACK[way].from) return "state";
  if (usedAt !== null) return "used";
  if (way === "expire" && holdUntil !== null && at < holdUntil) return "state";
  return null;
}

/** Whether a reservation can be confirmed now. */
export function isConfirmable({ state, holdUntil }: RedemptionStatus, at: Date): boolean {
  return state === "pending" && holdUntil !== null && at < holdUntil;
}

/** The errors of a request that its schema cannot express. */
export function redemptionErrors(sent: unknown): Errors {
  const { rewardId, points, reward, reserve, holdSeconds } = (sent ?? {}) as Record<string, unknown>;
  const errors: Errors = {};
  if (rewardId === undefined && reward === undefined) errors["rewardId"] = ["is required, unless reward is given"];
  if (rewardId !== undefined && reward !== undefined) errors["reward"] = ["must not be given with rewardId"];
  if (reward !== undefined && points === undefined) errors["points"] = ["is required with reward"];
  if (reward === undefined && points !== undefined) errors["points"] = ["is only for an own reward"];
  if (holdSeconds !== undefined && reserve !== true) errors["holdSeconds"] = ["is only for a reservation"];
  return errors;
}
