import { Type } from "typebox";
import { count, pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import { PAGE_HEADERS, pageQuery } from "../lists/page-query.ts";
import { Alias } from "../foods/schema.ts";
import responses from "../openapi-examples/unknown-names.json" with { type: "json" };
import { MeaningBody, MeaningPreview, MeaningQuery, UnknownName } from "./schema.ts";

const { pageSize, page, timeframe } = pageQuery.properties;
const MEANS_SOUP = { summary: "A food", value: { foodId: "fish-soup" } };
const NOT_FOOD = {
  summary: "Not a food, at one merchant",
  value: { notFood: true, merchantName: "Larkmeadow Market" },
};

/** GET /catalogue/unknown-names */
export const listUnknownNames = operation({
  id: "listUnknownNames",
  method: "GET",
  path: "/catalogue/unknown-names",
  tag: "Catalogue",
  scope: "catalogue.read",
  summary: "List unknown names",
  description:
    "Names of your users' receipts, meals and foods that nothing was matched with, or nothing sure enough: the most frequent " +
    "first, or those with the highest spend in a currency. A name that has got an alias since is left out. Kept for 90 " +
    "days and not without limits: the rarest names and the oldest submissions go first. What an erased user named is gone.",
  query: Type.Object({
    pageSize,
    page,
    timeframe,
    spendIn: Type.Optional(
      Type.String({ pattern: "^[A-Za-z]{3}$", description: "Currency: the highest spend in it first. ISO 4217." }),
    ),
  }),
  responses: {
    200: {
      description: "A page of names.",
      schema: Type.Object(
        {
          names: Type.Array(UnknownName, { description: "The most frequent first, or those with the highest spend." }),
          count: count("The total number, on this and other pages."),
        },
        { title: "UnknownNameList", description: "A page of unknown names." },
      ),
      examples: [{ summary: "The response", value: responses.listUnknownNames }],
      headers: PAGE_HEADERS,
    },
  },
});

/** GET /catalogue/unknown-names/{id} */
export const getUnknownName = operation({
  id: "getUnknownName",
  method: "GET",
  path: "/catalogue/unknown-names/:id",
  tag: "Catalogue",
  scope: "catalogue.read",
  summary: "Get an unknown name",
  description:
    "One name of the list, with its counts of all the time that names are kept for. A name that has got an alias since is " +
    "not found.",
  params: pathId("The name's id."),
  responses: {
    200: {
      description: "The name.",
      schema: Type.Object({ name: UnknownName }, { title: "UnknownNameResponse", description: "One unknown name." }),
      examples: [{ summary: "The response", value: responses.getUnknownName }],
    },
  },
});

/** GET /catalogue/unknown-names/{id}/preview */
export const previewMeaning = operation({
  id: "previewMeaning",
  method: "GET",
  path: "/catalogue/unknown-names/:id/preview",
  tag: "Catalogue",
  scope: "catalogue.read",
  summary: "Preview a meaning of a name",
  description:
    "Scores the newest past awards with the name again as if it meant this, by today's catalogue, and returns what would " +
    "differ. Nothing is saved or booked. What is reversed or corrected already stays as it is. Submissions without an " +
    "award earn nothing later either.",
  params: pathId("The name's id."),
  query: MeaningQuery,
  responses: {
    200: {
      description: "What would differ.",
      schema: Type.Object(
        { preview: MeaningPreview },
        { title: "MeaningPreviewResponse", description: "What a meaning would change of the past." },
      ),
      examples: [{ summary: "The response", value: responses.previewMeaning }],
    },
  },
});

/** POST /catalogue/unknown-names/{id}/alias */
export const aliasUnknownName = operation({
  id: "aliasUnknownName",
  method: "POST",
  path: "/catalogue/unknown-names/:id/alias",
  tag: "Catalogue",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Save the meaning of a name",
  description:
    "Saves an alias for the name: from now on it means this, and it is listed no more. What was credited before stays as " +
    "it is. The alias is one of `/catalogue/aliases`, and stays also when the users who named it are erased.",
  params: pathId("The name's id."),
  body: MeaningBody,
  examples: [MEANS_SOUP, NOT_FOOD],
  responses: {
    200: {
      description: "The alias.",
      schema: Type.Object({ alias: Alias }, { title: "AliasResponse", description: "One alias." }),
      examples: [{ summary: "The response", value: responses.aliasUnknownName }],
    },
  },
});
