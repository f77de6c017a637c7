import { readFileSync } from "node:fs";

// The words of tills in two dozen countries, and how their amounts are printed: summary-words.txt.

/** What a row below the goods is. */
export type RowKind =
  | "subtotal" | "total" | "toPay" | "discount" | "itemDiscount" | "unsignedDiscount" | "savings" | "points"
  | "balance" | "coupon" | "count" | "tax" | "taxIn" | "taxTable" | "service" | "surcharge" | "tip" | "suggested"
  | "deposit" | "depositReturn" | "donation" | "rounding" | "cash" | "card" | "voucher" | "change" | "cashback"
  | "other" | "slip"; // prettier-ignore

/** The tills of a country. Amounts are whole numbers of the smallest unit that is printed: cents, or forints. */
export interface Till {
  readonly country: string;
  readonly currency: string;
  readonly decimalMark: string;
  readonly thousandsMark: string;
  readonly lowest: number;
  readonly highest: number;
  readonly coin: number;
  readonly isTaxOnTop: boolean;
  readonly rates: readonly number[];
  /** The texts of each kind of row, and of `head`, `goods`, `tableHead` and `tableSum`. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/** The tills of all countries. */
export function readTills(): Till[] {
  const text = readFileSync(new URL("summary-words.txt", import.meta.url), "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [head, ...rows] = block.trim().split("\n") as [string, ...string[]];
      const [country, currency, decimalMark, thousandsMark, prices, coin, taxes] = head.split(" | ") as [string, string, string, string, string, string, string]; // prettier-ignore
      const [place, ...rates] = taxes.split(" ");
      const unit = decimalMark.trim() === "" ? 1 : 100;
      const units = (figures: string): number => Math.round(unit * Number(figures.replace(",", ".")));
      const [lowest, highest] = prices.split(" ").map(units) as [number, number];
      return {
        country,
        currency,
        decimalMark: decimalMark.trim(),
        thousandsMark,
        lowest,
        highest,
        coin: units(coin),
        isTaxOnTop: place === "top",
        rates: rates.map(Number),
        words: new Map(
          rows.map((row) => {
            const colon = row.indexOf(":");
            return [row.slice(0, colon), row.slice(colon + 1).split(";").map((one) => one.trim())]; // prettier-ignore
          }),
        ),
      };
    });
}

/** An amount as a till prints it. */
export function printed({ decimalMark, thousandsMark }: Till, units: number): string {
  const figures = String(Math.abs(units));
  const whole = decimalMark === "" ? figures : figures.padStart(3, "0").slice(0, -2);
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousandsMark);
  const decimals = decimalMark === "" ? "" : `${decimalMark}${figures.padStart(3, "0").slice(-2)}`;
  return `${units < 0 ? "-" : ""}${grouped}${decimals}`;
}
