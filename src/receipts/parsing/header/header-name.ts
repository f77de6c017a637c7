import type { ReceiptRow } from "../rows/receipt-rows.ts";
import {
  hasAddressWord,
  hasHouseNumber,
  hasLegalForm,
  isAddress,
  isBareForm,
  isBusiness,
  isNoName,
  isOwner,
  isSlogan,
  isTradeOnly,
  isTown,
  printedPart,
  withoutLegalForm,
} from "./header-rows.ts";
import { compactKey } from "../rows/labels.ts";

// The name in a receipt's head, where no dictionary knows it: among slogans, addresses, companies and what the till says of itself.

/** A name in the head. `isCompany`: it has a legal form; `tradingName`: what then stands above it, null where nothing does. */
export interface HeadName {
  printedName: string;
  isCompany: boolean;
  tradingName: string | null;
  rowIndex: number;
  score: number;
}

/** The name is looked for in this many rows from the top; below stand addresses, then goods. */
const HEAD_ROWS = 12;

/** The head ends where the list begins; a list at the very top is the tail of another receipt. */
export function headRows(listStart: number): number {
  return listStart < 3 ? HEAD_ROWS : Math.min(HEAD_ROWS, listStart);
}

interface Candidate {
  printedName: string;
  rowIndex: number;
  score: number;
}

/** A row that is neither address nor slogan nor far down scores this much. */
const SURE_SCORE = 0.4;
/** Below this it is likely an address or a slogan. */
const DOUBTFUL_SCORE = 0.25;

/** `Thank you for dining at Noodle Barn`. */
const FAREWELL = /\b(?:shopp(?:ing|ed)|din(?:ing|ed)|eating|visiting|thank you for choosing)\s+(?:with\s+us\s+)?(?:at\s+|with\s+)?(?:the\s+)?(?!us\b|with\b|at\b)(\p{L}.{2,})$/iu; // prettier-ignore
/** A shop's own site; not where one writes a letter or a review. */
const SITE = /(?:\bwww\.|https?:\/\/(?:www\.)?|@)(?!gmail|yahoo|hotmail|outlook|icloud|facebook|instagram|twitter|google|tripadvisor|tell|my)([a-z][a-z-]{3,})\.(?:com|co|net|org|shop|cafe|restaurant|[a-z]{2})\b/i; // prettier-ignore

/** Where the name in the head is drawn and no print: how the shop takes its leave, or its site. */
function nameElsewhere(rows: readonly ReceiptRow[]): HeadName | null {
  for (const pattern of [FAREWELL, SITE]) {
    for (const [rowIndex, { text }] of rows.entries()) {
      const printedName = printedPart(pattern.exec(text)?.[1] ?? "");
      if (printedName !== "") return { printedName, isCompany: false, tradingName: null, rowIndex, score: 0.3 };
    }
  }
  return null;
}

/** The name of a shop that no dictionary knows, from the rows above its list; null where none of them looks like a name. */
export function nameInHead(rows: readonly ReceiptRow[], listStart: number): HeadName | null {
  const heights = rows.map(({ height }) => height).sort((a, b) => a - b);
  const medianHeight = heights[heights.length >> 1] ?? 1;
  const head = rows.slice(0, headRows(listStart));
  const isAmerican = head.some(({ text }) => isTown(text));
  const candidates = head.flatMap((row, rowIndex): Candidate[] => {
    const printedName = printedPart(row.text);
    if (!mayBeName(row, printedName, rowIndex)) return [];
    return [{ printedName, rowIndex, score: nameScore(row, printedName, { rowIndex, medianHeight, isAmerican }) }];
  });
  const [first] = candidates;
  // Nothing but ornaments and numbers above it: most shops begin with their name. Handwriting is read with doubt.
  if (first && certaintyOf(rows[first.rowIndex]!) > 0.65) first.score += 0.1;
  const best = candidates.reduce<Candidate | null>((a, b) => (a === null || b.score > a.score ? b : a), null);
  if (!best || best.score < 0.1) return nameElsewhere(rows);
  if (best.score < DOUBTFUL_SCORE) {
    const elsewhere = nameElsewhere(rows);
    if (elsewhere) return elsewhere;
  }
  // Both what the shop goes by and its company: `NEW WORLD`, `Chaffers Foods Ltd`.
  const company = candidates.find(({ printedName, score }) => hasLegalForm(printedName) && score >= SURE_SCORE) ?? best;
  const printedName = withContinuation(company.printedName, company.rowIndex, rows);
  const isCompany = hasLegalForm(company.printedName) && company.score >= SURE_SCORE;
  const isApart =
    isCompany &&
    first !== undefined &&
    first.rowIndex < company.rowIndex &&
    first.score >= SURE_SCORE &&
    !printedName.includes(first.printedName);
  return {
    printedName,
    isCompany,
    tradingName: isApart ? first.printedName : null,
    rowIndex: company.rowIndex,
    score: Math.min(0.9, company.score),
  };
}

function mayBeName(row: ReceiptRow, text: string, index: number): boolean {
  // Where the head is missing, the first rows are goods with their prices.
  if (row.amounts.at(-1)?.end === row.text.length) return false;
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  return (
    letters >= 3 &&
    letters >= 0.5 * text.replace(/\s/g, "").length &&
    !isNoName(text) &&
    !(index > 0 && isOwner(text)) &&
    // The heading of a list.
    (row.cells.length < 3 || hasLegalForm(text)) &&
    !isTown(row.text)
  );
}

function nameScore(
  row: ReceiptRow,
  text: string,
  { rowIndex, medianHeight, isAmerican }: { rowIndex: number; medianHeight: number; isAmerican: boolean },
): number {
  let score = 0.5 - 0.035 * rowIndex;
  const isPlace = isAddress(text);
  if (hasLegalForm(text) && !isPlace) score += 0.3;
  if (isBusiness(text)) score += 0.12;
  if (isPlace) score -= 0.4;
  // In America they stand before the street: behind a name is the number of its store (`KWIK TRIP 662`).
  else if (hasHouseNumber(text) && !hasLegalForm(text) && !(isAmerican && /^\D/.test(text))) score -= 0.3;
  score += 0.12 * Math.min(2, Math.max(-1, row.height / medianHeight - 1));
  // Handwriting and print showing through are read with doubt.
  score -= 1.2 * Math.max(0, 0.9 - certaintyOf(row));
  if (isSlogan(text)) score -= 0.35;
  return score;
}

function certaintyOf({ cells }: ReceiptRow): number {
  return Math.min(...cells.map(({ score }) => score));
}

/** Two letters or more, no figures, and no sentence. */
function isNameOnly(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !/\d|[:;@]/.test(text) && !isSlogan(text) && !isOwner(text);
}

/** A name over two rows: the second one is nothing but the rest of it, ending in the legal form, or the first says only what is sold. */
function withContinuation(printedName: string, rowIndex: number, rows: readonly ReceiptRow[]): string {
  const mayContinue = (row: ReceiptRow | undefined): row is ReceiptRow =>
    row !== undefined && !hasAddressWord(row.text) && !isNoName(row.text);
  const next = rows[rowIndex + 1];
  if (mayContinue(next) && !hasLegalForm(printedName) && hasLegalForm(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  if (isTradeOnly(printedName) && mayContinue(next) && isNameOnly(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  const previous = rows[rowIndex - 1];
  const isRest = compactKey(withoutLegalForm(printedName)).length < 3 || isBareForm(printedName);
  return isRest && mayContinue(previous) ? `${printedPart(previous.text)} ${printedName}` : printedName;
}
