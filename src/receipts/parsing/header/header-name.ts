import { anyPhraseOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { headingIndex } from "../rows/row-kinds.ts";
import {
  hasAddressWord,
  hasHouseNumber,
  hasLegalForm,
  isAddress,
  isBareForm,
  isBusiness,
  isGroup,
  isMall,
  isNoName,
  isOwner,
  isSlogan,
  isTradeOnly,
  isTown,
  withoutNumberBefore,
  printedPart,
  withoutLegalForm,
} from "./header-rows.ts";
import { containsNearly } from "../rows/fuzzy-match.ts";
import { compactKey } from "../rows/labels.ts";
import { FIRST_SITE, isNamedBySite, siteKeysIn } from "./site-names.ts";

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

interface Candidate {
  printedName: string;
  rowIndex: number;
  score: number;
}

/**
 * Score of a row that is neither address nor slogan nor far down. Set by hand on the development receipts, as are all
 * scores here.
 */
const CERTAIN_SCORE = 0.4;
/** A row that the shop's site repeats is likelier its name. */
const NAMED_BY_SITE = 0.25;
/** A row with a lower score is likely an address or a slogan. */
const DOUBTFUL_SCORE = 0.25;

const FAREWELL_LINKS = wordsOf("farewellLinks");
/** `Thank you for dining at Noodle Barn`. */
const FAREWELL = new RegExp(
  String.raw`${anyWordOf(wordsOf("farewells"))}\s+(?:${anyPhraseOf(FAREWELL_LINKS)}\s+){0,2}(?:${anyWordOf(wordsOf("articles"))}\s+)?(?!${anyWordOf(FAREWELL_LINKS.flatMap((link) => link.split(" ")))})(\p{L}.{2,})$`,
  "iu",
);
/** Returns the name from a farewell or the website, for headers whose name is a logo and not text. */
function nameElsewhere(rows: readonly ReceiptRow[]): HeaderName | null {
  for (const pattern of [FAREWELL, FIRST_SITE]) {
    for (const [rowIndex, { text }] of rows.entries()) {
      const printedName = printedPart(pattern.exec(text)?.[1] ?? "");
      if (printedName !== "") return { printedName, isCompany: false, tradingName: null, rowIndex, score: 0.3 };
    }
  }
  return null;
}

/**
 * Returns the name of a shop that is not in the dictionary, from the rows above its list; null if none of them looks
 * like a name. `goods`: the names in the list, which are no shop's where the header is missing.
 */
export function nameInHeader(
  rows: readonly ReceiptRow[],
  listStart: number,
  goods: ReadonlySet<string> = new Set(),
): HeaderName | null {
  const heights = rows.map(({ height }) => height).sort((a, b) => a - b);
  const medianHeight = heights[heights.length >> 1] ?? 1;
  const heading = headingIndex(rows);
  const end = headerRowCount(listStart);
  // Goods may begin above the first amount, but below the names of the columns.
  const header = rows.slice(0, heading > 1 ? Math.min(end, heading) : end);
  const isAmerican = header.some(({ text }) => isTown(text));
  const siteKeys = siteKeysIn(rows.map(({ text }) => text));
  const candidates = header.flatMap((whole, rowIndex): Candidate[] => {
    const row = withoutTillCell(whole, rowIndex);
    const printedName = printedPart(withoutNumberBefore(row.text));
    if (!mayBeName(row, printedName, rowIndex) || goods.has(row.text.trim())) return [];
    const score = nameScore(row, printedName, { rowIndex, medianHeight, isAmerican });
    return [{ printedName, rowIndex, score: isNamedBySite(printedName, siteKeys) ? score + NAMED_BY_SITE : score }];
  });
  const [first] = candidates;
  // Only ornaments and numbers are above it: most shops begin with their name. Handwriting has low scores.
  if (first && certaintyOf(rows[first.rowIndex]!) > 0.65) first.score += 0.1;
  const highest = candidates.reduce<Candidate | null>((a, b) => (a === null || b.score > a.score ? b : a), null);
  const best = highest && (nameAboveTrade(highest, candidates) ?? highest);
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
  const isCompany = hasLegalForm(company.printedName) && company.score >= CERTAIN_SCORE;
  // A slogan may be above both.
  const above = candidates.find(({ rowIndex, score }) => rowIndex < company.rowIndex && score >= CERTAIN_SCORE);
  const isApart = isCompany && above !== undefined && !printedName.includes(above.printedName);
  return {
    printedName,
    isCompany,
    tradingName: isApart ? above.printedName : isCompany ? nameBelow(company, printedName, candidates) : null,
    rowIndex: company.rowIndex,
    score: Math.min(0.9, company.score),
  };
}

/** A row this far up may have a mark of the document beside the name. */
const MARKED_ROWS = 2;

/** Returns a row of two cells without the one that is of the document: `NFC-e      ALLES GUT`. */
function withoutTillCell(row: ReceiptRow, rowIndex: number): ReceiptRow {
  const [first, second] = row.cells;
  if (rowIndex >= MARKED_ROWS || row.cells.length !== 2 || row.amounts.length > 0) return row;
  const isOfTill = (text: string): boolean => isNoName(text) && !/\d{3}|:/.test(text);
  const rest = isOfTill(first!.text) ? second! : isOfTill(second!.text) ? first! : null;
  return rest === null || isNoName(rest.text) ? row : { ...row, cells: [rest], text: rest.text };
}

/** Returns the name right above a row that has only the trade: `LA STRADA` above `Restaurant & Pizzerie`. */
function nameAboveTrade(trade: Candidate, candidates: readonly Candidate[]): Candidate | undefined {
  if (!isTradeOnly(trade.printedName) || hasLegalForm(trade.printedName)) return undefined;
  return candidates.find(
    ({ rowIndex, printedName, score }) =>
      rowIndex === trade.rowIndex - 1 && score >= DOUBTFUL_SCORE && !isTradeOnly(printedName),
  );
}

/** A logo has this many letters at least to be compared, and this share of them may be misread. Set by hand. */
const LOGO_COMPARED_MIN = 5;
const LOGO_MISREAD_MAX = 0.3;

/**
 * Returns the row that prints the name of a misread logo again, more legibly and at its start: `RAMENND!` above
 * `Ramen YA! Galeria`.
 */
function clearerPrint(
  logo: Candidate,
  candidates: readonly Candidate[],
  rows: readonly ReceiptRow[],
): Candidate | undefined {
  const letters = compactKey(logo.printedName);
  if (letters.length < LOGO_COMPARED_MIN || hasLegalForm(logo.printedName)) return undefined;
  const slack = Math.floor(letters.length * LOGO_MISREAD_MAX);
  return candidates.find(({ printedName, rowIndex }) => {
    const other = compactKey(printedName);
    if (rowIndex <= logo.rowIndex || other.length <= letters.length || other.startsWith(letters)) return false;
    const isClearer = certaintyOf(rows[rowIndex]!) > certaintyOf(rows[logo.rowIndex]!);
    return isClearer && other[0] === letters[0] && containsNearly(other.slice(0, letters.length), letters, slack);
  });
}

/** Between a company and its shop's name there may be its address and its number. */
const COMPANY_ROWS_MAX = 3;

/** Returns the name of the shop below its company, if it has the trade in it: `MINIMARKET EL ROBLE`. */
function nameBelow(company: Candidate, printedName: string, candidates: readonly Candidate[]): string | null {
  const below = candidates.find(
    (other) =>
      other.rowIndex > company.rowIndex &&
      other.rowIndex <= company.rowIndex + COMPANY_ROWS_MAX &&
      other.score >= CERTAIN_SCORE &&
      isBusiness(other.printedName),
  );
  if (!below || hasLegalForm(below.printedName)) return null;
  // `CHEZ MARCEL` above `Brasserie - Tabac - PMU`.
  const named = nameAboveTrade(below, candidates);
  if (named && named.rowIndex > company.rowIndex) return named.printedName;
  const isRest = printedName.includes(below.printedName) || isTradeOnly(below.printedName);
  return isRest ? null : below.printedName;
}

function mayBeName(row: ReceiptRow, text: string, index: number): boolean {
  // If the header is missing, the first rows are goods with their prices.
  if (row.amounts.at(-1)?.end === row.text.length || row.labels.has("discount")) return false;
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  return (
    letters >= 3 &&
    letters >= 0.5 * text.replace(/\s/g, "").length &&
    !isNoName(text) &&
    !(index > 0 && isOwner(text)) &&
    // Three cells are the heading of a list.
    (row.cells.length < 3 || hasLegalForm(text)) &&
    !isTown(row.text)
  );
}

/** Print this much lower than usual is of what is around the receipt in a picture: a chat, another paper. */
const SMALL_PRINT = 0.6;

function nameScore(
  row: ReceiptRow,
  text: string,
  { rowIndex, medianHeight, isAmerican }: { rowIndex: number; medianHeight: number; isAmerican: boolean },
): number {
  let score = 0.5 - 0.035 * rowIndex;
  const isPlace = isAddress(text);
  if (hasLegalForm(text) && !isPlace) score += 0.3;
  if (isBusiness(text)) score += 0.12;
  // In the first row a word of an address may be the shop's quarter: `SUSHI BAR CENTRO`.
  if (isPlace) score -= rowIndex === 0 && !/[\d,]/.test(text) ? 0.15 : 0.4;
  // In America house numbers are before the street: behind a name is the number of its store (`KWIK TRIP 662`).
  // Most shops begin with their name, which may end in a number: `STUDIO 54`.
  else if (hasHouseNumber(text) && !hasLegalForm(text) && !(isAmerican && /^\D/.test(text)))
    score -= rowIndex === 0 && /^\D/.test(text) ? 0.15 : 0.3;
  if (row.height < SMALL_PRINT * medianHeight) score -= 0.25;
  score += 0.12 * Math.min(2, Math.max(-1, row.height / medianHeight - 1));
  // A name in small letters above the company is written by hand: `tan chay yee`.
  if (/^\p{Ll}{2,}(?:\s\p{Ll}{2,})+$/u.test(text) && !isBusiness(text) && !isSlogan(text)) score -= 0.2;
  // Handwriting and print showing through have low scores.
  score -= 1.2 * Math.max(0, 0.9 - certaintyOf(row));
  // `GOODS SOLD ARE NOT RETURNABLE` may be above the shop's name.
  if (isSlogan(text) || isMall(text) || isGroup(text) || row.labels.has("note")) score -= 0.35;
  return score;
}

function certaintyOf({ cells }: ReceiptRow): number {
  return Math.min(...cells.map(({ score }) => score));
}

/** A logo is set large and has few letters in a row (`THAI`, `KHON KAEN`). Set by hand on the development receipts. */
const LOGO_HEIGHTS = 1.4;
const LOGO_LETTERS_MAX = 10;

function isLogo({ height, text }: ReceiptRow, rows: readonly ReceiptRow[]): boolean {
  const medianHeight = rows.map((row) => row.height).sort((a, b) => a - b)[rows.length >> 1] ?? 1;
  return height > LOGO_HEIGHTS * medianHeight && text.replace(/[^\p{L}]/gu, "").length <= LOGO_LETTERS_MAX;
}

/** Whether a text has at least two letters, no figures, and is no sentence. */
function isNameOnly(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !/\d|[:;@]/.test(text) && !isSlogan(text) && !isOwner(text);
}

/**
 * Returns a name over two rows: the second row is the rest of it and ends in the legal form, or the first one is only
 * the trade.
 */
function withContinuation(printedName: string, rowIndex: number, rows: readonly ReceiptRow[]): string {
  const mayContinue = (row: ReceiptRow | undefined): row is ReceiptRow =>
    row !== undefined && !hasAddressWord(row.text) && !isNoName(row.text);
  const next = rows[rowIndex + 1];
  if (mayContinue(next) && !hasLegalForm(printedName) && hasLegalForm(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  if (isTradeOnly(printedName) && mayContinue(next) && isNameOnly(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  const previous = rows[rowIndex - 1];
  if (mayContinue(next) && isLogo(rows[rowIndex]!, rows) && isLogo(next, rows) && isNameOnly(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  const isRest = compactKey(withoutLegalForm(printedName)).length < 3 || isBareForm(printedName);
  return isRest && mayContinue(previous) ? `${printedPart(previous.text)} ${printedName}` : printedName;
}
