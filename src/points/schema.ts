import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { co2e, code, count, instant, money, nullable, oneOf, points, rating, text } from "../http/members.ts";
import { BONUS_TYPE, OPERATION, PARTNER_TYPE, RECORD_STATUS, TIER, TRANSACTION_SOURCE } from "./codes.ts";
import { EXCLUSION_REASONS } from "./scored-line.ts";
import type { ExclusionReason } from "./scored-line.ts";

const partnerType = code(PARTNER_TYPE, "What kind of merchant it was.");

const itemMembers = {
  externalId: text("The `foodId` as sent; empty for an item of a receipt."),
  name: text("As sent or printed, letter for letter."),
  cleanedName: text("The name in a form that people like to read."),
  qty: Type.Number({ description: "Pieces, or kilograms or litres of what is sold by weight." }),
  pricePerUnit: money("The amount of the line for one of `qty`."),
  partnerType,
  bonusPoints: points("Points beyond those of the two ratings."),
  healthPoints: points("Points for the health rating."),
  id: text("The item's own id, the same in status documents, events and the record."),
  imageURL: text("Address of a picture, as sent; else empty."),
  totalServicePoints: points("All points of the item: health, carbon and bonus."),
  totalCO2e: co2e("Of the whole line."),
  carbonImpactRating: rating("Carbon rating."),
  healthImpactRating: rating("Health rating."),
  carbonDataSource: text("Where the figure for CO2e is from, as `<source>:<code>`; empty where there is none."),
  matchedIngredientName: text("The food of the catalogue that the name was taken for; empty where there is none."),
};

/** An item that counts. `totalServicePoints` = health + carbon + bonus points. */
export const Item = Type.Object(itemMembers, {
  title: "Item",
  description: "A thing bought or eaten, rated and with its points.",
});
export type Item = Static<typeof Item>;

/** Why an item earns nothing. */
export const exclusionReason = oneOf(
  Object.keys(EXCLUSION_REASONS) as ExclusionReason[],
  "Why the item earns nothing: no food is known by the name (NO_MATCH), none well enough (LOW_CONFIDENCE), or it is of a " +
    "kind that earns nothing.",
);

/** An item that earns nothing, and why; it has no ratings. */
export const ExcludedItem = Type.Object(
  {
    ...itemMembers,
    carbonImpactRating: Type.Null({ description: "Always null: what is excluded is not rated." }),
    healthImpactRating: Type.Null({ description: "Always null: what is excluded is not rated." }),
    exclusionReason,
  },
  { title: "ExcludedItem", description: "A thing bought or eaten that earns nothing, and why." },
);
export type ExcludedItem = Static<typeof ExcludedItem>;

/** The body of a record; `timestamp` is when it was bought or eaten. */
const TransactionBody = Type.Object(
  {
    brand: text("The merchant's name; empty for a meal."),
    createdAt: instant("When the record was booked."),
    excludedItems: Type.Array(ExcludedItem, { description: "What earned nothing." }),
    items: Type.Array(Item, { description: "What counted." }),
    externalTransactionID: text("Your own reference: the `transactionId` or `logId` that you sent."),
    location: text("Where it was bought or eaten; empty where not known."),
    logo: text("Address of the merchant's logo, as sent; else empty."),
    partnerType,
    transactionSource: code(TRANSACTION_SOURCE, "How it came in."),
    transactionID: text("The record's id, by which its detail is read."),
    timestamp: instant("When it was bought or eaten."),
    totalAmount: money("What was paid, or the sum of the amounts of a meal."),
    totalBonusPoints: points("Bonus points of all items."),
    totalCO2e: co2e("Of all items."),
    totalGreenProducts: count("Items with the carbon rating 1 or 2."),
    totalHealthPoints: points("Health points of all items."),
    totalPoints: points("All points of the record."),
    updatedAt: instant("When the record last changed."),
    userID: text("Whose it is."),
  },
  { title: "Transaction", description: "What was bought or eaten, and what it was worth." },
);

/** A reward taken with a record; empty on one that earns. */
export const Reward = Type.Object(
  {
    id: text("Id of the reward."),
    name: text("Its name."),
    voucherIdentifier: text("Number of the voucher."),
    brand: text("Whose reward it is."),
    category: text("Its category."),
    code: text("The code to redeem."),
    description: text("What it is."),
    imageUrl: text("Address of its picture."),
    logoUrl: text("Address of the brand's logo."),
    location: text("Where it holds."),
    offer: text("What is offered."),
    points: points("What it costs in points."),
    value: Type.Number({ description: "What it is worth." }),
    tier: code(TIER, "For which members it is."),
    terms: Type.Array(Type.String(), { description: "Its conditions." }),
    validTill: nullable(instant("Until when it holds; null where there is no reward.")),
  },
  { title: "Reward", description: "A reward taken with a record. On a record that earns, all of it is empty." },
);
export type Reward = Static<typeof Reward>;

/** A bonus given with a record, and to whom it is owed; empty without one. */
export const Bonus = Type.Object(
  {
    profileId: text("Who it is owed to."),
    firstName: text("Their given name."),
    lastName: text("Their family name."),
    type: code(BONUS_TYPE, "What it is given for."),
  },
  { title: "Bonus", description: "A bonus given with a record. Without one, all of it is empty." },
);
export type Bonus = Static<typeof Bonus>;

/** An element of the list and the value of `transaction` in the detail. */
export const TransactionRecord = Type.Object(
  {
    id: text("The record's id."),
    userID: text("Whose it is."),
    totalPoints: points("What it did to the balance."),
    operation: code(OPERATION, "What kind of movement it is."),
    transaction: TransactionBody,
    reward: Reward,
    bonus: Bonus,
    status: code(RECORD_STATUS, "Where it stands."),
    createdAt: instant("When it was booked."),
    updatedAt: instant("When it last changed."),
  },
  {
    title: "TransactionRecord",
    description: "An entry of a user's ledger. Every member is always there: what does not apply is empty or 0.",
  },
);
export type TransactionRecord = Static<typeof TransactionRecord>;
