import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { OcrFailure } from "../src/ocr/ocr.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

interface Status {
  readonly status: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly duplicateOf?: string;
  readonly held?: boolean;
  readonly review?: { readonly because: string[]; readonly decision: string | null };
  readonly receiptStatusDoc: {
    readonly uploadStateData: { readonly blobName: string };
    readonly completedStateData?: { readonly totalPoints: number };
  };
}

const page = { read: async () => pageOf(GROCERIES) };
let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService({
    ocr: { read: () => page.read(), close: async () => {} },
  });
});
after(() => service.close());
beforeEach(async () => {
  page.read = async () => pageOf(GROCERIES);
  client = await service.newClient();
  userId = await client.enrol();
});

const upload = (changes: Parameters<typeof formFor>[1] = {}, image?: Buffer) =>
  acceptedReceipt(service, client, { fields: formFor(userId, changes), ...(image && { image }) });

const statusOf = async (id: string) => (await client.call("GET", `/track/receipts/${id}/status`)).json<Status>();

const until = (id: string, wanted: (status: Status) => boolean) => statusUntil(client, id, wanted);
const isHeld = (status: Status) => status.held === true;
const isFinished = ({ status }: Status) => status === "Completed" || status === "Failed";

const review = (...options: string[]) =>
  runCommand(service.database, ["app", "review", "--client-id", client.clientId, ...options]);
const decide = (id: string, decision: string, by = client) =>
  by.call("POST", `/track/receipts/${id}/decision`, { decision, reason: "Looked at it" });
const retry = (id: string, by = client) => by.call("POST", `/track/receipts/${id}/retry`);
const pointsOf = async () => (await client.call("GET", `/users/${userId}/summary`)).json().user.availablePoints;

/** The events of a receipt by their position. */
async function positionsOf(id: string): Promise<[string, number][]> {
  const text = "SELECT type, position::int AS position FROM events WHERE subject = $1 ORDER BY position";
  const rows = await service.database.query<{ type: string; position: number }>({ name: "test.positions-of", text }, [
    id,
  ]);
  return rows.map(({ type, position }) => [type, position]);
}

test("a receipt below the thresholds is held: it stays Validated, earns nothing, and says why", async () => {
  await review("--hold-on", "amount_as_declared");
  const id = await upload({ amount: "99.00" });
  const status = await until(id, isHeld);
  assert.deepEqual(
    [status.status, status.errorCode, status.review?.because],
    ["Validated", null, ["amount_as_declared"]],
  );
  assert.equal(await pointsOf(), 0);
  const { receipts } = (await client.call("GET", "/track/receipts?held=true")).json();
  assert.deepEqual(
    receipts.map(({ receiptID, held }: Record<string, unknown>) => [receiptID, held]),
    [[id, true]],
  );
  assert.deepEqual((await client.call("GET", "/track/receipts?held=false")).json().receipts, []);
  const events = await client.until((sent) => sent.map(nameOf).includes("receipt_held"));
  assert.deepEqual(events.find((event) => nameOf(event) === "receipt_held")?.["because"], ["amount_as_declared"]);
  const exported = await service.database.snapshot((tx) => exportUserData(tx, userId, STORED_FORMS));
  assert.partialDeepStrictEqual(exported["receipts"], [{ id, review: { because: ["amount_as_declared"] } }]);
});

test("an accepted receipt is credited once, by many decisions at once; a rejected one fails with the reason", async () => {
  await review("--min-confidence", "1");
  const id = await upload();
  assert.deepEqual((await until(id, isHeld)).review?.because, ["confidence"]);
  const responses = await Promise.all(Array.from({ length: 10 }, () => decide(id, "accept")));
  const statuses = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
  assert.deepEqual([statuses[0], new Set(statuses.slice(1))], [200, new Set([409])]);
  const done = await until(id, isFinished);
  assert.deepEqual([done.status, done.held, done.review?.decision], ["Completed", false, "accept"]);
  assert.equal(await pointsOf(), done.receiptStatusDoc.completedStateData?.totalPoints);
  assert.deepEqual(await positionsOf(id), [
    ["receipt_uploaded", 1],
    ["receipt_extracted", 2],
    ["receipt_validated", 3],
    ["receipt_held", 6],
    ["receipt_completed", 14],
    ["rewards.awarded", 15],
  ]);
  page.read = async () =>
    pageOf(GROCERIES.map((row) => row.replace("10:41", "12:00").replace("1.45", "1.85").replace("7.40", "7.80")));
  const second = await upload({ amount: "7.80" });
  await until(second, isHeld);
  assert.equal((await decide(second, "reject")).json().status, "Failed");
  const { errorCode, errorMessage } = await statusOf(second);
  assert.deepEqual([errorCode, errorMessage], ["NOT_AUTHENTIC", "Looked at it"]);
  assert.equal((await decide(second, "accept")).json().code, "NotHeld");
});

test("nothing is held by default, and a check that is not listed refuses as before", async () => {
  const passed = await until(await upload(), isFinished);
  assert.deepEqual([passed.status, passed.held], ["Completed", undefined]);
  await review("--hold-on", "merchant_as_declared");
  const failed = await until(await upload({ amount: "99.00" }), isFinished);
  assert.deepEqual([failed.errorCode, failed.held], ["NOT_AUTHENTIC", undefined]);
});

test("held receipts are claimed by no reader, count in no limit of waiting ones, and don't delay others", async () => {
  await review("--hold-on", "amount_as_declared");
  const id = await upload({ amount: "99.00" });
  await until(id, isHeld);
  const copies = {
    name: "test.copy-held",
    text: `INSERT INTO receipts (user_id, id, application_id, reference, source, declared, is_sample, image_key, image_sha256,
             stage, accepted_at, updated_at, held_at, leased_until, review)
           SELECT user_id, gen_random_uuid(), application_id, 'copy-' || n, source, declared, is_sample, image_key,
             image_sha256, stage, accepted_at, updated_at, held_at, leased_until, review
           FROM receipts CROSS JOIN generate_series(1, 3000) AS n WHERE id = $1`,
  };
  await service.database.query(copies, [id]);
  page.read = async () => pageOf(GROCERIES.map((row) => row.replace("10:41", "12:00").replace("24/10", "25/10")));
  await review("--hold-on", "none");
  // 500 unfinished receipts of a user would be refused.
  const next = await until(await upload({ transactionTimestamp: "2026-10-25T12:00:00Z" }), isFinished);
  assert.equal(next.status, "Completed");
  assert.equal((await until(id, () => true)).held, true);
  const text = "SELECT sum(attempts)::int AS n FROM receipts WHERE held_at IS NOT NULL";
  assert.deepEqual(await service.database.query<{ n: number }>({ name: "test.attempts-held", text }), [{ n: 0 }]);
});

test("a receipt that failed as INTERNAL_ERROR is processed again with its stored image, and is credited once", async () => {
  page.read = () => Promise.reject(new OcrFailure("unreadable", "test"));
  const id = await upload();
  assert.equal((await until(id, isFinished)).errorCode, "INTERNAL_ERROR");
  page.read = async () => pageOf(GROCERIES);
  const responses = await Promise.all(Array.from({ length: 10 }, () => retry(id)));
  assert.deepEqual(responses.filter(({ statusCode }) => statusCode === 200).length, 1);
  const done = await until(id, ({ status }) => status === "Completed");
  assert.equal(await pointsOf(), done.receiptStatusDoc.completedStateData?.totalPoints);
  assert.deepEqual((await positionsOf(id)).slice(0, 3), [
    ["receipt_uploaded", 1],
    ["receipt_failed", 4],
    ["receipt_extracted", 12],
  ]);
  assert.equal((await retry(id)).json().code, "NotRetryable");
});

test("a receipt whose image is gone, or whose reference or image another one has, is not processed again", async () => {
  page.read = () => Promise.reject(new OcrFailure("unreadable", "test"));
  const image = await picture();
  const [byReference, byImage, gone] = [
    await upload({ transactionId: "same" }),
    await upload({}, image),
    await upload(),
  ];
  for (const id of [byReference, byImage, gone]) await until(id, isFinished);
  // Those that have them now are being read.
  const reading = Promise.withResolvers<void>();
  page.read = () => reading.promise.then(() => pageOf(GROCERIES));
  await upload({ transactionId: "same" });
  await upload({}, image);
  for (const id of [byReference, byImage]) assert.equal((await retry(id)).json().code, "ReceiptTaken");
  const { blobName } = (await statusOf(gone)).receiptStatusDoc.uploadStateData;
  await rm(join(service.dataDir, "files", blobName));
  assert.equal((await retry(gone)).json().code, "NotRetryable");
  reading.resolve();
});

test("another application decides nothing, and an erased user's held receipt is gone", async () => {
  await review("--min-confidence", "1");
  const id = await upload();
  await until(id, isHeld);
  const other = await service.newClient();
  assert.deepEqual(
    [
      (await decide(id, "accept", other)).statusCode,
      (await retry(id, other)).statusCode,
      (await decide("x", "accept")).statusCode,
    ],
    [404, 404, 404],
  );
  assert.deepEqual(Object.keys((await decide(id, "perhaps")).json().errors), ["decision"]);
  await service.erase(userId);
  assert.equal((await decide(id, "accept")).statusCode, 404);
  const text = "SELECT count(*)::int AS n FROM receipts WHERE user_id = $1";
  assert.deepEqual(await service.database.query<{ n: number }>({ name: "test.held-left", text }, [userId]), [{ n: 0 }]);
});

test("a duplicate names the earlier receipt of the same user, never another user's", async () => {
  const image = await picture();
  const first = await upload({ transactionId: "first" }, image);
  await until(first, isFinished);
  const ofReference = await upload({ transactionId: "first" });
  const ofImage = await upload({}, image);
  const ofPurchase = await upload();
  for (const id of [ofReference, ofImage, ofPurchase]) {
    const { errorCode, duplicateOf } = await until(id, isFinished);
    assert.deepEqual([errorCode, duplicateOf], ["ALREADY_EXISTS", first]);
  }
  const isFailure = (event: Record<string, unknown>) => event["event"] === "receipt_failed";
  const events = (await client.until((sent) => sent.filter(isFailure).length === 3)).filter(isFailure);
  assert.deepEqual(new Set(events.map((event) => event["duplicateOf"])), new Set([first]));
  userId = await client.enrol();
  for (const id of [await upload({ transactionId: "first" }), await upload({}, image), await upload()]) {
    const status = await until(id, isFinished);
    assert.deepEqual([status.status, status.duplicateOf], ["Failed", undefined]);
    assert.ok(!JSON.stringify(status).includes(first));
  }
});

test("the command shows and sets what is held, and refuses unknown checks", async () => {
  const holdOn = ["readable", "picture_unedited"];
  const { clientId } = client;
  assert.deepEqual(await review("--min-confidence", "0.6", "--hold-on", holdOn.join(",")), [
    { clientId, minConfidence: 0.6, holdOn },
  ]);
  assert.deepEqual(await review(), [{ clientId, minConfidence: 0.6, holdOn }]);
  await assert.rejects(review("--hold-on", "color"), /names no check: color/);
  await assert.rejects(review("--min-confidence", "2"), /number from 0 to 1/);
  assert.deepEqual(await review("--min-confidence", "off", "--hold-on", "none"), [
    { clientId, minConfidence: null, holdOn: [] },
  ]);
});

test("the ledger is sound after decisions and retries", async () => {
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
