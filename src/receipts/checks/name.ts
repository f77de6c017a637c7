import { foldForOcr, compactKey } from "../parsing/rows/labels.ts";
import { withoutLegalForm } from "../parsing/header/header-rows.ts";
import { chainNamed, merchantNamedIn } from "../parsing/header/declared-name.ts";
import type { MerchantDictionary, MerchantKind } from "../parsing/header/merchant-dictionary.ts";
import { containsNearly } from "../parsing/rows/fuzzy-match.ts";

/** Evidence for the declared merchant's name in the text of a receipt. */
export interface NameEvidence {
  /** The text has the whole name, or a spelling of it from the dictionary. */
  readonly isNamed: boolean;
  /** Share of its distinctive words in the text, 0 to 1; null: it has none, or no name was declared. */
  readonly wordShare: number | null;
  /** The kind of the chain that was declared. */
  readonly chainKind?: MerchantKind;
}

/** Words that many shops have in their names, folded like the text. */
const COMMON_WORDS = new Set(
  foldForOcr(
    `THE AND FOR SHOP STORE STORES RETAIL CASH CARRY SUPER MINI MARKET MARKT MART SUPERMARKET SUPERMARKT SUPERMERCADO SUPERMARCHE GROCERY GROCERIES
     FOOD FOODS TRADING ENTERPRISE COMPANY EXPRESS LOCAL CENTRE CENTER HOUSE RESTAURANT CAFE DER DIE DAS UND`,
  ).split(" "),
);

/** Searches the rows of a receipt for the declared merchant. */
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
  // A long word may have a misread letter and be part of another word; a short one must be a word of its own.
  const isInText = (word: string) =>
    rows.some((row) =>
      word.length < 6
        ? row.words.includes(` ${word} `)
        : containsNearly(row.letters, word, Math.floor(word.length / 6)),
    );
  const found = words.filter(isInText).length;
  const chain = chainNamed(declaredName, dictionary);
  return {
    isNamed: merchantNamedIn(texts, declaredName, dictionary),
    wordShare: words.length === 0 ? null : found / words.length,
    ...(chain && { chainKind: chain.kind }),
  };
}
