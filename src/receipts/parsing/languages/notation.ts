// How words are written in the files of languages and countries, and the patterns made of them: docs/add-a-country.md.

/** What a word is written with: letters, figures, blanks, the marks of print, and the signs of the notation. */
const WORD_FORM = /^[\p{Ll}\p{N} .,:;'&/@$€£%+()[\]!|?*#…-]+$/u;

/** Signs of the notation that another sign must follow or precede: a choice that is not closed, a `?` at the start. */
const BROKEN = /^\?|\(\)|\[\]|\*\*|[(|]\?/;

/** What is wrong with a word as it is written; null where it can be used. */
export function wordProblem(word: string): string | null {
  if (word.trim() === "") return "is empty";
  if (word !== word.trim()) return "begins or ends with a blank";
  if (!WORD_FORM.test(word)) return "has a capital letter or a sign that the notation does not have";
  if (BROKEN.test(word) || /^\*?$/.test(word)) return "is no word of the notation";
  return isPattern(anyWordOf([word])) ? null : "has a bracket that is not closed";
}

/** Whether a text is the source of a regular expression. */
export function isPattern(source: string, flags = ""): boolean {
  try {
    return new RegExp(source, flags).source !== "";
  } catch {
    return false;
  }
}

/** The pattern source of one word, its ends left open. `*` at an end is left out: anything may go on there. */
function bodyOf(word: string): string {
  return word
    .replace(/^\*|\*$/g, "")
    .replace(/[.$+]/g, String.raw`\$&`)
    .replace(/\((?![?!])/g, "(?:")
    .replaceAll("(!", "(?!")
    .replaceAll("*", String.raw`\w*`)
    .replaceAll("…", ".*")
    .replaceAll("#", String.raw`\d`)
    .replaceAll(" ", String.raw`\s`);
}

/** Longer words first, so that the whole of a phrase is found where a word of it is listed too. */
function longestFirst(words: readonly string[]): string[] {
  return [...new Set(words)].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** A pattern source that finds any of the words. Those with the same open ends share their boundaries. */
export function anyWordOf(words: readonly string[]): string {
  const groups = [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ].flatMap(([isOpenBefore, isOpenBehind]) => {
    const bodies = longestFirst(words)
      .filter((word) => word.startsWith("*") === isOpenBefore && word.endsWith("*") === isOpenBehind)
      .map(bodyOf);
    return bodies.length === 0
      ? []
      : [`${isOpenBefore ? "" : String.raw`\b`}(?:${bodies.join("|")})${isOpenBehind ? "" : String.raw`\b`}`];
  });
  return groups.length === 0 ? NEVER : `(?:${groups.join("|")})`;
}

/** The pattern source of one word with the letters of its open ends. */
function wholeBodyOf(word: string): string {
  return `${word.startsWith("*") ? String.raw`\w*` : ""}${bodyOf(word)}${word.endsWith("*") ? String.raw`\w*` : ""}`;
}

/** As anyWordOf(), but a word with an open end is found whole: for words that are taken out of a text. */
export function anyWholeWordOf(words: readonly string[]): string {
  const bodies = longestFirst(words).map(wholeBodyOf);
  return bodies.length === 0 ? NEVER : String.raw`\b(?:${bodies.join("|")})\b`;
}

/** As anyWholeWordOf(), without boundaries: the pattern around it says what is beside the word. */
export function anyGluedWordOf(words: readonly string[]): string {
  return words.length === 0 ? NEVER : `(?:${longestFirst(words).map(wholeBodyOf).join("|")})`;
}

/** As anyWordOf(), with one blank or more between the words of a phrase. */
export function anyPhraseOf(words: readonly string[]): string {
  return anyWordOf(words).replaceAll(String.raw`\s`, String.raw`\s+`);
}

/** Finds nothing: the pattern of an empty list. */
const NEVER = "(?!)";

/** A pattern source of units, without boundaries: a unit is glued to the figure before it. */
export function anyUnitOf(words: readonly string[]): string {
  return longestFirst(words).map(bodyOf).join("|");
}
