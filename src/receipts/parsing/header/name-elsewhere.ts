import { anyPhraseOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { HeaderName } from "./header-name.ts";
import { printedPart } from "./header-rows.ts";

const FAREWELL_LINKS = wordsOf("farewellLinks");
/** `Thank you for dining at Noodle Barn`. */
const FAREWELL = new RegExp(
  String.raw`${anyWordOf(wordsOf("farewells"))}\s+(?:${anyPhraseOf(FAREWELL_LINKS)}\s+){0,2}(?:${anyWordOf(wordsOf("articles"))}\s+)?(?!${anyWordOf(FAREWELL_LINKS.flatMap((link) => link.split(" ")))})(\p{L}.{2,})$`,
  "iu",
);
/** A shop's own website, not one for mail or reviews. */
const SITE = new RegExp(
  String.raw`(?:\bwww\.|https?:\/\/(?:www\.)?|@)(?!${wordsOf("otherSites").join("|")})([a-z][a-z-]{3,})\.(?:${wordsOf("siteEndings").join("|")}|[a-z]{2})\b`,
  "i",
);

/** Returns the name from a farewell or the website, for headers whose name is a logo and not text. */
export function nameElsewhere(rows: readonly ReceiptRow[]): HeaderName | null {
  for (const pattern of [FAREWELL, SITE]) {
    for (const [rowIndex, { text }] of rows.entries()) {
      const printedName = printedPart(pattern.exec(text)?.[1] ?? "");
      if (printedName !== "") return { printedName, isCompany: false, tradingName: null, rowIndex, score: 0.3 };
    }
  }
  return null;
}
