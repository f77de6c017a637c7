import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

interface Line {
  readonly id: string;
  readonly name: string;
  readonly totalServicePoints: number;
}
interface State {
  readonly merchantName: string;
  readonly totalAmount: number;
  readonly totalPoints: number;
  readonly items: (Line & { exclusionReason: string | null })[];
}

const rows = { now: GROCERIES };
let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService({
    ocr: { read: async () => pageOf(rows.now), close: async () => {} },
  });
});
after(() => service.close());
beforeEach(async () => {
  rows.now = GROCERIES;
  // An application of its own for each test: another user of one may not submit the same purchase.
  client = await service.newClient();
  userId = await client.enrol();
});

const upload = (changes: Parameters<typeof formFor>[1] = {}) =>
  acceptedReceipt(service, client, { fields: formFor(userId, changes) });

const statusOf = async (id: string) => (await client.call("GET", `/track/receipts/${id}/status`)).json();

/** Waits until a receipt is finished, and returns its status document. */
const finished = (id: string) =>
  statusUntil<Awaited<ReturnType<typeof statusOf>>>(client, id, ({ status }) => /^(Completed|Failed)$/.test(status));

/** A credited receipt: its id, its award, and its lines that earn points. */
async function credited(changes: Parameters<typeof formFor>[1] = {}) {
  const id = await upload(changes);
  const { receiptStatusDoc: doc, status } = await finished(id);
  assert.equal(status, "Completed");
  const items = doc.scoredStateData.items as Line[];
  return {
    id,
    items,
    awardId: doc.completedStateData.transactionID as string,
    points: doc.completedStateData.totalPoints,
  };
}

const correct = (id: string, body: object, by = client) =>
  by.call("POST", `/track/receipts/${id}/corrections`, { reason: "Misread", ...body });
const userOf = async () => (await client.call("GET", `/users/${userId}/summary`)).json().user;
const balance = async () => {
  const { availablePoints, lifetimePoints } = await userOf();
  return [availablePoints, lifetimePoints];
};
const sumOf = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + line.totalServicePoints, 0);

test("a corrected line books the difference, and the status, the explanation, the list and the event show it", async () => {
  const { id, items, awardId, points } = await credited();
  const mince = items.find(({ name }) => name.includes("BEEF"))!;
  const response = await correct(id, { items: [{ id: mince.id, name: "Red lentils" }] });
  assert.equal(response.statusCode, 200, response.body);
  const { transaction, balance: moved, before, after, status, correctionId } = response.json();
  assert.deepEqual([status, transaction.operation, transaction.relatedTransactionID], ["Completed", 3, awardId]);
  assert.ok(after.totalPoints > before.totalPoints);
  assert.deepEqual([before.totalPoints, sumOf(after.items)], [points, after.totalPoints]);
  assert.equal(transaction.totalPoints, after.totalPoints - before.totalPoints);
  assert.deepEqual(moved, { availablePoints: after.totalPoints, lifetimePoints: after.totalPoints });
  const ids = transaction.transaction.items.map((item: Line) => item.id);
  assert.ok(ids.includes(mince.id) && ids.length === 2 && ids[1] !== mince.id);
  const { corrections, receiptStatusDoc } = await statusOf(id);
  assert.equal(receiptStatusDoc.completedStateData.totalPoints, points);
  const shown = corrections.map((each: Record<string, unknown>) => [
    each["correctionId"],
    each["transactionID"],
    each["after"],
  ]);
  assert.deepEqual(shown, [[correctionId, transaction.id, after]]);
  const path = `/users/${userId}/transactions/${transaction.id}/explanation`;
  const { explanation } = (await client.call("GET", path)).json();
  assert.deepEqual([explanation.correction.before, explanation.correction.after], [before, after]);
  assert.equal(explanation.totalPoints, after.totalPoints);
  const [entry] = (
    await client.call("GET", `/track/receipts?transactionId=${(await statusOf(id)).transactionId}`)
  ).json().receipts;
  assert.deepEqual([entry.totalPoints, entry.corrections], [after.totalPoints, 1]);
  const isIt = (event: Record<string, unknown>) => event["event"] === "receipt_corrected";
  const sent = (await client.until((events) => events.some(isIt))).filter(isIt);
  assert.deepEqual(
    [sent.length, sent[0]!["correctionId"], sent[0]!["receiptPoints"]],
    [1, correctionId, after.totalPoints],
  );
  assert.ok(!client.events().map(nameOf).includes("points.adjusted"));
});

test("merchant, time, total, a removed, an added and a line that is no food are corrected, the second time on the first", async () => {
  const { id, items } = await credited();
  const [first, second, third] = items;
  const response = await correct(id, {
    merchantName: "Pennywell Stores",
    totalAmount: 12.5,
    transactionTimestamp: "2026-10-23T12:00:00Z",
    items: [
      { id: first!.id, remove: true },
      { id: second!.id, notFood: true },
      { name: "Bananas", quantity: 0.6, unit: "kg", totalPrice: 0.63 },
    ],
  });
  const { after, transaction } = response.json() as { after: State; transaction: { transaction: { brand: string } } };
  assert.deepEqual([after.merchantName, after.totalAmount], ["Pennywell Stores", 12.5]);
  assert.equal(transaction.transaction.brand, "Pennywell Stores");
  const named = (await client.call("GET", "/track/receipts?merchant=pennyw")).json().receipts;
  assert.deepEqual(
    named.map(({ receiptID, merchantName }: Record<string, string>) => [receiptID, merchantName]),
    [[id, "Pennywell Stores"]],
  );
  assert.deepEqual(
    after.items.map(({ name, exclusionReason }) => [name, exclusionReason]),
    [
      [third!.name, null],
      ["Bananas", null],
      [second!.name, "NON_FOOD"],
      ["CARRIER BAG", "BAG"],
    ],
  );
  const bananas = after.items.find(({ name }) => name === "Bananas")!;
  const again = (await correct(id, { items: [{ id: bananas.id, quantity: 1.2 }] })).json();
  assert.deepEqual(again.before, after);
  assert.ok(again.after.totalPoints > after.totalPoints);
  assert.deepEqual(await balance(), [again.after.totalPoints, again.after.totalPoints]);
  const old = await correct(id, {
    items: [
      { id: bananas.id, remove: true },
      { id: first!.id, remove: true },
    ],
  });
  assert.deepEqual(Object.keys(old.json().errors), ["items[0].id", "items[1].id"]);
});

test("a receipt claims its purchase as all of its corrections leave it, and no other receipt of the user can be of it", async () => {
  const { id } = await credited();
  assert.equal(
    (await correct(id, { totalAmount: 9.99, transactionTimestamp: "2026-10-23T09:15:00Z" })).statusCode,
    200,
  );
  assert.equal((await correct(id, { merchantName: "Pennywell Stores" })).statusCode, 200);
  rows.now = GROCERIES.map((row) => row.replace("10:41", "11:52"));
  const { id: other } = await credited();
  const same = { merchantName: "Pennywell Stores", totalAmount: 9.99, transactionTimestamp: "2026-10-23T09:15:00Z" };
  assert.equal((await correct(other, same)).json().code, "ReceiptTaken");
  assert.equal((await correct(other, { ...same, totalAmount: 9.98 })).statusCode, 200);
});

test("a reversal after corrections takes back exactly what is left; then nothing can be corrected", async () => {
  const { id, items, awardId } = await credited();
  await correct(id, { items: [{ id: items[0]!.id, name: "Banana" }] });
  const { after, transaction } = (await correct(id, { items: [{ id: items[1]!.id, notFood: true }] })).json();
  const refused = await client.call("POST", `/users/${userId}/transactions/${transaction.id}/reversal`, {
    reason: "x",
  });
  assert.equal(refused.json().code, "NotReversible");
  const one = after.items.find((item: Line) => item.totalServicePoints > 0);
  const path = `/users/${userId}/transactions/${awardId}/reversal`;
  assert.equal((await client.call("POST", path, { reason: "x", items: [one.id] })).statusCode, 200);
  const gone = await correct(id, { items: [{ id: one.id, remove: true }] });
  assert.deepEqual(Object.keys(gone.json().errors), ["items[0].id"]);
  const later = (await correct(id, { items: [{ name: "Apples", quantity: 2, totalPrice: 1 }] })).json();
  assert.ok(!later.after.items.some((item: Line) => item.id === one.id));
  assert.equal((await client.call("POST", path, { reason: "x" })).statusCode, 200);
  assert.deepEqual(await balance(), [0, 0]);
  assert.equal((await correct(id, { totalAmount: 1 })).json().code, "NotCorrectable");
});

test("twenty corrections at once are one after another: each on the state that the one before has left", async () => {
  const { id, items } = await credited();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      correct(id, {
        items: [
          { name: "Banana", quantity: 1, totalPrice: i / 100 },
          ...(i % 2 ? [] : [{ id: items[0]!.id, remove: true }]),
        ],
      }),
    ),
  );
  const done = responses.filter(({ statusCode }) => statusCode === 200).map((response) => response.json());
  // The line can be removed once: the others name a line that is gone.
  assert.deepEqual([done.length, new Set(responses.map(({ statusCode }) => statusCode))], [11, new Set([200, 400])]);
  const { corrections } = await statusOf(id);
  assert.equal(corrections.length, 11);
  for (const [i, { before }] of corrections.slice(1).entries()) assert.deepEqual(before, corrections[i].after);
  const last = corrections.at(-1).after as State;
  assert.deepEqual(await balance(), [last.totalPoints, last.totalPoints]);
  const { transactions } = (await client.call("GET", `/users/${userId}/transactions`)).json();
  assert.equal(
    transactions.reduce((sum: number, { totalPoints }: { totalPoints: number }) => sum + totalPoints, 0),
    last.totalPoints,
  );
});

test("the maximum of a record and the limits of a day hold for the sum", async () => {
  const { id, points } = await credited();
  const many = Array.from({ length: 40 }, () => ({ name: "Banana", quantity: 5, totalPrice: 1 }));
  const { after } = (await correct(id, { items: many })).json();
  assert.equal(after.totalPoints, 150);
  const { clientId } = client;
  await runCommand(service.database, [
    "app",
    "day-limits",
    "--client-id",
    clientId,
    "--points-a-day",
    String(points + 1),
  ]);
  const limited = (await correct(id, { items: [{ name: "Banana", quantity: 1, totalPrice: 1 }] })).json();
  assert.equal(limited.after.totalPoints, points + 1);
  assert.deepEqual(await balance(), [points + 1, points + 1]);
});

test("a corrected receipt has no more lines than one that can be read", async () => {
  const { id } = await credited();
  const added = (length: number) => Array.from({ length }, () => ({ name: "Banana", quantity: 1, totalPrice: 1 }));
  const { after } = (await correct(id, { items: added(400) })).json();
  const refused = await correct(id, { items: added(100) });
  assert.deepEqual([refused.statusCode, Object.keys(refused.json().errors)], [400, ["items"]]);
  const left = [...added(500 - after.items.length), { id: after.items[0].id, notFood: true }];
  const response = await correct(id, { items: left });
  assert.equal(response.statusCode, 200, response.body);
});

test("spent points make the balance negative, or are waived, as for a reversal", async () => {
  const { id, items, points } = await credited();
  const spent = { points: -points, reason: "Spent", reference: `spent ${userId}` };
  await client.call("POST", `/users/${userId}/adjustments`, spent);
  const set = (reversalOverdraws: boolean) =>
    service.database.tx((tx) =>
      setPointsSettings(tx, client.applicationId, { ...DEFAULT_POINTS_SETTINGS, reversalOverdraws }, new Date()),
    );
  await set(false);
  const waived = (await correct(id, { items: [{ id: items[0]!.id, notFood: true }] })).json();
  assert.deepEqual([waived.waivedPoints, waived.balance.availablePoints], [items[0]!.totalServicePoints, 0]);
  const [line] = waived.after.items.filter(({ exclusionReason }: { exclusionReason: unknown }) => exclusionReason);
  const back = (await correct(id, { items: [{ id: line.id, name: items[0]!.name }] })).json();
  assert.equal(back.after.totalPoints, points);
  assert.deepEqual([back.transaction.totalPoints, back.waivedPoints], [0, 0], "given already");
  await set(true);
  const overdrawn = (await correct(id, { items: [{ id: items[1]!.id, notFood: true }] })).json();
  assert.deepEqual([overdrawn.waivedPoints, overdrawn.balance.availablePoints], [0, -items[1]!.totalServicePoints]);
});

test("a receipt that failed because of what was read is checked and credited once, with its events after the failure", async () => {
  rows.now = GROCERIES.filter((row) => !/LARKMEADOW|Harbour|Tel/.test(row));
  const id = await upload();
  assert.equal((await finished(id)).errorCode, "MERCHANT_NAME_NOT_FOUND");
  const incomplete = await correct(id, { totalAmount: 7.4 });
  assert.deepEqual(Object.keys(incomplete.json().errors), ["merchantName"]);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () =>
      correct(id, { merchantName: "Larkmeadow Market", items: [{ id: `${id}-1`, name: "Banana" }] }),
    ),
  );
  assert.ok(responses.some(({ statusCode }) => statusCode === 200));
  for (let status = await statusOf(id); status.status !== "Completed"; status = await statusOf(id)) await sleep(20);
  const { transactions } = (await client.call("GET", `/users/${userId}/transactions`)).json();
  const awards = transactions.filter(({ operation }: { operation: number }) => operation === 1);
  assert.equal(awards.length, 1);
  assert.equal(awards[0].transaction.brand, "Larkmeadow Market");
  const events = await client.until((sent) => sent.map(nameOf).includes("rewards.awarded"));
  const names = events.filter((event) => event["receiptId"] === id).map(nameOf);
  for (const name of ["receipt_failed", "receipt_corrected", "receipt_validated", "receipt_completed"]) {
    assert.ok(names.includes(name), name);
  }
});

test("a corrected failure is still held to its checks: a copy of another receipt fails as before", async () => {
  await credited();
  rows.now = GROCERIES.filter((row) => !/LARKMEADOW|Harbour|Tel/.test(row));
  const id = await upload();
  await finished(id);
  assert.equal((await correct(id, { merchantName: "Larkmeadow Market" })).statusCode, 200);
  for (let status = await statusOf(id); status.errorCode !== "ALREADY_EXISTS"; status = await statusOf(id))
    await sleep(20);
});

test("wrong corrections are refused with every error, and receipts of others are unknown", async () => {
  const { id, items } = await credited();
  const first = items[0]!.id;
  const wrong: readonly (readonly [object, string[]])[] = [
    [{}, ["body"]],
    [{ reason: " ", totalAmount: 1 }, ["reason"]],
    [{ items: [{ id: first }] }, ["items[0]"]],
    [{ items: [{ id: first, remove: true, name: "x" }, { name: "x" }] }, ["items[0]", "items[1]"]],
    [
      {
        items: [
          { id: first, notFood: true },
          { id: first, remove: true },
        ],
      },
      ["items[1]"],
    ],
    [{ items: [{ id: first, quantity: 0 }] }, ["items[0].quantity"]],
    [{ items: [{ id: "x", remove: true }] }, ["items[0].id"]],
  ];
  for (const [body, names] of wrong) {
    const response = await correct(id, body);
    assert.deepEqual([response.statusCode, Object.keys(response.json().errors)], [400, names], JSON.stringify(body));
  }
  const other = await service.newClient();
  assert.equal((await correct(id, { totalAmount: 1 }, other)).statusCode, 404);
  assert.equal((await correct("x", { totalAmount: 1 })).statusCode, 404);
  await service.erase(userId);
  assert.equal((await correct(id, { totalAmount: 1 })).statusCode, 404);
});

test("nothing of an erased user's corrections is left", async () => {
  const { id, items } = await credited();
  await correct(id, { reason: "Secret reason", items: [{ id: items[0]!.id, name: "Secret banana" }] });
  await service.erase(userId);
  const left = await service.database.query<{ n: number }>(
    {
      name: "test.corrections-left",
      text: `SELECT (SELECT count(*) FROM receipt_corrections WHERE user_id = $1)::int
               + (SELECT count(*) FROM records WHERE user_id = $1 AND (body <> '{}' OR rule_inputs <> '{}' OR num_nonnulls(packed, explained, inputs, evidence) > 0))::int AS n`,
    },
    [userId],
  );
  assert.deepEqual(left, [{ n: 0 }]);
});

test("the ledger is sound after corrections", async () => {
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
