import { numberedKeys } from "../src/numbered-keys.ts";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import sharp from "sharp";
import { createPictureComparer } from "../src/images/compare/comparer.ts";
import { createOcr } from "../src/ocr/ocr.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { totalMinorOf } from "../src/receipts/samples/sample.ts";
import type { SampleReceipt } from "../src/receipts/samples/sample.ts";
import type { ReceiptPlaces } from "../src/receipts/reading/schema.ts";
import { eraseUser } from "../src/users/erase.task.ts";
import { userImageKeys } from "../src/users/personal-data.store.ts";
import { SHOPS, otherPurchases, photoOf } from "./support/duplicate-pictures.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { keptModels } from "./support/kept-files.ts";
import { multipart } from "./support/multipart.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

const ocr = createOcr({ processes: 1, ...keptModels() });
const comparer = createPictureComparer();
let service: ReceiptsUnderTest;
let app: TestClient;
let userId: string;

before(async () => {
  service = await startReceipts({ comparer });
});
beforeEach(async () => {
  app = await service.client();
  userId = await app.enrol();
  service.limit({});
  service.read = readWindows(UPPER, LOWER);
});
after(async () => {
  await service.close();
  await Promise.all([ocr.close(), comparer.close()]);
});

const UPPER = GROCERIES.slice(0, 8);
const LOWER = GROCERIES.slice(6);
const LINES = [
  ["RED LENTILS 500G", 1.45],
  ["WHOLEMEAL BREAD 800G", 1.4],
  ["BEEF MINCE 500G", 4.25],
  ["CARRIER BAG", 0.3],
];

/** The OCR's pages of the photos of a receipt, by their numbers. */
function readWindows(...windows: (readonly string[])[]): (imageKey: string) => Promise<OcrPage> {
  return async (imageKey) => pageOf(windows[Number(/-(\d)\.jpg$/.exec(imageKey)?.[1] ?? 1) - 1]!);
}

type Part = readonly [name: string, image: Buffer];

/** A piece of a photo, by shares of its height. */
async function cutOf(photo: Buffer, from: number, until: number): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata();
  const [top, bottom] = [Math.round(from * height), Math.round(until * height)];
  return sharp(photo)
    .extract({ left: 0, top, width, height: bottom - top })
    .jpeg()
    .toBuffer();
}

/** The upper and the lower part of a photographed receipt, which overlap. */
async function halvesOf(receipt: SampleReceipt, seed = 7): Promise<readonly [Buffer, Buffer]> {
  const photo = await photoOf(receipt, seed, { frameLongPx: 1_500 });
  return [await cutOf(photo, 0, 0.6), await cutOf(photo, 0.42, 1)];
}

function declaredOf(receipt: SampleReceipt, user: string) {
  return formFor(user, {
    merchantName: receipt.merchant!.name,
    amount: (totalMinorOf(receipt) / 100).toFixed(2),
    transactionTimestamp: `${receipt.date}T${receipt.time}:00Z`,
  });
}

/** A form with this many photos. */
async function photos(count: number, changes: Parameters<typeof formFor>[1] = {}) {
  const [image, ...more] = await Promise.all(Array.from({ length: count }, () => picture()));
  return { fields: formFor(userId, changes), image: image!, parts: more.map((part, i): Part => [`receiptImage${i + 2}`, part]) }; // prettier-ignore
}

async function processed(form: Awaited<ReturnType<typeof photos>>, client = app) {
  const id = await client.accepted(form);
  await service.process(id);
  return { id, status: await client.status(id) };
}

const call = (method: "GET" | "POST", path: string) =>
  service.server.inject({ method, url: `${path}?api-version=1.0`, headers: app.headers });
const readingOf = async (id: string) => (await call("GET", `/track/receipts/${id}/reading`)).json<ReceiptPlaces>();
const linesOf = ({ receiptStatusDoc: doc }: Awaited<ReturnType<TestClient["status"]>>) =>
  doc.extractedStateData?.extractedData.items.map(({ description, totalPrice }) => [description, totalPrice]);
const checkOf = ({ receiptStatusDoc: doc }: Awaited<ReturnType<TestClient["status"]>>, check: string) =>
  (doc.validatedStateData ?? doc.failedStateData)?.checks.find(({ name }) => name === check)?.outcome;
const storedOf = (id: string) => service.storedFiles().filter((name) => name.includes(id)).length;

test("two photos of one receipt earn as the whole one, in any order, and both are shown", async () => {
  for (const windows of [
    [UPPER, LOWER],
    [LOWER, UPPER],
  ]) {
    app = await service.client();
    userId = await app.enrol();
    service.read = readWindows(...windows);
    const { id, status } = await processed(await photos(2));
    assert.equal(status.status, "Completed", status.errorMessage ?? "");
    assert.deepEqual(linesOf(status), LINES);
    assert.equal(checkOf(status, "lines_add_up"), "passed");
    assert.equal(checkOf(status, "parts_overlap"), "passed");
    const { blobUrl, blobName, images } = status.receiptStatusDoc.uploadStateData;
    assert.deepEqual(
      images?.map((image) => image.blobName),
      numberedKeys(blobName, 2),
    );
    assert.equal(images?.[0]?.blobUrl, blobUrl);
    for (const image of images ?? []) {
      const { pathname, search } = new URL(image.blobUrl!);
      assert.equal((await service.server.inject(pathname + search)).headers["content-type"], "image/jpeg");
    }
    const reading = await readingOf(id);
    const partOf = windows[0] === UPPER ? [1, 2] : [2, 1];
    assert.equal(reading.pictures.length, 2);
    assert.deepEqual(reading.lines[0]!.parts, [partOf[0]]);
    assert.deepEqual(reading.lines[3]!.parts, [partOf[1]]);
    assert.deepEqual(reading.fields.find(({ name }) => name === "total")!.parts, [partOf[1]]);
  }
});

test("a receipt with one photo has no list of images, no check of its parts, and one picture", async () => {
  service.read = async () => pageOf(GROCERIES);
  const { id, status } = await processed(await photos(1));
  assert.equal(status.status, "Completed");
  assert.equal("images" in status.receiptStatusDoc.uploadStateData, false);
  assert.equal(checkOf(status, "parts_overlap"), undefined);
  assert.equal((await readingOf(id)).pictures.length, 1);
});

test("photos with nothing in common make a check doubtful", async () => {
  service.read = readWindows(GROCERIES.slice(0, 7), GROCERIES.slice(8));
  const { status } = await processed(await photos(2));
  assert.equal(checkOf(status, "parts_overlap"), "doubtful");
});

test("every error of a further photo is named, and nothing is stored", async () => {
  const image = await picture();
  const refused = async (parts: readonly (readonly [string, Buffer])[], fields: Record<string, string> = {}) => {
    const before = service.storedFiles().length;
    const response = await app.upload({ fields: { ...formFor(userId), ...fields }, image, parts });
    assert.deepEqual(service.temporaryFiles(), []);
    assert.equal(service.storedFiles().length, before);
    return [response.statusCode, response.json<{ errors?: object; detail?: string }>().errors];
  };
  const part = await picture();
  assert.deepEqual(await refused([["receiptImage3", part]]), [
    400,
    { receiptImage2: ["is required before receiptImage3"] },
  ]);
  assert.deepEqual(await refused([["receiptImage2", part], ["receiptImage2", part]]), [400, { receiptImage2: ["must be given once"] }]); // prettier-ignore
  assert.deepEqual(await refused([], { receiptImage2: "text" }), [400, { receiptImage2: ["must be a file"] }]);
  const [code, errors] = await refused([
    ["receiptImage2", part],
    ["receiptImage3", Buffer.from("no image")],
  ]);
  assert.deepEqual([code, Object.keys(errors!)], [400, ["receiptImage3"]]);
  // Its header is that of a photo, so it is examined: the one that was stored before it is removed again.
  const broken = (await sharp({ create: { width: 400, height: 400, channels: 3, background: "red" } }).png().toBuffer()).subarray(0, 300); // prettier-ignore
  const [brokenCode, brokenErrors] = await refused([["receiptImage2", broken]]);
  assert.deepEqual([brokenCode, Object.keys(brokenErrors!)], [400, ["receiptImage2"]]);
  const six = ["2", "3", "4", "5", "6"].map((number) => [`receiptImage${number}`, part] as const);
  assert.equal((await refused(six))[0], 413);
});

test("all photos of an upload together have the size of one", async () => {
  const large = Buffer.concat([await picture(), Buffer.alloc(1_200_000)]);
  const upload = { fields: formFor(userId), image: large, parts: [["receiptImage2", large] as const] };
  const response = await app.upload(upload);
  assert.equal(response.statusCode, 413);
  assert.match(response.json<{ detail: string }>().detail, /together/);
  assert.deepEqual(service.temporaryFiles(), []);
});

test("an Idempotency-Key covers every photo", async () => {
  const form = await photos(2);
  const send = async (changed: typeof form) => {
    const { headers, payload } = await multipart(changed);
    const all = { ...app.headers, ...headers, "idempotency-key": "parts-1" };
    return service.server.inject({ method: "POST", url: "/track/receipts?api-version=1.0", headers: all, payload });
  };
  const first = await send(form);
  assert.equal(first.statusCode, 200, first.body);
  assert.deepEqual((await send(form)).json(), first.json());
  assert.equal((await send({ ...form, parts: [["receiptImage2", await picture()]] })).statusCode, 422);
  assert.equal((await send({ ...form, parts: [] })).statusCode, 422);
});

test("the bytes of any photo are claimed: sent again in any place, the receipt is the same one", async () => {
  const form = await photos(2);
  assert.equal((await processed(form)).status.status, "Completed");
  const part = form.parts[0]![1];
  const again = await processed({ ...form, fields: formFor(userId), image: part, parts: [] });
  assert.equal(again.status.errorCode, "ALREADY_EXISTS");
  const other = await service.client();
  const beside = {
    fields: formFor(await app.enrol()),
    image: await picture(),
    parts: [["receiptImage2", part] as const],
  };
  assert.equal((await processed(beside)).status.errorCode, "NOT_AUTHENTIC");
  // Of another application it is its own.
  userId = await other.enrol();
  assert.equal((await processed({ ...form, fields: formFor(userId) }, other)).status.status, "Completed");
});

test("a photo that is twice in one upload is no duplicate, and adds nothing", async () => {
  service.read = async () => pageOf(GROCERIES);
  const form = await photos(1);
  const { status } = await processed({ ...form, parts: [["receiptImage2", form.image]] });
  assert.equal(status.status, "Completed", status.errorMessage ?? "");
  assert.deepEqual(linesOf(status), LINES);
});

test("a failed receipt releases every photo", async () => {
  service.read = readWindows(["NOTHING"], ["AT ALL"]);
  const form = await photos(2);
  assert.equal((await processed(form)).status.errorCode, "NOT_AUTHENTIC");
  service.read = readWindows(UPPER, LOWER);
  assert.equal((await processed({ ...form, fields: formFor(userId) })).status.status, "Completed");
});

test("every photo is exported, swept only without its receipt, and erased; its bytes are known after that", async () => {
  const form = await photos(3);
  service.read = readWindows(UPPER, LOWER, LOWER);
  const { id, status } = await processed(form);
  assert.equal(status.status, "Completed");
  const keys = numberedKeys(status.receiptStatusDoc.uploadStateData.blobName, 3);
  assert.deepEqual(await userImageKeys(service.database, userId), keys);
  service.clock.now = new Date(service.clock.now.getTime() + 2 * 86_400_000);
  await service.sweepImages();
  assert.equal(storedOf(id), 3);
  const { database, files } = service;
  const erased = await eraseUser({ database, files, erasedReceiptDays: 30 }, userId, service.clock.now);
  assert.equal(erased?.images, 3);
  assert.equal(storedOf(id), 0);
  userId = await app.enrol();
  const again = await processed({ ...form, fields: formFor(userId), image: form.parts[1]![1], parts: [] });
  assert.equal(again.status.errorCode, "NOT_AUTHENTIC");
});

test("a receipt is processed again only if every photo of it is there", async () => {
  service.read = () => Promise.reject(new Error("the OCR has died"));
  const id = await app.accepted(await photos(2));
  for (let attempt = 0; attempt < 6; attempt++) await service.process(id).catch(() => {});
  assert.equal((await app.status(id)).errorCode, "INTERNAL_ERROR");
  const [, second] = numberedKeys((await app.status(id)).receiptStatusDoc.uploadStateData.blobName, 2);
  await service.files.remove(second!);
  assert.equal((await call("POST", `/track/receipts/${id}/retry`)).statusCode, 409);
  assert.equal((await app.status(id)).receiptStatusDoc.uploadStateData.images?.[1]?.blobUrl, null);
});

test("another purchase in the same shop, in parts as well, is new", async () => {
  service.read = async (imageKey) => ocr.read({ bytes: await readFile(service.files.pathOf(imageKey)) });
  const receipt = SHOPS[3]!;
  let seed = 11;
  for (const purchase of [receipt, otherPurchases(receipt)["the same lines, the next minute"]!]) {
    const [upper, lower] = await halvesOf(purchase, seed++);
    const fields = declaredOf(purchase, await app.enrol());
    const { status } = await processed({ fields, image: upper, parts: [["receiptImage2", lower]] });
    assert.equal(status.status, "Completed", status.errorMessage ?? "");
    assert.notEqual(checkOf(status, "picture_is_new"), "failed");
  }
});

test("photographed for real: parts are joined, and neither a part nor the whole earns again", async () => {
  const receipt = SHOPS[3]!;
  const photo = await photoOf(receipt, 7, { frameLongPx: 1_500 });
  const cut = (from: number, until: number) => cutOf(photo, from, until);
  const [upper, lower] = await halvesOf(receipt);
  service.read = async (imageKey) => ocr.read({ bytes: await readFile(service.files.pathOf(imageKey)) });
  const fields = (user: string) => declaredOf(receipt, user);
  const first = await processed({ fields: fields(userId), image: lower, parts: [["receiptImage2", upper]] });
  assert.equal(first.status.status, "Completed", first.status.errorMessage ?? "");
  assert.equal(checkOf(first.status, "lines_add_up"), "passed");
  assert.equal(checkOf(first.status, "parts_overlap"), "passed");
  const again = async (user: string, image: Buffer, parts: (readonly [string, Buffer])[] = []) =>
    (await processed({ fields: fields(user), image, parts })).status.errorCode;
  const saved = await sharp(lower).jpeg({ quality: 60 }).toBuffer();
  const other = await app.enrol();
  // The lower half alone has no shop: its goods are none.
  assert.equal(await again(other, saved), "MERCHANT_NAME_NOT_FOUND");
  assert.equal(await again(other, photo), "NOT_AUTHENTIC");
  // What was rewarded, above a part of something else.
  const strange = await cutOf(await photoOf(SHOPS[1]!, 5, { frameLongPx: 1_500 }), 0.5, 1);
  assert.equal(await again(other, await sharp(upper).jpeg({ quality: 60 }).toBuffer(), [["receiptImage2", strange]]), "NOT_AUTHENTIC"); // prettier-ignore
  assert.equal(await again(other, await cut(0, 0.5), [["receiptImage2", await cut(0.35, 1)]]), "NOT_AUTHENTIC");
});
