import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { Cell } from "../rows/rows.ts";
import {
  hasHouseNumber,
  hasLegalForm,
  isAddress,
  isBusiness,
  isGroup,
  isListOfTrades,
  isMall,
  isNoName,
  isSlogan,
  isTown,
  printedPart,
  withoutNumberBefore,
} from "./header-rows.ts";
import { labelledName } from "./name-labels.ts";
import { isOperator, isOwner } from "./owners.ts";
import { isAlsoElsewhere } from "./name-elsewhere.ts";
import type { NamesElsewhere } from "./name-elsewhere.ts";
import { FIRST_SITE } from "./site-names.ts";

// Which rows of the header may be the name of a shop that is not in the dictionary, and how likely each is.

/** A row that may be the name. */
export interface Candidate {
  printedName: string;
  rowIndex: number;
  score: number;
  /** A farewell or the website has it too. */
  isElsewhere: boolean;
}

/**
 * Score of a row that is neither address nor slogan nor far down. Set by hand on the development receipts, as are all
 * scores here.
 */
export const CERTAIN_SCORE = 0.4;
/** A row with a lower score is likely an address or a slogan. */
export const DOUBTFUL_SCORE = 0.25;

/** `Merchant:` is before the name, whatever is above it. */
const LABELLED_SCORE = 0.3;
/** Behind `Store:` is a town as often as the name: a row without a label is likelier. */
const SHOP_LABELLED_SCORE = -0.2;
/** What a shop sells is no name. */
const TRADES_SCORE = 0.3;
/** A cry may be a name (`Ramen YA!`), but hardly above a row that is a shop's: `SEDAP SANGAT!`, `RESTORAN MAJU`. */
const CRY_SCORE = -0.2;

function isCry({ text }: ReceiptRow): boolean {
  return text.trim().endsWith("!") && /\p{L}\s/u.test(text) && !isBusiness(text);
}

function isShop({ printedName }: Candidate): boolean {
  return isBusiness(printedName) || hasLegalForm(printedName);
}

/** The website or a farewell has the name too: likelier no slogan, address or owner. */
const ELSEWHERE_SCORE = 0.25;

/**
 * Returns the rows of the header that may be the name, each with its score. `goods`: names in the list; `elsewhere`:
 * names in farewells and websites.
 */
export function candidatesIn(
  header: readonly ReceiptRow[],
  medianHeight: number,
  goods: ReadonlySet<string>,
  elsewhere: NamesElsewhere,
): Candidate[] {
  const isAmerican = header.some(({ text }) => isTown(text));
  const candidates = header.flatMap((whole, rowIndex): Candidate[] => {
    const row = withoutTillCell(whole, rowIndex);
    const labelled = labelledName(row.text);
    const printedName = printedPart(withoutNumberBefore(labelled?.name ?? row.text));
    if (!mayBeName(row, printedName, rowIndex) || goods.has(row.text.trim())) return [];
    // The row of the site itself is none.
    const isElsewhere = !FIRST_SITE.test(row.text) && isAlsoElsewhere(printedName, elsewhere);
    const score =
      nameScore(row, printedName, { rowIndex, medianHeight, isAmerican }) +
      (labelled === null ? 0 : labelled.isCertain ? LABELLED_SCORE : SHOP_LABELLED_SCORE) +
      (isElsewhere ? ELSEWHERE_SCORE : 0);
    return [{ printedName, rowIndex, score, isElsewhere }];
  });
  for (const cry of candidates.filter(({ rowIndex }) => isCry(header[rowIndex]!)))
    if (candidates.some((other) => other.rowIndex > cry.rowIndex && isShop(other))) cry.score += CRY_SCORE;
  return candidates;
}

/** A row this far up may have a mark of the document beside the name. */
const MARKED_ROWS = 2;

/** Returns the two parts of a cell with one dash between words: `TAX INVOICE - BONDI BREW PTY LTD`. */
function dashedCells(cell: Cell): Cell[] {
  const parts = cell.text.split(/\s[-–]\s/);
  // A word alone is no shop's: `OPEN HOUSE - CAFE`.
  const isShop = parts.some((part) => !isNoName(part) && part.trim().includes(" "));
  return parts.length === 2 && isShop ? parts.map((text) => ({ ...cell, text: text.trim() })) : [];
}

/** Returns a row of two cells without the one that is of the document: `NFC-e      ALLES GUT`. */
function withoutTillCell(row: ReceiptRow, rowIndex: number): ReceiptRow {
  if (rowIndex >= MARKED_ROWS || row.amounts.length > 0) return row;
  const [first, second] = row.cells.length === 1 ? dashedCells(row.cells[0]!) : row.cells.length === 2 ? row.cells : [];
  if (!first || !second) return row;
  const isOfTill = (text: string): boolean => isNoName(text) && !/\d{3}|:/.test(text);
  const rest = isOfTill(first.text) ? second : isOfTill(second.text) ? first : null;
  return rest === null || isNoName(rest.text) ? row : { ...row, cells: [rest], text: rest.text };
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
    !isOperator(text) &&
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
  if (isPlace) score -= rowIndex === 0 && !/[\d,]/.test(text) ? 0.12 : 0.4;
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
  if (isListOfTrades(text)) score -= TRADES_SCORE;
  if (
    isSlogan(text) ||
    (row.text !== text && isSlogan(row.text)) ||
    isMall(text) ||
    isGroup(text) ||
    row.labels.has("note")
  )
    score -= 0.35;
  return score;
}

/** How certainly the OCR read a row. */
export function certaintyOf({ cells }: ReceiptRow): number {
  return Math.min(...cells.map(({ score }) => score));
}
