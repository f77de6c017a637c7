import { createRowReader } from "./row-reader.ts";

/**
 * The rows of a CSV text (RFC 4180: comma, double quotes doubled inside quotes, LF or CRLF) as records keyed by the header.
 * Refuses a row whose number of cells differs from the header's, naming its line.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const reader = createRowReader(",");
  const [header, ...rows] = [...reader.push(text), ...reader.end()];
  if (!header) return [];
  const names = header.cells;
  return rows.map(({ line, cells }) => {
    if (cells.length !== names.length)
      throw new Error(`CSV line ${line}: ${cells.length} cells, the header has ${names.length}`);
    const record: Record<string, string> = {};
    for (let i = 0; i < names.length; i += 1) record[names[i]!] = cells[i]!;
    return record;
  });
}

/** One CSV line, quoted only where it must be. */
export function csvLine(values: readonly string[]): string {
  return values.map((value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}
