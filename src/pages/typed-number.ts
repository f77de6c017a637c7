/**
 * Parses a number of 0 or more as people type it, with a comma or a point, in the digits of their script; null for
 * anything else, and for more decimals than `decimalsMax`.
 */
export function typedNumber(text: string, decimalsMax: number): number | null {
  const latin = text
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace("٫", ".")
    // A currency sign before or after the amount is accepted.
    .replaceAll(/[\s\p{Sc}]/gu, "");
  const match = /^(\d{1,9})(?:[.,](\d+))?$/.exec(latin);
  if (!match || (match[2] ?? "").length > decimalsMax) return null;
  return Number(`${match[1]}.${match[2] ?? "0"}`);
}

/** Returns whether PostgreSQL can store the text: without NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
