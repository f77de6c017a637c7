import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, rating, text } from "../http/schema-members.ts";

/** A name or id as sent: not blank. */
export const name = (description: string) => Type.String({ pattern: "\\S", maxLength: 255, description });

export const Candidate = Type.Object(
  {
    foodId: text("The food's id. Send it as `foodId` to get exactly this food."),
    name: text("The food's name."),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: "How likely the name means this food." }),
    accepted: Type.Boolean({ description: "True where the confidence is high enough to credit the food." }),
    co2ePerKg: nullable(Type.Number({ description: "Kilograms of CO2-equivalent for one kilogram; null: not rated." })),
    carbonImpactRating: nullable(rating("Carbon rating; null: not rated.")),
    healthImpactRating: nullable(rating("Health rating; null: not rated.")),
    carbonDataSource: text("The source of the CO2e figure, as `<source>:<code>`."),
  },
  {
    title: "Candidate",
    description: "A food that a name may mean. Things that are recognised and not rated (a bag, wine) have nulls.",
  },
);
export type Candidate = Static<typeof Candidate>;

export const AliasBody = Type.Object(
  {
    name: name("The name as your receipts print it or your users type it."),
    merchantName: Type.Optional(
      Type.String({ maxLength: 255, description: "Only at this merchant; omitted or empty: at any merchant." }),
    ),
    foodId: Type.Optional(
      name("The food it means: a food of the catalogue or one of your own products. This or `gtin`."),
    ),
    gtin: Type.Optional(name("The product it means: the number under the bar code. This or `foodId`.")),
  },
  { title: "NewAlias", description: "The meaning of a name. Exactly one of `foodId` and `gtin` is required." },
);

const author = oneOf(["api", "operator"], "Who added it: your application, or the operator on its behalf.");

export const Alias = Type.Object(
  {
    id: text("The alias's id."),
    name: text("The name as it was added."),
    merchantName: text("The merchant it is limited to; empty: any merchant."),
    foodId: text("The food or product it means; empty where it means a GTIN."),
    gtin: text("The GTIN it means, 14 digits; else empty."),
    author,
    createdAt: instant("When it was added."),
  },
  { title: "Alias", description: "A name with a meaning that your application has added." },
);
export type Alias = Static<typeof Alias>;

export const WordBody = Type.Object(
  {
    word: Type.String({ pattern: "\\S", maxLength: 64, description: "One word with a letter in it." }),
    means: Type.String({ maxLength: 255, description: "The text it is replaced by; empty: the word is ignored." }),
  },
  { title: "NewWord", description: "A custom word, such as an abbreviation that your tills print." },
);

export const Word = Type.Object(
  {
    id: text("The word's id."),
    word: text("The word as it is compared: lower case, without accents."),
    means: text("The text it is replaced by; empty: the word is ignored."),
    author,
    createdAt: instant("When it was added."),
  },
  { title: "Word", description: "A custom word of your application." },
);
export type Word = Static<typeof Word>;

export const Removed = Type.Object(
  { id: text("The id of the removed entry.") },
  { title: "Removed", description: "The entry was removed." },
);
