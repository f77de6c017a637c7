import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import { judged } from "../eval/receipt-tally.ts";
import { TYPED, typedReceipts } from "../eval/typed/collection.ts";
import { dictionary } from "./support/typed-receipt.ts";

// What they are read to is measured by `npm run eval:typed` and told in docs/receipts-reading.md; this holds that no change loses it.
for (const [misread, wholeMin] of [[0, 0.95], [0.01, 0.8]] as const) {
  test(`of typed receipts with ${100 * misread} % of characters misread at least ${100 * wholeMin} % come out whole`, () => {
    const receipts = TYPED.flatMap((collection) => typedReceipts(collection, misread === 0 ? 0 : 1, misread));
    const wrong = receipts.flatMap(({ file, truth, page }) => {
      const { whole, errors } = judged(truth, parseReceipt(page, dictionary), null);
      return whole ? [] : [`${file}: ${errors.join("; ")}`];
    });
    assert.ok(wrong.length <= (1 - wholeMin) * receipts.length, wrong.join("\n"));
  });
} // prettier-ignore
