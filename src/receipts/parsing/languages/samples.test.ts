import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, test } from "node:test";
import { judged } from "../../../../eval/receipt-tally.ts";
import { typedReceipts } from "../../../../eval/typed/collection.ts";
import { dictionary } from "../../../../test/support/typed-receipt.ts";
import { parseReceipt } from "../parse.ts";
import { COUNTRIES } from "./vocabulary.ts";

// Sample receipts of each country: reference/receipts/samples/<country>.txt. Their form: docs/add-a-country.md.

const SAMPLES_MIN = 2;

function fileOf(country: string): string {
  return fileURLToPath(new URL(`../../../../reference/receipts/samples/${country.toLowerCase()}.txt`, import.meta.url));
}

for (const { code, name, currency, decimalMark } of COUNTRIES) {
  const file = fileOf(code);
  if (!existsSync(file)) {
    test(`${name} has sample receipts`, () => assert.fail(`write ${SAMPLES_MIN} or more into ${file}`));
    continue;
  }
  describe(`sample receipts of ${name}`, () => {
    const samples = typedReceipts(file, 0, 0);
    test("there are two or more, with the country in their names", () => {
      assert.ok(samples.length >= SAMPLES_MIN, `${samples.length} in ${file}`);
      assert.deepEqual(
        samples.map(({ file: id }) => id).filter((id) => !id.startsWith(`${code.toLowerCase()}-`)),
        [],
      );
    });
    for (const { file: id, truth, print, page } of samples)
      test(`${id} is read: merchant, date, time, total, currency, country and every line`, () => {
        const reading = parseReceipt(page, dictionary);
        const { errors, time, currency: isCurrency } = judged(truth, reading, null);
        assert.deepEqual(errors, []);
        assert.deepEqual(
          { time, isCurrency, country: reading.country },
          { time: true, isCurrency: true, country: code },
        );
        assert.equal(truth.currency, currency);
        const total = truth.total.toFixed(2).replace(".", decimalMark);
        const isPrinted = print.replaceAll(/(?<=\d)[., ](?=\d{3})/g, "").includes(total.replace(/[.,]00$/, ""));
        assert.ok(isPrinted, `${total} with the country's decimal mark is not printed`);
      });
  });
}
