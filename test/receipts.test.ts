import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { OcrFailure, createOcr } from "../src/ocr/ocr.ts";
import { recordTotals } from "../src/points/record.ts";
import type { Item } from "../src/points/schema.ts";
import { findAwardOf, findRecord } from "../src/points/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { readFindings, readReceipt } from "../src/receipts/store.ts";
import { sweepTexts } from "../src/receipts/sweep-texts.task.ts";
import { DAY_MS } from "../src/time.ts";
import { runCommand } from "./support/commands.ts";
import { silent } from "./support/database.ts";
import { eraseUser } from "../src/users/erase.task.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { keptModels } from "./support/kept-files.ts";
import { NOW, startReceipts } from "./support/receipts-under-test.ts";
import type { Status, TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

let service: ReceiptsUnderTest;
let app: TestClient;
let sandbox: TestClient;
let userId: string;
const ocr = createOcr({ processes: 1, ...keptModels() });

before(async () => {
  service = await startReceipts();
  sandbox = await service.client(true);
});
after(async () => {
  await service.close();
  await ocr.close();
});
beforeEach(async () => {
  service.clock.now = NOW;
  // An application of its own for each test: another user of one may not submit the same purchase.
  app = await service.client();
  userId = await app.enrol();
  read(GROCERIES);
});

/** Makes the OCR read these rows in the next images. */
function read(rows: readonly string[]): void {
  service.read = async () => pageOf(rows);
}

/** Uploads a receipt of the user and processes it. */
async function submit(changes: Parameters<typeof formFor>[1] = {}, image?: Buffer): Promise<string> {
  const id = await app.accepted({ fields: formFor(userId, changes), image: image ?? (await picture()) });
  await service.process(id);
  return id;
}

/** The end of a receipt: its error code or its stage. */
async function outcomeOf(id: string): Promise<string> {
  const { status, errorCode } = await app.status(id);
  return errorCode ?? status;
}

async function eventNames(id: string): Promise<unknown[]> {
  return (await service.eventsOf(id)).map((event) => event["event"] ?? event["eventType"]);
}

async function rowsOf(table: string, column: string, id: string): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`;
  return (await service.database.query<{ n: number }>({ name: `test.rows-of-${table}-by-${column}`, text }, [id]))[0]!
    .n;
}

/** The numbers of a receipt's claims: reference, image bytes, purchase of the user, of the application. */
async function claimsOf(id: string): Promise<number[]> {
  return Promise.all([
    rowsOf("submission_references", "submission_id", id),
    rowsOf("receipt_images", "receipt_id", id),
    rowsOf("receipt_facts", "receipt_id", id),
    rowsOf("receipt_purchases", "receipt_id", id),
  ]);
}

function checkOf(status: Status, name: string): string | undefined {
  const { validatedStateData, failedStateData } = status.receiptStatusDoc;
  return (validatedStateData ?? failedStateData)?.checks.find((check) => check.name === name)?.outcome;
}

test("a photo of a till receipt becomes rated items, points and events", async () => {
  service.read = (imageKey) => ocr.read({ path: service.files.pathOf(imageKey) });
  const sandboxUser = await sandbox.enrol();
  const id = await sandbox.accepted({ fields: formFor(sandboxUser) }, "&testBlobUri=sample:completed");
  assert.ok(service.sentJobs.includes(id));
  assert.equal((await sandbox.status(id)).receiptStatusDoc.status, 0);

  await service.process(id);
  const { receiptStatusDoc: doc, ...head } = await sandbox.status(id);
  assert.deepEqual([head.status, doc.status, head.errorCode], ["Completed", 5, null]);
  const { merchantName, total, items, transactionDate } = doc.extractedStateData!.extractedData;
  assert.deepEqual([merchantName, total, transactionDate], ["LARKMEADOW MARKET", 22.68, "2026-10-24"]);
  assert.equal(items.length, 13);
  assert.equal(doc.scoredStateData!.items.length, 11);
  assert.deepEqual(
    doc.scoredStateData!.excludedItems.map((item) => item.exclusionReason),
    ["DISCOUNT", "BAG"],
  );
  assert.deepEqual(await eventNames(id), [
    "receipt_uploaded",
    "receipt_extracted",
    "receipt_validated",
    "receipt_completed",
    "rewards.awarded",
  ]);
});

test("points are booked once, with the data of the receipt", async () => {
  const id = await submit();
  const { receiptStatusDoc: doc } = await app.status(id);
  const [, , , completed, awarded] = await service.eventsOf(id);
  const points = doc.completedStateData!.totalPoints;
  assert.ok(points > 0);
  assert.deepEqual(
    [completed!["totalAmount"], completed!["currency"], completed!["totalPoints"]],
    [7.4, "GBP", points],
  );
  assert.deepEqual((awarded as { data: { user: object } }).data.user, {
    id: userId,
    availablePoints: points,
    lifetimePoints: points,
  });
  await service.process(id);
  await Promise.all([service.process(id), service.process(id)]);
  assert.equal(await rowsOf("records", "submission_id", id), 1);
});

test("a receipt reduced by a daily limit shows the reduced points in every stage, and they add up", async () => {
  const limited = await service.client();
  const { clientId } = limited.application;
  await runCommand(service.database, ["app", "day-limits", "--client-id", clientId, "--points-a-day", "13"]);
  const user = await limited.enrol();
  const id = await limited.accepted({ fields: formFor(user), image: await picture() });
  await service.process(id);
  const { scoredStateData, completedStateData } = (await limited.status(id)).receiptStatusDoc;
  const [, , , completed, awarded] = await service.eventsOf(id);
  const record = await findRecord(service.database, user, completedStateData!.transactionID);
  const pointsOf = (items: readonly Item[]) => items.reduce((sum, item) => sum + item.totalServicePoints, 0);
  const said = [
    pointsOf(scoredStateData!.items),
    (scoredStateData!.totals as { totalPoints: number }).totalPoints,
    completedStateData!.totalPoints,
    completed!["totalPoints"],
    pointsOf(completed!["items"] as Item[]),
    (awarded as { data: { transaction: { totalPoints: number } } }).data.transaction.totalPoints,
    recordTotals(record!.body).points,
  ];
  assert.deepEqual(
    said,
    Array.from(said, () => 13),
  );
});

test("the text of a receipt is removed after its time; what it shows stays the same", async () => {
  const id = await submit();
  const before = await app.status(id);
  const sweep = (textDays: number, days: number) =>
    sweepTexts({ ...service, textDays, now: () => new Date(NOW.getTime() + days * DAY_MS), log: silent });
  const text = "SELECT count(page)::int AS n FROM receipt_findings WHERE receipt_id = $1";
  const pages = async () => (await service.database.pool.query<{ n: number }>(text, [id])).rows[0]!.n;
  await sweep(30, 29);
  assert.equal(await sweep(0, 10_000), 0, "0: for good");
  assert.equal(await pages(), 1);
  assert.ok((await sweep(30, 31)) > 0);
  assert.equal(await pages(), 0);
  assert.deepEqual(await app.status(id), before);
});

test("a receipt of an earlier release, with a row for each stage and its inputs as JSON, shows the same", async () => {
  const id = await submit();
  const { pool } = service.database;
  const receipt = (await readReceipt(service.database, id))!;
  const status = await app.status(id);
  const findings = await readFindings(service.database, receipt);
  const record = (await findAwardOf(service.database, userId, "receipt", id))!;
  const { awardItems: items, award, bases } = record;
  await pool.query("UPDATE receipt_findings SET packed = NULL, page = NULL, found = $2 WHERE receipt_id = $1", [
    id,
    { transactionId: findings.Completed!.data.transactionId },
  ]);
  for (const stage of ["Extracted", "Enriched", "Validated", "Scored"] as const) {
    const { data, at } = findings[stage]!;
    await pool.query("INSERT INTO receipt_findings VALUES ($1, $2, $3, $4, $5)", [userId, id, stage, data, at]);
  }
  await pool.query("UPDATE records SET inputs = NULL, evidence = NULL, rule_inputs = $2 WHERE submission_id = $1", [
    id,
    { items, award, bases },
  ]);
  assert.deepEqual(await app.status(id), status);
  assert.deepEqual(await findAwardOf(service.database, userId, "receipt", id), record);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("every event has the members of its type, and both spellings of the id", async () => {
  const [uploaded, extracted, validated, completed] = await service.eventsOf(await submit());
  const common = ["event", "receiptId", "receiptID", "transactionId", "userId", "createdAt"];
  const own = (event: object | undefined) => Object.keys(event!).filter((name) => !common.includes(name));
  assert.deepEqual(own(uploaded), ["merchantName", "amount", "transactionTimestamp"]);
  assert.deepEqual(own(extracted), ["extractedData"]);
  assert.deepEqual(own(validated), ["businessName", "checks"]);
  assert.deepEqual(own(completed).sort(), [
    "currency",
    "excludedItems",
    "items",
    "totalAmount",
    "totalCarbonPoints",
    "totalCo2e",
    "totalGreenProducts",
    "totalHealthPoints",
    "totalHealthyProducts",
    "totalPoints",
  ]);
  assert.equal(uploaded!["receiptId"], uploaded!["receiptID"]);
  assert.equal(uploaded!["transactionTimestamp"], "2026-10-24T09:41:00.000Z");
});

test("a purchase older than the operator's limit is rejected by a check of its own", async () => {
  const start = service.clock.now;
  service.limit({ ageMaxDays: 30 });
  for (const [days, ending, check] of [
    [31, "NOT_AUTHENTIC", "failed"],
    [29, "Completed", "passed"],
  ] as const) {
    service.clock.now = new Date(start.getTime() + days * 86_400_000);
    const id = await app.accepted({ fields: formFor(userId), image: await picture() });
    await service.process(id);
    assert.equal(await outcomeOf(id), ending, `${days} days`);
    assert.equal(checkOf(await app.status(id), "purchase_is_recent"), check);
  }
  service.clock.now = start;
  service.limit({});
});

test("several workers on one receipt book it once and send each event once", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  await Promise.all([service.process(id), service.process(id), service.process(id)]);
  assert.equal(await outcomeOf(id), "Completed");
  assert.equal((await eventNames(id)).length, 5);
});

test("after a crash between two stages the receipt continues with its next stage, and OCR is not repeated", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  let reads = 0;
  service.read = async () => {
    reads++;
    return pageOf(GROCERIES);
  };
  service.refuseEvent = "receipt_validated";
  await assert.rejects(service.process(id), /refused/);
  const { status, receiptStatusDoc: doc } = await app.status(id);
  assert.equal(status, "Enriched");
  assert.deepEqual([doc.enrichStateData !== undefined, doc.validatedStateData], [true, undefined]);

  service.refuseEvent = null;
  await service.process(id);
  assert.equal(await outcomeOf(id), "Completed");
  assert.equal(reads, 1);
});

test("record, state and events are one tx: without the event there is no credit", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  service.refuseEvent = "rewards.awarded";
  await assert.rejects(service.process(id), /refused/);
  assert.equal(await rowsOf("records", "submission_id", id), 0);
  service.refuseEvent = null;
  await service.process(id);
  assert.equal(await rowsOf("records", "submission_id", id), 1);
});

test("a picture that cannot be read is attempted five times and ends as INTERNAL_ERROR, without credit", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  let attempts = 0;
  service.read = () => {
    attempts++;
    return Promise.reject(new Error("no picture"));
  };
  for (let i = 1; i < 5; i++) await assert.rejects(service.process(id), /no picture/);
  await service.process(id);
  await service.process(id);
  assert.equal(attempts, 5);
  assert.equal(await outcomeOf(id), "INTERNAL_ERROR");
  assert.deepEqual(await claimsOf(id), [0, 0, 0, 0]);
  assert.deepEqual(await eventNames(id), ["receipt_uploaded", "receipt_failed"]);
});

test("a receipt that crashes its process each time ends as INTERNAL_ERROR", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  // As if killed in the middle of each attempt: only the attempt was counted.
  const statement = { name: "test.five-attempts", text: "UPDATE receipts SET attempts = 5 WHERE id = $1" };
  await service.database.query(statement, [id]);
  await service.process(id);
  assert.equal(await outcomeOf(id), "INTERNAL_ERROR");
});

test("a stored picture that cannot be decoded ends as INTERNAL_ERROR at once, since a retry is of no use", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  service.read = () => Promise.reject(new OcrFailure("unreadable", "no picture"));
  await service.process(id);
  assert.equal(await outcomeOf(id), "INTERNAL_ERROR");
});

test("a receipt whose OCR is interrupted by a stop is returned to the queue, and no attempt is counted", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  const attempts = { name: "test.attempts", text: "SELECT attempts FROM receipts WHERE id = $1" };
  for (let stops = 0; stops < 6; stops++) {
    let stop = (): void => {};
    const reading = new Promise<void>((hasBegun) => {
      service.read = () => {
        hasBegun();
        return new Promise((_, reject) => {
          stop = () => reject(new OcrFailure("closed", "the pool is closed"));
        });
      };
    });
    const returned = assert.rejects(service.process(id), OcrFailure);
    await reading;
    stop();
    await service.stop();
    assert.deepEqual(await service.database.query(attempts, [id]), [{ attempts: 0 }]);
    await returned;
  }
  read(GROCERIES);
  await service.process(id);
  assert.equal(await outcomeOf(id), "Completed");
});

test("a repeated reference is ALREADY_EXISTS, also of another user, but not in another application", async () => {
  await submit({ transactionId: "same" });
  assert.equal(await outcomeOf(await submit({ transactionId: "same" })), "ALREADY_EXISTS");
  userId = await app.enrol();
  assert.equal(await outcomeOf(await submit({ transactionId: "same" })), "ALREADY_EXISTS");
  const other = await service.client();
  const fields = formFor(await other.enrol(), { transactionId: "same" });
  const id = await other.accepted({ fields, image: await picture() });
  await service.process(id);
  assert.equal((await other.status(id)).status, "Completed");
});

test("a reference that is submitted eight times at once is completed once", async () => {
  const image = await picture();
  const accepted = await Promise.all(
    Array.from({ length: 8 }, () => app.accepted({ fields: formFor(userId, { transactionId: "rush" }), image })),
  );
  await Promise.all(accepted.map((id) => service.process(id)));
  const outcomes = await Promise.all(accepted.map(outcomeOf));
  assert.deepEqual(outcomes.sort(), [...Array<string>(7).fill("ALREADY_EXISTS"), "Completed"]);
});

test("the same image bytes are ALREADY_EXISTS for their user and NOT_AUTHENTIC for another", async () => {
  const image = await picture();
  await submit({}, image);
  assert.equal(await outcomeOf(await submit({}, image)), "ALREADY_EXISTS");
  userId = await app.enrol();
  const id = await submit({}, image);
  assert.equal(await outcomeOf(id), "NOT_AUTHENTIC");
  assert.equal((await app.status(id)).receiptStatusDoc.extractedStateData, undefined);
});

test("a second photo of the same purchase is ALREADY_EXISTS, although a line was read differently", async () => {
  await submit();
  read(GROCERIES.map((row) => row.replace("4.25", "4.26")));
  const id = await submit();
  const status = await app.status(id);
  assert.equal(status.errorCode, "ALREADY_EXISTS");
  assert.equal(checkOf(status, "purchase_is_new"), "failed");
  assert.ok(status.receiptStatusDoc.enrichStateData);
});

test("another user's receipt of the same shop, minute, total and lines is NOT_AUTHENTIC, also after an erasure", async () => {
  const first = userId;
  await submit();
  userId = await app.enrol();
  const again = await submit();
  assert.equal(await outcomeOf(again), "NOT_AUTHENTIC");
  assert.equal(checkOf(await app.status(again), "purchase_is_new"), "failed");
  assert.equal(await rowsOf("receipt_purchases", "receipt_id", again), 0);
  const { database, files } = service;
  await eraseUser({ database, files, erasedReceiptDays: 30 }, first, NOW);
  assert.equal(await rowsOf("receipt_purchases", "user_id", first), 0);
  assert.equal(await outcomeOf(await submit()), "NOT_AUTHENTIC");
  app = await service.client();
  userId = await app.enrol();
  assert.equal(await outcomeOf(await submit()), "Completed");
});

test("receipts of several users of one shop and minute are new if total, amounts or names of lines differ", async () => {
  const [milk, bread] = ["RED LENTILS 500G             1.45", "WHOLEMEAL BREAD 800G         1.40"];
  const replaced = (rows: Readonly<Record<string, string>>) => GROCERIES.map((row) => rows[row] ?? row);
  const others = [
    GROCERIES,
    replaced({ [milk]: milk.replace("1.45", "1.35"), [bread]: bread.replace("1.40", "1.50") }),
    replaced({
      [milk]: "CUCUMBER                     1.45",
      [bread]: "ORANGE JUICE 1L              1.40",
      "BEEF MINCE 500G              4.25": "CHEDDAR CHEESE               4.25",
    }),
    GROCERIES.map((row) => row.replace("7.40", "7.50").replace("0.30", "0.40")),
  ];
  for (const rows of others) {
    userId = await app.enrol();
    read(rows);
    const amount = rows.at(-1)!.trim().split(" ").at(-1);
    assert.equal(await outcomeOf(await submit({ amount })), "Completed", rows.join("\n"));
  }
});

test("a picture of something else is NOT_AUTHENTIC", async () => {
  read(["", "  SUNNY HILLS"]);
  const id = await submit();
  const status = await app.status(id);
  assert.equal(status.errorCode, "NOT_AUTHENTIC");
  assert.deepEqual([status.receiptStatusDoc.status, status.status], [6, "Failed"]);
  assert.equal(status.receiptStatusDoc.uploadStateData.errorMessage, status.errorMessage);
});

test("a receipt without a shop's name is MERCHANT_NAME_NOT_FOUND, and its text is still shown", async () => {
  read(GROCERIES.slice(4));
  const id = await submit({ transactionTimestamp: "2026-10-24T10:41:00Z" });
  const { errorCode, receiptStatusDoc: doc } = await app.status(id);
  assert.equal(errorCode, "MERCHANT_NAME_NOT_FOUND");
  assert.equal(doc.extractedStateData!.extractedData.total, 7.4);
  assert.equal(doc.enrichStateData, undefined);
  const failed = (await service.eventsOf(id)).at(-1)!;
  assert.deepEqual([failed["event"], failed["stage"]], ["receipt_failed", "Extracted"]);
});

test("the declared name is found below the items", async () => {
  read([...GROCERIES.slice(4), "", "THANK YOU FOR SHOPPING AT LARKMEADOW MARKET"]);
  assert.equal(await outcomeOf(await submit()), "Completed");
});

test("a receipt without food is NO_VALID_FOOD_ITEMS", async () => {
  read(GROCERIES.map((row) => row.replace(/RED LENTILS 500G|WHOLEMEAL BREAD 800G|BEEF MINCE 500G/, "CLAW HAMMER")));
  assert.equal(await outcomeOf(await submit()), "NO_VALID_FOOD_ITEMS");
});

test("another merchant, amount or day than declared is NOT_AUTHENTIC, and the check shows which", async () => {
  const contradictions = [
    [{ merchantName: "Pennywell Stores" }, "merchant_as_declared"],
    [{ amount: "74.00" }, "amount_as_declared"],
    [{ transactionTimestamp: "2026-10-14T10:41:00Z" }, "time_as_declared"],
  ] as const;
  for (const [changes, name] of contradictions) {
    const id = await submit(changes);
    const status = await app.status(id);
    assert.equal(status.errorCode, "NOT_AUTHENTIC", name);
    assert.equal(checkOf(status, name), "failed");
    assert.deepEqual(await claimsOf(id), [0, 0, 0, 0]);
  }
});

test("another card than declared is NOT_AUTHENTIC; its own, or none that is printed, is not", async () => {
  read([...GROCERIES, "CARD: ************4242"]);
  assert.equal(await outcomeOf(await submit({ cardLastFour: "1881" })), "NOT_AUTHENTIC");
  const right = await submit({ cardLastFour: "4242" });
  assert.equal(checkOf(await app.status(right), "card_as_declared"), "passed");
  for (const cardLastFour of ["123", "12345", "١٢٣٤", "12 4", ""]) {
    const form = { fields: formFor(userId, { cardLastFour }), image: await picture() };
    const { errors } = (await app.upload(form)).json<{ errors: Record<string, string[]> }>();
    assert.deepEqual(Object.keys(errors), ["cardLastFour"], cardLastFour);
  }
  read(GROCERIES.map((row) => row.replace("24/10", "23/10")));
  const unprinted = await submit({ cardLastFour: "1881", transactionTimestamp: "2026-10-23T10:41:00+01:00" });
  assert.equal(checkOf(await app.status(unprinted), "card_as_declared"), "not_checked");
});

test("a value that is not on the receipt contradicts nothing", async () => {
  read(GROCERIES.filter((row) => !row.includes("24/10")));
  const id = await submit({ transactionTimestamp: "2026-01-01T10:41:00Z" });
  assert.equal(await outcomeOf(id), "Completed");
  assert.equal(checkOf(await app.status(id), "time_as_declared"), "not_checked");
});

test("lines that don't add up lower a score and reject nothing", async () => {
  read(GROCERIES.filter((row) => !row.includes("BREAD")));
  const id = await submit();
  assert.equal(await outcomeOf(id), "Completed");
  assert.equal(checkOf(await app.status(id), "lines_add_up"), "doubtful");
});

test("a failed receipt releases its claims: the same image and reference may be submitted again", async () => {
  const image = await picture();
  assert.equal(await outcomeOf(await submit({ transactionId: "again", amount: "74.00" }, image)), "NOT_AUTHENTIC");
  const id = await submit({ transactionId: "again" }, image);
  assert.equal(await outcomeOf(id), "Completed");
  assert.deepEqual(await claimsOf(id), [1, 1, 1, 1]);
});

test("a hosted page's receipt completes its session in the same tx, or is not stored", async () => {
  const { application } = app;
  const path = service.files.temporaryPath();
  const bytes = await picture();
  await writeFile(path, bytes);
  const input = {
    application,
    userId,
    reference: null,
    merchantName: null,
    amount: null,
    transactionTimestamp: null,
    images: [{ path, sha256: "09".repeat(32) }],
    receiptSource: "hosted_page",
  } as const;
  const before = service.storedFiles().length;
  assert.deepEqual(await service.accept({ ...input, completeSession: async () => false }), { kind: "session_used" });
  assert.equal(service.storedFiles().length, before);

  const accepted = await service.accept({ ...input, completeSession: async () => true });
  assert.equal(accepted.kind, "accepted");
  const id = accepted.kind === "accepted" ? accepted.receiptId : "";
  await service.process(id);
  const status = await app.status(id);
  assert.deepEqual([status.status, status.transactionId], ["Completed", id]);
  assert.equal(status.receiptStatusDoc.uploadStateData.receiptSource, "hosted_page");
  const [uploaded] = await service.eventsOf(id);
  assert.deepEqual([uploaded!["merchantName"], uploaded!["amount"], uploaded!["transactionTimestamp"]], ["", 0, ""]);
  await rm(path);
});
