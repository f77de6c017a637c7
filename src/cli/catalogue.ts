import type { Tx } from "../postgres/postgres.ts";
import { listSources, removeSource, searchProducts } from "../foods/products/store.ts";
import { UNKNOWN_NAMES } from "./unknown-names.ts";
import { ALTERNATIVES } from "./alternatives.ts";
import { CATALOGUE_IMPORT } from "./catalogue-import.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, command, optional, required } from "./command.ts";
import type { Command } from "./command.ts";
import { ALIAS_COMMANDS } from "./aliases.ts";

const SEARCH_ROWS_MAX = 50;

const OWN = optional("ID", "only the own products of this application, by its client id");

export const CATALOGUE_COMMANDS: readonly Command[] = [
  CATALOGUE_IMPORT,
  command({
    name: "catalogue sources",
    summary: "the sources of products, with licence and number of products",
    options: {},
    examples: ["catalogue sources"],
    run: async ({ database, print }) => {
      const sources = await listSources(database);
      print(
        { sources },
        sources.map(
          ({ name, applicationId, licence, products, importedAt, revision }) =>
            `${name}  ${products} products  ${licence}  import ${revision} of ${importedAt.toISOString()}` +
            (applicationId === null ? "" : `  own products of application ${applicationId}`),
        ),
      );
    },
  }),
  command({
    name: "catalogue remove",
    summary: "delete a source with all its products",
    options: { source: required("NAME", 'the source, as "catalogue sources" shows it'), clientId: OWN },
    examples: ["catalogue remove --source own --client-id app_…"],
    run: async ({ database, options: { source, clientId }, print }) => {
      const applicationId = await ownerOf(database, clientId);
      const removed = await database.tx((tx) => removeSource(tx, source, applicationId));
      if (removed === null) throw new Refusal("there is no source of this name");
      print({ source, removed }, [`${source} is removed with its ${removed} products`]);
    },
  }),
  command({
    name: "catalogue search",
    summary: "find products by the words of their names",
    options: { name: required("WORDS", "words of the name"), clientId: OWN },
    examples: ['catalogue search --name "greek yogurt"'],
    run: async ({ database, options: { name, clientId }, print }) => {
      const products = await searchProducts(database, name, await ownerOf(database, clientId), SEARCH_ROWS_MAX);
      print(
        { products },
        products.map(
          ({ source, code, name: found, brand }) => `${source}:${code}  ${found}${brand ? `  (${brand})` : ""}`,
        ),
      );
    },
  }),
  ALTERNATIVES,
  UNKNOWN_NAMES,
  ...ALIAS_COMMANDS,
];

/** Returns the application whose products are meant; null without --client-id: the common ones. */
async function ownerOf(tx: Tx, clientId: string | undefined): Promise<string | null> {
  return clientId === undefined ? null : (await applicationOf(tx, clientId)).id;
}
