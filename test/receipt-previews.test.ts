import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import * as fc from "fast-check";
import { verifyLedger } from "../src/points/verification.store.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

interface Status {
  readonly status: string;
  readonly held?: boolean;
  readonly receiptStatusDoc: {
    readonly completedStateData: { readonly totalPoints: number; readonly totalAmount: number };
  };
}

const rows = { now: GROCERIES };
let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService({ ocr: { read: async () => pageOf(rows.now), close: async () => {} } });
});
after(() => service.close());
beforeEach(async () => {
  rows.now = GROCERIES;
  client = await service.newClient();
  userId = await client.enrol();
});

let minutes = 0;
/** Uploads a receipt of another minute each time, and waits until it is held or finished. */
async function uploaded() {
  minutes += 1;
  const time = `${10 + Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  rows.now = GROCERIES.map((row) => row.replace("10:41", time));
  const fields = formFor(userId, { transactionTimestamp: "2026-10-24T09:00:00Z" });
  const id = await acceptedReceipt(service, client, { fields });
  const isReady = ({ status, held }: { status: string; held?: boolean }) =>
    held === true || /^(Completed|Failed)$/.test(status);
  return statusUntil<Status>(client, id, isReady).then((status) => ({ id, status }));
}

const preview = (id: string, body: object, by = client) =>
  by.call("POST", `/track/receipts/${id}/corrections/preview`, body);
const correct = (id: string, body: object) =>
  client.call("POST", `/track/receipts/${id}/corrections`, { reason: "Misread", ...body });
const readingOf = async (id: string) => (await client.call("GET", `/track/receipts/${id}/reading`)).json();
const review = (...options: string[]) =>
  runCommand(service.database, ["app", "review", "--client-id", client.clientId, ...options]);
const pointsOf = async () => (await client.call("GET", `/users/${userId}/summary`)).json().user.availablePoints;
const completed = (id: string) => statusUntil<Status>(client, id, ({ status }) => status === "Completed");

/** All rows that a preview could leave. */
async function rowsStored(): Promise<unknown> {
  const tables = [
    "records",
    "receipt_corrections",
    "events",
    "receipt_findings",
    "record_changes",
    "receipt_purchases",
  ];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`);
  return service.database.query({ name: "test.rows-stored", text: `SELECT ${counts.join(", ")}` }, []);
}

const name = fc.constantFrom("Red lentils", "Oat milk", "Beef steak", "Bananas", "Carrots", "Carrier bag");
const change = fc.oneof(
  fc.record({ name }),
  fc.record({ quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ totalPrice: fc.integer({ min: 1, max: 900 }).map((minor) => minor / 100) }),
  fc.constant({ notFood: true }),
  fc.constant({ remove: true }),
);
const added = fc.record({ name, quantity: fc.integer({ min: 1, max: 3 }), totalPrice: fc.constant(1.5) });
const anyCorrection = fc.record({
  head: fc.constantFrom({}, { merchantName: "Corner Shop" }, { totalAmount: 9.9 }),
  first: change,
  others: fc.array(added, { maxLength: 2 }),
});

test("a preview shows what the correction then books, for credited receipts and for held ones, and stores nothing", async () => {
  const corrections = fc.sample(anyCorrection, { numRuns: 6, seed: 17 });
  for (const [i, { head, first, others }] of corrections.entries()) {
    const isHeld = i % 2 === 0;
    await review("--min-confidence", isHeld ? "1" : "0");
    const { id, status } = await uploaded();
    assert.equal(status.held === true, isHeld);
    const { lines } = await readingOf(id);
    const body = { ...head, items: [{ id: lines[0].id, ...first }, ...others] };
    const stored = await rowsStored();
    const response = await preview(id, body);
    assert.equal(response.statusCode, 200, response.body);
    const previewed = response.json();
    assert.deepEqual(await rowsStored(), stored, "nothing is stored");
    const pointsBefore = await pointsOf();
    const corrected = await correct(id, body);
    assert.equal(corrected.statusCode, 200, corrected.body);
    if (isHeld) {
      const { status: stage, transaction } = corrected.json();
      assert.deepEqual([stage, transaction], ["Validated", null]);
      const again = (await preview(id, {})).json();
      assert.equal(again.points, previewed.points, "the corrected receipt earns as much as it is");
      await client.call("POST", `/track/receipts/${id}/decision`, { decision: "accept", reason: "Corrected" });
      const done = await completed(id);
      assert.equal(done.receiptStatusDoc.completedStateData.totalPoints, previewed.after.totalPoints);
    } else {
      assert.equal(corrected.json().after.totalPoints, previewed.after.totalPoints);
    }
    assert.equal(await pointsOf(), pointsBefore + previewed.points, JSON.stringify(body));
  }
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a held receipt that is corrected waits on, shows the correction, and is credited as corrected", async () => {
  await review("--min-confidence", "1");
  const { id } = await uploaded();
  const { lines } = await readingOf(id);
  const items = [
    { id: lines[2].id, name: "Red lentils" },
    { name: "Bananas", quantity: 1, totalPrice: 0.5 },
  ];
  const head = { merchantName: "Corner Shop", totalAmount: 7.9, transactionTimestamp: "2026-10-23T08:00:00Z" };
  assert.equal((await correct(id, { ...head, items })).statusCode, 200);
  const status = (await client.call("GET", `/track/receipts/${id}/status`)).json();
  assert.deepEqual([status.status, status.held, status.corrections.length], ["Validated", true, 1]);
  const reading = await readingOf(id);
  assert.deepEqual([reading.merchantName, reading.totalAmount, reading.date], ["Corner Shop", 7.9, "2026-10-23"]);
  assert.equal(reading.lines.length, lines.length + 1);
  assert.deepEqual(reading.lines[2].places, lines[2].places, "a corrected line keeps its place");
  assert.deepEqual(reading.lines.at(-1).places, []);
  assert.equal((await correct(id, { items: [{ id: "unknown", name: "x" }] })).statusCode, 400);
  await client.call("POST", `/track/receipts/${id}/decision`, { decision: "accept", reason: "Corrected" });
  const { receiptStatusDoc: doc } = await completed(id);
  assert.equal(doc.completedStateData.totalAmount, 7.9);
  assert.equal((await correct(id, { items: [{ name: "Milk", quantity: 1, totalPrice: 1 }] })).statusCode, 200);
});

test("a held receipt is corrected and accepted at once, or neither", async () => {
  await review("--min-confidence", "1");
  const { id } = await uploaded();
  const { lines } = await readingOf(id);
  const body = { items: [{ id: lines[2].id, name: "Red lentils" }] };
  const { points } = (await preview(id, body)).json();
  const responses = await Promise.all(Array.from({ length: 4 }, () => correct(id, { ...body, decision: "accept" })));
  const codes = responses.map((response) => (response.statusCode === 200 ? "done" : response.json().code));
  assert.deepEqual(
    codes.toSorted((a, b) => (a < b ? -1 : 1)),
    ["NotHeld", "NotHeld", "NotHeld", "done"],
  );
  const done = await completed(id);
  assert.equal(done.receiptStatusDoc.completedStateData.totalPoints, points);
  const late = await correct(id, { totalAmount: 1, decision: "accept" });
  assert.deepEqual([late.statusCode, late.json().code], [409, "NotHeld"]);
  const { corrections, review: decided } = (await client.call("GET", `/track/receipts/${id}/status`)).json();
  assert.deepEqual([corrections.length, decided.decision, decided.reason], [1, "accept", "Misread"]);
  const nothing = await correct(id, { decision: "accept" });
  assert.equal(nothing.statusCode, 400, "a decision corrects nothing");
  assert.equal((await correct(id, { totalAmount: 1, decision: "reject" })).statusCode, 400);
});

test("many corrections and decisions of a held receipt at once: credited once, as the ledger has it", async () => {
  await review("--min-confidence", "1");
  const { id } = await uploaded();
  const { lines } = await readingOf(id);
  const calls = Array.from({ length: 6 }, (_, i) =>
    i % 2 === 0
      ? correct(id, { items: [{ id: lines[0].id, quantity: i + 1 }] })
      : client.call("POST", `/track/receipts/${id}/decision`, { decision: "accept", reason: "x" }),
  );
  const replies = await Promise.all(calls);
  assert.equal(replies.filter(({ statusCode }, i) => i % 2 === 1 && statusCode === 200).length, 1);
  const done = await completed(id);
  // A correction that came when it was credited already has booked the difference.
  const booked = replies.map((reply) => reply.json<{ transaction?: { totalPoints: number } }>().transaction);
  const later = booked.reduce((sum, transaction) => sum + (transaction?.totalPoints ?? 0), 0);
  assert.equal(await pointsOf(), done.receiptStatusDoc.completedStateData.totalPoints + later);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("the reading of a receipt has the place of each line and field; another application finds none", async () => {
  const { id } = await uploaded();
  const reading = await readingOf(id);
  assert.deepEqual(reading.picture, { width: 600, height: 450, rotation: 0 });
  assert.ok(reading.lines.every(({ places }: { places: number[][] }) => places.length === 1));
  assert.ok(reading.fields.every(({ places }: { places: number[][] }) => places.length === 1));
  const [lentils] = reading.lines;
  assert.match(lentils.healthGrade + lentils.carbonGrade, /^[A-E]{2}$/);
  const other = await service.newClient();
  assert.equal((await other.call("GET", `/track/receipts/${id}/reading`)).statusCode, 404);
  assert.equal((await preview(id, {}, other)).statusCode, 404);
});

test("the list in the other order is the same receipts from the first accepted on, page by page", async () => {
  await review("--min-confidence", "1");
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push((await uploaded()).id);
  for (const filter of ["", "&held=true", `&userId=${userId}`]) {
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const before: string = next === null ? "" : `&before=${next}`;
      const page: { receipts: { receiptID: string }[]; next: string | null } = (
        await client.call("GET", `/track/receipts?order=oldest&pageSize=2${before}${filter}`)
      ).json();
      seen.push(...page.receipts.map(({ receiptID }) => receiptID));
      next = page.next;
    } while (next !== null);
    assert.deepEqual(seen, ids, filter);
  }
});
