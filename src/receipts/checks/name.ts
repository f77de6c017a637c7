import { foldForOcr, compactKey } from "../parsing/rows/labels.ts";
import { withoutLegalForm } from "../parsing/header/header-rows.ts";
import { merchantNamedIn } from "../parsing/header/merchants.ts";
import type { MerchantDictionary } from "../parsing/header/merchants.ts";
import { containsNearly } from "../parsing/rows/fuzzy-match.ts";

/** How far the declared merchant's name stands in the text of a receipt. */
export interface NameEvidence {
  /** As a whole, or in a spelling that the dictionary knows. */
  readonly isNamed: boolean;
  /** The share of its telling words that stand in the text, 0 to 1; null when it has none, or when no name was declared. */
  readonly wordShare: number | null;
}

/** Words that many shops have in their names, folded as the text they are looked for in. */
const COMMON_WORDS = new Set(
  foldForOcr(
    `THE AND FOR SHOP STORE STORES RETAIL CASH CARRY SUPER MINI MARKET MARKT MART SUPERMARKET SUPERMARKT SUPERMERCADO SUPERMARCHE GROCERY GROCERIES
     FOOD FOODS TRADING ENTERPRISE COMPANY EXPRESS LOCAL CENTRE CENTER HOUSE RESTAURANT CAFE DER DIE DAS UND`,
  ).split(" "),
);

/** Looks for the declared merchant in the rows of a receipt. */
export function nameEvidence(
  texts: readonly string[],
  declaredName: string | null,
  dictionary: MerchantDictionary,
): NameEvidence {
  if (declaredName === null) return { isNamed: false, wordShare: null };
  const words = foldForOcr(withoutLegalForm(declaredName))
    .split(" ")
    .filter((word) => word.length >= 3 && !COMMON_WORDS.has(word));
  const rows = texts.map((text) => ({ words: ` ${foldForOcr(text)} `, letters: compactKey(text) }));
  // A long word may be misread by a letter and stand inside others; a short one must stand alone.
  const stands = (word: string) =>
    rows.some((row) =>
      word.length < 6
        ? row.words.includes(` ${word} `)
        : containsNearly(row.letters, word, Math.floor(word.length / 6)),
    );
  const found = words.filter(stands).length;
  return {
    isNamed: merchantNamedIn(texts, declaredName, dictionary),
    wordShare: words.length === 0 ? null : found / words.length,
  };
}
