import { anyWordOf } from "../languages/notation.ts";
import { plainLetters } from "../languages/plain-letters.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { containsFuzzyWord, isTooDifferent, lettersIn } from "../rows/fuzzy-match.ts";
import type { LetterSet } from "../rows/fuzzy-match.ts";
import { compactKey, foldForOcr } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { markedChain } from "./chain-marks.ts";
import { headerRowCount } from "./header-name.ts";
import { hasLegalForm, isSlogan, isStreet, isTradeOnly, printedPart, withoutLegalForm } from "./header-rows.ts";
import type { ChainMerchant, MerchantDictionary, Spelling } from "./merchant-dictionary.ts";
import type { MerchantFinding } from "./merchants.ts";
import { slackOf, spellingsIn } from "./spelling-index.ts";

/**
 * How certain a chain is, by its evidence: a spelling in the header (less for each row further down, more for each
 * letter, and if it is all of its row), a spelling elsewhere. Set by hand on the development receipts.
 */
const SCORE = {
  header: 0.97,
  elsewhere: 0.74,
  /** Nothing else is on the row: the logo, above a company that has another chain's name in its own. */
  whole: 0.02,
  rowBelow: -0.002,
  letter: 0.001,
} as const;
/**
 * A company may run several chains: one that is named in the head is the shop if its score is not lower by more. Set by
 * hand.
 */
const COMPANY_LEAD_MAX = 0.02;
/** More letters of a spelling add nothing. */
const SCORED_LETTERS_MAX = 20;

/** Figures may be misread letters, but not four of them: `1234567-MARKET` is not S-MARKET. */
const NUMBER = /\d{4,}/g;
/** Signs of a web address, in any language. */
const WEB_ADDRESS = /www|http|@|\.com\b/i;
/** Farewells with the shop's name. */
const FAREWELL = new RegExp(anyWordOf(wordsOf("farewellRows")), "i");

/** Returns the chain that the rows name, or the one that has a mark on the receipt. */
export function chainIn(
  rows: readonly ReceiptRow[],
  listStart: number,
  dictionary: MerchantDictionary,
  country: string | null,
  goods: ReadonlySet<string>,
): MerchantFinding | null {
  let best = markedChain(rows, dictionary, country);
  /** The chain with the highest score that is not in a company's name. */
  let brand: MerchantFinding | null = null;
  // Of equal ones the first of the dictionary.
  let bestOrder = -1;
  const consider = (finding: MerchantFinding, order: number): void => {
    const isBetter = !best || finding.score > best.score || (finding.score === best.score && order < bestOrder);
    if (isBetter) [best, bestOrder] = [finding, order];
  };
  const headerEnd = headerRowCount(listStart);
  const named = rows.flatMap(({ text, labels }, index) => {
    // Far from the header a chain's name may be that of a product or a card, unless it is a company's name or in a
    // farewell.
    if (WEB_ADDRESS.test(text) || !(index < headerEnd || hasLegalForm(text) || FAREWELL.test(plainLetters(text))))
      return [];
    // `REAL GANACHE` above its amount.
    if (index > 0 && goods.has(text.trim())) return [];
    const letters = compactKey(text.replace(NUMBER, " "));
    const printed = ` ${text.toUpperCase()} `;
    return [
      { index, text, printed, words: ` ${foldForOcr(text.replace(NUMBER, " "))} `, letters, letterSet: lettersIn(letters), isInStreet: isStreet(text), isDiscount: labels.has("discount"), isCompany: hasLegalForm(text), isSlogan: isSlogan(text) }, // prettier-ignore
    ];
  });
  for (const row of named) {
    for (const { chain, spelling, order } of spellingsIn(row.letters, dictionary)) {
      if (spelling.wanted.length < FOREIGN_LETTERS_MIN && isForeign(chain, country)) continue;
      if (spelling.isHomeOnly && chain.country !== country) continue;
      // `EVERY PENNY COUNTS`, but `SPAR FRESH DAILY` begins with the name.
      if (spelling.wanted.length <= WORD_LETTERS_MAX && row.isSlogan && !row.words.startsWith(spelling.word)) continue;
      const strength = spellingStrength(spelling, row);
      // `EMPLOYEE DISCOUNT` is nearly `365DISCOUNT`.
      // `MERCADO` in Spain is nearly a shop in Malaysia, `FOOD HALL - WINE BAR - DINING` one in Indonesia.
      if (strength === 0 || (strength < 1 && (row.isDiscount || isForeign(chain, country) || isTradeOnly(row.text))))
        continue;
      const isHeader = row.index < headerEnd;
      const finding = {
        printedName: isHeader ? printedPart(row.text) : chain.name,
        tradingName: null,
        chain,
        rowIndex: row.index,
        // The longest of several names wins: REAL CANADIAN SUPERSTORE is not REAL.
        score:
          (isHeader ? SCORE.header : SCORE.elsewhere) * strength +
          (row.letters === spelling.wanted ? SCORE.whole : 0) +
          SCORE.rowBelow * row.index +
          SCORE.letter * Math.min(SCORED_LETTERS_MAX, spelling.wanted.length),
      };
      consider(finding, order);
      if (!row.isCompany && isHeader && finding.score > (brand?.score ?? 0)) brand = finding;
    }
  }
  // `LOTTE GROSIR` above `PT LOTTE SHOPPING INDONESIA`, which runs LOTTE MART, too.
  const isOther = brand !== null && best !== null && brand.chain !== best.chain;
  return isOther && best!.score - brand!.score <= COMPANY_LEAD_MAX ? brand : best;
}

/** A short name is a word of other languages too: only in its own country. Set by hand on the development receipts. */
const FOREIGN_LETTERS_MIN = 5;
/** A chain's name of no more letters may be a word of a slogan. */
const WORD_LETTERS_MAX = 5;

function isForeign(chain: ChainMerchant, country: string | null): boolean {
  return country !== null && chain.country !== null && chain.country !== country;
}

/**
 * Returns how well a spelling fits a row, 0 to 1. In a street's name (`Calle Real 7`, `3 place du Marché`) the row must
 * begin with it.
 */
function spellingStrength(
  { printed, word, wanted, letterSet }: Spelling,
  row: { printed: string; words: string; letters: string; letterSet: LetterSet; isInStreet: boolean },
): number {
  const { words, letters } = row;
  const slack = slackOf(wanted);
  if (isTooDifferent(row.letterSet, letterSet, slack)) return 0;
  if (row.isInStreet && !letters.startsWith(wanted)) return 0;
  // Names of two letters (`M&S`, `BP`) must be letter for letter, and not begin a company's (`BP ALIMENTOS LTDA`).
  if (wanted.length < 3) return row.printed.includes(printed) && !isCompanyOfMore(row.printed, wanted) ? 1 : 0;
  if (words.includes(word) || letters === wanted) return 1;
  // A word of one letter is too easily overlooked: CITY CENTER is not E CENTER.
  if (wanted.length < 7 || / [A-Z] /.test(word)) return 0;
  // Letters within other words are no name: SWC ENTERPRISE is not E CENTER.
  const isThere = letters.includes(wanted) && wanted.length > 7;
  const isNear = containsFuzzyWord(words.trim().split(" "), wanted, slack) && hasShortWords(words, word);
  return isThere || (isNear && !hasOtherFigures(row.printed, printed)) ? 0.92 : 0;
}

/** Whether a row is a company whose name has more letters than a spelling. */
function isCompanyOfMore(row: string, wanted: string): boolean {
  return hasLegalForm(row) && compactKey(withoutLegalForm(printedPart(row))) !== wanted;
}

/** Chains whose other words are the trade differ in short ones: SUPERMERCADOS BH is not SUPERMERCADOS NOVA. */
const SHORT_LETTERS_MAX = 2;

function hasShortWords(words: string, spelling: string): boolean {
  return spelling
    .trim()
    .split(" ")
    .every((word) => word.length > SHORT_LETTERS_MAX || words.includes(` ${word} `));
}

/** Whether a row has figures, but none of a spelling's: `Mitre 820` is a street, not MITRE 10. */
function hasOtherFigures(row: string, spelling: string): boolean {
  const figures = row.match(/\d+/g);
  return figures !== null && /\d/.test(spelling) && !figures.some((figure) => spelling.includes(figure));
}
