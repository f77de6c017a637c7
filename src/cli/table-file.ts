import { columnsOf } from "../csv/header.ts";
import type { TableColumns } from "../csv/header.ts";
import { createRowReader, separatorOf } from "../csv/row-reader.ts";
import type { Row } from "../csv/row-reader.ts";
import { Refusal } from "./command.ts";
import { openText } from "./text-file.ts";

/** More than all columns of a person at their greatest lengths. */
const ROW_CHARS_MAX = 20_000;

/** The cells of a row by column; a column that the table lacks is absent. Null: the row does not fit the header. */
export interface TableRow<Name extends string> {
  /** The line that it starts on, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Name, string>>> | null;
}

/**
 * Reads a table with a header from a file of any length, gzipped or not, in batches and constant memory. Refuses a file
 * that cannot be opened, lacks a column, or has a row of more than 20,000 characters: a quote was not closed.
 */
export async function* readTable<Name extends string>(options: {
  readonly file: string;
  readonly columns: TableColumns<Name>;
  readonly ignored: readonly string[] | "others";
  readonly batchRows: number;
}): AsyncGenerator<{ rows: TableRow<Name>[]; share: number }> {
  const { columns, ignored, batchRows } = options;
  const file = await openText(options.file);
  let head = "";
  let width = 0;
  let line = 0;
  let reader: ReturnType<typeof createRowReader> | undefined;
  let places: ReadonlyMap<Name, number> | undefined;
  let batch: TableRow<Name>[] = [];

  const take = (row: Row) => {
    line = row.line;
    if (!places) {
      width = row.cells.length;
      const found = columnsOf(row.cells, columns, ignored);
      if ("errors" in found) throw new Refusal(`the header does not fit: ${found.errors.join("; ")}`);
      places = found.places;
    } else batch.push({ line, cells: row.cells.length === width ? cellsAt(places, row.cells) : null });
  };
  const read = (piece: string | null) => {
    let text = piece ?? "";
    if (!reader) {
      head += text;
      const end = head.indexOf("\n");
      if (end < 0 && piece !== null && head.length < ROW_CHARS_MAX) return;
      reader = createRowReader(separatorOf(end < 0 ? head : head.slice(0, end)));
      text = head;
    }
    for (const row of reader.push(text)) take(row);
    if (reader.pending() > ROW_CHARS_MAX)
      throw new Refusal(`the row after line ${line} is too long: is a quote missing?`);
    if (piece === null) for (const row of reader.end()) take(row);
  };

  for await (const piece of file.pieces) {
    read(piece);
    while (batch.length >= batchRows) yield { rows: batch.splice(0, batchRows), share: file.share() };
  }
  read(null);
  if (!places) throw new Refusal("the file is empty");
  while (batch.length > 0) yield { rows: batch.splice(0, batchRows), share: file.share() };
}

function cellsAt<Name extends string>(
  places: ReadonlyMap<Name, number>,
  cells: readonly string[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const [name, place] of places) found[name] = cells[place]!;
  return found;
}
