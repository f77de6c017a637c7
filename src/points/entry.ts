import type { Source } from "./award.ts";
import { OPERATION, PARTNER_TYPE, RECORD_STATUS } from "./codes.ts";
import type { Operation, RecordStatus } from "./codes.ts";
import { recordTotals } from "./record.ts";
import type { Settled } from "./extras.ts";
import { packInputs } from "./explained/packed-inputs.ts";
import type { PackedInputs } from "./explained/packed-inputs.ts";
import type { ComposedRecord, ItemBasis, RecordBody } from "./record.ts";

/** Origin of a record: a submission, a person or program of the integrator (`manual`), or a reward. */
export type RecordSource = Source | "manual" | "reward";

/** The signed amounts that a record adds to a balance. All are integers. */
export interface Amounts {
  readonly healthPoints: number;
  readonly carbonPoints: number;
  readonly bonusPoints: number;
  /** Points of no rating: a price, a refund, an adjustment, an expiry. */
  readonly otherPoints: number;
  readonly greenProducts: number;
  readonly healthyProducts: number;
  readonly co2eMg: number;
}

export const NO_AMOUNTS: Amounts = {
  healthPoints: 0,
  carbonPoints: 0,
  bonusPoints: 0,
  otherPoints: 0,
  greenProducts: 0,
  healthyProducts: 0,
  co2eMg: 0,
};

/** The inputs that the points were computed from: they explain the record later. */
export interface RuleUse {
  readonly rule: string;
  /** JSON of the inputs; null: they are packed. */
  readonly inputs: string | null;
  /** Those of an award. */
  readonly packed?: PackedInputs;
  readonly catalogueVersion: string;
}

/** A record to append to the ledger. */
export interface Entry {
  readonly applicationId: string;
  readonly userId: string;
  readonly operation: Operation;
  readonly status: RecordStatus;
  readonly source: RecordSource;
  /** Id of the submission, redemption, adjustment, bonus … It is unique among the user's records of this source. */
  readonly submissionId: string;
  /** The record of the same user that this one reverses, refunds or corrects. */
  readonly relatedId: string | null;
  /** Whether the points count in lifetimePoints: all that is earned, and what takes it back. */
  readonly isLifetime: boolean;
  readonly amounts: Amounts;
  readonly body: RecordBody;
  readonly ruleUse: RuleUse;
  /** The evidence of the items of an award, for the daily figures. */
  readonly bases?: readonly ItemBasis[];
  /** The extras of an award, for the same. */
  readonly extras?: Settled["extras"];
  /** Present on the records of an opening balance. */
  readonly isOpening?: true;
  /** Whether it may make the balance negative. Only what takes back earned points may. */
  readonly mayOverdraw: boolean;
}

/** Points of no rule: a person or program decided them. */
export const NO_RULE: RuleUse = { rule: "none", inputs: "{}", catalogueVersion: "" };

/** The body of a record without items. It has no amount of money, and so no currency (ISO 4217: XXX). */
export function bodyWithoutItems(reference: string, at: Date): RecordBody {
  return {
    reference,
    brand: "",
    logo: "",
    location: "",
    partnerType: PARTNER_TYPE.unspecified,
    timestamp: at.toISOString(),
    currency: "XXX",
    totalAmountMinor: 0,
    items: [],
    excludedItems: [],
  };
}

/** The sum of all points of an entry: what it adds to availablePoints. */
export function totalPoints({ healthPoints, carbonPoints, bonusPoints, otherPoints }: Amounts): number {
  return healthPoints + carbonPoints + bonusPoints + otherPoints;
}

/** The entry of an award. */
export function earning(
  award: Pick<Entry, "applicationId" | "userId" | "submissionId"> & {
    readonly source: Source;
    readonly record: ComposedRecord;
    readonly catalogueVersion: string;
  },
): Entry {
  const { applicationId, userId, submissionId, source, record, catalogueVersion } = award;
  return {
    applicationId,
    userId,
    submissionId,
    source,
    operation: OPERATION.earn,
    status: RECORD_STATUS.completed,
    relatedId: null,
    isLifetime: true,
    amounts: { ...recordTotals(record.body), otherPoints: 0 },
    body: record.body,
    ruleUse: {
      rule: record.award.rule,
      inputs: null,
      packed: packInputs(record, submissionId),
      catalogueVersion,
    },
    bases: record.bases,
    ...(record.settled && { extras: record.settled.extras }),
    mayOverdraw: false,
  };
}
