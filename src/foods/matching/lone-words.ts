import { namesOf } from "../catalogue/catalogue.ts";
import type { Language } from "../catalogue/catalogue.ts";
import { unaccepted } from "./candidate.ts";
import type { Candidate } from "./candidate.ts";
import { NAMED_CONFIDENCE } from "./learned/tuning.ts";
import { canHead, contentWords, isAfterHead, isHeadFirst, wordsOf } from "./words.ts";

/**
 * Words of everyday language that are a food of another language without its mark: a `name` is no ñame, `pure` no purè,
 * `rape` no râpé.
 */
const EVERYDAY = /(?<!\p{L})(?:names?|namen|pure|rape)(?!\p{L})/giu;

/**
 * Returns a typed name of unknown language without words that only a lost mark makes a food. The `names` are those of
 * foods: what is one as a whole is kept (`pure di patate`).
 */
export function withoutEveryday(
  name: string,
  language: Language | null,
  names: { has: (name: string) => boolean },
): string {
  if (language !== null) return name;
  const words = contentWords(name);
  if (words.length > 1 && names.has(words.join(" "))) return name;
  return name.replaceAll(EVERYDAY, " ").trim();
}

/**
 * Accepts none of the candidates for a typed word that is only beside the thing in the name that it was matched by: the
 * `snow` of snow peas, the `Portion` of portions of cheese. Of 366 typed names of one word one right one is lost by it.
 */
export function doubted(candidates: Candidate[], name: string): Candidate[] {
  const [first] = candidates;
  if (!first || !isBesideTheThing(name, first)) return candidates;
  return unaccepted(candidates);
}

function isBesideTheThing(name: string, { food, matchedName, confidence }: Candidate): boolean {
  if (confidence >= NAMED_CONFIDENCE) return false;
  const [word, ...more] = contentWords(name);
  if (word === undefined || more.length > 0) return false;
  const heads = namesOf(food)
    .filter(({ text }) => text === matchedName)
    .map(({ text, language }) => headOf(text, isHeadFirst(language)));
  return heads.length > 0 && heads.every((head) => !isAlike(word, head));
}

/** The word of a name that says what the thing is. */
function headOf(name: string, isFirst: boolean): string {
  const words = wordsOf(name);
  const end = words.findIndex((word, at) => at > 0 && isAfterHead(word));
  const able = words.slice(0, end < 0 ? words.length : end).filter(canHead);
  return (isFirst ? able[0] : able.at(-1)) ?? "";
}

/** True for forms of one word, and for a compound with it (`Schnittlauchröllchen`). */
function isAlike(word: string, head: string): boolean {
  return head.startsWith(word.slice(0, ALIKE)) || (head.length > ALIKE && word.includes(head.slice(0, ALIKE + 1)));
}

/** The number of letters at their start that forms of one word share. */
const ALIKE = 3;
