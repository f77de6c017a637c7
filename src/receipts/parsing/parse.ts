import {
  dateAccuracy,
  lineAccuracy,
  merchantAccuracy,
  receiptAccuracy,
  totalAccuracy,
  TOTAL_SCORE_CERTAIN,
} from "./accuracy.ts";
import type { LineEvidence } from "./accuracy.ts";
import { findMoment } from "./dates/dates.ts";
import { addressIn } from "./header/address.ts";
import { countryCluesIn, countryOf, originOf } from "./header/find-country.ts";
import { findMerchant } from "./header/merchants.ts";
import type { MerchantDictionary } from "./header/merchant-dictionary.ts";
import { shopKindIn } from "./header/shop-kind.ts";
import { cleanedName } from "./items/cleaned-name.ts";
import { withoutCommonMarks } from "./items/common-marks.ts";
import { namesOfGoods, sumOfLines } from "./items/lines.ts";
import type { DraftLine } from "./items/lines.ts";
import { readList } from "./list.ts";
import { NO_CONTEXT } from "./reading.ts";
import type { ReadingContext, ReceiptLine, ReceiptReading } from "./reading.ts";
import { RECEIPT_SCORE_MIN, receiptScoreOf } from "./receipt-score.ts";
import { withLettersRestored } from "./repair/letters.ts";
import { inMinorUnits } from "./rows/amounts.ts";
import { withPricesApart } from "./rows/glued-prices.ts";
import { withAmountsRestored } from "./rows/misread-amounts.ts";
import { withSecondDecimal } from "./rows/one-decimal-amounts.ts";
import { toReceiptRows } from "./rows/receipt-rows.ts";
import { withoutRepeatedHeadings } from "./rows/repeated-headings.ts";
import type { ReceiptRow } from "./rows/receipt-rows.ts";
import { rowsOf } from "./rows/rows.ts";
import { withoutStars } from "./rows/starred-amounts.ts";
import { withoutBracketedGroups } from "./rows/bracketed-groups.ts";
import { withThousandsJoined } from "./rows/spaced-thousands.ts";
import { withCentsAdded } from "./rows/whole-marked-amounts.ts";
import { withDecimals } from "./rows/zero-decimal-amounts.ts";
import { cardLast4In } from "./totals/card-number.ts";
import type { OcrPage } from "../../ocr/page.ts";

export type { ReadingContext, ReceiptLine, ReceiptReading } from "./reading.ts";

/*
 * The passes, in their order, and why each one needs the one before. 1 to 6 are readRows() below, 7 to 13 readList().
 *
 *  1. Rows (rows/rows.ts): boxes of the OCR become printed rows, because a name and its price are separate boxes.
 *  2. Decimals (rows/one-decimal-amounts.ts, rows/spaced-thousands.ts, rows/zero-decimal-amounts.ts,
 *     rows/whole-marked-amounts.ts): `430.0` becomes `430.00`, `15.500` becomes `15500,00`, `$12` becomes `$12.00`. The
 *     style shows only on the whole page, so it needs all rows. The words of the country help. Every pass after it
 *     expects two decimals.
 *  3. Misread amounts (rows/glued-prices.ts, rows/misread-amounts.ts): `3,997.98` becomes `3,99  7.98`, and `1,OO`
 *     becomes `1,00` where clean amounts end. Those that pass 2 wrote are clean amounts too.
 *  4. Amounts (rows/amounts.ts): they are found in the corrected text; in the text as read many would be missed.
 *  5. Labels (rows/labels.ts): words are compared after the amounts are taken out, since figures resemble letters.
 *  6. Kinds (rows/row-kinds.ts): a total is a row with the label and an amount, so both come first.
 *  7. Column (rows/price-column.ts): only rows from the heading to the first total vote, and kinds say which these are.
 *     Then rows/classified-rows.ts notes the amount of each row in the column.
 *  8. Bounds (items/list-bounds.ts): the list begins with the first amount in the column and ends before its total.
 *  9. Lines (items/lines.ts): rows outside the bounds would become items (`CASH 20.00`).
 * 10. Totals (totals/totals.ts): searched below the list. The sum of the lines is evidence for an equal amount.
 * 11. Reconcile (repair/reconcile.ts): compares lines and totals, and changes one line if that makes them equal.
 * 12. Single digit (repair/single-digit.ts): the weakest evidence, so only if no change of pass 11 helps.
 * 13. Other columns and misplaced amounts (list.ts, repair/misplaced-amounts.ts): if 7 to 12 end without a balance or
 *     with a repair, they run again with other columns, then with amounts beside the column. Such a reading wins only
 *     if it balances without a repair; otherwise the first reading stays, with its repairs.
 * 14. Header (header/): the merchant's name is searched above the list, so it needs the bounds. The country needs the
 *     chain, the currency the country.
 * 15. Date (dates/): the country decides between day first and month first.
 * 16. Letters (repair/letters.ts): `BROTCHEN` becomes `BRÖTCHEN` in countries that write Ö.
 */

/** Reads a receipt from an OCR page. Deterministic; never throws on any page. */
export function parseReceipt(
  page: OcrPage,
  dictionary: MerchantDictionary,
  { today, likelyCountry }: ReadingContext = NO_CONTEXT,
): ReceiptReading {
  const rows = readRows(page, likelyCountry);
  const texts = rows.map(({ text }) => text);
  const { bounds, drafts, totals, lines, isBalanced, repairs } = readList(rows);
  const clues = countryCluesIn(texts, likelyCountry);
  const merchant = findMerchant(rows, bounds.start, dictionary, countryOf(clues) ?? likelyCountry, namesOfGoods(lines));
  const known = { chain: merchant?.chain?.country ?? null, likely: likelyCountry };
  const { country, currency } = originOf(texts, known, clues);
  const moment = findMoment(texts, { country, today });
  const address = addressIn(rows.slice(0, bounds.start), merchant?.rowIndex ?? null);
  const receiptScore = receiptScoreOf({
    rows,
    hasLines: drafts.length > 0,
    hasTotal: totals.totalMinor !== null,
    hasDate: moment.date !== null,
    hasMerchant: merchant !== null,
  });
  const fieldAccuracy = {
    merchantName: merchant ? merchantAccuracy(merchant.score, merchant.chain !== null) : 0,
    date: moment.date
      ? dateAccuracy({ date: moment.date, score: moment.score, isOrderKnown: !moment.isOrderGuessed, today })
      : 0,
    total: totals.totalMinor === null ? 0 : totalAccuracy(totals.totalScore, isBalanced),
  };
  const isTotalCertain = totals.totalScore >= TOTAL_SCORE_CERTAIN;
  const readLines = withoutCommonMarks(lines).map((line) =>
    toReceiptLine({ ...line, name: withLettersRestored(line.name, country) }, { isBalanced, isTotalCertain }, currency),
  );
  const money = (hundredths: number | null): number | null => inMinorUnits(hundredths, currency);
  return {
    isReceipt: receiptScore >= RECEIPT_SCORE_MIN,
    receiptScore,
    merchantName: merchant?.printedName ?? null,
    businessName: merchant ? (merchant.chain?.name ?? merchant.tradingName ?? merchant.printedName) : null,
    merchantKind: merchant?.chain?.kind ?? shopKindIn(texts, bounds),
    merchantAddress: address === null ? null : withLettersRestored(address, country),
    country,
    currency,
    date: moment.date,
    time: moment.time,
    lines: readLines,
    subTotalMinor: money(totals.subTotalMinor ?? (isBalanced ? sumOfLines(lines) : null)),
    discountsMinor: inMinorUnits(sumOfLines(lines.filter(({ kind }) => kind === "discount")), currency),
    taxMinor: money(totals.taxMinor),
    roundingMinor: money(totals.roundingMinor),
    totalMinor: money(totals.totalMinor),
    paidMinor: money(totals.paidMinor),
    changeMinor: money(totals.changeMinor),
    cardLast4: cardLast4In(texts),
    accuracy: receiptAccuracy(
      Object.values(fieldAccuracy),
      readLines.map((line) => line.accuracy),
      isBalanced,
    ),
    fieldAccuracy,
    repairs: totals.misreadTotalMinor === null ? repairs : [...repairs, "total: corrected from the other sums"],
  };
}

/** Passes 1 to 6: printed rows with their amounts, labels and kinds. */
export function readRows(page: OcrPage, likelyCountry: string | null): ReceiptRow[] {
  const printed = rowsOf(page);
  const marked = withThousandsJoined(withSecondDecimal(withoutStars(withoutBracketedGroups(printed))));
  const countryIn = (texts: readonly string[]): string | null => countryOf(countryCluesIn(texts, likelyCountry));
  const withTwoDecimals = withCentsAdded(withDecimals(marked, likelyCountry, countryIn));
  const corrected = withAmountsRestored(withPricesApart(withTwoDecimals));
  return toReceiptRows(withoutRepeatedHeadings(corrected));
}

function toReceiptLine(
  line: DraftLine,
  list: Pick<LineEvidence, "isBalanced" | "isTotalCertain">,
  currency: string | null,
): ReceiptLine {
  const { kind, name, quantity, amountMinor, score } = line;
  const isMultiplied = quantity?.isChecked === true;
  const isComputed = line.isAmountComputed;
  return {
    kind,
    description: name,
    cleanedName: name === "" ? "" : cleanedName(name),
    quantity: (quantity?.thousandths ?? 1000) / 1000,
    unit: quantity?.unit ?? "piece",
    unitPriceMinor: inMinorUnits(quantity?.unitPriceMinor ?? null, currency),
    amountMinor: inMinorUnits(amountMinor, currency),
    accuracy: lineAccuracy({ ...list, score, hasName: name !== "", isMultiplied, isComputed }),
  };
}
