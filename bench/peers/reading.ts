// Reads pictures of receipts as the service does: stored as uploaded, read by an OCR process, then parsed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { normaliseImage } from "../../src/images/normalise.ts";
import { createOcr } from "../../src/ocr/ocr.ts";
import type { Ocr } from "../../src/ocr/ocr.ts";
import { toMerchantDictionary } from "../../src/receipts/parsing/header/merchant-dictionary.ts";
import { parseReceipt } from "../../src/receipts/parsing/parse.ts";
import { KEPT_LONG_SIDE_PX } from "../../src/receipts/receipt.ts";
import { serveParent } from "../program.ts";

const dictionary = toMerchantDictionary(
  readFileSync(new URL("../../reference/merchants.jsonl", import.meta.url), "utf8"),
);
let ocr: Ocr | undefined;
const limits = { pixelsMax: 50_000_000, longSideMaxPx: KEPT_LONG_SIDE_PX };

serveParent(async ({ path, folder }: { path: string; folder: string }) => {
  ocr ??= createOcr({ processes: 1, modelsFolder: folder });
  const stored = join(folder, "stored");
  await normaliseImage(path, stored, limits);
  const { merchantName, businessName, date, totalMinor, lines } = parseReceipt(
    await ocr.read({ path: stored }),
    dictionary,
  );
  const items = lines.map(({ description, amountMinor }) => ({ name: description, amountMinor }));
  return { merchant: merchantName, businessName, date, totalMinor, items };
});
