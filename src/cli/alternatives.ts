import { createAlternatives } from "../foods/alternatives/alternatives.ts";
import { readAlternativesQuery } from "../foods/alternatives/query.ts";
import { findWithAlternatives } from "../foods/alternatives/store.ts";
import { readUses } from "../foods/alternatives/uses.store.ts";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { createResolver } from "../foods/lookup/resolve.ts";
import { applicationOf } from "./client-id.ts";
import { command, optional, refusalOf } from "./command.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";

/** No application has this id: only common products are found. */
const NO_APPLICATION = "00000000-0000-0000-0000-000000000000";

/** `catalogue alternatives` */
export const ALTERNATIVES = command({
  name: "catalogue alternatives",
  summary: "foods that are used for the same as one rated C or worse, and rate better",
  options: {
    name: optional("NAME", "the food by a name; this, --food-id or --gtin"),
    foodId: optional("ID", "the food by its id"),
    gtin: optional("GTIN", "a product by the number under the bar code"),
    clientId: optional("ID", "with the own products and aliases of this application, by its client id"),
  },
  examples: ['catalogue alternatives --name "beef mince"'],
  run: async ({ database, options: { clientId, ...named }, print }) => {
    const applicationId = clientId === undefined ? NO_APPLICATION : (await applicationOf(database, clientId)).id;
    const catalogue = readCatalogue();
    const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));
    const values = new Map<string, string | undefined>([...Object.entries(named), ["source", "food"]]);
    const query = readAlternativesQuery({ get: (parameter) => values.get(parameter) ?? null });
    if ("errors" in query) throw refusalOf(query.errors);
    const alternativesOf = createAlternatives(catalogue, readUses(catalogue), resolver.rateFood);
    const found = await findWithAlternatives(database, applicationId, query, { resolver, alternativesOf });
    if ("errors" in found) throw refusalOf(found.errors);
    const { food, alternatives } = found;
    print(found, [
      food ? `${food.foodId}  ${food.name}` : "no word of the name is known",
      ...(alternatives.length > 0
        ? alternatives.map((each) => `  ${each.foodId}  ${each.text}`)
        : ["  no alternatives"]),
    ]);
  },
});
