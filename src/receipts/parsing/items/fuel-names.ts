import { anyUnitOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { isName, nameOn } from "../rows/names.ts";
import type { DraftLine } from "./lines.ts";

// A filling station prints the product above, with its volume or the price of a gallon, and below only `FUEL TOTAL`.

const FUEL_TOTAL = new RegExp(`^(?:${anyUnitOf(wordsOf("fuelTotals"))})$`, "i");
/** A volume or a price in thousandths: `REGULAR  10.482G`, `04  UNLD 87  2.939`. */
const THOUSANDTHS = /(?<![\d.,])\d{1,3}[.,]\d{3}(?=\s?(?:g|gal|gallons?|l|ltr)?\s*$)/i;
/** `GALLONS  11.204` is the volume alone. */
const VOLUME_WORD = /^(?:gal(?:lon)?s?|lit(?:re|er)s?|vol(?:ume)?)\b/i;
/** Rows between the product and its amount: pump, price, other goods. */
const ROWS_MAX = 14;

/** Returns the lines with the product's name in place of the words for what the fuel costs. */
export function withFuelNamed(lines: readonly DraftLine[], rows: readonly ClassifiedRow[]): DraftLine[] {
  return lines.map((line) =>
    FUEL_TOTAL.test(line.name) ? { ...line, name: productAbove(rows, line.rowIndex) ?? line.name } : line,
  );
}

function productAbove(rows: readonly ClassifiedRow[], rowIndex: number): string | null {
  const above = rows.slice(Math.max(0, rowIndex - ROWS_MAX), rowIndex);
  return productBeside(above) ?? productAboveVolume(above);
}

/** The number of the pump before its product: `PUMP 04 DIESEL 50PPM`, `#2 UNLEADED`. */
const PUMP = /^\W*(?:\p{L}{3,10}\W*)?0?\d{1,2}\s+(?=\p{L}{3})/u;
/** `LITRES 45.20 @ R21.87`. */
const PRICED_VOLUME = /\d[.,]\d{1,3}\D{1,6}\d/;

/** Returns the product on the row right above its volume and the price of one. */
function productAboveVolume(rows: readonly ClassifiedRow[]): string | null {
  const at = rows.findLastIndex(({ text }) => VOLUME_WORD.test(text) && PRICED_VOLUME.test(text));
  const product = rows[at - 1];
  if (!product || product.labels.size > 0 || product.amounts.length > 0) return null;
  const name = nameOn(product.text.replace(PUMP, ""), null, false);
  return isName(name) ? name : null;
}

/** Returns the product on the row of its volume, or of the price of a gallon. */
function productBeside(rows: readonly ClassifiedRow[]): string | null {
  for (const { text, labels } of rows.toReversed()) {
    const figure = THOUSANDTHS.exec(text);
    if (!figure || labels.size > 0) continue;
    // The number of the pump is before it: `04  UNLD 87`.
    const name = nameOn(text.slice(0, figure.index), null, true);
    if (isName(name) && !VOLUME_WORD.test(name)) return name;
  }
  return null;
}
