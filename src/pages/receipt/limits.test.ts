import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES } from "../../html/language.ts";
import { withLimits } from "./limits.ts";

const USUAL = { imageBytesMax: 10 * 1024 * 1024, imagePixelsMax: 50_000_000 };

test("every language shows the limits of the settings, in its own units", () => {
  for (const { tag, locale, receipt } of LANGUAGES) {
    for (const phrase of [receipt.formats, receipt.errors.too_large]) {
      const other = withLimits(phrase, { imageBytesMax: 3.5 * 1024 * 1024, imagePixelsMax: 8_000_000 }, locale);
      assert.doesNotMatch(other, /10|50|[{}]/, tag);
      assert.notEqual(other, withLimits(phrase, USUAL, locale), tag);
    }
  }
  const shown = LANGUAGES.map(({ receipt, locale }) => withLimits(receipt.formats, USUAL, locale));
  assert.deepEqual(shown.slice(0, -1), [
    "JPEG or PNG, at most 10 MB",
    "JPEG oder PNG, höchstens 10 MB",
    "JPEG ou PNG, 10\u202fMo au maximum",
    "JPEG o PNG, 10 MB como máximo",
    "JPEG o PNG, massimo 10 MB",
    "JPEG of PNG, maximaal 10 MB",
    "JPEG lub PNG, najwyżej 10 MB",
    "JPEG ou PNG, no máximo 10 MB",
  ]);
});

test("a limit is never rounded up, and a small one is in kilobytes", () => {
  const shown = (imageBytesMax: number, imagePixelsMax: number) =>
    withLimits("{size}, {megapixels}", { imageBytesMax, imagePixelsMax }, "en");
  assert.equal(shown(1_048_576 * 2 - 1, 7_999_999), "1.9 MB, 7.99");
  assert.equal(shown(2_048, 250_000_000), "2 kB, 250");
});
