import { randomBytes } from "node:crypto";
import { IMPORT_FORMATS, USUAL_SOURCES } from "../foods/products/import-format.ts";
import type { ImportFormat, SourceTerms } from "../foods/products/import-format.ts";
import { REFUSALS } from "../foods/products/product.ts";
import { beginImport, endImport, importProducts } from "../foods/products/store.ts";
import { uuidv7 } from "../ids.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, UsageError, command, optional, required } from "./command.ts";
import type { Command, Context, Given } from "./command.ts";
import { readProducts } from "./product-file.ts";
import type { FileProgress } from "./product-file.ts";
import { atTimes } from "./report-times.ts";

/** Rows of one statement: 680,420 rows took 32 s in batches of this size, on two busy cores. */
const BATCH_ROWS = 5_000;

const IMPORT_OPTIONS = {
  format: required("FORMAT", IMPORT_FORMATS.join(", ")),
  file: required("FILE", "the file; gzipped or not"),
  clientId: optional("ID", "import own products of this application"),
  source: optional("NAME", "name of the source; formats of one source have a default"),
  licence: optional("TEXT", "licence of the data"),
  attribution: optional("TEXT", "attribution that the licence requires"),
};

/** The command that imports products. */
export const CATALOGUE_IMPORT: Command = command({
  name: "catalogue import",
  summary: "import products from a file, gzipped or not; with --client-id as an application's own",
  options: IMPORT_OPTIONS,
  examples: [
    "catalogue import --format off-jsonl --file openfoodfacts-products.jsonl.gz",
    "catalogue import --format csv --file own.csv --client-id app_…",
  ],
  run: importFile,
});

async function importFile(context: Context<Given<typeof IMPORT_OPTIONS>>): Promise<void> {
  const { database, now, options, print, report } = context;
  const { format, file } = options;
  if (!isFormat(format)) throw new UsageError(`--format must be one of ${IMPORT_FORMATS.join(", ")}`);
  const applicationId = options.clientId === undefined ? null : (await applicationOf(database, options.clientId)).id;
  const terms = termsOf(options, format, applicationId);
  const startedAt = performance.now();
  const products = readProducts({ file, format, isOwn: applicationId !== null, batchRows: BATCH_ROWS });
  const source = { id: uuidv7(now.getTime(), randomBytes(10)), applicationId, ...terms };
  const written = { added: 0, changed: 0 };
  let progress: FileProgress | undefined;
  let opened: Awaited<ReturnType<typeof beginImport>> | undefined;
  const reportLine = atTimes(report);
  for await (const batch of products) {
    // Not earlier: a file that cannot be read must not leave an empty source.
    opened ??= await beginImport(database, source, now);
    const open = opened;
    const { added, changed } = await database.tx((tx) => importProducts(tx, open, batch.products));
    written.added += added;
    written.changed += changed;
    progress = batch.progress;
    reportLine(
      `${progress.rows} rows read, ${progress.accepted} accepted, ${Math.round(100 * progress.share)} % of the file`,
    );
  }
  if (!progress) throw new Refusal("the file has no rows");
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
      `  accepted ${accepted}: ${written.added} new, ${written.changed} changed, ${unchanged} unchanged`,
      ...(inStore > 0
        ? [`  of these ${inStore} have an in-store number, which each shop assigns itself: they are not found by it`]
        : []),
      `  rejected ${rows - accepted}`,
      ...reasons.map(({ reason, count, lines }) => `    ${count}  ${REFUSALS[reason]} (line ${lines.join(", ")})`),
    ],
  );
}

function termsOf(
  options: Given<typeof IMPORT_OPTIONS>,
  format: ImportFormat,
  applicationId: string | null,
): SourceTerms {
  const own = applicationId === null ? null : { name: "own", licence: "proprietary", attribution: "" };
  const usual = USUAL_SOURCES[format] ?? own;
  const name = options.source ?? usual?.name;
  const licence = options.licence ?? usual?.licence;
  if (!name || !licence) throw new UsageError("a table for all applications needs --source and --licence");
  if (!/^[\w.-]{1,100}$/.test(name)) throw new UsageError("--source must be letters, digits, dots and hyphens");
  return { name, licence, attribution: options.attribution ?? usual?.attribution ?? "" };
}

function isFormat(text: string): text is ImportFormat {
  return (IMPORT_FORMATS as readonly string[]).includes(text);
}
