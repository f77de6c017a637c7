// Numbers under bar codes (GS1 General Specifications): 8, 12, 13 or 14 digits. The last one is a check digit.

/** Returns a GTIN as 14 digits, padded with zeros; null where the text is no GTIN or its check digit is wrong. */
export function readGtin(text: string): string | null {
  const digits = text.trim();
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits)) return null;
  const gtin = digits.padStart(14, "0");
  let sum = 0;
  for (let at = 0; at < 14; at += 1) sum += Number(gtin[at]) * (at % 2 === 0 ? 3 : 1);
  return sum % 10 === 0 && /[1-9]/.test(gtin) ? gtin : null;
}

/** The form in which codes of products are compared: a GTIN with 14 digits, or an integrator's own id. */
export function codeKey(code: string): string {
  return readGtin(code) ?? code.trim();
}

/** True for in-store numbers, which each shop assigns itself: prefixes 02, 04 and 20–29, short ones from 0 and 2. */
export function isInStore(gtin: string): boolean {
  if (gtin.startsWith("000000")) return /^0{6}[02]/.test(gtin);
  return /^0(?:02|04|2\d)/.test(gtin);
}
