import { containsNearly } from "../rows/fuzzy-match.ts";
import { compactKey, foldForOcr } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import {
  hasAddressWord,
  hasLegalForm,
  isBareForm,
  isBusiness,
  isListOfTrades,
  isNoName,
  isSlogan,
  isTradeOnly,
  printedPart,
  withoutLegalForm,
} from "./header-rows.ts";
import { areOwnersFirst, isOperator, isOwner, isPerson } from "./owners.ts";
import { CERTAIN_SCORE, DOUBTFUL_SCORE, certaintyOf } from "./name-candidates.ts";
import type { Candidate } from "./name-candidates.ts";

// What the rows around a name in the header add to it: its other half, its trade, the shop of a company.

/** Returns the name right above a row that has only the trade: `LA STRADA` above `Restaurant & Pizzerie`. */
export function nameAboveTrade(trade: Candidate, candidates: readonly Candidate[]): Candidate | undefined {
  if (!isTradeOnly(trade.printedName) || hasLegalForm(trade.printedName)) return undefined;
  return candidates.find(
    ({ rowIndex, printedName, score }) =>
      rowIndex === trade.rowIndex - 1 && score >= DOUBTFUL_SCORE && !isTradeOnly(printedName),
  );
}

/** A name that shares a word with the shop below has this many words if it is a person's. */
const PERSON_WORDS = { min: 2, max: 3 } as const;
/** A shorter word may be a form or a link: `DE`, `SAN`. */
const SHARED_LETTERS_MIN = 4;
/** Between the owner and the shop may be a tax number. */
const OWNER_ROWS_MAX = 2;

/**
 * Returns the shop below its owner. It has the trade in it, and either the owner's surname (`MEHMET ÖZKAN`, `ÖZKAN ET
 * KASAP`), or the owner's is certainly the name of a person (`JUAN PÉREZ SOTO`, `BAR LOS ARCOS`).
 */
export function shopOfOwner(
  owner: Candidate,
  candidates: readonly Candidate[],
  country: string | null,
): Candidate | undefined {
  const wordsOf = (name: string): string[] => foldForOcr(name).split(" ");
  const words = wordsOf(owner.printedName);
  const mayBePerson = words.length >= PERSON_WORDS.min && words.length <= PERSON_WORDS.max;
  const isCertain = areOwnersFirst(country) && isPerson(owner.printedName);
  const isShop = isBusiness(owner.printedName) || hasLegalForm(owner.printedName);
  if (!isCertain && (!mayBePerson || isShop)) return undefined;
  const hasSurname = (name: string): boolean =>
    words.filter((word) => word.length >= SHARED_LETTERS_MIN && wordsOf(name).includes(word)).length === 1;
  return candidates.find(
    ({ printedName, rowIndex, score }) =>
      rowIndex > owner.rowIndex &&
      rowIndex <= owner.rowIndex + OWNER_ROWS_MAX &&
      score >= CERTAIN_SCORE &&
      isBusiness(printedName) &&
      ((mayBePerson && hasSurname(printedName)) || (isCertain && !isTradeOnly(printedName))),
  );
}

/** A logo has this many letters at least to be compared, and this share of them may be misread. Set by hand. */
const LOGO_COMPARED_MIN = 5;
const LOGO_MISREAD_MAX = 0.3;

/**
 * Returns the row that prints the name of a misread logo again, more legibly and at its start: `RAMENND!` above
 * `Ramen YA! Galeria`.
 */
export function clearerPrint(
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

/** Returns the shop below its company: it has the trade in it (`MINIMARKET EL ROBLE`), or the website has its name. */
export function nameBelow(
  company: Candidate,
  printedName: string,
  candidates: readonly Candidate[],
  rows: readonly ReceiptRow[],
): string | null {
  const isRunner = isOperator(rows[company.rowIndex - 1]?.text ?? "");
  const below = candidates.find(
    (other) =>
      other.rowIndex > company.rowIndex &&
      other.rowIndex <= company.rowIndex + COMPANY_ROWS_MAX &&
      (isListOfTrades(other.printedName) ||
        (other.score >= CERTAIN_SCORE && (isBusiness(other.printedName) || other.isElsewhere || isRunner))),
  );
  if (!below || hasLegalForm(below.printedName)) return null;
  // `CHEZ MARCEL` above `Brasserie - Tabac - PMU`.
  const named = nameAboveTrade(below, candidates);
  if (named && named.rowIndex > company.rowIndex) return named.printedName;
  const isRest = printedName.includes(below.printedName) || isTradeOnly(below.printedName);
  return isRest ? null : below.printedName;
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
  return /\p{L}{2}/u.test(text) && !/\d|[:;@]/.test(text) && !isSlogan(text) && !isOwner(text) && !isPerson(text);
}

/**
 * Returns a name over two rows: the second row is the rest of it and ends in the legal form, or the first one is only
 * the trade.
 */
export function withContinuation(printedName: string, rowIndex: number, rows: readonly ReceiptRow[]): string {
  const mayContinue = (row: ReceiptRow | undefined): row is ReceiptRow =>
    row !== undefined && !hasAddressWord(row.text) && !isNoName(row.text) && !isOperator(row.text);
  const next = rows[rowIndex + 1];
  if (mayContinue(next) && !hasLegalForm(printedName) && hasLegalForm(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  if (isTradeOnly(printedName) && mayContinue(next) && isNameOnly(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  const previous = rows[rowIndex - 1];
  if (mayContinue(next) && isLogo(rows[rowIndex]!, rows) && isLogo(next, rows) && isNameOnly(next.text))
    return `${printedName} ${printedPart(next.text)}`;
  const bare = withoutLegalForm(printedName);
  // `GIDA SAN. LTD. ŞTİ.` is only the trade of the name above it.
  const isRest = compactKey(bare).length < 3 || isBareForm(printedName) || (bare !== printedName && isTradeOnly(bare));
  return isRest && mayContinue(previous) ? `${printedPart(previous.text)} ${printedName}` : printedName;
}
