import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { markedChain } from "./chain-marks.ts";
import { slackOf, spellingsIn } from "./spelling-index.ts";
import { headerRowCount, nameInHeader } from "./header-name.ts";
import type { HeaderName } from "./header-name.ts";
import {
  hasLegalForm,
  isNoName,
  isSlogan,
  isStreet,
  isTradeOnly,
  printedPart,
  withoutLegalForm,
} from "./header-rows.ts";
import { foldForOcr, compactKey } from "../rows/labels.ts";
import { containsNearly, isTooDifferent, lettersIn, containsFuzzyWord } from "../rows/fuzzy-match.ts";
import type { LetterSet } from "../rows/fuzzy-match.ts";

/** Kind of business. */
export type MerchantKind = "grocery" | "restaurant" | "online" | "other";

/**
 * A chain: its usual name, the spellings on its receipts (company names too), and its other marks. `country` is null if
 * it trades in several. VAT ids have their country's letters, and only those seen on the chain's own receipts are
 * listed; websites are without `www.`.
 */
export interface ChainMerchant {
  name: string;
  spellings: readonly string[];
  kind: MerchantKind;
  country: string | null;
  vatIds: readonly string[];
  websites: readonly string[];
  /** Its own cards and apps: `CLUBCARD`. Printed by no other shop of its country. */
  marks?: readonly string[];
}

/** A spelling in the forms that are searched in rows. */
export interface Spelling {
  printed: string;
  word: string;
  wanted: string;
  letterSet: LetterSet;
}

/** The chains of reference/merchants.jsonl; operators may add their own. */
export type MerchantDictionary = readonly (ChainMerchant & {
  readonly keys: readonly Spelling[];
  readonly markWords: readonly string[];
})[];

/** Parses the dictionary: one JSON object per line. Throws on a line that is no JSON. */
export function toMerchantDictionary(jsonLines: string): MerchantDictionary {
  return jsonLines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ChainMerchant)
    .map((chain) => ({
      ...chain,
      keys: chain.spellings.map(toSpelling),
      markWords: (chain.marks ?? []).map((mark) => ` ${foldForOcr(mark)} `),
    }));
}

function toSpelling(spelling: string): Spelling {
  const wanted = compactKey(spelling);
  return { printed: ` ${spelling} `, word: ` ${foldForOcr(spelling)} `, wanted, letterSet: lettersIn(wanted) };
}

/**
 * The merchant. `printedName` is as on the receipt, `tradingName` is printed above that of the company, `chain` is the
 * entry of the dictionary, `rowIndex` the row of the name if it is printed.
 */
export interface MerchantFinding {
  printedName: string;
  tradingName: string | null;
  chain: MerchantDictionary[number] | null;
  rowIndex: number | null;
  score: number;
}

/**
 * How certain a chain is, by its evidence: a spelling in the header (less for each row further down, more for each
 * letter, and if it is all of its row), a spelling elsewhere, a logo that was misread. Set by hand on the development
 * receipts.
 */
const SCORE = {
  header: 0.97,
  elsewhere: 0.74,
  misread: 0.6,
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

/** A declared name is found if this share of its letters is in the text. Set by hand on the development receipts. */
const FIT_MIN = 0.82;
/** Signs of a web address, in any language. */
const WEB_ADDRESS = /www|http|@|\.com\b/i;
/** Farewells with the shop's name. */
const FAREWELL = new RegExp(anyWordOf(wordsOf("farewellRows")), "i");

/**
 * Returns the merchant: from the dictionary (VAT id, website, name in the header, name elsewhere), or else from the
 * header of the receipt; null if neither has one. `country`: what the texts speak for; `goods`: names in the list.
 */
export function findMerchant(
  rows: readonly ReceiptRow[],
  listStart: number,
  dictionary: MerchantDictionary,
  country: string | null = null,
  goods: ReadonlySet<string> = new Set(),
): MerchantFinding | null {
  const chain =
    chainIn(rows, listStart, dictionary, country, goods) ?? misreadLogo(rows, listStart, dictionary, country);
  const name = nameInHeader(rows, listStart, goods);
  if (!chain) return name && { ...name, chain: null };
  if (name && isGroupOf(chain, name, rows)) return { ...name, chain: null };
  // A licensee of a chain prints its own name: `DAISO JAPAN`, `BAIFU (M) SDN BHD`. The chain's usual name still
  // identifies it, unless the shop uses another (`Super U`).
  const isNamed = (text: string): boolean =>
    chain.chain!.spellings.some((spelling) => compactKey(text).includes(compactKey(spelling)));
  const isLicensee =
    name?.isCompany === true &&
    !isNamed(name.printedName) &&
    chain.rowIndex !== null &&
    compactKey(chain.printedName).includes(compactKey(chain.chain!.name));
  return isLicensee ? { ...chain, printedName: name.printedName } : chain;
}

/** A brand above its company has as many words at most. */
const BRAND_WORDS_MAX = 2;

/**
 * Whether a chain is only in the longer name of a company, below a brand in the first row: `Netto` above `Salling Group
 * A/S`.
 */
function isGroupOf({ chain, rowIndex }: MerchantFinding, name: HeaderName, rows: readonly ReceiptRow[]): boolean {
  const { tradingName } = name;
  if (rowIndex !== 1 || name.rowIndex !== 1 || !tradingName || compactKey(tradingName) !== compactKey(rows[0]!.text))
    return false;
  const isWhole = chain!.keys.some(({ wanted }) => compactKey(withoutLegalForm(name.printedName)) === wanted);
  return !isWhole && tradingName.split(" ").length <= BRAND_WORDS_MAX && !isTradeOnly(tradingName);
}

function chainIn(
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
    const letters = compactKey(text);
    const printed = ` ${text.toUpperCase()} `;
    return [
      { index, text, printed, words: ` ${foldForOcr(text)} `, letters, letterSet: lettersIn(letters), isInStreet: isStreet(text), isDiscount: labels.has("discount"), isCompany: hasLegalForm(text), isSlogan: isSlogan(text) }, // prettier-ignore
    ];
  });
  for (const row of named) {
    for (const { chain, spelling, order } of spellingsIn(row.letters, dictionary)) {
      if (spelling.wanted.length < FOREIGN_LETTERS_MIN && isForeign(chain, country)) continue;
      // `EVERY PENNY COUNTS`, but `SPAR FRESH DAILY` begins with the name.
      if (spelling.wanted.length <= WORD_LETTERS_MAX && row.isSlogan && !row.words.startsWith(spelling.word)) continue;
      const strength = spellingStrength(spelling, row);
      // `EMPLOYEE DISCOUNT` is nearly `365DISCOUNT`.
      // `MERCADO` in Spain is nearly a shop in Malaysia.
      if (strength === 0 || (strength < 1 && (row.isDiscount || isForeign(chain, country)))) continue;
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

/** A logo is in one of the first rows. Set by hand, as are the shares of letters that must be right. */
const LOGO_ROWS = 4;
const LOGO_LETTERS_MIN = 5;
const LOGO_FIT_MIN = 0.7;
const LARGE_LOGO_FIT_MIN = 0.6;
const LARGE_HEIGHTS = 1.5;

/**
 * Returns the chain of the receipt's country whose name one of the first rows resembles, all of that row: logos are
 * drawn letters, which the OCR often misreads.
 */
function misreadLogo(
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
        best = { printedName: printedPart(row.text), tradingName: null, chain, rowIndex, score: SCORE.misread, fit };
      }
    }
  }
  return best;
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

/**
 * Whether the declared merchant's name is in the receipt's text: letter for letter, nearly, or in another spelling of
 * the dictionary. Legal forms don't count.
 */
export function merchantNamedIn(
  texts: readonly string[],
  declaredName: string,
  dictionary: MerchantDictionary,
): boolean {
  const names = [declaredName, ...spellingsOf(declaredName, dictionary)]
    .map(withoutLegalForm)
    .filter((name) => compactKey(name).length >= 2);
  const rows = texts.map((text) => ({ words: ` ${foldForOcr(text)} `, letters: compactKey(text) }));
  return names.some((name) => {
    const letters = compactKey(name);
    return rows.some((row, index) => {
      const joined = row.letters + (rows[index + 1]?.letters ?? "");
      if (letters.length < 6) return row.words.includes(` ${foldForOcr(name)} `) || row.letters === letters;
      return containsNearly(joined, letters, Math.floor(letters.length * (1 - FIT_MIN)));
    });
  });
}

function spellingsOf(declaredName: string, dictionary: MerchantDictionary): readonly string[] {
  const chain = chainNamed(declaredName, dictionary);
  return chain ? [chain.name, ...chain.spellings] : [];
}

/** The chains of a dictionary by the letters of their names and spellings; to fold them takes 6 ms of the processor. */
const byLetters = new WeakMap<MerchantDictionary, ReadonlyMap<string, ChainMerchant>>();

/** Returns the first chain that is called so, or has a spelling that is so. */
export function chainNamed(declaredName: string, dictionary: MerchantDictionary): ChainMerchant | undefined {
  const chains = byLetters.get(dictionary) ?? chainsByLetters(dictionary);
  byLetters.set(dictionary, chains);
  return chains.get(nameLetters(declaredName));
}

function chainsByLetters(dictionary: MerchantDictionary): ReadonlyMap<string, ChainMerchant> {
  // Of two chains with the same letters the first one is set last.
  const named = dictionary
    .toReversed()
    .flatMap((chain) => [chain.name, ...chain.spellings].map((name) => [name, chain] as const));
  return new Map(named.map(([name, chain]) => [nameLetters(name), chain]));
}

function nameLetters(name: string): string {
  return compactKey(withoutLegalForm(name));
}
