import { compactKey, foldForOcr } from "../rows/labels.ts";
import { lettersIn } from "../rows/fuzzy-match.ts";
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
  /**
   * Those of its spellings that are common words or names of other shops abroad (`DISCO`, `HOLLAND BAKERY`): they count
   * only where the receipt's own words speak for the chain's country.
   */
  homeSpellings?: readonly string[];
}

/** A spelling in the forms that are searched in rows. */
export interface Spelling {
  printed: string;
  word: string;
  wanted: string;
  letterSet: LetterSet;
  isHomeOnly: boolean;
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
      keys: chain.spellings.map((spelling) => toSpelling(spelling, chain.homeSpellings?.includes(spelling) === true)),
      markWords: (chain.marks ?? []).map((mark) => ` ${foldForOcr(mark)} `),
    }));
}

function toSpelling(spelling: string, isHomeOnly: boolean): Spelling {
  const wanted = compactKey(spelling);
  return { printed: ` ${spelling} `, word: ` ${foldForOcr(spelling)} `, wanted, letterSet: lettersIn(wanted), isHomeOnly }; // prettier-ignore
}
