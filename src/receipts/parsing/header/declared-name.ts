import { containsNearly } from "../rows/fuzzy-match.ts";
import { compactKey, foldForOcr } from "../rows/labels.ts";
import { withoutLegalForm } from "./header-rows.ts";
import type { ChainMerchant, MerchantDictionary } from "./merchant-dictionary.ts";

// Compares the merchant that a customer declared with the receipt and the dictionary.

/** A declared name is found if this share of its letters is in the text. Set by hand on the development receipts. */
const FIT_MIN = 0.82;

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
