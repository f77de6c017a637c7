import { numberedKeys } from "../../numbered-keys.ts";
import type { OcrPage } from "../../ocr/page.ts";
import { isAmountPrinted } from "../checks/authenticate.ts";
import { nameEvidence } from "../checks/name.ts";
import { contextOf } from "../context.store.ts";
import { claimUpload } from "../duplicates/claims.store.ts";
import { ASSUMED_CURRENCY } from "../enrichment.ts";
import { extractedEvent } from "../events.ts";
import type { Extracted } from "../findings.ts";
import { haveTooMuchText, readPages } from "../parts/read-parts.ts";
import { rowsOf } from "../parsing/rows/rows.ts";
import { withDecimals } from "../parsing/rows/zero-decimal-amounts.ts";
import { failure } from "../receipt.ts";
import type { Receipt } from "../receipt.ts";
import { uploadRejection } from "../rejections.ts";
import { lockReceipt } from "../store.ts";
import { failLocked, finishStage } from "./stage.ts";
import type { NextReceipt, StageDeps, StageResult } from "./stage.ts";

const TOO_MUCH_TEXT: StageResult = {
  kind: "rejected",
  failure: failure("NOT_AUTHENTIC", "the picture has far more text than a till receipt"),
};

/** Uploaded → Extracted: claims the reference and the image, reads the pictures and parses its text. */
export async function extract(deps: StageDeps, receipt: Receipt): Promise<NextReceipt> {
  if (!(await claim(deps, receipt))) return null;
  const pages = await readImages(deps, receipt);
  if (haveTooMuchText(pages)) return finishStage(deps, receipt, "Extracted", () => TOO_MUCH_TEXT);
  const context = await contextOf(deps.database, receipt);
  const { page, reading } = readPages(pages, deps.merchants, context);
  const texts = withDecimals(rowsOf(page), context.likelyCountry).map(({ text }) => text);
  // A chain can be identified by its VAT id alone, without its name in the text.
  const names = [reading.businessName, reading.merchantName].filter((name) => name !== null);
  const { merchantName, amount } = receipt.declared;
  const found: Extracted = {
    reading,
    page,
    name: nameEvidence([...texts, ...names], merchantName, deps.merchants),
    isAmountPrinted: isAmountPrinted(texts, amount, reading.currency ?? ASSUMED_CURRENCY),
  };
  return finishStage(deps, receipt, "Extracted", (_tx, at) =>
    reading.isReceipt
      ? { kind: "finished", found, events: [extractedEvent(receipt, reading, at)] }
      : { kind: "rejected", failure: failure("NOT_AUTHENTIC", "the picture doesn't show a receipt") },
  );
}

/**
 * Reads the photos of a receipt one after the other: it has one place among the readers, however many it has. Those
 * behind one with too much text are not read.
 */
async function readImages(deps: StageDeps, { imageKey, moreImages }: Receipt): Promise<OcrPage[]> {
  const pages: OcrPage[] = [];
  for (const key of numberedKeys(imageKey, 1 + moreImages.length)) {
    const page = await deps.readImage(key);
    pages.push(page);
    if (haveTooMuchText(pages)) break;
  }
  return pages;
}

/** Claims the reference and the image. Fails the receipt if another one has them. False: nothing to read. */
function claim(deps: StageDeps, receipt: Receipt): Promise<boolean> {
  return deps.database.tx(async (tx) => {
    const locked = await lockReceipt(tx, receipt.id, "Uploaded");
    if (!locked) return false;
    const rejection = uploadRejection(locked, await claimUpload(tx, locked));
    if (rejection) await failLocked(deps, tx, locked, rejection, null, deps.now());
    return rejection === null;
  });
}
