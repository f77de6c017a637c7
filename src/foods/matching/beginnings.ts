/** The most letters that a stem takes off a word. */
const ENDING_MAX = 3;
/** Bits: 12,000 words have 90,000 beginnings, so that one of twenty others is taken for one of them. */
const SIZE = 1 << 21;

/** The beginnings of known words. */
export interface Beginnings {
  add: (word: string) => void;
  /**
   * False where no known word begins like this one, but for its last three letters: no stem of it is known. Most pieces
   * of compounds are none, and the stems of five languages take ten times as long.
   */
  has: (word: string) => boolean;
}

/** Creates an empty set of beginnings, as a Bloom filter of one hash: a bit for that of each, 256 KiB in all. */
export function createBeginnings(): Beginnings {
  const bits = new Uint32Array(SIZE >>> 5);
  return {
    add: (word) => {
      let hash = 0;
      for (let at = 0; at < word.length; at += 1) {
        hash = mixed(hash, word.charCodeAt(at));
        bits[placeOf(hash)]! |= 1 << hash;
      }
    },
    has: (word) => {
      const end = Math.max(1, word.length - ENDING_MAX);
      let hash = 0;
      for (let at = 0; at < end && at < word.length; at += 1) hash = mixed(hash, word.charCodeAt(at));
      return (bits[placeOf(hash)]! & (1 << hash)) !== 0;
    },
  };
}

function mixed(hash: number, letter: number): number {
  const next = Math.imul(hash ^ letter, 0x9e3779b1);
  return next ^ (next >>> 15);
}

/** The word of bits; the lowest five bits of the hash are the bit in it. */
function placeOf(hash: number): number {
  return (hash >>> 5) & ((SIZE >>> 5) - 1);
}
