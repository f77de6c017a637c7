import type { Random } from "./random.ts";
import { money, two } from "./sale.ts";
import type { Sale } from "./sale.ts";

// What tills of Germany, France, Spain and Italy share.

/** `1,20`. */
export const comma = (minor: number): string => money(minor, ",");

/** `05.12.24`, or with the year in full. */
export function dotted({ date: { year, month, day } }: Sale, digits: 2 | 4, separator = "."): string {
  return [two(day), two(month), digits === 2 ? two(year % 100) : String(year)].join(separator);
}

/** `18:05`, or with seconds. */
export function clock({ time: { hour, minute, second } }: Sale, hasSeconds: boolean): string {
  return `${two(hour)}:${two(minute)}${hasSeconds ? `:${two(second)}` : ""}`;
}

/** What somebody gives in cash. */
export function tendered(random: Random, totalMinor: number): number {
  return Math.ceil(totalMinor / 500) * 500 + (random.chance(0.3) ? 500 : 0);
}

/** Net, tax and gross of a letter's or rate's lines. */
export function taxRow(sale: Sale, mark: string, percent: number): { net: number; tax: number; gross: number } {
  const gross = sale.lines.reduce(
    (sum, l) => sum + (l.taxMark === mark && !l.isVoided ? l.amountMinor + (l.discount?.amountMinor ?? 0) : 0),
    0,
  );
  const net = Math.round(gross / (1 + percent / 100));
  return { net, tax: gross - net, gross };
}
