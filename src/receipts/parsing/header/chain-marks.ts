import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { compactKey, foldForOcr } from "../rows/labels.ts";
import type { MerchantDictionary } from "./merchant-dictionary.ts";
import type { MerchantFinding } from "./merchants.ts";

// The chain of a receipt whose name is only a picture: by its VAT id, its website, or the card that it alone gives out.

/**
 * How certain a chain is by such a sign. Set by hand on the development receipts; a site that is only named as the
 * chain is, and a card, are less than a listed website and a name elsewhere.
 */
const SCORE = { vatId: 0.93, website: 0.8, namedSite: 0.77, mark: 0.73 } as const;

/** The name in a web or mail address: `www.willys.se`, `info@konzum.hr`. */
const SITE = /(?:www\.|@|https?:\/\/)(?:www\.)?([a-z\d-]{3,})\.(?:com?\.)?([a-z]{2,4})\b/g;
/** Endings of no country. */
const WORLDWIDE = new Set(["com", "net", "org", "shop", "eu", "info"]);
/** Endings that are not the country's code. */
const COUNTRY_OF: Readonly<Record<string, string>> = { UK: "GB" };

/** Returns the chain with the strongest sign; of equal ones the first of the dictionary. */
export function markedChain(
  rows: readonly ReceiptRow[],
  dictionary: MerchantDictionary,
  country: string | null,
): MerchantFinding | null {
  const texts = rows.map(({ text }) => text);
  const lower = texts.map((text) => text.replace(/\s/g, "").toLowerCase()).join("\n");
  const figures = texts.map((text) => text.replace(/[\s.\-/]/g, "").replaceAll("O", "0")).join("\n");
  const words = ` ${texts.map(foldForOcr).join(" ")} `;
  const sites = sitesIn(lower);
  let best: MerchantFinding | null = null;
  for (const chain of dictionary) {
    const isHome = chain.country === null || country === null || chain.country === country;
    const score = chain.vatIds.some((id) => figures.includes(id.slice(2)))
      ? SCORE.vatId
      : chain.websites.some((site) => lower.includes(site))
        ? SCORE.website
        : sites.length > 0 && isHome && chain.keys.some(({ wanted }) => sites.some((site) => isSiteOf(site, wanted, chain.country))) // prettier-ignore
          ? SCORE.namedSite
          : country !== null && chain.country === country && chain.markWords.some((mark) => words.includes(mark))
            ? SCORE.mark
            : 0;
    if (score > (best?.score ?? 0)) best = { printedName: chain.name, tradingName: null, chain, rowIndex: null, score };
  }
  return best;
}

interface Site {
  key: string;
  /** The country of its ending; null if it has none. */
  country: string | null;
}

function sitesIn(lower: string): Site[] {
  return [...lower.matchAll(SITE)].map(([, name, ending]) => {
    const code = ending!.toUpperCase();
    return { key: compactKey(name!), country: WORLDWIDE.has(ending!) ? null : (COUNTRY_OF[code] ?? code) };
  });
}

/** Whether a site is named as a chain is, and of no other country. */
function isSiteOf({ key, country }: Site, wanted: string, chainCountry: string | null): boolean {
  return key === wanted && (country === null || chainCountry === null || country === chainCountry);
}
