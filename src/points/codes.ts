// The numeric codes of the interface and what they mean; 0 is what a code is when nothing more is known.

/** What a record does to the balance. */
export const OPERATION = { unspecified: 0, earn: 1, redeem: 2, adjust: 3, refund: 4, expire: 5, reverse: 6 } as const;
export type Operation = (typeof OPERATION)[keyof typeof OPERATION];

/** Where a record stands. */
export const RECORD_STATUS = { unspecified: 0, pending: 1, completed: 2, failed: 3, reversed: 4, expired: 5 } as const;

/** What kind of merchant it was: restaurants include canteens, online includes delivery. */
export const PARTNER_TYPE = { unspecified: 0, grocery: 1, restaurant: 2, online: 3, brand: 4, other: 9 } as const;
export type PartnerType = (typeof PARTNER_TYPE)[keyof typeof PARTNER_TYPE];

/** How an event came in. */
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

/** What a bonus is given for. */
export const BONUS_TYPE = { none: 0, referral: 1, welcome: 2, streak: 3, campaign: 4, manual: 5 } as const;
