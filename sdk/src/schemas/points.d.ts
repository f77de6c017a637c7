// Written by generate.ts from the service's OpenAPI document: change that, not this.

import type { ExcludedItem, Item } from "./shared.d.ts";

/** A bonus given with a record. Without one, all of it is empty. */
export interface Bonus {
  /** Who it is owed to. */
  readonly profileId: string;
  /** Their given name. */
  readonly firstName: string;
  /** Their family name. */
  readonly lastName: string;
  /** What it is given for. 0 = none, 1 = referral, 2 = welcome, 3 = streak, 4 = campaign, 5 = manual. */
  readonly type: 0 | 1 | 2 | 3 | 4 | 5;
}

/** A reward taken with a record. On a record that earns, all of it is empty. */
export interface Reward {
  /** Id of the reward. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Number of the voucher. */
  readonly voucherIdentifier: string;
  /** Whose reward it is. */
  readonly brand: string;
  /** Its category. */
  readonly category: string;
  /** The code to redeem. */
  readonly code: string;
  /** What it is. */
  readonly description: string;
  /** Address of its picture. */
  readonly imageUrl: string;
  /** Address of the brand's logo. */
  readonly logoUrl: string;
  /** Where it holds. */
  readonly location: string;
  /** What is offered. */
  readonly offer: string;
  /** What it costs in points. */
  readonly points: number;
  /** What it is worth. */
  readonly value: number;
  /** For which members it is. 0 = none, 1 = bronze, 2 = silver, 3 = gold, 4 = platinum. */
  readonly tier: 0 | 1 | 2 | 3 | 4;
  /** Its conditions. */
  readonly terms: readonly (string)[];
  /** Until when it holds; null where there is no reward. RFC 3339, UTC, milliseconds. */
  readonly validTill: string | null;
}

/** What was bought or eaten, and what it was worth. */
export interface Transaction {
  /** The merchant's name; empty for a meal. */
  readonly brand: string;
  /** When the record was booked. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** What earned nothing. */
  readonly excludedItems: readonly (ExcludedItem)[];
  /** What counted. */
  readonly items: readonly (Item)[];
  /** Your own reference: the `transactionId` or `logId` that you sent. */
  readonly externalTransactionID: string;
  /** Where it was bought or eaten; empty where not known. */
  readonly location: string;
  /** Address of the merchant's logo, as sent; else empty. */
  readonly logo: string;
  /** What kind of merchant it was. 0 = unspecified, 1 = grocery, 2 = restaurant, 3 = online, 4 = brand, 9 = other. */
  readonly partnerType: 0 | 1 | 2 | 3 | 4 | 9;
  /** How it came in. 0 = unspecified, 1 = receiptScan, 2 = mealEntry, 3 = itemTracking, 4 = manual, 5 = reward. */
  readonly transactionSource: 0 | 1 | 2 | 3 | 4 | 5;
  /** The record's id, by which its detail is read. */
  readonly transactionID: string;
  /** When it was bought or eaten. RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** What was paid, or the sum of the amounts of a meal. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalAmount: number;
  /** Bonus points of all items. */
  readonly totalBonusPoints: number;
  /** Of all items. Kilograms of CO2-equivalent. */
  readonly totalCO2e: number;
  /** Items with the carbon rating 1 or 2. */
  readonly totalGreenProducts: number;
  /** Health points of all items. */
  readonly totalHealthPoints: number;
  /** All points of the record. */
  readonly totalPoints: number;
  /** When the record last changed. RFC 3339, UTC, milliseconds. */
  readonly updatedAt: string;
  /** Whose it is. */
  readonly userID: string;
}

/** One record. */
export interface TransactionAnswer {
  readonly transaction: TransactionRecord;
}

/** A page of records. */
export interface TransactionList {
  /** The newest first. */
  readonly transactions: readonly (TransactionRecord)[];
  /** How many there are in all, on this and other pages. */
  readonly count: number;
}

/** An entry of a user's ledger. Every member is always there: what does not apply is empty or 0. */
export interface TransactionRecord {
  /** The record's id. */
  readonly id: string;
  /** Whose it is. */
  readonly userID: string;
  /** What it did to the balance. */
  readonly totalPoints: number;
  /** What kind of movement it is. 0 = unspecified, 1 = earn, 2 = redeem, 3 = adjust, 4 = refund, 5 = expire, 6 = reverse. */
  readonly operation: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  readonly transaction: Transaction;
  readonly reward: Reward;
  readonly bonus: Bonus;
  /** Where it stands. 0 = unspecified, 1 = pending, 2 = completed, 3 = failed, 4 = reversed, 5 = expired. */
  readonly status: 0 | 1 | 2 | 3 | 4 | 5;
  /** When it was booked. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC, milliseconds. */
  readonly updatedAt: string;
}
