import { containsNearly, isTooDifferent, lettersIn } from "../rows/fuzzy-match.ts";
import { compactKey } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { headerRowCount } from "./header-name.ts";
import { isNoName, printedPart } from "./header-rows.ts";
import type { MerchantDictionary } from "./merchant-dictionary.ts";
import type { MerchantFinding } from "./merchants.ts";

/** A logo is in one of the first rows. Set by hand, as are the shares of letters that must be right. */
const LOGO_ROWS = 4;
const LOGO_LETTERS_MIN = 5;
const LOGO_FIT_MIN = 0.7;
const LARGE_LOGO_FIT_MIN = 0.6;
const LARGE_HEIGHTS = 1.5;
/** How certain such a chain is: less than by any spelling or mark. Set by hand on the development receipts. */
const MISREAD_SCORE = 0.6;

/**
 * Returns the chain of the receipt's country whose name one of the first rows resembles, all of that row: logos are
 * drawn letters, which the OCR often misreads.
 */
export function misreadLogo(
  rows: readonly ReceiptRow[],
  listStart: number,
  dictionary: MerchantDictionary,
  country: string | null,
): MerchantFinding | null {
  if (country === null) return null;
  const medianHeight = rows.map(({ height }) => height).sort((a, b) => a - b)[rows.length >> 1] ?? 1;
  let best: (MerchantFinding & { fit: number }) | null = null;
  for (const [rowIndex, row] of rows.slice(0, Math.min(LOGO_ROWS, headerRowCount(listStart))).entries()) {
    const letters = compactKey(row.text);
    const letterSet = lettersIn(letters);
    if (letters.length < LOGO_LETTERS_MIN - 1 || /\d{2}/.test(row.text) || isNoName(row.text)) continue;
    const fitMin = row.height > LARGE_HEIGHTS * medianHeight ? LARGE_LOGO_FIT_MIN : LOGO_FIT_MIN;
    for (const chain of dictionary) {
      if (chain.country !== country && chain.country !== null) continue;
      for (const { wanted, word, letterSet: wantedSet } of chain.keys) {
        // In a name of several words `MARKET` alone would be most of the letters.
        if (wanted.length < LOGO_LETTERS_MIN || word.trim().includes(" ")) continue;
        const slack = Math.floor(wanted.length * (1 - fitMin));
        if (Math.abs(wanted.length - letters.length) > slack || isTooDifferent(letterSet, wantedSet, slack)) continue;
        if (!containsNearly(letters, wanted, slack) || !containsNearly(wanted, letters, slack)) continue;
        const fit = wanted.length - slack;
        if (best && best.fit >= fit) continue;
        best = { printedName: printedPart(row.text), tradingName: null, chain, rowIndex, score: MISREAD_SCORE, fit };
      }
    }
  }
  return best;
}
