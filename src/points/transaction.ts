// Converts stored records to the Transaction records of the interface. Every member is always present with its type;
// only `reward.validTill` and the ratings of an excluded item may be null.
import { BONUS_TYPE, TIER, TRANSACTION_SOURCE } from "./codes.ts";
import type { Operation, RecordStatus, TransactionSource } from "./codes.ts";
import { totalPoints } from "./entry.ts";
import type { Posted } from "./balance.ts";
import type { Amounts, Entry, RecordSource } from "./entry.ts";
import { fromMinor, pricePerUnit } from "./money.ts";
import type { RecordBody } from "./record.ts";
import type { ItemFacts } from "./scored-line.ts";
import type { Bonus, ExcludedItem, Item, Reward, TransactionRecord } from "./schema.ts";

/** A stored record of the ledger, with its status of today. */
export interface RecordRow extends Amounts {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  /** Gapless for each user. */
  readonly sequence: number;
  readonly source: RecordSource;
  /** Id of the submission, redemption, adjustment … */
  readonly submissionId: string;
  /** The record that this one reverses, refunds or corrects; null for others. */
  readonly relatedId: string | null;
  /** Whether its points count in lifetimePoints. */
  readonly isLifetime: boolean;
  readonly operation: Operation;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly body: RecordBody;
}

/** The reward of a record without one. */
export const NO_REWARD: Reward = {
  id: "",
  name: "",
  voucherIdentifier: "",
  brand: "",
  category: "",
  code: "",
  description: "",
  imageUrl: "",
  logoUrl: "",
  location: "",
  offer: "",
  points: 0,
  value: 0,
  tier: TIER.none,
  terms: [],
  validTill: null,
};

/** The bonus of a record without one. */
export const NO_BONUS: Bonus = { profileId: "", firstName: "", lastName: "", type: BONUS_TYPE.none };

const SOURCE_CODES: Readonly<Record<RecordSource, TransactionSource>> = {
  receipt: TRANSACTION_SOURCE.receiptScan,
  meal: TRANSACTION_SOURCE.mealEntry,
  food: TRANSACTION_SOURCE.itemTracking,
  manual: TRANSACTION_SOURCE.manual,
  reward: TRANSACTION_SOURCE.reward,
};

/** The row of an entry that was just appended, as a read would return it: nothing has become of it yet. */
export function rowOf(entry: Entry, { id, sequence, createdAt }: Posted): RecordRow {
  const { applicationId, userId, source, submissionId, relatedId, isLifetime, operation, status, body } = entry;
  const members = { applicationId, userId, source, submissionId, relatedId, isLifetime, operation, status, body };
  return { ...entry.amounts, ...members, id, sequence, createdAt, updatedAt: createdAt };
}

/** Converts a stored record to its public form. The names of a bonus are empty: `withNames` fills them in. */
export function presentRecord(row: RecordRow): TransactionRecord {
  const { body } = row;
  const points = totalPoints(row);
  const createdAt = row.createdAt.toISOString();
  const updatedAt = row.updatedAt.toISOString();
  return {
    id: row.id,
    userID: row.userId,
    totalPoints: points,
    operation: row.operation,
    transaction: {
      brand: body.brand,
      createdAt,
      excludedItems: presentExcludedItems(body),
      items: presentItems(body),
      externalTransactionID: body.reference,
      location: body.location,
      logo: body.logo,
      partnerType: body.partnerType,
      transactionSource: SOURCE_CODES[row.source],
      transactionID: row.id,
      timestamp: body.timestamp,
      totalAmount: fromMinor(body.totalAmountMinor, body.currency),
      totalBonusPoints: row.bonusPoints,
      totalCO2e: kilograms(row.co2eMg),
      totalGreenProducts: row.greenProducts,
      totalHealthPoints: row.healthPoints,
      totalPoints: points,
      updatedAt,
      userID: row.userId,
    },
    reward: body.reward ?? NO_REWARD,
    bonus: body.bonus ? { ...NO_BONUS, profileId: body.bonus.profileId, type: body.bonus.type } : NO_BONUS,
    status: row.status,
    createdAt,
    updatedAt,
    ...(body.reason !== undefined && { reason: body.reason }),
    ...(row.relatedId !== null && { relatedTransactionID: row.relatedId }),
  };
}

/** The items that earned points, as shown in records, events and status documents. */
export function presentItems(body: RecordBody): Item[] {
  return body.items.map((item) => ({
    ...presentFacts(item, body),
    bonusPoints: item.bonusPoints,
    healthPoints: item.healthPoints,
    totalServicePoints: item.healthPoints + item.carbonPoints + item.bonusPoints,
    totalCO2e: kilograms(item.co2eMg),
    carbonImpactRating: item.carbonRating,
    healthImpactRating: item.healthRating,
    carbonDataSource: item.carbonDataSource,
  }));
}

/** The items that earned nothing, as shown in records, events and status documents. */
export function presentExcludedItems(body: RecordBody): ExcludedItem[] {
  return body.excludedItems.map((item) => ({
    ...presentFacts(item, body),
    bonusPoints: 0,
    healthPoints: 0,
    totalServicePoints: 0,
    totalCO2e: 0,
    carbonImpactRating: null,
    healthImpactRating: null,
    carbonDataSource: "",
    exclusionReason: item.exclusionReason,
  }));
}

/** Converts milligrams, an integer, to the number of kilograms to show. */
export function kilograms(massMg: number): number {
  return massMg / 1e6;
}

function presentFacts(item: ItemFacts, { currency, partnerType }: RecordBody) {
  return {
    externalId: item.externalId,
    name: item.name,
    cleanedName: item.cleanedName,
    qty: item.quantity,
    pricePerUnit: pricePerUnit(item.amountMinor, item.quantity, currency),
    partnerType,
    id: item.id,
    imageURL: item.imageUrl,
    matchedIngredientName: item.matchedName,
  };
}
