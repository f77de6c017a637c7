/**
 * Reads a number as people of many countries type it: decimals after a point or a comma. Three digits after a comma may
 * be thousands and are no number, but after a leading 0. What is no number stays text, which the API refuses with its
 * own words.
 */
export function typedNumber(text: string): number | string {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return /^-?(?:\d+,\d{1,2}|0,\d+)$/.test(text) ? Number(text.replace(",", ".")) : text;
}
