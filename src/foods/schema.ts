import { Type } from "@fastify/type-provider-typebox";
import type { Static, TSchema } from "@fastify/type-provider-typebox";
import { count, instant, nullable, oneOf, pathId, rating, text } from "../http/members.ts";
import { operation } from "../http/operation.ts";
import { PAGE_HEADERS, pageQuery } from "../lists/page-query.ts";
import responses from "../openapi/examples/foods.json" with { type: "json" };

const name = (description: string) => Type.String({ pattern: "\\S", maxLength: 255, description });

const Candidate = Type.Object(
  {
    foodId: text("Send it as `foodId` to mean this very food."),
    name: text("The food's name."),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: "How sure it is that the name means this food." }),
    accepted: Type.Boolean({ description: "Sure enough to be credited." }),
    co2ePerKg: nullable(Type.Number({ description: "Kilograms of CO2-equivalent for one kilogram; null: not rated." })),
    carbonImpactRating: nullable(rating("Carbon rating; null: not rated.")),
    healthImpactRating: nullable(rating("Health rating; null: not rated.")),
    carbonDataSource: text("Where the figure for CO2e is from, as `<source>:<code>`."),
  },
  {
    title: "Candidate",
    description: "A food that a name may mean. What is known and not rated (a bag, wine) has nulls.",
  },
);
export type Candidate = Static<typeof Candidate>;

const AliasBody = Type.Object(
  {
    name: name("The name as your receipts or users have it."),
    merchantName: Type.Optional(
      Type.String({ maxLength: 255, description: "Only at this merchant; left out or empty: at any." }),
    ),
    foodId: Type.Optional(name("What it means: a food of the catalogue, or a product of your own. This or `gtin`.")),
    gtin: Type.Optional(name("What it means: a product by the number under its bar code. This or `foodId`.")),
  },
  { title: "NewAlias", description: "What a name means. Either `foodId` or `gtin` is wanted." },
);

const author = oneOf(["api", "operator"], "Who taught it: your application, or the operator for it.");

const Alias = Type.Object(
  {
    id: text("The alias's id."),
    name: text("As taught."),
    merchantName: text("At which merchant; empty: at any."),
    foodId: text("The food or product that it means; empty where it means a GTIN."),
    gtin: text("The GTIN that it means, 14 digits; else empty."),
    author,
    createdAt: instant("When it was taught."),
  },
  { title: "Alias", description: "A name that your application has taught the meaning of." },
);
export type Alias = Static<typeof Alias>;

const WordBody = Type.Object(
  {
    word: Type.String({ pattern: "\\S", maxLength: 64, description: "One word with a letter in it." }),
    means: Type.String({ maxLength: 255, description: "What is read in its place; empty: it says nothing." }),
  },
  { title: "NewWord", description: "A word of your own, such as an abbreviation of your tills." },
);

const Word = Type.Object(
  {
    id: text("The word's id."),
    word: text("As words are compared: lower case, no accents."),
    means: text("What is read in its place; empty: it says nothing about the food."),
    author,
    createdAt: instant("When it was taught."),
  },
  { title: "Word", description: "A word that your application has taught." },
);
export type Word = Static<typeof Word>;

const Removed = Type.Object(
  { id: text("Of what is gone.") },
  { title: "Removed", description: "What was asked to be removed is gone." },
);

const ok = (description: string, schema: TSchema, value: unknown) => ({
  200: { description, schema, examples: [{ summary: "As answered", value }] },
});

/** The same for a page of a list. */
const okPage = (description: string, schema: TSchema, value: unknown) => ({
  200: { ...ok(description, schema, value)[200], headers: PAGE_HEADERS },
});

/** GET /catalogue/match */
export const matchName = operation({
  id: "matchName",
  method: "GET",
  path: "/catalogue/match",
  tag: "Catalogue",
  summary: "Ask what a name means",
  description:
    "The foods that a name may mean, the likeliest first, as scoring would choose them. Use it to find a `foodId`, or to " +
    "see why an item was excluded.",
  query: Type.Object({
    name: name("The name, as sent or printed."),
    merchantName: Type.Optional(Type.String({ maxLength: 255, description: "Where it is printed." })),
    source: Type.Optional(
      Type.Enum(["receipt", "meal", "food"], {
        type: "string",
        default: "receipt",
        description: "Where the name is from: what is printed on receipts is abbreviated, and a meal is cooked.",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5, description: "How many at most." })),
  }),
  responses: ok(
    "The candidates.",
    Type.Object(
      {
        candidates: Type.Array(Candidate, { description: "The likeliest first; empty where no word is known." }),
        readAs: text("The name as it was read, your own words replaced by what they mean."),
      },
      { title: "Candidates", description: "What a name may mean." },
    ),
    responses.matchName,
  ),
});

/** POST /catalogue/aliases */
export const teachAlias = operation({
  id: "teachAlias",
  method: "POST",
  path: "/catalogue/aliases",
  tag: "Catalogue",
  summary: "Teach what a name means",
  description:
    "From now on the name means this food or product in all that your application hands in, whatever its size, case or " +
    "accents. Teaching a name again replaces what it meant. What was credited before stays as it is.",
  body: AliasBody,
  examples: [
    { summary: "A food", value: { name: "GRK YOG 0%", foodId: "greek-yogurt" } },
    { summary: "At one merchant", value: { name: "BANANAS LSE", merchantName: "Larkmeadow Market", foodId: "banana" } },
  ],
  responses: ok(
    "The alias.",
    Type.Object({ alias: Alias }, { title: "AliasResponse", description: "One alias." }),
    responses.teachAlias,
  ),
});

/** GET /catalogue/aliases */
export const listAliases = operation({
  id: "listAliases",
  method: "GET",
  path: "/catalogue/aliases",
  tag: "Catalogue",
  summary: "List what names mean",
  description: "All names that your application has taught, the newest first.",
  query: pageQuery,
  responses: okPage(
    "A page of aliases.",
    Type.Object(
      { aliases: Type.Array(Alias, { description: "The newest first." }), count: count("How many there are in all.") },
      { title: "AliasList", description: "A page of aliases." },
    ),
    responses.listAliases,
  ),
});

/** DELETE /catalogue/aliases/{id} */
export const removeAlias = operation({
  id: "removeAlias",
  method: "DELETE",
  path: "/catalogue/aliases/:id",
  tag: "Catalogue",
  summary: "Forget a name",
  description: "The name means again what the catalogue says.",
  params: pathId("The alias's id."),
  responses: ok("It is gone.", Removed, responses.removed),
});

/** POST /catalogue/words */
export const teachWord = operation({
  id: "teachWord",
  method: "POST",
  path: "/catalogue/words",
  tag: "Catalogue",
  summary: "Teach a word",
  description:
    "From now on the word is read as what it means, in every name that your application hands in: best for the " +
    "abbreviations of your tills. Teaching a word again replaces what it meant.",
  body: WordBody,
  examples: [
    { summary: "An abbreviation", value: { word: "grk", means: "greek" } },
    { summary: "A word that says nothing", value: { word: "larkm", means: "" } },
  ],
  responses: ok(
    "The word.",
    Type.Object({ word: Word }, { title: "WordResponse", description: "One word." }),
    responses.teachWord,
  ),
});

/** GET /catalogue/words */
export const listWords = operation({
  id: "listWords",
  method: "GET",
  path: "/catalogue/words",
  tag: "Catalogue",
  summary: "List the words",
  description: "All words that your application has taught, the newest first.",
  query: pageQuery,
  responses: okPage(
    "A page of words.",
    Type.Object(
      { words: Type.Array(Word, { description: "The newest first." }), count: count("How many there are in all.") },
      { title: "WordList", description: "A page of words." },
    ),
    responses.listWords,
  ),
});

/** DELETE /catalogue/words/{id} */
export const removeWord = operation({
  id: "removeWord",
  method: "DELETE",
  path: "/catalogue/words/:id",
  tag: "Catalogue",
  summary: "Forget a word",
  description: "The word is read again as it stands.",
  params: pathId("The word's id."),
  responses: ok("It is gone.", Removed, responses.removed),
});
