import { anyPhraseOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { compactKey } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { HeaderName } from "./header-name.ts";
import { printedPart, withoutLegalForm } from "./header-rows.ts";
import { FIRST_SITE, isNamedBySite, siteKeysIn } from "./site-names.ts";

const FAREWELL_LINKS = wordsOf("farewellLinks");
/** `Thank you for dining at Noodle Barn`. */
const FAREWELL = new RegExp(
  String.raw`${anyWordOf(wordsOf("farewells"))}\s+(?:${anyPhraseOf(FAREWELL_LINKS)}\s+){0,2}(?:${anyWordOf(wordsOf("articles"))}\s+)?(?!${anyWordOf(FAREWELL_LINKS.flatMap((link) => link.split(" ")))})(\p{L}.{2,})$`,
  "iu",
);
/** A name of fewer letters is in other words too. */
const KEY_LETTERS_MIN = 4;

/** Names in farewells, websites and mail addresses, as keys. */
export interface NamesElsewhere {
  farewells: readonly string[];
  sites: readonly string[];
}

/** Returns the names in farewells, websites and mail addresses. */
export function namesElsewhereIn(rows: readonly ReceiptRow[]): NamesElsewhere {
  const farewells = rows.flatMap(({ text }) => {
    const key = compactKey(FAREWELL.exec(text)?.[1] ?? "");
    return key.length >= KEY_LETTERS_MIN ? [key] : [];
  });
  return { farewells, sites: siteKeysIn(rows.map(({ text }) => text)) };
}

/** Whether a farewell or a site has a name too: `VERITAS DIAGONAL`, `www.veritas.es`. */
export function isAlsoElsewhere(name: string, { farewells, sites }: NamesElsewhere): boolean {
  const bare = withoutLegalForm(name);
  const key = compactKey(bare);
  const isThanked = farewells.some((other) => key.startsWith(other) || other.startsWith(key));
  return key.length >= KEY_LETTERS_MIN && (isThanked || isNamedBySite(bare, sites));
}

/** Returns the name from a farewell or the website, for headers whose name is a logo and not text. */
export function nameElsewhere(rows: readonly ReceiptRow[]): HeaderName | null {
  for (const pattern of [FAREWELL, FIRST_SITE]) {
    for (const [rowIndex, { text }] of rows.entries()) {
      const printedName = printedPart(pattern.exec(text)?.[1] ?? "");
      if (printedName !== "") return { printedName, isCompany: false, tradingName: null, rowIndex, score: 0.3 };
    }
  }
  return null;
}
