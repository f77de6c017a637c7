// Reads several photos of one receipt as one. Pure.
import type { OcrPage } from "../../ocr/page.ts";
import { addsUp } from "../checks/authenticate.ts";
import type { MerchantDictionary } from "../parsing/header/merchant-dictionary.ts";
import { parseReceipt } from "../parsing/parse.ts";
import type { ReadingContext, ReceiptReading } from "../parsing/parse.ts";
import { JOINED_BOXES_MAX, joinParts } from "./join.ts";
import { partedPage } from "./parted-page.ts";
import type { PartedPage } from "./parted-page.ts";

/** The text of all photos and what was read of it. */
export interface ReadParts {
  readonly page: PartedPage;
  readonly reading: ReceiptReading;
}

/**
 * Other ways that are tried at most, and the boxes of all photos above which none is: joining and parsing 500 boxes
 * takes some 80 ms of the processor, 1,000 some 500, and the service's own process waits.
 */
const TRIES_MAX = 12;
const TRIED_BOXES_MAX = 500;
/** Another way leaves out lines that repeat themselves, not most of them. */
const LINES_SHARE_MIN = 0.5;

/** Whether photos have more text than a till receipt, each alone or all together. */
export function haveTooMuchText(pages: readonly OcrPage[]): boolean {
  return (
    (pages.length > 1 && boxesOf(pages) > JOINED_BOXES_MAX) ||
    pages.some(({ hasTooMuchText }) => hasTooMuchText === true)
  );
}

/** Reads the only photo of a receipt, or all of them joined. */
export function readPages(
  pages: readonly OcrPage[],
  merchants: MerchantDictionary,
  context: ReadingContext,
): ReadParts {
  const [page, ...others] = pages;
  if (page && others.length === 0) return { page, reading: parseReceipt(page, merchants, context) };
  return readParts(pages, merchants, context);
}

/**
 * Joins the pages of photos, and reads them. Where lines repeat themselves (three times MILK 0.99) the common lines
 * alone leave open how often they were bought. So other ways to join are tried if the lines do not add up to the total,
 * one part at a time, and the first one that does without any repair is taken.
 */
export function readParts(
  pages: readonly OcrPage[],
  merchants: MerchantDictionary,
  context: ReadingContext,
): ReadParts {
  const read = (ways: readonly number[]): ReadParts => {
    const page = partedPage(pages, ways);
    return { page, reading: parseReceipt(page, merchants, context) };
  };
  const likeliest = read([]);
  if (isSure(likeliest) || boxesOf(pages) > TRIED_BOXES_MAX) return likeliest;
  const others = joinParts(pages).joints.flatMap(({ part, ways }) =>
    Array.from({ length: ways - 1 }, (_, i) => pages.map((__, each) => (each === part ? i + 1 : 0))),
  );
  for (const ways of others.slice(0, TRIES_MAX)) {
    const other = read(ways);
    // In a wrong order a subtotal may begin the list, and add up to the total with a bag below it.
    const hasItsLines = other.reading.lines.length >= LINES_SHARE_MIN * likeliest.reading.lines.length;
    if (hasItsLines && isSure(other)) return other;
  }
  return likeliest;
}

function boxesOf(pages: readonly OcrPage[]): number {
  return pages.reduce((sum, page) => sum + page.boxes.length, 0);
}

/** Whether the lines add up to the total as printed. */
function isSure({ reading }: ReadParts): boolean {
  return reading.totalMinor !== null && reading.repairs.length === 0 && addsUp(reading, reading.totalMinor);
}
