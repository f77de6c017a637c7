/**
 * Why the text of a cell cannot be stored; null: it can. The limit is in code points, as a JSON schema counts. A file
 * that is not in UTF-8 was read with U+FFFD in the place of what is not.
 */
export function cellError(text: string, charsMax: number): string | null {
  if (text.includes("\uFFFD")) return "is not in UTF-8";
  if (text.includes("\0")) return "has a character that cannot be stored";
  return Array.from(text).length > charsMax ? `must not be longer than ${charsMax} characters` : null;
}
