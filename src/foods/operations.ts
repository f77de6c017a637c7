import { Type } from "typebox";
import type { TSchema } from "typebox";
import { count, pathId, text } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import { PAGE_HEADERS, pageQuery } from "../lists/page-query.ts";
import responses from "../openapi-examples/foods.json" with { type: "json" };
import { Alias, AliasBody, Candidate, Removed, Word, WordBody, name } from "./schema.ts";

const ok = (description: string, schema: TSchema, value: unknown) => ({
  200: { description, schema, examples: [{ summary: "The response", value }] },
});

/** The 200 response of a page of a list. */
const okPage = (description: string, schema: TSchema, value: unknown) => ({
  200: { ...ok(description, schema, value)[200], headers: PAGE_HEADERS },
});

/** GET /catalogue/match */
export const matchName = operation({
  id: "matchName",
  method: "GET",
  path: "/catalogue/match",
  tag: "Catalogue",
  scope: "catalogue.read",
  summary: "Match a name",
  description:
    "The foods that a name may mean, the most likely first, ranked as scoring ranks them. Use it to find a `foodId`, or to " +
    "see why an item was excluded.",
  query: Type.Object({
    name: name("The name as sent or printed."),
    merchantName: Type.Optional(Type.String({ maxLength: 255, description: "The merchant whose receipt prints it." })),
    source: Type.Optional(
      Type.Enum(["receipt", "meal", "food"], {
        type: "string",
        default: "receipt",
        description: "The origin of the name: names on receipts are abbreviated, and a meal is cooked.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 5, description: "The largest number of candidates." }),
    ),
  }),
  responses: ok(
    "The candidates.",
    Type.Object(
      {
        candidates: Type.Array(Candidate, { description: "The most likely first; empty where no word is known." }),
        readAs: text("The name with your custom words replaced by their meanings."),
      },
      { title: "Candidates", description: "The foods that a name may mean." },
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
  scope: "catalogue.write",
  isAudited: true,
  summary: "Add an alias",
  description:
    "From now on the name means this food or product in everything your application submits, whatever its size, case or " +
    "accents. Adding the same name again replaces its meaning. Items credited before stay as they are.",
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
  scope: "catalogue.read",
  summary: "List aliases",
  description: "All aliases of your application, the newest first.",
  query: pageQuery,
  responses: okPage(
    "A page of aliases.",
    Type.Object(
      {
        aliases: Type.Array(Alias, { description: "The newest first." }),
        count: count("The total number, on this and other pages."),
      },
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
  scope: "catalogue.write",
  isAudited: true,
  summary: "Remove an alias",
  description: "From now on the name means what the catalogue says.",
  params: pathId("The alias's id."),
  responses: ok("It was removed.", Removed, responses.removed),
});

/** POST /catalogue/words */
export const teachWord = operation({
  id: "teachWord",
  method: "POST",
  path: "/catalogue/words",
  tag: "Catalogue",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Add a custom word",
  description:
    "From now on the word is replaced by its meaning in every name that your application submits. Use it for the " +
    "abbreviations of your tills. Adding the same word again replaces its meaning.",
  body: WordBody,
  examples: [
    { summary: "An abbreviation", value: { word: "grk", means: "greek" } },
    { summary: "A word to ignore", value: { word: "larkm", means: "" } },
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
  scope: "catalogue.read",
  summary: "List custom words",
  description: "All custom words of your application, the newest first.",
  query: pageQuery,
  responses: okPage(
    "A page of words.",
    Type.Object(
      {
        words: Type.Array(Word, { description: "The newest first." }),
        count: count("The total number, on this and other pages."),
      },
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
  scope: "catalogue.write",
  isAudited: true,
  summary: "Remove a custom word",
  description: "From now on the word is read as it is written.",
  params: pathId("The word's id."),
  responses: ok("It was removed.", Removed, responses.removed),
});
