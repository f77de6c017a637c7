import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createOcr } from "../src/ocr/ocr.ts";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES } from "../src/receipts/samples/outcomes.ts";
import type { SampleOutcome } from "../src/receipts/samples/outcomes.ts";
import { totalMinorOf } from "../src/receipts/samples/sample.ts";
import type { SampleMeasure } from "../src/receipts/samples/sample.ts";
import { formFor } from "./support/groceries.ts";
import { keptModels } from "./support/kept-files.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

let service: ReceiptsUnderTest;
let sandbox: TestClient;
const ocr = createOcr({ processes: 1, ...keptModels() });
before(async () => {
  service = await startReceipts();
  sandbox = await service.client(true);
});
after(async () => {
  await service.close();
  await ocr.close();
});

interface SubmittedSample {
  readonly ending: string;
  /** Null: nothing was read. */
  readonly page: OcrPage | null;
}

/** Submits a sample. It is read by the OCR unless a page is given. */
async function submit(outcome: SampleOutcome, amount: string, given?: OcrPage | null): Promise<SubmittedSample> {
  let page: OcrPage | null = null;
  service.read = async (imageKey) => (page = given ?? (await ocr.read({ path: service.files.pathOf(imageKey) })));
  const fields = formFor(await sandbox.enrol(), { amount });
  const id = await sandbox.accepted({ fields }, `&testBlobUri=sample:${outcome}`);
  await service.process(id);
  const { status, errorCode, held } = await sandbox.status(id);
  return { ending: held ? "Held" : (errorCode ?? status), page };
}

const firsts = new Map<SampleOutcome, SubmittedSample>();

/** Each outcome is submitted once for all tests: drawing and reading its photo takes two seconds. */
async function first(outcome: SampleOutcome): Promise<SubmittedSample> {
  const submitted = firsts.get(outcome) ?? (await submit(outcome, "7.40"));
  firsts.set(outcome, submitted);
  return submitted;
}

async function readingOf(outcome: SampleOutcome) {
  return parseReceipt((await first(outcome)).page!, []);
}

function quantityOf(measure: SampleMeasure | undefined): number {
  if (measure === undefined) return 1;
  return measure.kind === "count" ? measure.quantity : measure.massGrams / 1000;
}

for (const outcome of ["completed", "completed_de", "no_valid_food_items"] as const) {
  test(`the photo of sample:${outcome} is read as printed`, async () => {
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

const ENDINGS: Readonly<Record<string, string>> = { completed: "Completed", completed_de: "Completed", held: "Held" };

test("each sample of the sandbox ends with the outcome in its name", async () => {
  for (const outcome of Object.keys(SAMPLE_OUTCOMES) as SampleOutcome[]) {
    const { ending } = await first(outcome);
    assert.equal(ending, ENDINGS[outcome] ?? outcome.toUpperCase());
  }
});

test("a sample may be sent any number of times, and is not compared with the declared purchase", async () => {
  const { ending, page } = await first("completed");
  assert.deepEqual([ending, (await submit("completed", "999", page)).ending], ["Completed", "Completed"]);
});
