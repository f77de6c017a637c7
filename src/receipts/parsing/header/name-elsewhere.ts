import { anyPhraseOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { compactKey } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { HeaderName } from "./header-name.ts";
import { printedPart, withoutLegalForm } from "./header-rows.ts";

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

/** Rows with an address have no farewell. */
const SITE_SIGN = /www\.|https?:|@/i;
/** A name of fewer letters is in other words too. */
const KEY_LETTERS_MIN = 4;

/** Returns the names in farewells and websites, letters only. */
export function keysElsewhere(rows: readonly ReceiptRow[]): readonly string[] {
  return rows.flatMap(({ text }) =>
    (SITE_SIGN.test(text) ? [SITE] : [FAREWELL]).flatMap((pattern) => {
      const key = compactKey(pattern.exec(text)?.[1] ?? "");
      return key.length >= KEY_LETTERS_MIN ? [key] : [];
    }),
  );
}

/** Whether a name begins as one elsewhere on the receipt (`VERITAS DIAGONAL`, `www.veritas.es`), or that one as it. */
export function isAlsoElsewhere(name: string, keys: readonly string[]): boolean {
  const key = compactKey(withoutLegalForm(name));
  return key.length >= KEY_LETTERS_MIN && keys.some((other) => key.startsWith(other) || other.startsWith(key));
}

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
