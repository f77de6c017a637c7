// Money is an integer in the currency's minor unit. Only the interface has numbers in major units.
import { divide, inProportion, scaled } from "../decimal.ts";

/** ISO 4217 minor units that are not 2 (list one, with the funds codes left out). */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0] as const),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3] as const),
]);

/** Number of decimals of a currency (upper-case ISO 4217 code); 2 for an unknown code. */
export function currencyExponent(currency: string): number {
  return EXPONENTS.get(currency) ?? 2;
}

/**
 * Converts an amount as sent to minor units, with ties rounded away from zero: 1.005 GBP is 101. Throws RangeError
 * unless the amount is finite and its minor units are a safe integer.
 */
export function toMinor(amount: number, currency: string): number {
  const minor = Number(scaled(amount, currencyExponent(currency), "halfUp"));
  if (!Number.isSafeInteger(minor)) throw new RangeError("an amount beyond exact minor units");
  return minor;
}

/** Converts minor units to the number to show. Exact, and reversed by `toMinor`, up to 10^15 minor units. */
export function fromMinor(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** currencyExponent(currency);
}

/** The price to show for one of `quantity`, rounded to the minor unit; 0 for a quantity of 0 or less. */
export function pricePerUnit(amountMinor: number, quantity: number, currency: string): number {
  if (quantity <= 0) return 0;
  const [amount, pieces] = inProportion(amountMinor, quantity);
  return fromMinor(Number(divide(amount, pieces, "halfUp")), currency);
}
