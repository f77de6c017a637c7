/** The operator's limits on the photo of a receipt. */
export interface PhotoLimits {
  readonly imageBytesMax: number;
  readonly imagePixelsMax: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Replaces `{size}` and `{megapixels}` in a phrase by the limits, in the numbers and units of a locale. Rounds down: a
 * photo of the size that is shown is accepted.
 */
export function withLimits(phrase: string, { imageBytesMax, imagePixelsMax }: PhotoLimits, locale: string): string {
  const [amount, unit] = imageBytesMax < MIB ? [imageBytesMax / KIB, "kilobyte"] : [imageBytesMax / MIB, "megabyte"];
  const size = new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1, roundingMode: "floor" });
  const pixels = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, roundingMode: "floor" });
  return phrase
    .replace("{size}", size.format(amount))
    .replace("{megapixels}", pixels.format(imagePixelsMax / 1_000_000));
}
