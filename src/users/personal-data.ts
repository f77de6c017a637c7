/** The parts of an export of a user's data, with what each has. */
export const EXPORT_PARTS_ABOUT = {
  profile: "Who the user is, as enrolled and changed since.",
  balance: "The balance of points.",
  consents: "Consents that were given on the hosted page, with their text.",
  intakes: "Meals and foods, as submitted and as credited.",
  receipts: "Receipts, with what was read from them. Their images are not in the document.",
  receiptCorrections: "Corrections of receipts.",
  receiptDisputes: "What the user reported as wrong on receipts.",
  unknownNames: "Names of submissions that no food was matched with.",
  transactions: "All records of points.",
  streaks: "Days or weeks in a row.",
  referralCode: "The user's own referral code.",
  referral: "Who referred the user.",
  campaigns: "Campaigns that gave the user points.",
  redemptions: "Redeemed rewards, with their codes.",
  expiryNotices: "Announced expiries of points.",
  expirySums: "Sums of the points that may expire, of users with many records.",
  recordSums: "Sums of the records of points, of users with many records: a block of records after the other.",
  tier: "The user's tier.",
  testClock: "Time that a test in a sandbox moved ahead.",
} as const;
export type ExportPart = keyof typeof EXPORT_PARTS_ABOUT;
