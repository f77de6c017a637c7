import { Type } from "typebox";
import { nullable } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import responses from "../../openapi-examples/alternatives.json" with { type: "json" };
import { Candidate, name } from "../schema.ts";
import { Alternative } from "./schema.ts";

/** GET /catalogue/alternatives */
export const findAlternatives = operation({
  id: "findAlternatives",
  method: "GET",
  path: "/catalogue/alternatives",
  tag: "Catalogue",
  scope: "catalogue.read",
  summary: "Find better alternatives",
  description:
    "Up to three foods that are eaten or cooked for the same as a food rated C or worse, and rate better: better in carbon " +
    "or health, and worse in neither. The best is first. Send one of `name`, `foodId` and `gtin`. They are foods of the " +
    "catalogue of today, never with meat or fish where there was none. Allergies are not considered.",
  query: Type.Object({
    name: Type.Optional(name("The name as sent or printed.")),
    foodId: Type.Optional(name("A food of the catalogue, or one of your own products.")),
    gtin: Type.Optional(name("A product: the number under the bar code.")),
    merchantName: Type.Optional(Type.String({ maxLength: 255, description: "The merchant whose receipt prints it." })),
    source: Type.Optional(
      Type.Enum(["receipt", "meal", "food"], {
        type: "string",
        default: "receipt",
        description: "The origin of the name: names on receipts are abbreviated, and a meal is cooked.",
      }),
    ),
  }),
  responses: {
    200: {
      description: "The food and its alternatives.",
      schema: Type.Object(
        {
          food: nullable(Candidate, "The food that was found; null where no word of the name is known."),
          alternatives: Type.Array(Alternative, {
            description:
              "The best first; empty for foods without, for foods rated A or B, and where `food` is not accepted.",
          }),
        },
        { title: "Alternatives", description: "A food and what may be eaten in its place." },
      ),
      examples: [{ summary: "The response", value: responses.findAlternatives }],
    },
  },
});
