import { Type } from "typebox";
import { count, pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import { PAGE_HEADERS, pageQuery } from "../lists/page-query.ts";
import programResponses from "../openapi-examples/programs.json" with { type: "json" };
import responses from "../openapi-examples/points.json" with { type: "json" };
import bonusResponses from "../openapi-examples/programme-bonuses.json" with { type: "json" };
import { Explanation } from "./explanation-schema.ts";
import { TransactionRecord, recordPath } from "./schema.ts";

/** GET /users/{id}/transactions */
export const listTransactions = operation({
  id: "listTransactions",
  method: "GET",
  path: "/users/:id/transactions",
  tag: "Points",
  scope: "ledger.read",
  summary: "List a user's transactions",
  description:
    "The records of a user, newest first. `count` is the number of all records; the header `Link` has the first, " +
    "previous, next and last page.",
  params: pathId("The user's id."),
  query: pageQuery,
  responses: {
    200: {
      description: "A page of records.",
      schema: Type.Object(
        {
          transactions: Type.Array(TransactionRecord, { description: "Newest first." }),
          count: count("Number of records on all pages."),
        },
        { title: "TransactionList", description: "A page of records." },
      ),
      examples: [{ summary: "The only record", value: responses.listTransactions }],
      headers: PAGE_HEADERS,
    },
  },
});

/** GET /users/{id}/transactions/{transactionId} */
export const getTransaction = operation({
  id: "getTransaction",
  method: "GET",
  path: "/users/:id/transactions/:transactionId",
  tag: "Points",
  scope: "ledger.read",
  summary: "Read a transaction",
  description: "One record with its items, their ratings and their points.",
  params: recordPath,
  responses: {
    200: {
      description: "The record.",
      schema: Type.Object(
        { transaction: TransactionRecord },
        { title: "TransactionResponse", description: "One record." },
      ),
      examples: [{ summary: "A breakfast", value: responses.getTransaction }],
    },
  },
});

/** GET /users/{id}/transactions/{transactionId}/explanation */
export const explainTransaction = operation({
  id: "explainTransaction",
  method: "GET",
  path: "/users/:id/transactions/:transactionId/explanation",
  tag: "Points",
  scope: "ledger.read",
  summary: "Explain a transaction",
  description:
    "How the points of a record were computed: for every item the matched food, its weight, its CO2e and its Nutri-Score " +
    "with their sources, and the arithmetic of its points, each step in figures and in words. It shows the foods and rules " +
    "at the time of booking, even if they have changed since. Of a bonus it says which rule of the programme gave it and why.",
  params: recordPath,
  responses: {
    200: {
      description: "The explanation.",
      schema: Type.Object(
        { explanation: Explanation },
        { title: "ExplanationResponse", description: "One explanation." },
      ),
      examples: [
        { summary: "A breakfast", value: responses.explainTransaction },
        { summary: "A bonus of the programme", value: bonusResponses.explainBonus },
        { summary: "A food with a campaign", value: programResponses.explainWithCampaign },
      ],
    },
  },
});
