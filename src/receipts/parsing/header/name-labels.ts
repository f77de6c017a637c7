import { anyPhraseOf, anyWordOf } from "../languages/notation.ts";
import { plainLetters } from "../languages/plain-letters.ts";
import { wordsOf } from "../languages/vocabulary.ts";

// Words right before the shop's name: its label, or `t/a` behind its company.

/** The label of the shop's name: `Merchant: `, `Razón social: `. */
const SELLER_LABEL = new RegExp(String.raw`^\W*${anyWordOf(wordsOf("sellerLabels"))}\s?:\s*(?=\p{L}{2})`, "iu");
/** The label of the shop's name or of its town: `Store: Lucky Mart`, `Store: Dublin`. */
const SHOP_LABEL = new RegExp(String.raw`^\W*${anyWordOf(wordsOf("shopLabels"))}\s?:\s*(?=\p{L}{2})`, "iu");
/** Before the shop's name, perhaps behind its company: `GRIFFIN RETAIL LTD T/A THE BEAN HIVE`. */
const TRADING_AS = new RegExp(String.raw`\s${anyPhraseOf(wordsOf("tradingAs"))}\.?\s+(?=\p{L}{2})`, "iu");
const TRADING_FIRST = new RegExp(String.raw`^\W*${anyPhraseOf(wordsOf("tradingAs"))}\.?\s+(?=\p{L}{2})`, "iu");

/** Returns the shop's name behind that of its company on the same row; null if there is none. */
export function tradingNameIn(text: string): { company: string; shop: string } | null {
  const [company, shop] = text.split(TRADING_AS);
  return shop === undefined || company!.trim() === "" ? null : { company: company!.trim(), shop: shop.trim() };
}

/** Returns the text behind a label of the shop; null if it has none. `isCertain`: it is no town. */
export function labelledName(text: string): { name: string; isCertain: boolean } | null {
  const plain = plainLetters(text);
  // In plain letters a sign may be two: the label is as long as printed only where both are.
  if (plain.length !== text.length) return null;
  const certain = SELLER_LABEL.exec(plain) ?? TRADING_FIRST.exec(plain);
  const label = certain ?? SHOP_LABEL.exec(plain);
  return label === null ? null : { name: text.slice(label[0].length), isCertain: certain !== null };
}
