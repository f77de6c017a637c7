import { Type } from "typebox";
import type { Static } from "typebox";
import { code, count, instant, nullable, oneOf, points, text } from "../http/schema-members.ts";
import { POINTS_MOVED_MAX } from "../points/adjustments/schema.ts";
import { TIER } from "../points/codes.ts";
import { CODE_KINDS } from "./reward.ts";
import { CODES_A_REQUEST_MAX, CODE_LENGTH_MAX } from "./codes/code.ts";

/** More than a catalogue for people has; it bounds the list of one user. */
export const REWARDS_MAX = 500;
/** With the archived ones, which records and codes still name. */
export const REWARDS_EVER_MAX = 10_000;
const STOCK_MAX = 1_000_000_000;
const VALUE_MAX = 1_000_000_000;

const short = (description: string) => Type.String({ maxLength: 255, description });
const address = (description: string) => Type.String({ maxLength: 2048, description: `${description} https only.` });
const CODES_ABOUT =
  "How a redemption gets its code. none: it has none. pool: one of the codes that you load. made: the service makes a " +
  "code that nobody can guess.";

const texts = {
  brand: short("Brand of the reward."),
  category: short("Its category, in your own words."),
  description: Type.String({ maxLength: 1000, description: "Description for people." }),
  imageUrl: address("Address of its picture."),
  logoUrl: address("Address of the brand's logo."),
  value: Type.Number({ minimum: 0, maximum: VALUE_MAX, description: "Its value, in major units of `currency`." }),
  currency: Type.String({ format: "currency", description: "ISO 4217. Required with a value." }),
  offer: short("The offer, in a few words."),
  terms: Type.Array(short("A condition."), { maxItems: 20, description: "Its conditions." }),
  location: short("Where it can be used."),
};
const name = Type.String({ pattern: "\\S", maxLength: 255, description: "Its name." });
const price = Type.Integer({ minimum: 0, maximum: POINTS_MOVED_MAX, description: "Its price in points." });
const tier = code(TIER, "The tier of members that may have it.");
const term = (description: string) => nullable(Type.String({ format: "date-time", description }));
const limits = {
  validFrom: term("It can be redeemed from then on. RFC 3339 with its zone; null: at once."),
  validTill: term("It can be redeemed, and its vouchers used, before this time. null: for ever."),
  stock: nullable(
    Type.Integer({ minimum: 0, maximum: STOCK_MAX, description: "How many are left; null: any number." }),
  ),
};

function optional<Members extends Record<string, Parameters<typeof Type.Optional>[0]>>(members: Members) {
  return Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [Key in keyof Members]: ReturnType<typeof Type.Optional<Members[Key]>>;
  };
}

export const NewRewardBody = Type.Object(
  {
    name,
    points: price,
    ...optional(texts),
    tier: Type.Optional(tier),
    ...optional(limits),
    codes: Type.Optional(oneOf(CODE_KINDS, `${CODES_ABOUT} Default: none. It cannot be changed later.`)),
  },
  { title: "NewReward", description: "A reward to add to your catalogue." },
);
export type NewRewardBody = Static<typeof NewRewardBody>;

export const RewardChangeBody = Type.Object(
  {
    name: Type.Optional(name),
    points: Type.Optional(price),
    ...optional(texts),
    tier: Type.Optional(tier),
    ...optional(limits),
  },
  {
    title: "RewardChange",
    description:
      "Changes to a reward; members that are left out stay as they are. Redemptions keep what they were made with.",
  },
);
export type RewardChangeBody = Static<typeof RewardChangeBody>;

/** An own reward of a request, which is in no catalogue. */
export const OwnReward = Type.Object(
  {
    name,
    ...optional(texts),
    tier: Type.Optional(tier),
    validTill: Type.Optional(
      Type.String({ format: "date-time", description: "Its voucher can be used before this time." }),
    ),
    codes: Type.Optional(
      oneOf(["none", "made"], "made: the service makes a code that nobody can guess. Default: none."),
    ),
    code: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          "A code of your own, to be kept in the record. It is no voucher of this service. Not with `codes`: made.",
      }),
    ),
  },
  { title: "OwnReward", description: "A reward that is not in your catalogue here, as the record is to keep it." },
);

const rewardMembers = {
  id: text("The reward's id."),
  name: text("Its name."),
  points: points("Its price in points."),
  brand: text("Brand of the reward; empty without one."),
  category: text("Its category; empty without one."),
  description: text("Description for people; empty without one."),
  imageUrl: text("Address of its picture; empty without one."),
  logoUrl: text("Address of the brand's logo; empty without one."),
  value: Type.Number({ description: "Its value, in major units of `currency`; 0 without one." }),
  currency: text("ISO 4217; empty without one."),
  offer: text("The offer; empty without one."),
  terms: Type.Array(Type.String(), { description: "Its conditions." }),
  location: text("Where it can be used; empty without one."),
  tier,
  validFrom: nullable(instant("It can be redeemed from then on; null: at once.")),
  validTill: nullable(instant("It can be redeemed, and its vouchers used, before this time; null: for ever.")),
  stock: nullable(count("How many are left; null: any number.")),
  codes: oneOf(CODE_KINDS, CODES_ABOUT),
};

export const RewardDocument = Type.Object(
  {
    ...rewardMembers,
    freeCodes: nullable(count("Codes of its pool that are left; null without a pool.")),
    createdAt: instant("When it was added."),
    updatedAt: instant("When it was last changed."),
  },
  { title: "CatalogueReward", description: "A reward of your catalogue." },
);
export type RewardDocument = Static<typeof RewardDocument>;

export const RewardResponse = Type.Object(
  { reward: RewardDocument },
  { title: "CatalogueRewardResponse", description: "One reward of your catalogue." },
);

export const RewardList = Type.Object(
  {
    rewards: Type.Array(RewardDocument, { description: "The newest first." }),
    count: count("Number of rewards on all pages."),
  },
  { title: "CatalogueRewardList", description: "A page of your catalogue." },
);

export const UserReward = Type.Object(
  {
    ...rewardMembers,
    available: Type.Boolean({ description: "Whether it is open to the user's tier. Always, without `allTiers`." }),
    affordable: Type.Boolean({ description: "Whether the user has enough points." }),
    missingPoints: points("Points that the user lacks; 0 if it is affordable."),
  },
  {
    title: "UserReward",
    description: "A reward that the user can have now, if it is available and the points are enough.",
  },
);

export const UserRewardList = Type.Object(
  {
    rewards: Type.Array(UserReward, { description: "The newest first." }),
    count: count("Number of rewards on all pages."),
    availablePoints: points("Points that the user can spend."),
  },
  { title: "UserRewardList", description: "A page of what a user can have now." },
);

export const RemovedReward = Type.Object(
  { id: text("The reward's id.") },
  { title: "RemovedReward", description: "The reward was taken out of your catalogue." },
);

export const CodesBody = Type.Object(
  {
    codes: Type.Array(
      Type.String({
        maxLength: CODE_LENGTH_MAX,
        description: "Letters, digits, `-`, `_` and `.`, beginning with a letter or digit.",
      }),
      { minItems: 1, maxItems: CODES_A_REQUEST_MAX, description: "Codes to load. Each is given once." },
    ),
  },
  { title: "NewCodes", description: "Voucher codes for the pool of a reward." },
);

export const CodesResponse = Type.Object(
  {
    added: count("Codes that were added."),
    duplicates: Type.Array(Type.String(), {
      description: "Codes that your application has already, in any reward; they were left out.",
    }),
    freeCodes: count("Codes of the pool that are left now."),
  },
  { title: "CodesLoaded", description: "What became of the codes." },
);
