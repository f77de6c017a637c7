import { randomBytes } from "node:crypto";
import { findApplicationByClientId } from "../applications/store.ts";
import { aliasOf, missingTarget, presentAlias } from "../foods/alias.ts";
import { IMPORT_FORMATS, USUAL_SOURCES } from "../foods/import-format.ts";
import type { ImportFormat, SourceTerms } from "../foods/import-format.ts";
import { ownWordOf, presentOwnWord } from "../foods/own-words.ts";
import { REFUSALS } from "../foods/product.ts";
import { beginImport, endImport, forgetAlias, importProducts, listAliases, listSources } from "../foods/store.ts";
import { readCatalogue, removeSource, searchProducts, teachAlias } from "../foods/store.ts";
import { forgetWord, listWords, teachWord } from "../foods/store.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import type { Faults } from "../problems.ts";
import { Refusal } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { readProducts } from "./product-file.ts";
import type { FileProgress } from "./product-file.ts";

export const CATALOGUE_USAGE = `  catalogue import --format ${IMPORT_FORMATS.join("|")} --file FILE
                   [--client-id ID] [--source NAME] [--licence TEXT] [--attribution TEXT]
                                       products, from a file that may be gzipped; with --client-id an application's own
  catalogue sources                    where products are from, under which licence, how many
  catalogue remove --source NAME [--client-id ID]
                                       a source with all its products
  catalogue search --name WORDS [--client-id ID]
                                       products by the words of their names
  catalogue alias add --client-id ID --name NAME [--merchant NAME] (--food-id ID | --gtin GTIN)
                                       teach that a name means a food or a product
  catalogue alias list --client-id ID  what was taught
  catalogue alias remove --client-id ID --alias-id ID
  catalogue word add --client-id ID --word WORD [--means TEXT]
                                       teach what a word of the application's tills stands for, or that it says nothing
  catalogue word list --client-id ID   the words that were taught
  catalogue word remove --client-id ID --word-id ID`;

const text = { type: "string" } as const;
export const CATALOGUE_OPTIONS = {
  format: text,
  file: text,
  source: text,
  licence: text,
  attribution: text,
  merchant: text,
  "food-id": text,
  gtin: text,
  "alias-id": text,
  word: text,
  means: text,
  "word-id": text,
};

/** Rows of one statement: 680,420 rows took 32 s in batches of this size, on two busy cores. */
const BATCH_ROWS = 5_000;
const PROGRESS_MS = 2_000;
const SEARCH_ROWS_MAX = 50;
const TAUGHT_ROWS_MAX = 10_000;

export const CATALOGUE_COMMANDS: Record<string, Command> = {
  "catalogue import": importFile,
  "catalogue sources": async ({ database, print }) => {
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
  "catalogue remove": async (context) => {
    const source = context.required("source");
    const applicationId = await applicationOf(context);
    const removed = await context.database.tx((tx) => removeSource(tx, source, applicationId));
    if (removed === null) throw new Refusal("there is no source of this name");
    context.print({ source, removed }, [`${source} is removed with its ${removed} products`]);
  },
  "catalogue search": async (context) => {
    const applicationId = await applicationOf(context);
    const products = await searchProducts(context.database, context.required("name"), applicationId, SEARCH_ROWS_MAX);
    context.print(
      { products },
      products.map(({ source, code, name, brand }) => `${source}:${code}  ${name}${brand ? `  (${brand})` : ""}`),
    );
  },
  "catalogue alias add": async (context) => {
    const { database, option, required, now, print } = context;
    required("client-id");
    const applicationId = (await applicationOf(context)) ?? "";
    const lesson = {
      name: required("name"),
      merchantName: option("merchant")?.trim() || null,
      foodId: option("food-id") ?? null,
      gtin: option("gtin") ?? null,
    };
    const id = uuidv7(now.getTime(), randomBytes(10));
    const taught = aliasOf(lesson, readCatalogue(), { id, author: "operator", createdAt: now });
    if ("faults" in taught) throw new Refusal(inWords(taught.faults));
    if (!(await teachAlias(database, applicationId, taught.alias))) {
      throw new Refusal(inWords(missingTarget(taught.alias)));
    }
    const alias = presentAlias(taught.alias);
    print(alias, [`${alias.id}  ${alias.name} means ${alias.foodId || alias.gtin}`]);
  },
  "catalogue alias list": async (context) => {
    context.required("client-id");
    const applicationId = (await applicationOf(context)) ?? "";
    const aliases = await listAliases(context.database, applicationId, 0, TAUGHT_ROWS_MAX);
    const shown = aliases.map(presentAlias);
    context.print(
      { aliases: shown },
      shown.map(
        ({ id, name, merchantName, foodId, gtin, author, createdAt }) =>
          `${id}  ${name}${merchantName ? ` at ${merchantName}` : ""}  ${foodId || gtin}  by ${author}, ${createdAt}`,
      ),
    );
  },
  "catalogue alias remove": async (context) => {
    context.required("client-id");
    const id = context.required("alias-id");
    if (!isUuid(id)) throw new Refusal("there is no alias of this id");
    const isGone = await forgetAlias(context.database, (await applicationOf(context)) ?? "", id);
    if (!isGone) throw new Refusal("there is no alias of this id");
    context.print({ id, removed: true }, ["removed"]);
  },
  "catalogue word add": async (context) => {
    const { database, option, required, now, print } = context;
    required("client-id");
    const applicationId = (await applicationOf(context)) ?? "";
    const lesson = { word: required("word"), means: option("means") ?? "" };
    const id = uuidv7(now.getTime(), randomBytes(10));
    const taught = ownWordOf(lesson, { id, author: "operator", createdAt: now });
    if ("faults" in taught) throw new Refusal(inWords(taught.faults));
    await teachWord(database, applicationId, taught.word);
    const word = presentOwnWord(taught.word);
    print(word, [`${word.id}  ${word.word} means ${word.means || "nothing"}`]);
  },
  "catalogue word list": async (context) => {
    context.required("client-id");
    const applicationId = (await applicationOf(context)) ?? "";
    const words = (await listWords(context.database, applicationId, 0, TAUGHT_ROWS_MAX)).map(presentOwnWord);
    context.print(
      { words },
      words.map(({ id, word, means, author, createdAt }) => `${id}  ${word}  ${means}  by ${author}, ${createdAt}`),
    );
  },
  "catalogue word remove": async (context) => {
    context.required("client-id");
    const id = context.required("word-id");
    if (!isUuid(id)) throw new Refusal("there is no word of this id");
    const isGone = await forgetWord(context.database, (await applicationOf(context)) ?? "", id);
    if (!isGone) throw new Refusal("there is no word of this id");
    context.print({ id, removed: true }, ["removed"]);
  },
};

async function importFile(context: Context): Promise<void> {
  const { database, now, required, print } = context;
  const format = required("format");
  if (!isFormat(format)) throw new Refusal(`--format is one of ${IMPORT_FORMATS.join(", ")}`);
  const file = required("file");
  const applicationId = await applicationOf(context);
  const terms = termsOf(context, format, applicationId);
  const startedAt = performance.now();
  const products = readProducts({ file, format, isOwn: applicationId !== null, batchRows: BATCH_ROWS });
  const source = { id: uuidv7(now.getTime(), randomBytes(10)), applicationId, ...terms };
  const written = { added: 0, changed: 0 };
  let progress: FileProgress | undefined;
  let opened: Awaited<ReturnType<typeof beginImport>> | undefined;
  let toldAt = startedAt;
  for await (const batch of products) {
    // Only now: a file that cannot be read leaves no source behind.
    opened ??= await beginImport(database, source, now);
    const open = opened;
    const { added, changed } = await database.tx((tx) => importProducts(tx, open, batch.products));
    written.added += added;
    written.changed += changed;
    progress = batch.progress;
    if (performance.now() - toldAt < PROGRESS_MS) continue;
    toldAt = performance.now();
    console.error(
      `${progress.rows} rows read, ${progress.accepted} taken, ${Math.round(100 * progress.share)} % of the file`,
    );
  }
  if (!progress) throw new Refusal("the file holds no rows");
  await endImport(database);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const { rows, accepted, inStore, refused } = progress;
  const unchanged = accepted - written.added - written.changed;
  const reasons = [...refused].map(([reason, { count, lines }]) => ({ reason, count, lines }));
  print(
    {
      source: terms.name,
      licence: terms.licence,
      rows,
      accepted,
      inStore,
      ...written,
      unchanged,
      refused: reasons,
      seconds,
    },
    [
      `${terms.name} (${terms.licence}): ${rows} rows in ${seconds} s`,
      `  taken   ${accepted}: ${written.added} new, ${written.changed} changed, ${unchanged} as they were`,
      ...(inStore > 0 ? [`  of these ${inStore} have a number that each shop gives as it likes: not found by it`] : []),
      `  refused ${rows - accepted}`,
      ...reasons.map(({ reason, count, lines }) => `    ${count}  ${REFUSALS[reason]} (line ${lines.join(", ")})`),
    ],
  );
}

/** Null without --client-id. */
async function applicationOf({ database, option }: Context): Promise<string | null> {
  const clientId = option("client-id");
  if (clientId === undefined) return null;
  const application = await findApplicationByClientId(database, clientId);
  if (!application) throw new Refusal("there is no application with this client id");
  return application.id;
}

function termsOf({ option }: Context, format: ImportFormat, applicationId: string | null): SourceTerms {
  const own = applicationId === null ? null : { name: "own", licence: "proprietary", attribution: "" };
  const usual = USUAL_SOURCES[format] ?? own;
  const name = option("source") ?? usual?.name;
  const licence = option("licence") ?? usual?.licence;
  if (!name || !licence) throw new Refusal("a table for every application wants --source and --licence");
  if (!/^[\w.-]{1,100}$/.test(name)) throw new Refusal("--source is letters, digits, dots and hyphens");
  return { name, licence, attribution: option("attribution") ?? usual?.attribution ?? "" };
}

function isFormat(text: string): text is ImportFormat {
  return (IMPORT_FORMATS as readonly string[]).includes(text);
}

function inWords(faults: Faults): string {
  return Object.entries(faults)
    .map(([option, messages]) => `${option} ${messages.join(", ")}`)
    .join("; ");
}
