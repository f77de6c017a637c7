// Sentences of the specification about receipts that no other test checks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

let service: ReceiptsUnderTest;
let app: TestClient;
let userId: string;
before(async () => {
  service = await startReceipts();
  app = await service.client();
  userId = await app.enrol();
});
after(() => service.close());

test("an upload needs all of its fields and an amount of at least 0.01, and may be JPEG or PNG", async () => {
  const image = await picture();
  for (const name of ["userId", "transactionId", "amount", "merchantName", "transactionTimestamp"]) {
    const response = await app.upload({ fields: formFor(userId, { [name]: undefined }), image });
    assert.deepEqual([response.statusCode, Object.keys(response.json<{ errors: object }>().errors)], [400, [name]]);
  }
  const imageless = await app.upload({ fields: formFor(userId) });
  assert.deepEqual(Object.keys(imageless.json<{ errors: object }>().errors), ["receiptImage"]);
  assert.equal((await app.upload({ fields: formFor(userId, { amount: "0.009" }), image })).statusCode, 400);
  for (const of of [
    image,
    await sharp(await picture())
      .jpeg()
      .toBuffer(),
  ]) {
    const response = await app.upload({ fields: formFor(userId, { amount: "0.01" }), image: of });
    assert.equal(response.statusCode, 200, response.body);
    const { receiptID, message, ...rest } = response.json<Record<string, unknown>>();
    assert.deepEqual([typeof receiptID, typeof message, rest], ["string", "string", {}]);
  }
});

test("the stages follow in order, each with its data in the status, and its event if it has one", async () => {
  service.read = async () => pageOf(GROCERIES);
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  const datasOf = async () =>
    Object.keys((await app.status(id)).receiptStatusDoc).filter((name) => name.endsWith("Data"));
  assert.deepEqual([(await app.status(id)).status, await datasOf()], ["Uploaded", ["uploadStateData"]]);
  await service.process(id);
  assert.equal((await app.status(id)).status, "Completed");
  const stages = ["upload", "extracted", "enrich", "validated", "scored", "completed"].map(
    (name) => `${name}StateData`,
  );
  assert.deepEqual(await datasOf(), stages);
  const sent = (await service.eventsOf(id)).map((event) => event["event"] ?? event["eventType"]);
  const receipts = ["receipt_uploaded", "receipt_extracted", "receipt_validated", "receipt_completed"];
  assert.deepEqual(sent, [...receipts, "rewards.awarded"]);
});

test("a failed receipt sends receipt_failed with its error code, which its status has as well", async () => {
  service.read = async () => pageOf(["MY DEAR AUNT", "", "thank you for the socks", "", "yours"]);
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  await service.process(id);
  const failed = (await service.eventsOf(id)).at(-1)!;
  assert.equal(failed["event"], "receipt_failed");
  const common = ["event", "receiptId", "receiptID", "transactionId", "userId", "createdAt"];
  const own = Object.keys(failed).filter((name) => !common.includes(name));
  assert.deepEqual(own.sort(), ["errorCode", "errorMessage", "failedAt", "stage"]);
  const { status, errorCode } = await app.status(id);
  assert.deepEqual([failed["errorCode"], status, errorCode], ["NOT_AUTHENTIC", "Failed", "NOT_AUTHENTIC"]);
});
