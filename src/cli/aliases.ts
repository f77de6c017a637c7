import { randomBytes } from "node:crypto";
import { aliasOf, missingTarget, presentAlias } from "../foods/aliases/alias.ts";
import { customWordOf, presentCustomWord } from "../foods/aliases/custom-words.ts";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { deleteAlias, deleteWord, listAliases, listWords, saveAlias, saveWord } from "../foods/aliases/store.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional, refusalOf, required } from "./command.ts";
import type { Command } from "./command.ts";

const ALIAS_ROWS_MAX = 10_000;
const ALWAYS = { from: null, before: null };

/** The commands for an application's aliases and custom words. */
export const ALIAS_COMMANDS: readonly Command[] = [
  command({
    name: "catalogue alias add",
    summary: "save the food or product that a name means",
    options: {
      clientId: CLIENT_ID,
      name: required("NAME", "as receipts print it"),
      merchant: optional("NAME", "only at this merchant"),
      foodId: optional("ID", "a food of the catalogue, or an own product; this or --gtin"),
      gtin: optional("GTIN", "the number under the bar code"),
    },
    examples: ['catalogue alias add --client-id app_… --name "ORG SKM MLK" --food-id milk-skimmed'],
    run: async ({ database, now, options: { clientId, name, merchant, foodId = null, gtin = null }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const sent = { name, merchantName: merchant ?? null, foodId, gtin };
      const id = uuidv7(now.getTime(), randomBytes(10));
      const read = aliasOf(sent, readCatalogue(), { id, author: "operator", createdAt: now });
      if ("errors" in read) throw refusalOf(read.errors);
      if (!(await saveAlias(database, applicationId, read.alias))) {
        throw refusalOf(missingTarget(read.alias));
      }
      const alias = presentAlias(read.alias);
      print(alias, [`${alias.id}  ${alias.name} means ${alias.foodId || alias.gtin}`]);
    },
  }),
  command({
    name: "catalogue alias list",
    summary: "the aliases of an application",
    options: { clientId: CLIENT_ID },
    examples: ["catalogue alias list --client-id app_…"],
    run: async ({ database, options: { clientId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const aliases = (await listAliases(database, { applicationId, ...ALWAYS }, 0, ALIAS_ROWS_MAX)).map(presentAlias);
      print(
        { aliases },
        aliases.map(
          ({ id, name, merchantName, foodId, gtin, author, createdAt }) =>
            `${id}  ${name}${merchantName ? ` at ${merchantName}` : ""}  ${foodId || gtin}  by ${author}, ${createdAt}`,
        ),
      );
    },
  }),
  command({
    name: "catalogue alias remove",
    summary: "delete an alias",
    options: { clientId: CLIENT_ID, aliasId: required("ID", 'the alias, as "catalogue alias list" shows it') },
    examples: ["catalogue alias remove --client-id app_… --alias-id 01a1…"],
    run: async ({ database, options: { clientId, aliasId: id }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const isGone = isUuid(id) && (await deleteAlias(database, applicationId, id));
      if (!isGone) throw new Refusal("there is no alias of this id");
      print({ id, removed: true }, ["removed"]);
    },
  }),
  command({
    name: "catalogue word add",
    summary: "save the meaning of a word that the application's tills print, or ignore the word",
    options: {
      clientId: CLIENT_ID,
      word: required("WORD", "as receipts print it"),
      means: optional("TEXT", "its meaning; without it the word is ignored"),
    },
    examples: ["catalogue word add --client-id app_… --word QSS --means pear"],
    run: async ({ database, now, options: { clientId, word, means = "" }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const id = uuidv7(now.getTime(), randomBytes(10));
      const read = customWordOf({ word, means }, { id, author: "operator", createdAt: now });
      if ("errors" in read) throw refusalOf(read.errors);
      await saveWord(database, applicationId, read.word);
      const shown = presentCustomWord(read.word);
      print(shown, [`${shown.id}  ${shown.word} means ${shown.means || "nothing"}`]);
    },
  }),
  command({
    name: "catalogue word list",
    summary: "the custom words of an application",
    options: { clientId: CLIENT_ID },
    examples: ["catalogue word list --client-id app_…"],
    run: async ({ database, options: { clientId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const words = (await listWords(database, { applicationId, ...ALWAYS }, 0, ALIAS_ROWS_MAX)).map(presentCustomWord);
      print(
        { words },
        words.map(({ id, word, means, author, createdAt }) => `${id}  ${word}  ${means}  by ${author}, ${createdAt}`),
      );
    },
  }),
  command({
    name: "catalogue word remove",
    summary: "delete a custom word",
    options: { clientId: CLIENT_ID, wordId: required("ID", 'the word, as "catalogue word list" shows it') },
    examples: ["catalogue word remove --client-id app_… --word-id 01a1…"],
    run: async ({ database, options: { clientId, wordId: id }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const isGone = isUuid(id) && (await deleteWord(database, applicationId, id));
      if (!isGone) throw new Refusal("there is no word of this id");
      print({ id, removed: true }, ["removed"]);
    },
  }),
];
