/**
 * The rows of a CSV text (RFC 4180: comma, double quotes doubled inside quotes, LF or CRLF) as records keyed by the header.
 * Refuses a row whose number of cells differs from the header's, naming its line.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = cells(text);
  if (!header) return [];
  return rows.map(({ line, values }) => {
    if (values.length !== header.values.length)
      throw new Error(`CSV line ${line}: ${values.length} cells, the header has ${header.values.length}`);
    return Object.fromEntries(header.values.map((name, index) => [name, values[index] ?? ""]));
  });
}

/** One CSV line, quoted only where it must be. */
export function csvLine(values: readonly string[]): string {
  return values.map((value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}

function cells(text: string): { line: number; values: string[] }[] {
  const rows: { line: number; values: string[] }[] = [];
  let values: string[] = [];
  let value = "";
  let quoted = false;
  let line = 1;
  let start = 1;
  const endRow = () => {
    values.push(value);
    if (values.length > 1 || value !== "") rows.push({ line: start, values });
    values = [];
    value = "";
    start = line;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") line += 1;
    if (quoted) {
      if (char !== '"') value += char;
      else if (text[at + 1] === '"') value += text.charAt((at += 1));
      else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ",") {
      values.push(value);
      value = "";
    } else if (char === "\n") endRow();
    else if (char !== "\r") value += char;
  }
  endRow();
  return rows;
}
