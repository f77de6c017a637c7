import { compactKey } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { nameInHeader } from "./header-name.ts";
import type { HeaderName } from "./header-name.ts";
import { isTradeOnly, withoutLegalForm } from "./header-rows.ts";
import type { MerchantDictionary } from "./merchant-dictionary.ts";
import { misreadLogo } from "./misread-logo.ts";
import { chainIn } from "./named-chain.ts";

/**
 * The merchant. `printedName` is as on the receipt, `tradingName` is printed above that of the company, `chain` is the
 * entry of the dictionary, `rowIndex` the row of the name if it is printed.
 */
export interface MerchantFinding {
  printedName: string;
  tradingName: string | null;
  chain: MerchantDictionary[number] | null;
  rowIndex: number | null;
  score: number;
}

/**
 * Returns the merchant: from the dictionary (VAT id, website, name in the header, name elsewhere), or else from the
 * header of the receipt; null if neither has one. `country`: what the texts speak for; `goods`: names in the list.
 */
export function findMerchant(
  rows: readonly ReceiptRow[],
  listStart: number,
  dictionary: MerchantDictionary,
  country: string | null = null,
  goods: ReadonlySet<string> = new Set(),
): MerchantFinding | null {
  const chain =
    chainIn(rows, listStart, dictionary, country, goods) ?? misreadLogo(rows, listStart, dictionary, country);
  const name = nameInHeader(rows, listStart, goods, country);
  if (!chain) return name && { ...name, chain: null };
  if (name && isGroupOf(chain, name, rows)) return { ...name, chain: null };
  // A licensee of a chain prints its own name: `DAISO JAPAN`, `BAIFU (M) SDN BHD`. The chain's usual name still
  // identifies it, unless the shop uses another (`Super U`).
  const isNamed = (text: string): boolean =>
    chain.chain!.spellings.some((spelling) => compactKey(text).includes(compactKey(spelling)));
  const isLicensee =
    name?.isCompany === true &&
    !isNamed(name.printedName) &&
    chain.rowIndex !== null &&
    compactKey(chain.printedName).includes(compactKey(chain.chain!.name));
  return isLicensee ? { ...chain, printedName: name.printedName } : chain;
}

/** A brand above its company has as many words at most. */
const BRAND_WORDS_MAX = 2;

/**
 * Whether a chain is only in the longer name of a company, below a brand in the first row: `Netto` above `Salling Group
 * A/S`.
 */
function isGroupOf({ chain, rowIndex }: MerchantFinding, name: HeaderName, rows: readonly ReceiptRow[]): boolean {
  const { tradingName } = name;
  if (rowIndex !== 1 || name.rowIndex !== 1 || !tradingName || compactKey(tradingName) !== compactKey(rows[0]!.text))
    return false;
  const isWhole = chain!.keys.some(({ wanted }) => compactKey(withoutLegalForm(name.printedName)) === wanted);
  return !isWhole && tradingName.split(" ").length <= BRAND_WORDS_MAX && !isTradeOnly(tradingName);
}
