import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";

/** Rows of an address at most. Set by hand on the development receipts. */
const ADDRESS_ROWS_MAX = 5;

/** The end of an address: telephone, tax number, heading of the document or the list, a table or member. */
const AFTER_ADDRESS = new RegExp(`${anyWordOf(wordsOf("afterAddress"))}|:`, "i");

/** Returns the rows of the header below the name that look like an address; null if none has a figure. */
export function addressIn(header: readonly ReceiptRow[], nameIndex: number | null): string | null {
  const rows = header.slice(nameIndex === null ? 0 : nameIndex + 1);
  const end = rows.findIndex(({ text }) => AFTER_ADDRESS.test(plainLetters(text)));
  const lines = rows
    .slice(0, end < 0 ? ADDRESS_ROWS_MAX : Math.min(end, ADDRESS_ROWS_MAX))
    .map(({ text }) => text.replace(/\s{2,}/g, " ").replace(/[\s,.;]+$/, ""))
    .filter((text) => /\p{L}{3}/u.test(text) && !/^\(.*\)$/.test(text));
  return lines.some((text) => /\d/.test(text)) ? lines.join(", ") : null;
}
