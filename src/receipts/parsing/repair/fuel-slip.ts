import type { DraftLine } from "../items/lines.ts";
import { anyUnitOf } from "../languages/notation.ts";
import { measureWords } from "../languages/vocabulary.ts";
import { findNumbers, withDigitsRestored } from "../rows/amounts.ts";
import type { PrintedNumber } from "../rows/amounts.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";

const LITRES = String.raw`(?:${anyUnitOf(measureWords("l"))})`;
const LITRES_BEHIND = new RegExp(String.raw`^\s?${LITRES}\b`, "i");
const LITRES_BEFORE = new RegExp(String.raw`\b${LITRES}\)?[\s:]*$`, "i");
/** A field of the slip whose value is words: `Produk : Pertamax`. */
const NAMED = /^[^:]*\p{L}\s*:\s*(\p{L}[^:]*)$/u;
/** How many rows a volume and its price may be apart. */
const ROWS_APART = 2;

interface Figure {
  at: number;
  number: PrintedNumber;
}

/**
 * Returns the line of a slip that has the product, the volume, the price of a litre and the total on rows of their own,
 * in any order (`Produk : Pertamax`, `Volume : 20.05 Liter`, `Harga/L : Rp 13.900`, `Total : Rp 278.695`). Null if no
 * volume times a price beside it is the total.
 */
export function fuelLine(rows: readonly ClassifiedRow[], totalMinor: number): DraftLine | null {
  const figures = rows.flatMap(({ text }, at) => findNumbers(text).map((number): Figure => ({ at, number })));
  for (const volume of figures.filter((figure) => isVolume(rows[figure.at]!.text, figure.number))) {
    const price = figures.find(
      ({ at, number }) =>
        at !== volume.at && Math.abs(at - volume.at) <= ROWS_APART && isPrice(number, volume.number, totalMinor),
    );
    if (!price) continue;
    const rowIndex = Math.min(volume.at, price.at) - 1;
    const row = rows[rowIndex];
    const name = NAMED.exec(row?.text ?? "")?.[1];
    if (!row || !name) continue;
    const unitPriceMinor = Math.round(price.number.thousandths / 10);
    const quantity = { thousandths: volume.number.thousandths, unit: "l", unitPriceMinor, isChecked: true } as const;
    return {
      kind: "item",
      name,
      quantity,
      amountMinor: totalMinor,
      isAmountComputed: false,
      score: Math.min(...row.cells.map((cell) => cell.score)),
      rowIndex,
    };
  }
  return null;
}

function isVolume(text: string, { start, end, decimals }: PrintedNumber): boolean {
  const readable = withDigitsRestored(text);
  return decimals >= 2 && (LITRES_BEHIND.test(readable.slice(end)) || LITRES_BEFORE.test(readable.slice(0, start)));
}

/** Whether a price of a litre gives the total, which is as exact as the volume's last decimal lets it be. */
function isPrice(price: PrintedNumber, volume: PrintedNumber, totalMinor: number): boolean {
  const product = (price.thousandths * volume.thousandths) / 10_000;
  const apart = price.thousandths / 10 / 10 ** volume.decimals / 2 + 1;
  return price.thousandths > 0 && Math.abs(product - totalMinor) <= apart;
}
