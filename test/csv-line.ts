/** One CSV line, quoted only where it must be. */
export function csvLine(values: readonly string[]): string {
  return values.map((value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}
