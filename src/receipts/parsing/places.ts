import type { OcrPage, TextBox } from "../../ocr/page.ts";
import { findMoment } from "./dates/dates.ts";
import { findMerchant } from "./header/merchants.ts";
import type { MerchantDictionary } from "./header/merchant-dictionary.ts";
import { countryCluesIn, countryOf, originOf } from "./header/find-country.ts";
import { namesOfGoods } from "./items/lines.ts";
import { readList } from "./list.ts";
import { readRows } from "./parse.ts";
import type { ReadingContext } from "./reading.ts";
import type { ReceiptRow } from "./rows/receipt-rows.ts";

/** Four corners, clockwise from the top left: x and y of each, in shares of the upright picture. */
export type Place = readonly [number, number, number, number, number, number, number, number];

/** Where on the picture the parts of a reading are printed; a part that was computed has no place. */
export interface ReadingPlaces {
  readonly merchantName: readonly Place[];
  readonly date: readonly Place[];
  readonly total: readonly Place[];
  /** Of each line of the reading, in its order. */
  readonly lines: readonly (readonly Place[])[];
}

/** Rows above and below the amount of a line where its name may be. */
const NAME_ROWS = [0, -1, 1, -2, 2];

/**
 * Finds the places of a reading again, by the passes that read it: a stored reading has none. Deterministic; about as
 * costly as parseReceipt, milliseconds.
 */
export function placesOf(page: OcrPage, dictionary: MerchantDictionary, context: ReadingContext): ReadingPlaces {
  const { today, likelyCountry } = context;
  const rows = readRows(page, likelyCountry);
  const texts = rows.map(({ text }) => text);
  const { bounds, totals, lines } = readList(rows);
  const clues = countryCluesIn(texts, likelyCountry);
  const likeliest = countryOf(clues) ?? likelyCountry;
  const merchant = findMerchant(rows, bounds.start, dictionary, likeliest, namesOfGoods(lines));
  const { country } = originOf(texts, { chain: merchant?.chain?.country ?? null, likely: likelyCountry }, clues);
  const { date } = findMoment(texts, { country, today });
  const placed = (found: readonly (ReceiptRow | undefined)[]) =>
    found.flatMap((row) => (row && row.members.length > 0 ? [placeOf(page, row)] : []));
  const printsDate = ({ text }: ReceiptRow) => date !== null && findMoment([text], { country, today }).date === date;
  const printsTotal = ({ amounts, labels }: ReceiptRow) =>
    labels.has("total") && amounts.some(({ minor }) => minor === totals.totalMinor);
  const merchantRow = merchant?.rowIndex ?? null;
  const priced = new Set(lines.map(({ rowIndex }) => rowIndex));
  return {
    merchantName: placed(merchantRow === null ? [] : [rows[merchantRow]]),
    date: placed([rows.find(printsDate)]),
    total: placed([rows.slice(bounds.start).find(printsTotal)]),
    lines: lines.map(({ name, rowIndex }) => {
      const at = nameRow(rows, { name, rowIndex }, priced);
      return placed([...new Set([Math.min(at, rowIndex), Math.max(at, rowIndex)])].map((index) => rows[index]));
    }),
  };
}

/** The row that prints the name of a line: mostly that of its amount. */
function nameRow(
  rows: readonly ReceiptRow[],
  { name, rowIndex }: { readonly name: string; readonly rowIndex: number },
  priced: ReadonlySet<number>,
): number {
  const wanted = lettersOf(name);
  if (wanted === "") return rowIndex;
  const prints = (index: number) => {
    const printed = lettersOf(rows[index]?.text ?? "");
    return printed.includes(wanted) || (printed.length > 3 && wanted.startsWith(printed));
  };
  const candidates = NAME_ROWS.map((step) => rowIndex + step);
  return candidates.find((index) => (index === rowIndex || !priced.has(index)) && prints(index)) ?? rowIndex;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");
}

/** One place for all boxes of a row: from the left edge of its first one to the right edge of its last one. */
function placeOf({ width, height }: OcrPage, { members }: ReceiptRow): Place {
  const [first, last] = [members[0]!, members.at(-1)!];
  const corners: TextBox["polygon"] = [first[0], last[1], last[2], first[3]];
  const share = (value: number, side: number) => Math.round(Math.min(1, Math.max(0, value / side)) * 10_000) / 10_000;
  return corners.flatMap(({ x, y }) => [share(x, width), share(y, height)]) as unknown as Place;
}
