import { wordsOf } from "../languages/vocabulary.ts";
import { compactKey } from "../rows/labels.ts";
import { containsNearly } from "../rows/fuzzy-match.ts";

/** A shop's own website or mail address, not one for mail or reviews: `www.pizzeria-hofmatt.ch`. */
const SITE = String.raw`(?:\bwww\.|https?:\/\/(?:www\.)?|@)(?!${wordsOf("otherSites").join("|")})([a-z][a-z-]{3,})\.(?:${wordsOf("siteEndings").join("|")}|[a-z]{2})\b`;
/** The first site of a text. */
export const FIRST_SITE = new RegExp(SITE, "i");
const ALL_SITES = new RegExp(SITE, "gi");

/** Shorter names are in sites by chance. */
const LETTERS_MIN = 5;
/** Letters of a logo that may be misread where its site has them, as a share. Set by hand. */
const MISREAD_SHARE = 0.2;

/** Returns the names in the websites and mail addresses of a receipt, as keys. */
export function siteKeysIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => [...text.matchAll(ALL_SITES)].map((match) => compactKey(match[1]!)));
  return [...new Set(found)];
}

/** Returns whether one of the sites has the name in it, or the name has it: `1ofmatt` in `pizzeria-hofmatt`. */
export function isNamedBySite(name: string, siteKeys: readonly string[]): boolean {
  const key = compactKey(name);
  return siteKeys.some((site) => {
    const [inner, outer] = key.length <= site.length ? [key, site] : [site, key];
    return inner.length >= LETTERS_MIN && containsNearly(outer, inner, Math.floor(inner.length * MISREAD_SHARE));
  });
}
