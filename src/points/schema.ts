import { Type } from "typebox";
import type { Static } from "typebox";
import { code, instant, money, nullable, oneOf, points, rating, text } from "../http/schema-members.ts";
import { BONUS_TYPE, OPERATION, PARTNER_TYPE, RECORD_STATUS, TIER, TRANSACTION_SOURCE } from "./codes.ts";
import { EXCLUSION_REASONS } from "./scored-line.ts";
import type { ExclusionReason } from "./scored-line.ts";

/** Negative where a record takes back an item. */
const signedCo2e = (description: string) => Type.Number({ description: `${description} Kilograms of CO2-equivalent.` });

const partnerType = code(PARTNER_TYPE, "Kind of merchant.");

const itemMembers = {
  externalId: text("The `foodId` as sent; empty for an item of a receipt."),
  name: text("As sent or printed, letter for letter."),
  cleanedName: text("The name, cleaned up for people to read."),
  qty: Type.Number({ description: "Pieces, or kilograms or litres of an item sold by weight." }),
  pricePerUnit: money("Price of one of `qty`."),
  partnerType,
  bonusPoints: points("Points beyond those of the two ratings."),
  healthPoints: points("Points for the health rating."),
  id: text("The item's id, the same in status documents, events and the record."),
  imageURL: text("Address of a picture, as sent; empty when not sent."),
  totalServicePoints: points("All points of the item: health, carbon and bonus."),
  totalCO2e: signedCo2e("CO2e of the whole line."),
  carbonImpactRating: rating("Carbon rating."),
  healthImpactRating: rating("Health rating."),
  carbonDataSource: text("Source of the CO2e figure, as `<source>:<code>`; empty without one."),
  matchedIngredientName: text("The food of the catalogue that the name was matched to; empty without one."),
};

/** An item that earns points. `totalServicePoints` = health + carbon + bonus points. */
export const Item = Type.Object(itemMembers, {
  title: "Item",
  description: "An item bought or eaten, with its ratings and points.",
});
export type Item = Static<typeof Item>;

/** Reason for earning nothing. */
export const exclusionReason = oneOf(
  Object.keys(EXCLUSION_REASONS) as ExclusionReason[],
  "Why the item earns nothing: no food matches the name (NO_MATCH), none matches it well enough (LOW_CONFIDENCE), or " +
    "it is of a kind that earns nothing.",
);

/** An item that earns nothing, with the reason. It has no ratings. */
export const ExcludedItem = Type.Object(
  {
    ...itemMembers,
    carbonImpactRating: Type.Null({ description: "Always null: an excluded item is not rated." }),
    healthImpactRating: Type.Null({ description: "Always null: an excluded item is not rated." }),
    exclusionReason,
  },
  { title: "ExcludedItem", description: "An item bought or eaten that earns nothing, with the reason." },
);
export type ExcludedItem = Static<typeof ExcludedItem>;

/** The body of a record. `timestamp` is the time of the purchase or meal. */
const TransactionBody = Type.Object(
  {
    brand: text("The merchant's name; empty for a meal."),
    createdAt: instant("When the record was booked."),
    excludedItems: Type.Array(ExcludedItem, { description: "Items that earned nothing." }),
    items: Type.Array(Item, { description: "Items that earned points." }),
    externalTransactionID: text("Your own reference: the `transactionId` or `logId` that you sent."),
    location: text("Where it was bought or eaten; empty when unknown."),
    logo: text("Address of the merchant's logo, as sent; empty when not sent."),
    partnerType,
    transactionSource: code(TRANSACTION_SOURCE, "Kind of submission."),
    transactionID: text("The record's id, to read its details with."),
    timestamp: instant("When it was bought or eaten."),
    totalAmount: money("Amount paid, or the sum of the amounts of a meal."),
    totalBonusPoints: points("Bonus points of all items, or those of a bonus."),
    totalCO2e: signedCo2e("CO2e of all items."),
    totalGreenProducts: Type.Integer({ description: "Items with the carbon rating 1 or 2." }),
    totalHealthPoints: points("Health points of all items."),
    totalPoints: points("All points of the record."),
    updatedAt: instant("When the record last changed."),
    userID: text("The user's id."),
  },
  { title: "Transaction", description: "A purchase or meal, with its points." },
);

/** The reward that a record redeems; empty on a record that earns. */
export const Reward = Type.Object(
  {
    id: text("Id of the reward."),
    name: text("Its name."),
    voucherIdentifier: text("Number of the voucher."),
    brand: text("Brand of the reward."),
    category: text("Its category."),
    code: text("The code to redeem."),
    description: text("Description of the reward."),
    imageUrl: text("Address of its picture."),
    logoUrl: text("Address of the brand's logo."),
    location: text("Where it can be used."),
    offer: text("The offer."),
    points: points("Price in points."),
    value: Type.Number({ description: "Value of the reward." }),
    tier: code(TIER, "Tier of members that may take it."),
    terms: Type.Array(Type.String(), { description: "Its conditions." }),
    validTill: nullable(instant("Time until it is valid; null without a reward.")),
    currency: Type.Optional(Type.String({ description: "Currency of the value (ISO 4217); absent without one." })),
  },
  {
    title: "Reward",
    description: "The reward that a record redeems. On a record that earns points, all its members are empty.",
  },
);
export type Reward = Static<typeof Reward>;

const { none: _none, ...BONUS_REASONS } = BONUS_TYPE;
/** Reason of a bonus that is there: any code but `none`. */
export const bonusType = code(BONUS_REASONS, "Reason of the bonus.");

/** The bonus of a record, with the related user; empty without one. */
export const Bonus = Type.Object(
  {
    profileId: text("The id of the user whom the bonus is related to; empty without one."),
    firstName: text("Their given name, as it is now; empty after their erasure."),
    lastName: text("Their family name, as it is now; empty after their erasure."),
    type: code(BONUS_TYPE, "Reason of the bonus."),
  },
  { title: "Bonus", description: "The bonus of a record. Without one, all its members are empty." },
);
export type Bonus = Static<typeof Bonus>;

/** An element of the list and the value of `transaction` in the detail. */
export const TransactionRecord = Type.Object(
  {
    id: text("The record's id."),
    userID: text("The user's id."),
    totalPoints: points("Points added to availablePoints; negative for points spent, taken back or expired."),
    operation: code(OPERATION, "Effect on the balance."),
    transaction: TransactionBody,
    reward: Reward,
    bonus: Bonus,
    status: code(RECORD_STATUS, "State of the record."),
    createdAt: instant("When it was booked."),
    updatedAt: instant("When it last changed."),
    reason: Type.Optional(
      Type.String({ description: "Why points were given, adjusted, reversed or corrected; absent on other records." }),
    ),
    relatedTransactionID: Type.Optional(
      Type.String({ description: "The record that this one reverses, refunds or corrects; absent on other records." }),
    ),
  },
  {
    title: "TransactionRecord",
    description:
      "An entry of a user's ledger. It never changes, but for `status` and `updatedAt`. Every member is always present: " +
      "empty or 0 where it does not apply. Figures are signed: a record that takes back points takes back its CO2e too.",
  },
);
export type TransactionRecord = Static<typeof TransactionRecord>;

/** The path of a record. */
export const recordPath = Type.Object({
  id: Type.String({ description: "The user's id." }),
  transactionId: Type.String({ description: "The record's id." }),
});
