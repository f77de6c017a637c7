import type { MerchantDictionary, Spelling } from "./merchant-dictionary.ts";

// A page is compared with thousands of spellings, so only those are that may be in a row: of a name with at most n
// letters wrong, cut into n + 1 parts, one part is letter for letter.

/** A spelling of a chain, with its place in the dictionary. */
export interface IndexedSpelling {
  chain: MerchantDictionary[number];
  spelling: Spelling;
  order: number;
}

/** Parts of a spelling are found by this many letters: none is shorter where a letter may be wrong. */
const KEY_LETTERS = 3;

interface SpellingIndex {
  byKey: ReadonlyMap<string, readonly IndexedSpelling[]>;
  /** Names of two letters. */
  short: readonly IndexedSpelling[];
}

const indexes = new WeakMap<MerchantDictionary, SpellingIndex>();

/** Letters of a spelling that may be wrong. */
export function slackOf(letters: string): number {
  return Math.floor(letters.length / 7);
}

/** Returns the spellings that may be in these letters, in the order of the dictionary. */
export function spellingsIn(letters: string, dictionary: MerchantDictionary): IndexedSpelling[] {
  let index = indexes.get(dictionary);
  if (!index) indexes.set(dictionary, (index = toIndex(dictionary)));
  const found = new Set(index.short);
  for (let at = 0; at + KEY_LETTERS <= letters.length; at++)
    for (const spelling of index.byKey.get(letters.slice(at, at + KEY_LETTERS)) ?? []) found.add(spelling);
  return [...found].sort((a, b) => a.order - b.order);
}

function toIndex(dictionary: MerchantDictionary): SpellingIndex {
  const byKey = new Map<string, IndexedSpelling[]>();
  const short: IndexedSpelling[] = [];
  let order = 0;
  for (const chain of dictionary)
    for (const spelling of chain.keys) {
      const entry = { chain, spelling, order: order++ };
      const { wanted } = spelling;
      if (wanted.length < KEY_LETTERS) {
        short.push(entry);
        continue;
      }
      const parts = slackOf(wanted) + 1;
      for (let part = 0; part < parts; part++) {
        const from = Math.floor((part * wanted.length) / parts);
        const key = wanted.slice(from, from + KEY_LETTERS);
        byKey.set(key, [...(byKey.get(key) ?? []), entry]);
      }
    }
  return { byKey, short };
}
