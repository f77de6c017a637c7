// The numeric codes of the interface. 0 means unknown.

/** Effect of a record on the balance. */
export const OPERATION = { unspecified: 0, earn: 1, redeem: 2, adjust: 3, refund: 4, expire: 5, reverse: 6 } as const;
export type Operation = (typeof OPERATION)[keyof typeof OPERATION];

/** State of a record. */
export const RECORD_STATUS = { unspecified: 0, pending: 1, completed: 2, failed: 3, reversed: 4, expired: 5 } as const;
export type RecordStatus = (typeof RECORD_STATUS)[keyof typeof RECORD_STATUS];

/** Kind of merchant. Restaurants include canteens, online includes delivery. */
export const PARTNER_TYPE = { unspecified: 0, grocery: 1, restaurant: 2, online: 3, brand: 4, other: 9 } as const;
export type PartnerType = (typeof PARTNER_TYPE)[keyof typeof PARTNER_TYPE];

/** Kind of submission. */
export const TRANSACTION_SOURCE = {
  unspecified: 0,
  receiptScan: 1,
  mealEntry: 2,
  itemTracking: 3,
  manual: 4,
  reward: 5,
} as const;
export type TransactionSource = (typeof TRANSACTION_SOURCE)[keyof typeof TRANSACTION_SOURCE];

/** The tier of a reward. */
export const TIER = { none: 0, bronze: 1, silver: 2, gold: 3, platinum: 4 } as const;

/** Reason of a bonus. */
export const BONUS_TYPE = { none: 0, referral: 1, welcome: 2, streak: 3, campaign: 4, manual: 5 } as const;
