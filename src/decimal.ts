// Exact arithmetic on decimals. A JSON number such as 0.29 is stored as a binary fraction, and 0.29 * 100 is
// 28.999999999999996. Its shortest decimal form is the number that the sender wrote, so that form is computed with.

/** Rounding to an integer. `halfUp` rounds a tie away from zero, so that −x mirrors x. */
export type Rounding = "floor" | "ceil" | "halfUp";

/** `value` × 10^`power` as an integer, exact on the shortest decimal of `value`. Throws RangeError unless finite. */
export function scaled(value: number, power: number, rounding: Rounding): bigint {
  const { coefficient, exponent } = toDecimal(value);
  const shift = exponent + power;
  return shift >= 0 ? coefficient * 10n ** BigInt(shift) : divide(coefficient, 10n ** BigInt(-shift), rounding);
}

/** Two integers in exactly the ratio of the shortest decimals of `a` and `b`. Throws RangeError unless finite. */
export function inProportion(a: number, b: number): [bigint, bigint] {
  const left = toDecimal(a);
  const right = toDecimal(b);
  const exponent = Math.min(left.exponent, right.exponent);
  return [
    left.coefficient * 10n ** BigInt(left.exponent - exponent),
    right.coefficient * 10n ** BigInt(right.exponent - exponent),
  ];
}

/** `numerator` / `denominator` as an integer; the denominator must be above 0. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const truncated = numerator / denominator;
  const remainder = numerator % denominator;
  const awayFromZero = numerator < 0n ? truncated - 1n : truncated + 1n;
  return remainder !== 0n && roundsAway(remainder, denominator, rounding) ? awayFromZero : truncated;
}

function roundsAway(remainder: bigint, denominator: bigint, rounding: Rounding): boolean {
  if (rounding === "floor") return remainder < 0n;
  if (rounding === "ceil") return remainder > 0n;
  return (remainder < 0n ? -remainder : remainder) * 2n >= denominator;
}

/** The shortest decimal that reads back as `value`, as coefficient × 10^exponent. */
function toDecimal(value: number): { coefficient: bigint; exponent: number } {
  if (!Number.isFinite(value)) throw new RangeError("only a finite number has a decimal form");
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { coefficient: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
