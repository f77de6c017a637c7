/** A name or an id of any script, isolated from the text around it, which runs from right to left (UAX #9). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
