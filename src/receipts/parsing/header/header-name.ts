import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { headingIndex } from "../rows/row-kinds.ts";
import { hasLegalForm } from "./header-rows.ts";
import { tradingNameIn } from "./name-labels.ts";
import { CERTAIN_SCORE, DOUBTFUL_SCORE, candidatesIn, certaintyOf } from "./name-candidates.ts";
import type { Candidate } from "./name-candidates.ts";
import { namesElsewhereIn, nameElsewhere } from "./name-elsewhere.ts";
import { clearerPrint, nameAboveTrade, nameBelow, shopOfOwner, withContinuation } from "./neighbour-rows.ts";

// Finds a name in the header that is not in the dictionary, among slogans, addresses, companies and texts of the till.

/**
 * A name in the header. `isCompany`: it has a legal form; `tradingName`: the name then printed above it, null if there
 * is none.
 */
export interface HeaderName {
  printedName: string;
  isCompany: boolean;
  tradingName: string | null;
  rowIndex: number;
  score: number;
}

/**
 * The name is searched in this number of rows from the top; below are addresses, then goods. Set by hand on the
 * development receipts.
 */
const HEADER_ROWS_MAX = 12;

/**
 * Returns the number of rows in the header. It ends where the list begins; a list at the very top is the end of another
 * receipt.
 */
export function headerRowCount(listStart: number): number {
  return listStart < 3 ? HEADER_ROWS_MAX : Math.min(HEADER_ROWS_MAX, listStart);
}

/** Of two rows with the same score the one further up. */
function likelier(a: Candidate | undefined, b: Candidate): Candidate {
  return a === undefined || b.score > a.score ? b : a;
}

/**
 * Returns the name of a shop that is not in the dictionary, from the rows above its list; null if none of them looks
 * like a name. `goods`: the names in the list, which are no shop's where the header is missing; `country`: what the
 * texts speak for.
 */
export function nameInHeader(
  rows: readonly ReceiptRow[],
  listStart: number,
  goods: ReadonlySet<string> = new Set(),
  country: string | null = null,
): HeaderName | null {
  const heights = rows.map(({ height }) => height).sort((a, b) => a - b);
  const medianHeight = heights[heights.length >> 1] ?? 1;
  const heading = headingIndex(rows);
  const end = headerRowCount(listStart);
  // Goods may begin above the first amount, but below the names of the columns.
  const header = rows.slice(0, heading > 1 ? Math.min(end, heading) : end);
  const candidates = candidatesIn(header, medianHeight, goods, namesElsewhereIn(rows));
  const [first] = candidates;
  // Only ornaments and numbers are above it: most shops begin with their name. Handwriting has low scores.
  if (first && certaintyOf(rows[first.rowIndex]!) > 0.65) first.score += 0.1;
  const highest = candidates.reduce<Candidate | undefined>(likelier, undefined);
  const best = highest && (nameAboveTrade(highest, candidates) ?? shopOfOwner(highest, candidates, country) ?? highest);
  if (!best || best.score < 0.1) return nameElsewhere(rows);
  if (best.score < DOUBTFUL_SCORE) {
    const elsewhere = nameElsewhere(rows);
    if (elsewhere) return elsewhere;
  }
  // Both the shop's name and its company: `NEW WORLD`, `Chaffers Foods Ltd`.
  const company =
    candidates.find(({ printedName, score }) => hasLegalForm(printedName) && score >= CERTAIN_SCORE) ?? best;
  const printedName = withContinuation(company.printedName, company.rowIndex, rows);
  const clearer = clearerPrint(company, candidates, rows);
  if (clearer)
    return {
      printedName: clearer.printedName,
      isCompany: false,
      tradingName: null,
      rowIndex: clearer.rowIndex,
      score: company.score,
    };
  const both = tradingNameIn(company.printedName);
  if (both)
    return {
      printedName: both.company,
      isCompany: true,
      tradingName: both.shop,
      rowIndex: company.rowIndex,
      score: Math.min(0.9, company.score),
    };
  const isCompany = hasLegalForm(company.printedName) && company.score >= CERTAIN_SCORE;
  // A slogan may be above both.
  const isAbove = ({ rowIndex, score }: Candidate): boolean => rowIndex < company.rowIndex && score >= CERTAIN_SCORE;
  const above = candidates.filter(isAbove).reduce<Candidate | undefined>(likelier, undefined);
  const isApart = isCompany && above !== undefined && !printedName.includes(above.printedName);
  return {
    printedName,
    isCompany,
    tradingName: isApart ? above.printedName : isCompany ? nameBelow(company, printedName, candidates, rows) : null,
    rowIndex: company.rowIndex,
    score: Math.min(0.9, company.score),
  };
}
