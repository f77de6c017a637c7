import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";

/** Numbers that are masked like a card's and are not one: of the terminal, the shop's contract, the customer. */
const OTHER_NUMBER = new RegExp(anyWordOf(wordsOf("otherNumbers")), "i");
const CARD_WORD = new RegExp(anyWordOf(wordsOf("cardNumbers")), "i");

/** Below this score the number is that of something else. Set by hand on the development receipts. */
const SCORE_MIN = -0.5;
/** A mask of this length counts in full. Set by hand on the development receipts. */
const MASK_LENGTH = 16;

/**
 * Returns the last four digits of the payment card: the digits behind stars, or what the OCR makes of stars, on the
 * row that most likely says something about a card.
 */
export function cardLast4In(texts: readonly string[]): string | null {
  let best: { digits: string; score: number } | null = null;
  for (const [index, text] of texts.entries()) {
    const ending = /\bending(?: in| with)?:?\s+(\d{4})(?!\d)/i.exec(text);
    if (ending && !OTHER_NUMBER.test(plainLetters(text))) best ??= { digits: ending[1]!, score: 0 };
    for (const { start, end } of maskedIn(text)) {
      // `MERCHANT: 123  TID ****1631`: the word before the stars decides.
      const before = text.slice(0, start);
      const masked = text.slice(start, end);
      const isCard = CARD_WORD.test(plainLetters(before)) || CARD_WORD.test(plainLetters(texts[index - 1] ?? ""));
      // `Ticket........1234`: points lead to any number.
      if (!isCard && /^[.\s]+\d/.test(masked)) continue;
      const length = Math.min(1, masked.length / MASK_LENGTH);
      const score = (isCard ? 1 : 0) + length - (OTHER_NUMBER.test(plainLetters(before)) ? 2 : 0);
      if (!best || score > best.score) best = { digits: masked.slice(-4), score };
    }
  }
  return best && best.score > SCORE_MIN ? best.digits : null;
}

const DIGITS = /(?<!\d)\d{4}(?!\d)/g;
const isMask = (letter: string | undefined) => letter !== undefined && "*#xX•.".includes(letter);
const isMaskOrDash = (letter: string | undefined) => letter !== undefined && "-*#xX".includes(letter);
const isBlank = (letter: string | undefined) => letter !== undefined && /\s/.test(letter);

/**
 * Finds four digits behind three or more stars. Between them may be a space, and dashes or more stars
 * (`**** ****-1234`). Walks back from the digits: a pattern takes the cube of the length of a row of stars.
 */
function* maskedIn(text: string): Generator<{ start: number; end: number }> {
  for (const { index } of text.matchAll(DIGITS)) {
    const start = maskStart(text, index);
    if (start !== null) yield { start, end: index + 4 };
  }
}

function maskStart(text: string, digits: number): number | null {
  const end = isBlank(text[digits - 1]) ? digits - 1 : digits;
  let dashes = end;
  while (isMaskOrDash(text[dashes - 1])) dashes--;
  if (isBlank(text[dashes - 1])) {
    let start = dashes - 1;
    while (isMask(text[start - 1])) start--;
    if (dashes - 1 - start >= 3) return start;
  }
  let start = dashes;
  while (isMask(text[start - 1])) start--;
  for (; start + 3 <= end; start++) {
    if (isMask(text[start]) && isMask(text[start + 1]) && isMask(text[start + 2])) return start;
  }
  return null;
}
