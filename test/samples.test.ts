import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createOcr } from "../src/adapters/ocr.ts";
import { sampleImage } from "../src/adapters/sample-image.ts";
import { parseReceipt } from "../src/receipts/reading/parse.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES } from "../src/receipts/samples/outcomes.ts";
import type { SampleOutcome } from "../src/receipts/samples/outcomes.ts";
import { totalMinorOf } from "../src/receipts/samples/sample.ts";
import type { SampleMeasure } from "../src/receipts/samples/sample.ts";

const SEED = 1;
const ocr = createOcr();
after(() => ocr.close());

async function readingOf(outcome: SampleOutcome) {
  return parseReceipt(await ocr.read({ bytes: await sampleImage(outcome, SEED) }), []);
}

function quantityOf(measure: SampleMeasure | undefined): number {
  if (measure === undefined) return 1;
  return measure.kind === "count" ? measure.quantity : measure.massGrams / 1000;
}

for (const outcome of ["completed", "completed_de", "no_valid_food_items"] as const) {
  test(`the photo of sample:${outcome} is read as it was printed`, async () => {
    const { receipt } = SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT);
    const reading = await readingOf(outcome);
    assert.ok(reading.isReceipt);
    assert.deepEqual(
      [reading.merchantName, reading.currency, reading.date, reading.time, reading.totalMinor],
      [receipt.merchant?.name, receipt.currency, receipt.date, `${receipt.time}:00`, totalMinorOf(receipt)],
    );
    assert.deepEqual(
      reading.lines.map(({ description, quantity, amountMinor }) => [description, quantity, amountMinor]),
      receipt.lines.map(({ name, measure, amountMinor }) => [name, quantityOf(measure), amountMinor]),
    );
  });
}

test("the photo of sample:merchant_name_not_found is a receipt without a shop", async () => {
  const reading = await readingOf("merchant_name_not_found");
  assert.ok(reading.isReceipt);
  assert.equal(reading.merchantName, null);
  assert.ok(reading.lines.length > 0);
});

test("the photo of sample:not_authentic is no receipt", async () => {
  assert.equal((await readingOf("not_authentic")).isReceipt, false);
});
