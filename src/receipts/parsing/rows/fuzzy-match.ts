/** The letters from A to Z that a text has, one bit each. */
export type LetterSet = number;

const CODE_OF_A = 65;

/** Returns the letters of a text that has only capital letters and spaces. */
export function lettersIn(text: string): LetterSet {
  let letters = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) - CODE_OF_A;
    if (letter >= 0) letters |= 1 << letter;
  }
  return letters;
}

/**
 * Whether more than `slack` letters of one text are missing in another: then it cannot be in it with at most `slack`
 * errors. Nearly all comparisons of a page with words and names end here, which makes them three times as fast.
 */
export function isTooDifferent(text: LetterSet, wanted: LetterSet, slack: number): boolean {
  let missing = 0;
  for (let rest = wanted & ~text; rest !== 0; rest &= rest - 1) missing++;
  return missing > slack;
}

/**
 * Whether consecutive whole words are `needle` with at most `slack` letters wrong, missing or added. A word alone that
 * is in `known` is no other one misread.
 */
export function containsFuzzyWord(
  words: readonly string[],
  needle: string,
  slack: number,
  known: ReadonlySet<string> = new Set(),
): boolean {
  const wanted = lettersIn(needle);
  return words.some((_, from) => {
    let run = "";
    let letters = 0;
    for (let to = from; to < words.length && run.length < needle.length + slack; to++) {
      run += words[to]!;
      letters |= lettersIn(words[to]!);
      if (Math.abs(run.length - needle.length) > slack || (to === from && known.has(run))) continue;
      if (isTooDifferent(letters, wanted, slack) || isTooDifferent(wanted, letters, slack)) continue;
      if (containsNearly(run, needle, slack) && containsNearly(needle, run, slack)) return true;
    }
    return false;
  });
}

/** Whether `needle` is in `text` with at most `slack` letters wrong, missing or added (Sellers 1980). */
export function containsNearly(text: string, needle: string, slack: number): boolean {
  if (slack === 0) return text.includes(needle);
  const size = needle.length;
  // One column of distances, written over: a page is compared with hundreds of words.
  const column = Array.from({ length: size + 1 }, (_, i) => i);
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    let diagonal = 0;
    let above = 0;
    for (let i = 1; i <= size; i++) {
      const left = column[i]!;
      const change = diagonal + (needle.charCodeAt(i - 1) === letter ? 0 : 1);
      const smallest = left < above ? left + 1 : above + 1;
      above = change < smallest ? change : smallest;
      column[i] = above;
      diagonal = left;
    }
    if (above <= slack) return true;
  }
  return needle.length <= slack;
}
