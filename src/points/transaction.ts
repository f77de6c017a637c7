// The Transaction record of the interface and how it is made from what is stored. Every member is always present with
// its type; only `reward.validTill` and the ratings of an excluded item may be null.
import type { Rating } from "../foods/health.ts";
import type { Source } from "./award.ts";
import { BONUS_TYPE, OPERATION, RECORD_STATUS, TIER, TRANSACTION_SOURCE } from "./codes.ts";
import type { BonusType, Operation, PartnerType, RecordStatus, Tier, TransactionSource } from "./codes.ts";
import { fromMinor, pricePerUnit } from "./money.ts";
import { recordTotals } from "./record.ts";
import type { ExclusionReason, ItemFacts, RecordBody } from "./record.ts";

export * from "./codes.ts";

/** An item that counts. Money in major units, `totalCO2e` in kg; `totalServicePoints` = health + carbon + bonus points. */
export interface Item {
  readonly externalId: string;
  readonly name: string;
  readonly cleanedName: string;
  readonly qty: number;
  readonly pricePerUnit: number;
  readonly partnerType: PartnerType;
  readonly bonusPoints: number;
  readonly healthPoints: number;
  readonly id: string;
  readonly imageURL: string;
  readonly totalServicePoints: number;
  readonly totalCO2e: number;
  readonly carbonImpactRating: Rating;
  readonly healthImpactRating: Rating;
  readonly carbonDataSource: string;
  readonly matchedIngredientName: string;
}

/** An item that earns nothing, and why; it has no ratings. */
export interface ExcludedItem extends Omit<Item, "carbonImpactRating" | "healthImpactRating"> {
  readonly carbonImpactRating: null;
  readonly healthImpactRating: null;
  readonly exclusionReason: ExclusionReason;
}

/** The body of a record. Times are RFC 3339 in UTC with milliseconds; `timestamp` is when it was bought or eaten. */
export interface TransactionBody {
  readonly brand: string;
  readonly createdAt: string;
  readonly excludedItems: readonly ExcludedItem[];
  readonly items: readonly Item[];
  readonly externalTransactionID: string;
  readonly location: string;
  readonly logo: string;
  readonly partnerType: PartnerType;
  readonly transactionSource: TransactionSource;
  readonly transactionID: string;
  readonly timestamp: string;
  readonly totalAmount: number;
  readonly totalBonusPoints: number;
  readonly totalCO2e: number;
  readonly totalGreenProducts: number;
  readonly totalHealthPoints: number;
  readonly totalPoints: number;
  readonly updatedAt: string;
  readonly userID: string;
}

/** A reward taken with a record; empty on one that earns. */
export interface Reward {
  readonly id: string;
  readonly name: string;
  readonly voucherIdentifier: string;
  readonly brand: string;
  readonly category: string;
  readonly code: string;
  readonly description: string;
  readonly imageUrl: string;
  readonly logoUrl: string;
  readonly location: string;
  readonly offer: string;
  readonly points: number;
  readonly value: number;
  readonly tier: Tier;
  readonly terms: readonly string[];
  readonly validTill: string | null;
}

/** A bonus given with a record, and to whom it is owed; empty without one. */
export interface Bonus {
  readonly profileId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly type: BonusType;
}

/** An element of the list and the value of `transaction` in the detail. */
export interface TransactionRecord {
  readonly id: string;
  readonly userID: string;
  readonly totalPoints: number;
  readonly operation: Operation;
  readonly transaction: TransactionBody;
  readonly reward: Reward;
  readonly bonus: Bonus;
  readonly status: RecordStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A stored record of the ledger: it earned points and stands. */
export interface RecordRow {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  /** Gapless for each user. */
  readonly sequence: number;
  readonly source: Source;
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

const SOURCE_CODES: Readonly<Record<Source, TransactionSource>> = {
  receipt: TRANSACTION_SOURCE.receiptScan,
  meal: TRANSACTION_SOURCE.mealEntry,
  food: TRANSACTION_SOURCE.itemTracking,
};

/** The Transaction record that a stored row stands for. */
export function presentRecord(row: RecordRow): TransactionRecord {
  const { body } = row;
  const totals = recordTotals(body);
  const createdAt = row.createdAt.toISOString();
  const updatedAt = row.updatedAt.toISOString();
  return {
    id: row.id,
    userID: row.userId,
    totalPoints: totals.points,
    operation: OPERATION.earn,
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
      totalBonusPoints: totals.bonusPoints,
      totalCO2e: kilograms(totals.co2eMg),
      totalGreenProducts: totals.greenProducts,
      totalHealthPoints: totals.healthPoints,
      totalPoints: totals.points,
      updatedAt,
      userID: row.userId,
    },
    reward: NO_REWARD,
    bonus: NO_BONUS,
    status: RECORD_STATUS.completed,
    createdAt,
    updatedAt,
  };
}

/** The items that count, as records, events and status documents show them. */
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

/** The items that do not count, as records, events and status documents show them. */
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

/** Milligrams, an integer, as the number of kilograms to show. */
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
