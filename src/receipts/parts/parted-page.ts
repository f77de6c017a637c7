// The text of a receipt with several photos: one page with every line once, and the pages that it was joined from.
import type { OcrPage } from "../../ocr/page.ts";
import { joinParts } from "./join.ts";
import type { JoinedParts } from "./join.ts";

/** A page that may have been joined. Without `parts` it is that of the only photo. */
export interface PartedPage extends OcrPage {
  /** The pages of the photos, in the order in which they were sent. */
  readonly parts?: readonly OcrPage[];
  /** Which way was taken to join each part (join.ts). */
  readonly ways?: readonly number[];
}

/** Returns the pages of the photos that a page was read from. */
export function photosOf(page: PartedPage): readonly OcrPage[] {
  return page.parts ?? [page];
}

/** Joins pages in ways that were found before. */
export function partedPage(parts: readonly OcrPage[], ways: readonly number[]): PartedPage {
  return { ...joinParts(parts, ways).page, parts, ways };
}

/** How a page was joined; null: it is that of the only photo. */
export function joiningOf({ parts, ways = [] }: PartedPage): JoinedParts | null {
  return parts ? joinParts(parts, ways) : null;
}
