import { createRowReader, separatorOf } from "../csv/row-reader.ts";
import { readJsonLine, tableReader } from "../foods/products/import-format.ts";
import type { MissingColumn } from "../foods/products/import-format.ts";
import type { ImportFormat } from "../foods/products/import-format.ts";
import { readProduct } from "../foods/products/product.ts";
import type { Product, RawProduct, Refusal as RowRefusal } from "../foods/products/product.ts";
import { Refusal } from "./command.ts";
import { openText } from "./text-file.ts";

/** The progress of reading a file, and its result so far. */
export interface FileProgress {
  readonly rows: number;
  readonly accepted: number;
  /** Accepted products with an in-store number: they are not found by it. */
  readonly inStore: number;
  /** The number of rows rejected for each reason, with the first lines. */
  readonly refused: ReadonlyMap<RowRefusal, { count: number; lines: number[] }>;
  /** The share of the file's bytes that was read, 0 to 1. */
  readonly share: number;
}

/** Length limit of a header. */
const HEADER_CHARS_MAX = 1_000_000;
/** Length limit of a row: the largest ones of Open Food Facts have some hundred thousand characters. */
const ROW_CHARS_MAX = 10_000_000;
const LINES_SHOWN = 3;

/**
 * Reads products from a file of any length, gzipped or not, in batches, with constant memory except for the ids seen.
 * Refuses a file that does not exist or has another format.
 */
export async function* readProducts(options: {
  file: string;
  format: ImportFormat;
  isOwn: boolean;
  batchRows: number;
}): AsyncGenerator<{ products: Product[]; progress: FileProgress }> {
  const { format, isOwn, batchRows } = options;
  const file = await openText(options.file);
  const seen = new Set<string>();
  const refused = new Map<RowRefusal, { count: number; lines: number[] }>();
  let rows = 0;
  let accepted = 0;
  let inStore = 0;
  let products: Product[] = [];
  const take = (raw: RawProduct | null, line: number) => {
    rows += 1;
    let product = raw === null ? "unreadable_row" : readProduct(raw, { isOwn });
    if (typeof product !== "string" && seen.has(product.code)) product = "duplicate";
    if (typeof product === "string") {
      const reason = refused.get(product) ?? { count: 0, lines: [] };
      reason.count += 1;
      if (reason.lines.length < LINES_SHOWN) reason.lines.push(line);
      refused.set(product, reason);
      return;
    }
    seen.add(product.code);
    accepted += 1;
    if (raw?.gtin && product.gtin === null) inStore += 1;
    products.push(product);
  };
  const batch = () => {
    const full = { products, progress: { rows, accepted, inStore, refused, share: file.share() } };
    products = [];
    return full;
  };

  const readText = format === "off-jsonl" ? jsonLines(take) : tableRows(format, take);
  for await (const piece of file.pieces) {
    readText(piece);
    if (products.length >= batchRows) yield batch();
  }
  readText(null);
  if (rows > 0) yield batch();
}

type Take = (raw: RawProduct | null, line: number) => void;

/** Takes a piece of text; null at the end. */
type ReadText = (piece: string | null) => void;

function jsonLines(take: Take): ReadText {
  let rest = "";
  let line = 0;
  return (piece) => {
    const lines = (rest + (piece ?? "\n")).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > ROW_CHARS_MAX) throw new Refusal(`line ${line + lines.length + 1} is too long`);
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") take(readJsonLine(text), line);
    }
  };
}

function tableRows(format: Exclude<ImportFormat, "off-jsonl">, take: Take): ReadText {
  let head = "";
  let width = 0;
  let reader: ReturnType<typeof createRowReader> | undefined;
  let toProduct: ((cells: readonly string[]) => RawProduct) | undefined;
  return (piece) => {
    let text = piece ?? "";
    if (!reader) {
      head += text;
      const end = head.indexOf("\n");
      if (end < 0 && piece !== null && head.length < HEADER_CHARS_MAX) return;
      reader = createRowReader(separatorOf(end < 0 ? head : head.slice(0, end)));
      text = head;
    }
    const rows = [...reader.push(text), ...(piece === null ? reader.end() : [])];
    if (reader.pending() > ROW_CHARS_MAX) throw new Refusal("a row of the table is too long: is a quote missing?");
    for (const { line, cells } of rows) {
      if (toProduct) {
        take(cells.length === width ? toProduct(cells) : null, line);
        continue;
      }
      width = cells.length;
      const found = tableReader(format, cells);
      if (typeof found !== "function") throw new Refusal(missingColumn(found, cells));
      toProduct = found;
    }
  };
}

/** Found names are shown shortened: the file may be no table at all. */
function missingColumn({ missing, expected }: MissingColumn, found: readonly string[]): string {
  const shown = found.slice(0, COLUMNS_SHOWN).map((name) => JSON.stringify(name.slice(0, COLUMN_CHARS_SHOWN)));
  const more = found.length > COLUMNS_SHOWN ? ` and ${found.length - COLUMNS_SHOWN} more` : "";
  return `the table has no column for the ${missing}: expected ${expected.join(" or ")} in its first line, found ${shown.join(", ")}${more}`;
}

const COLUMNS_SHOWN = 20;
const COLUMN_CHARS_SHOWN = 40;
