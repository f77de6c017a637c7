import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createOcr } from "../src/adapters/ocr.ts";
import { startReceipts } from "./receipts-under-test.ts";
import type { ReceiptsUnderTest, TestClient } from "./receipts-under-test.ts";

let service: ReceiptsUnderTest;
let app: TestClient;
const ocr = createOcr({ processes: 1 });

before(async () => {
  service = await startReceipts();
  service.read = (imageKey) => ocr.read({ path: service.files.pathOf(imageKey) });
  app = await service.client(true);
});
after(async () => {
  await service.close();
  await ocr.close();
});

let references = 0;
function fieldsOf(userId: string, changes: Record<string, string | string[]> = {}): Record<string, string | string[]> {
  return {
    userId,
    transactionId: `t-${++references}`,
    amount: "22.68",
    merchantName: "Larkmeadow Market",
    transactionTimestamp: "2026-10-24T10:41:00+01:00",
    ...changes,
  };
}

test("a photo of a till receipt becomes rated items, points and events", async () => {
  const userId = await app.enrol();
  const id = await app.accepted({ fields: fieldsOf(userId) }, "&testBlobUri=sample:completed");
  assert.deepEqual(service.hinted, [id]);
  assert.equal((await app.status(id)).status, "Uploaded");
  await service.process(id);
  const status = await app.status(id);
  const events = await service.eventsOf(id);
  assert.deepEqual(
    events.map((event) => event["event"] ?? event["eventType"]),
    ["receipt_uploaded", "receipt_extracted", "receipt_validated", "receipt_completed", "rewards.awarded"],
  );
});
