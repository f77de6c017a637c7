import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { createPictureComparer } from "../src/images/compare/comparer.ts";
import { createOcr } from "../src/ocr/ocr.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { totalMinorOf } from "../src/receipts/samples/sample.ts";
import type { SampleReceipt } from "../src/receipts/samples/sample.ts";
import { ALTERATIONS, SHOPS, drawingOf, photoOf as photoOfSize } from "./support/duplicate-pictures.ts";
import { otherPurchases, receiptsOfOneDay } from "./support/duplicate-pictures.ts";
import { keptModels } from "./support/kept-files.ts";
import { digitsOf, overpainted } from "./support/overpainted-pictures.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

// Real pictures, read by the OCR, a second of CPU each: so few of each kind. npm run eval:duplicates has all of them.

let service: ReceiptsUnderTest;
let app: TestClient;
const ocr = createOcr({ processes: 1, ...keptModels() });
const comparer = createPictureComparer();
let isComparisonStopped = false;

/** Three quarters of a sample's size: drawn, read and compared in little more than half the time. */
const photoOf = (receipt: SampleReceipt, seed: number) => photoOfSize(receipt, seed, { frameLongPx: 1_500 });

before(async () => {
  const compare: typeof comparer.compare = async (request) =>
    isComparisonStopped ? { kind: "stopped", reason: "over the limit" } : comparer.compare(request);
  service = await startReceipts({ comparer: { ...comparer, compare } });
});
beforeEach(async () => {
  // An application of its own for each test, so that tests find no duplicates of each other.
  app = await service.client();
  service.limit({});
  service.read = readOnce;
});
after(async () => {
  await service.close();
  await Promise.all([ocr.close(), comparer.close()]);
});

const photoOfShop3 = photoOf(SHOPS[3]!, 7);
const COPIES = ["turned by 90°", "cropped by 5 % on each side", "at JPEG quality 40", "scaled to 60 %"] as const;
const IMAGE_KEY = { name: "test.image-key", text: "SELECT image_key AS key FROM receipts WHERE id = $1" };
const pages = new Map<string, Promise<OcrPage>>();

/** Reads a stored picture. The same bytes are read only once. */
async function readOnce(imageKey: string): Promise<OcrPage> {
  const bytes = await readFile(service.files.pathOf(imageKey));
  const hash = createHash("sha256").update(bytes).digest("hex");
  const page = pages.get(hash) ?? ocr.read({ bytes });
  pages.set(hash, page);
  return page;
}

/** Submits a picture of a receipt with its true declaration, and returns its end and the outcome of its picture. */
async function submit(
  image: Buffer,
  receipt: SampleReceipt,
  { client = app, userId = "", amount }: { client?: TestClient; userId?: string; amount?: string | undefined } = {},
) {
  const fields = formFor(userId || (await client.enrol()), {
    merchantName: receipt.merchant!.name,
    amount: amount ?? (totalMinorOf(receipt) / 100).toFixed(2),
    transactionTimestamp: `${receipt.date}T${receipt.time}:00Z`,
  });
  const id = await client.accepted({ fields, image });
  await service.process(id);
  const { status, errorCode, receiptStatusDoc: doc } = await client.status(id);
  const checks = (doc.validatedStateData ?? doc.failedStateData)?.checks ?? [];
  return { id, ending: errorCode ?? status, picture: checks.find(({ name }) => name === "picture_is_new")?.outcome };
}

test("a photo that was turned, cropped, saved anew or scaled is recognised as a copy, for any user", async () => {
  const receipt = SHOPS[3]!;
  const photo = await photoOfShop3;
  assert.equal((await submit(photo, receipt)).ending, "Completed");
  const endings = await Promise.all(
    COPIES.map(async (name) => {
      const { ending, picture: outcome } = await submit(await ALTERATIONS[name]!(photo), receipt);
      return [name, ending, outcome];
    }),
  );
  assert.deepEqual(
    endings,
    COPIES.map((name) => [name, "NOT_AUTHENTIC", "failed"]),
  );
});

test("a copy with one digit painted over is refused, saved anew, of the same user and of another", async () => {
  const receipt = SHOPS[3]!;
  const photo = await photoOfShop3;
  const userId = await app.enrol();
  const first = await submit(photo, receipt, { userId });
  assert.equal(first.ending, "Completed");
  const key = (await service.database.query<{ key: string }>(IMAGE_KEY, [first.id]))[0]!.key;
  const page = await readOnce(key);
  const digits = digitsOf(page, totalMinorOf(receipt));
  for (const [i, some] of [["number"], ["total"], ["phone", "minute"]].entries()) {
    const places = some.map((kind) => digits.get(kind)!);
    const { picture: forged, texts } = await overpainted(await readFile(service.files.pathOf(key)), page, places);
    const copy = await ALTERATIONS[COPIES[i]!]!(forged);
    // The forger declares what is printed now.
    const [amount] = some.includes("total") ? texts[places[0]!.box]!.match(/\d+\.\d\d/)! : [undefined];
    const user = i % 2 === 0 ? userId : await app.enrol();
    const { ending, picture: outcome } = await submit(copy, receipt, { userId: user, amount });
    assert.deepEqual([some, ending, outcome], [some, "NOT_AUTHENTIC", "failed"]);
  }
});

test("purchases of one shop that differ in little are different, on paper and in e-receipts", async () => {
  const receipt = SHOPS[3]!;
  const others = otherPurchases(receipt);
  const nextMinute = others["the same lines, the next minute"]!;
  const sameMinute = [others["the same minute, another total"]!, others["the same minute and total, other lines"]!];
  for (const [pictureOf, purchases] of [
    [(one: SampleReceipt) => photoOf(one, 3), [receipt, nextMinute, ...sameMinute]],
    [drawingOf, [receipt, nextMinute]],
  ] as const) {
    const client = await service.client();
    const endings: string[] = [];
    for (const one of purchases) endings.push((await submit(await pictureOf(one), one, { client })).ending);
    assert.deepEqual(endings, Array(endings.length).fill("Completed"));
  }
});

test("a copy with little more legible than day, time and total is recognised by them", async () => {
  const receipt = SHOPS[3]!;
  const photo = await photoOfShop3;
  assert.equal((await submit(photo, receipt)).ending, "Completed");
  const copy = await ALTERATIONS["at JPEG quality 40"]!(photo);
  const amounts = [totalMinorOf(receipt), receipt.lines[0]!.amountMinor].map((minor) => (minor / 100).toFixed(2));
  const isLegible = (text: string) => !/\d{2}/.test(text) || [":", ...amounts].some((piece) => text.includes(piece));
  service.read = async (imageKey) => {
    const page = await readOnce(imageKey);
    return { ...page, boxes: page.boxes.filter(({ text }) => isLegible(text)) };
  };
  const { ending, picture: outcome } = await submit(copy, receipt);
  assert.deepEqual([ending, outcome], ["NOT_AUTHENTIC", "failed"]);
});

test("different receipts of one shop on one day are different, also on photos with the same angle and table", async () => {
  const receipts = receiptsOfOneDay(3);
  const userId = await app.enrol();
  const endings = await Promise.all(
    receipts.map(async (receipt) => {
      const { ending, picture: outcome } = await submit(await photoOf(receipt, 3), receipt, { userId });
      return [receipt.receiptNumber, ending, outcome];
    }),
  );
  assert.deepEqual(
    endings,
    receipts.map(({ receiptNumber }) => [receiptNumber, "Completed", "passed"]),
  );
});

test("another photo of a receipt is a duplicate purchase for its user and not authentic for another; new in another application", async () => {
  const receipt = SHOPS[1]!;
  const userId = await app.enrol();
  const photo = await photoOf(receipt, 7);
  assert.equal((await submit(photo, receipt, { userId })).ending, "Completed");
  const again = await photoOf(receipt, 99);
  assert.equal((await submit(again, receipt, { userId })).ending, "ALREADY_EXISTS");
  assert.equal((await submit(again, receipt)).ending, "NOT_AUTHENTIC");
  const other = await service.client();
  assert.equal((await submit(again, receipt, { client: other })).ending, "Completed");
});

test("one of two simultaneous copies is completed, and a failed receipt has no claims", async () => {
  const photo = await photoOfShop3;
  const wrong = { ...SHOPS[3]!, date: "2026-10-01" };
  assert.equal((await submit(photo, wrong)).ending, "NOT_AUTHENTIC");
  const copies = [photo, await ALTERATIONS["at JPEG quality 40"]!(photo), await ALTERATIONS["scaled to 60 %"]!(photo)];
  const endings = await Promise.all(copies.map((copy) => submit(copy, SHOPS[3]!)));
  assert.deepEqual(endings.map(({ ending }) => ending).sort(), ["Completed", "NOT_AUTHENTIC", "NOT_AUTHENTIC"]);
});

test("a copy whose comparison is stopped is not credited: the attempt fails, and is repeated", async () => {
  const photo = await photoOfShop3;
  const original = await submit(photo, SHOPS[3]!);
  assert.equal(original.ending, "Completed");
  const copy = await ALTERATIONS["at JPEG quality 40"]!(photo);
  isComparisonStopped = true;
  try {
    await assert.rejects(submit(copy, SHOPS[3]!), /images not compared: over the limit/);
  } finally {
    isComparisonStopped = false;
  }
  const id = service.sentJobs.at(-1)!;
  assert.notEqual(id, original.id);
  assert.equal((await app.status(id)).status, "Enriched");
  await service.process(id);
  assert.equal((await app.status(id)).errorCode, "NOT_AUTHENTIC");
});

test("a user's receipts above the daily limit are rejected, and accepted again on the next day", async () => {
  service.limit({ perUserPerDayMax: 2 });
  const userId = await app.enrol();
  const day = async (): Promise<string[]> => {
    const endings: string[] = [];
    for (const minute of [10, 11, 12]) {
      service.clock.now = new Date(service.clock.now.getTime() + 1);
      service.read = async () =>
        pageOf(GROCERIES.map((row) => row.replace("10:41", `${service.clock.now.getUTCDate() % 10}:${minute}`)));
      const id = await app.accepted({ fields: formFor(userId), image: await picture() });
      await service.process(id);
      const { status, errorCode } = await app.status(id);
      endings.push(errorCode ?? status);
    }
    return endings;
  };
  const start = service.clock.now;
  assert.deepEqual(await day(), ["Completed", "Completed", "NOT_AUTHENTIC"]);
  service.clock.now = new Date(start.getTime() + 86_400_000);
  assert.deepEqual(await day(), ["Completed", "Completed", "NOT_AUTHENTIC"]);
  service.clock.now = start;
});
