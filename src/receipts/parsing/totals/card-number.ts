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
    if (ending && !OTHER_NUMBER.test(text)) best ??= { digits: ending[1]!, score: 0 };
    for (const masked of text.matchAll(/[*#xX•.]{3,}\s?[-*#xX]*\s?(\d{4})(?!\d)/g)) {
      // `MERCHANT: 123  TID ****1631`: the word before the stars decides.
      const before = text.slice(0, masked.index);
      const isCard = CARD_WORD.test(before) || CARD_WORD.test(texts[index - 1] ?? "");
      // `Ticket........1234`: points lead to any number.
      if (!isCard && /^[.\s]+\d/.test(masked[0])) continue;
      const length = Math.min(1, masked[0].length / MASK_LENGTH);
      const score = (isCard ? 1 : 0) + length - (OTHER_NUMBER.test(before) ? 2 : 0);
      if (!best || score > best.score) best = { digits: masked[1]!, score };
    }
  }
  return best && best.score > SCORE_MIN ? best.digits : null;
}
