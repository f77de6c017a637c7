import { createRowReader } from "./row-reader.ts";

/**
 * Reads a CSV text (RFC 4180: comma, quotes doubled inside quotes, LF or CRLF) into records with the names of the
 * header. Throws where a row has not as many cells as the header, and names its line.
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

/** Writes one CSV line, with quotes only where they are needed. */
export function csvLine(values: readonly string[]): string {
  return values.map((value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}
