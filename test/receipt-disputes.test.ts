import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setSuspended } from "../src/applications/store.ts";
import { setReviewSettings } from "../src/receipts/holding/store.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { leftoversOf } from "./support/leftovers.ts";
import { multipart } from "./support/multipart.ts";
import { GROCERIES, pageOf, picture } from "./support/groceries.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, Event, TestService } from "./support/service.ts";

interface Line {
  readonly id: string;
  readonly name: string;
}
interface Sent {
  readonly id: string;
  readonly lines: readonly Line[];
  readonly points: number;
  /** The address of the list. */
  readonly disputes: string;
  readonly progress: string;
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
  client = await service.newClient();
  userId = await client.enrol();
});

const statusOf = async (id: string, by = client) => (await by.call("GET", `/track/receipts/${id}/status`)).json();
const get = (url: string) => service.app.server.inject({ url });
const post = (url: string, fields: Record<string, string> = {}) =>
  service.app.server.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: String(new URLSearchParams(fields)),
  });
const correct = (id: string, body: object, by = client) =>
  by.call("POST", `/track/receipts/${id}/corrections`, { reason: "Reported", ...body });
const reject = (disputeId: string, by = client) =>
  by.call("POST", `/track/disputes/${disputeId}/reject`, { reason: "The receipt says otherwise" });
const disputesOf = async (id: string) => (await statusOf(id)).disputes ?? [];
const listed = async (query: string, by = client) =>
  (await by.call("GET", `/track/receipts?${query}`))
    .json()
    .receipts.map(({ receiptID }: Record<string, string>) => receiptID);
const balanceOf = async () => (await client.call("GET", `/users/${userId}/summary`)).json().user.availablePoints;

/** Sends a receipt on the hosted page, and waits until it is finished. */
async function send(session: object = {}): Promise<Sent> {
  const opened = await client.call("POST", "/track/receipts/session", { userId, ...session });
  const { pathname, search } = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  const form = await multipart({ fields: {}, image: await picture() });
  const page = await service.app.server.inject({ method: "POST", url: pathname + search, ...form });
  assert.equal(page.statusCode, 200, page.body);
  const [id] = await listed(`userId=${userId}`);
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
    const { status, held, receiptStatusDoc: doc } = await statusOf(id);
    if (status === "Completed" || status === "Failed" || held) {
      const lines = doc.enrichStateData?.items ?? [];
      const points = doc.completedStateData?.totalPoints ?? 0;
      return {
        id,
        lines,
        points,
        disputes: `${pathname}/disputes${search}`,
        progress: `${pathname}/progress${search}`,
      };
    }
  }
  throw new Error("not finished");
}

const lineOf = ({ disputes }: Sent, { id }: Line) => `${disputes}&line=${id}`;
const about = ({ disputes }: Sent, what: string) => `${disputes}&about=${what}`;

test("someone reports a line from the result; it earns nothing and changes nothing, and the application sees it everywhere", async () => {
  const receipt = await send();
  const [, bread] = receipt.lines;
  const result = await get(receipt.progress);
  assert.match(result.body, /Is something wrong\?/);
  const list = await get(receipt.disputes);
  assert.equal(list.statusCode, 200);
  for (const shown of ["Larkmeadow", "24 October 2026", "£7.40", "Red lentils", "£1.45", "An item is missing"]) {
    assert.ok(list.body.toLowerCase().includes(shown.toLowerCase()), shown);
  }
  const form = await get(lineOf(receipt, bread!));
  assert.match(form.body, /What is wrong with this item\?[\s\S]*£1\.40[\s\S]*The price is wrong/);

  const stored = await post(lineOf(receipt, bread!), { kind: "wrong_price", expected: "£1,60", note: " See\nphoto " });
  assert.deepEqual([stored.statusCode, stored.headers.location], [303, receipt.disputes]);
  const after = await get(receipt.disputes);
  assert.match(after.body, /will check it[\s\S]*Reported[\s\S]*The price is wrong[\s\S]*Not checked yet/);
  assert.ok(!after.body.includes(`line=${bread!.id}`), "a line that is reported cannot be chosen again");
  assert.equal((await get(lineOf(receipt, bread!))).statusCode, 303);

  const [dispute] = await disputesOf(receipt.id);
  const { disputeId, openedAt, ...rest } = dispute;
  assert.deepEqual(rest, {
    kind: "wrong_price",
    lineId: bread!.id,
    shown: "1.4",
    expected: "1.6",
    price: null,
    note: "See photo",
    state: "open",
    decidedAt: null,
    reason: null,
    correctionId: null,
    correction: {
      reason: "Reported by the user",
      items: [{ id: bread!.id, totalPrice: 1.6 }],
      disputeIds: [disputeId],
    },
  });
  assert.deepEqual(await listed("disputed=true"), [receipt.id]);
  assert.deepEqual(await listed("disputed=false"), []);
  const [entry] = (await client.call("GET", "/track/receipts")).json().receipts;
  assert.equal(entry.openDisputes, 1);
  const isIt = (event: Event) => nameOf(event) === "receipt_disputed";
  const [event] = (await client.until((events) => events.some(isIt))).filter(isIt);
  assert.partialDeepStrictEqual(event, {
    receiptID: receipt.id,
    userId,
    disputeId,
    kind: "wrong_price",
    expected: "1.6",
  });
  assert.equal(await balanceOf(), receipt.points);
  assert.ok(openedAt);
});

test("the correction that a dispute proposes, sent as it is, accepts it: the page says corrected, the list forgets it", async () => {
  const receipt = await send();
  const [lentils, bread, mince, bag] = receipt.lines;
  await post(lineOf(receipt, mince!), { kind: "wrong_name", expected: "Red lentils" });
  await post(lineOf(receipt, bread!), { kind: "not_mine" });
  await post(lineOf(receipt, lentils!), { kind: "wrong_quantity", expected: "2" });
  await post(lineOf(receipt, bag!), { kind: "not_food" });
  await post(about(receipt, "wrong_merchant"), { expected: "Larkmeadow Express" });
  await post(about(receipt, "wrong_total"), { expected: "7,50" });
  await post(about(receipt, "wrong_date"), { expected: "2026-10-23" });
  await post(about(receipt, "missing_line"), { expected: "Bananas", price: "0.80" });
  await post(about(receipt, "missing_line"), { expected: "Apples" });
  const disputes = await disputesOf(receipt.id);
  const corrections = disputes.map(({ correction }: { correction: object | null }) => correction);
  assert.deepEqual(
    corrections.map((correction: Record<string, unknown> | null) => {
      const { reason: _reason, disputeIds: _ids, ...change } = correction ?? {};
      return correction && change;
    }),
    [
      { items: [{ id: mince!.id, name: "Red lentils" }] },
      { items: [{ id: bread!.id, remove: true }] },
      { items: [{ id: lentils!.id, quantity: 2 }] },
      { items: [{ id: bag!.id, notFood: true }] },
      { merchantName: "Larkmeadow Express" },
      { totalAmount: 7.5 },
      { transactionTimestamp: "2026-10-23T10:41:00.000Z" },
      { items: [{ name: "Bananas", quantity: 1, totalPrice: 0.8 }] },
      null,
    ],
  );
  assert.equal(await balanceOf(), receipt.points);
  for (const correction of corrections.filter(Boolean)) {
    const response = await correct(receipt.id, correction);
    assert.equal(response.statusCode, 200, response.body);
  }
  const { disputes: decided, corrections: booked } = await statusOf(receipt.id);
  assert.deepEqual(
    decided.map(({ state }: { state: string }) => state),
    [...Array.from({ length: 8 }, () => "accepted"), "open"],
  );
  assert.equal(decided[0].correctionId, booked[0].correctionId);
  assert.equal(await balanceOf(), booked.at(-1).after.totalPoints);
  const page = await get(receipt.disputes);
  assert.match(page.body, /Larkmeadow Express[\s\S]*23 October 2026[\s\S]*£7\.50[\s\S]*Bananas[\s\S]*Corrected/);
  const [entry] = (await client.call("GET", "/track/receipts?disputed=true")).json().receipts;
  assert.equal(entry.openDisputes, 1);
  await correct(receipt.id, {
    items: [{ name: "Apples", quantity: 1, totalPrice: 1 }],
    disputeIds: [disputes.at(-1).disputeId],
  });
  assert.deepEqual(await listed("disputed=true"), []);
  const corrected = (
    await client.until((events) => events.filter((event) => nameOf(event) === "receipt_corrected").length === 9)
  ).filter((event) => nameOf(event) === "receipt_corrected");
  assert.deepEqual(
    new Set(corrected.flatMap(({ disputeIds }) => disputeIds)),
    new Set(disputes.map(({ disputeId }: { disputeId: string }) => disputeId)),
  );
});

test("the result shows the points and items of now: after a correction, a reversal of an item and of the whole", async () => {
  const receipt = await send();
  const [lentils, bread] = receipt.lines;
  const pointsShown = async () => {
    const { body } = await get(receipt.progress);
    return { points: Number(/class="points">([\d,]+) points?</.exec(body)?.[1]), body };
  };
  const first = await pointsShown();
  assert.equal(first.points, receipt.points);
  assert.doesNotMatch(first.body, /checked again/);
  const removed = await correct(receipt.id, {
    merchantName: "Larkmeadow Express",
    items: [{ id: bread!.id, remove: true }],
  });
  assert.equal(removed.statusCode, 200, removed.body);
  const corrected = await pointsShown();
  assert.equal(corrected.points, await balanceOf());
  assert.match(corrected.body, /This receipt was checked again\.[\s\S]*Larkmeadow Express/);
  assert.notEqual(corrected.points, receipt.points);
  const { transactionID } = (await statusOf(receipt.id)).receiptStatusDoc.completedStateData;
  const path = `/users/${userId}/transactions/${transactionID}/reversal`;
  for (const body of [{ items: [lentils!.id], reason: "Returned" }, { reason: "Returned" }]) {
    const reversed = await client.call("POST", path, body);
    assert.equal(reversed.statusCode, 200, reversed.body);
    const now = await pointsShown();
    assert.equal(now.points, await balanceOf());
    assert.ok(!now.body.includes("Red lentils"));
  }
  assert.equal((await pointsShown()).points, 0);
});

test("the page of a receipt that is held for review says so", async () => {
  const minConfidence = 1;
  await setReviewSettings(service.database, client.applicationId, { minConfidence, holdOn: [] }, new Date());
  const receipt = await send();
  const { body } = await get(receipt.progress);
  assert.match(body, /data-state="held"[\s\S]*Your receipt is being checked/);
  assert.equal((await get(receipt.disputes)).statusCode, 303);
  const decided = await client.call("POST", `/track/receipts/${receipt.id}/decision`, {
    decision: "accept",
    reason: "Read",
  });
  assert.equal(decided.statusCode, 200, decided.body);
  assert.match((await get(receipt.progress)).body, /data-state="(running|Completed)"/);
});

test("a rejected dispute changes nothing, shows its reason on the page, and its line can be reported again", async () => {
  const receipt = await send();
  const [lentils] = receipt.lines;
  await post(lineOf(receipt, lentils!), { kind: "not_mine" });
  const [{ disputeId }] = await disputesOf(receipt.id);
  const responses = await Promise.all(Array.from({ length: 5 }, () => reject(disputeId)));
  const statuses = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
  assert.deepEqual([statuses[0], new Set(statuses.slice(1))], [200, new Set([409])]);
  const rejected = responses.find(({ statusCode }) => statusCode === 200)!.json();
  assert.partialDeepStrictEqual(rejected, {
    disputeId,
    state: "rejected",
    reason: "The receipt says otherwise",
    correction: null,
  });
  assert.deepEqual(await disputesOf(receipt.id), [rejected]);
  assert.match((await get(receipt.disputes)).body, /Checked, not changed[\s\S]*The receipt says otherwise/);
  assert.equal(await balanceOf(), receipt.points);
  assert.deepEqual(await listed("disputed=true"), []);
  await post(lineOf(receipt, lentils!), { kind: "wrong_name", expected: "Green lentils" });
  assert.equal((await disputesOf(receipt.id)).length, 2);
  // A correction cannot accept what was decided, and books nothing then.
  const twice = await correct(receipt.id, { totalAmount: 8, disputeIds: [disputeId, randomUUID()] });
  assert.deepEqual(Object.keys(twice.json().errors), ["disputeIds[0]", "disputeIds[1]"]);
  assert.equal((await statusOf(receipt.id)).corrections, undefined);
});

test("of many reports of one line at once one is stored, and a receipt has at most twenty ever", async () => {
  const receipt = await send();
  const [lentils] = receipt.lines;
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => post(lineOf(receipt, lentils!), { kind: "not_mine" })),
  );
  const statuses = new Set(responses.map(({ statusCode }) => statusCode));
  assert.ok(statuses.isSubsetOf(new Set([303, 503])), [...statuses].join(", "));
  assert.equal((await disputesOf(receipt.id)).length, 1);
  for (let i = 0; i < 25; i++) {
    const response = await post(about(receipt, "missing_line"), { expected: `Apple ${i % 22}` });
    assert.equal(response.statusCode, 303);
  }
  const disputes = await disputesOf(receipt.id);
  assert.equal(disputes.length, 20);
  assert.equal(new Set(disputes.map(({ expected }: { expected: string | null }) => expected)).size, 20);
  const full = await get(receipt.disputes);
  assert.match(full.body, /Nothing more can be reported/);
  assert.ok(!full.body.includes("about=missing_line"));
  const [entry] = (await client.call("GET", "/track/receipts")).json().receipts;
  assert.equal(entry.openDisputes, 20);
});

test("a receipt that failed by its reading can be reported, others cannot; one that is processed again leads to its progress", async () => {
  rows.now = GROCERIES.slice(4);
  const unknown = await send();
  assert.equal((await statusOf(unknown.id)).errorCode, "MERCHANT_NAME_NOT_FOUND");
  assert.match((await get(unknown.progress)).body, /Is something wrong\?/);
  const list = await get(unknown.disputes);
  assert.match(list.body, /not read[\s\S]*Red lentils/i);
  await post(about(unknown, "wrong_merchant"), { expected: "Larkmeadow Market" });
  await post(lineOf(unknown, { id: `${unknown.id}-1`, name: "" }), { kind: "wrong_name", expected: "Green lentils" });
  const [first, second] = await disputesOf(unknown.id);
  assert.deepEqual([first.shown, second.lineId], [null, `${unknown.id}-1`]);
  const accepted = await correct(unknown.id, first.correction);
  assert.equal(accepted.statusCode, 200, accepted.body);

  rows.now = GROCERIES;
  const copy = await send({ transactionId: (await statusOf(unknown.id)).transactionId });
  assert.equal((await statusOf(copy.id)).errorCode, "ALREADY_EXISTS");
  assert.doesNotMatch((await get(copy.progress)).body, /Is something wrong\?/);
  const led = await get(copy.disputes);
  assert.deepEqual([led.statusCode, led.headers.location], [303, copy.progress]);
  const refused = await post(about(copy, "wrong_total"), { expected: "1" });
  assert.deepEqual([refused.statusCode, refused.headers.location], [303, copy.progress]);
  assert.deepEqual(await disputesOf(copy.id), []);
});

test("only the session of the receipt opens the page, for a day; another application sees and decides nothing", async () => {
  const receipt = await send();
  await post(about(receipt, "wrong_total"), { expected: "7" });
  const [{ disputeId }] = await disputesOf(receipt.id);
  const other = await service.newClient();
  assert.equal((await reject(disputeId, other)).statusCode, 404);
  assert.equal((await correct(receipt.id, { totalAmount: 7, disputeIds: [disputeId] }, other)).statusCode, 404);
  assert.deepEqual(await listed("disputed=true", other), []);
  for (const named of ["none", randomUUID(), receipt.id]) assert.equal((await reject(named)).statusCode, 404);

  // A session of the same user, which has another receipt or none, and a link that was changed.
  const unused = await client.call("POST", "/track/receipts/session", { userId });
  const { search } = new URL(unused.json<{ redirectUrl: string }>().redirectUrl);
  const changed = receipt.disputes.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  for (const url of [`/receipts/disputes${search}`, changed, "/receipts/disputes"]) {
    assert.equal((await get(url)).statusCode, 404);
    assert.equal((await post(`${url}${url.includes("?") ? "&" : "?"}about=wrong_total`)).statusCode, 404);
  }
  await setSuspended(service.database, client.clientId, new Date(), new Date());
  assert.equal((await get(receipt.disputes)).statusCode, 404);
  await setSuspended(service.database, client.clientId, null, new Date());
  service.clock.ms += 26 * 3_600_000;
  assert.equal((await get(receipt.disputes)).statusCode, 404);
  assert.equal((await post(about(receipt, "wrong_date"), { expected: "2026-10-20" })).statusCode, 404);
  service.clock.ms -= 26 * 3_600_000;
  assert.equal((await disputesOf(receipt.id)).length, 1);
});

test("what cannot be read gets an error beside its field with all that was typed, and nothing is stored", async () => {
  const receipt = await send();
  const [lentils] = receipt.lines;
  const line = lineOf(receipt, lentils!);
  for (const [url, fields, error] of [
    [line, { expected: "Lentils" }, "Please choose what is wrong."],
    [line, { kind: "missing_line" }, "Please choose what is wrong."],
    [line, { kind: "wrong_price", expected: "a lot" }, "Please enter an amount"],
    [line, { kind: "wrong_price", expected: "1000001" }, "Please enter an amount"],
    [line, { kind: "wrong_quantity", expected: "0" }, "Please enter a number"],
    [line, { kind: "wrong_name", expected: "x".repeat(256) }, "at most 255 characters"],
    [line, { kind: "not_mine", note: "x".repeat(256) }, "at most 255 characters"],
    [about(receipt, "missing_line"), { note: "Milk" }, "Please enter the name"],
    [about(receipt, "missing_line"), { expected: "Milk", price: "?" }, "Please enter an amount"],
    [about(receipt, "wrong_date"), { expected: "2099-01-01" }, "not one in the future"],
    [about(receipt, "wrong_date"), { expected: "2026-02-30" }, "not one in the future"],
    [about(receipt, "wrong_total"), { expected: "-1" }, "Please enter an amount"],
  ] as const) {
    const response = await post(url, fields);
    assert.equal(response.statusCode, 400, JSON.stringify(fields));
    assert.ok(response.body.includes(error), JSON.stringify(fields));
    const { kind: _kind, ...texts } = { kind: "", ...fields };
    for (const typed of Object.values(texts)) assert.ok(response.body.includes(`value="${typed}"`), typed);
  }
  for (const url of [`${receipt.disputes}&line=none`, `${receipt.disputes}&about=points`, receipt.disputes]) {
    assert.equal((await post(url, { kind: "not_mine" })).statusCode, 303);
  }
  assert.equal((await post(line, { kind: "not_mine", note: "x".repeat(20_000) })).statusCode, 413);
  assert.deepEqual(await disputesOf(receipt.id), []);
  // Script in what people type is text, on the page and in what they correct.
  await post(line, { kind: "wrong_name", expected: "<script>alert(1)</script>", note: "<b>" });
  await reject((await disputesOf(receipt.id))[0].disputeId);
  assert.doesNotMatch((await get(receipt.disputes)).body, /<script/);
});

test("a user's disputes are exported, and nothing of them is left after an erasure", async () => {
  const receipt = await send();
  const note = `Zuleika ${randomUUID()}`;
  await post(about(receipt, "wrong_total"), { expected: "7", note });
  await client.until((events) => events.some((event) => nameOf(event) === "receipt_disputed"));
  const [{ disputeId }] = await disputesOf(receipt.id);
  const exported = await service.database.tx((tx) => exportUserData(tx, userId, STORED_FORMS));
  assert.partialDeepStrictEqual(exported["receiptDisputes"], [{ receipt_id: receipt.id, kind: "wrong_total", note }]);
  await service.erase(userId);
  assert.deepEqual((await leftoversOf(service.database, [note, disputeId])).rows, {});
  assert.equal((await get(receipt.disputes)).statusCode, 404);
});

test("reports while corrections and rejections of the same receipt go on are counted right", async () => {
  const receipt = await send();
  const work = Array.from({ length: 12 }, async (_, i) => {
    await post(about(receipt, "missing_line"), { expected: `Apple ${i}`, price: "0.50" });
    const disputes = (await disputesOf(receipt.id)) as { disputeId: string; state: string; correction: object }[];
    for (const { disputeId, correction } of disputes.filter(({ state }) => state === "open")) {
      await (i % 2 === 0 ? reject(disputeId) : correct(receipt.id, correction));
    }
  });
  await Promise.all(work);
  const { disputes } = await statusOf(receipt.id);
  const open = disputes.filter(({ state }: { state: string }) => state === "open").length;
  const [entry] = (await client.call("GET", "/track/receipts")).json().receipts;
  assert.equal(entry.openDisputes, open);
});
