import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

let references = 0;

/** Redeems an own reward of no points, with a code. */
async function redeemed(more: object = {}, reward: object = {}) {
  const userId = await client.enrol();
  const body = {
    points: 0,
    reward: { name: "A free coffee", codes: "made", ...reward },
    reference: `sale-${(references += 1)}`,
    ...more,
  };
  const response = await client.call("POST", `/users/${userId}/redemptions`, body);
  assert.equal(response.statusCode, 200, response.body);
  const { transaction } = response.json();
  return { userId, id: transaction.id as string, code: transaction.reward.code as string, transaction };
}

const read = async (code: string) => (await client.call("GET", `/vouchers/${code}`)).json().voucher;
const use = (code: string, body: object = {}, headers: Record<string, string> = {}) =>
  client.call("POST", `/vouchers/${code}/use`, body, headers);
const codeOf = (response: { statusCode: number; json(): { code: string } }) => [
  response.statusCode,
  response.json().code,
];

test("a voucher is used once, of twenty tills at once, and says where; an event says so, too", async () => {
  const { userId, id, code, transaction } = await redeemed();
  const usable = {
    code,
    state: "usable",
    userId,
    transactionID: id,
    reward: transaction.reward,
    validTill: null,
    usedAt: null,
    till: "",
    reference: "",
  };
  assert.deepEqual(await read(code), usable);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => use(code, { till: `Till ${i}`, reference: `receipt-${i}` })),
  );
  const [used, ...others] = responses.toSorted((a, b) => a.statusCode - b.statusCode);
  assert.deepEqual(
    [used!.statusCode, new Set(others.map((each) => each.json().code))],
    [200, new Set(["VoucherUsed"])],
  );
  const { voucher } = used!.json();
  assert.match(voucher.till, /^Till \d+$/);
  assert.deepEqual(voucher, {
    ...usable,
    state: "used",
    usedAt: voucher.usedAt,
    till: voucher.till,
    reference: voucher.reference,
  });
  assert.deepEqual(await read(code), voucher);
  const events = await client.until((sent) => sent.some((event) => nameOf(event) === "voucher.used"));
  assert.deepEqual(
    events.filter((event) => nameOf(event) === "voucher.used"),
    [
      {
        event: "voucher.used",
        userId,
        transactionID: id,
        externalTransactionID: transaction.transaction.externalTransactionID,
        code,
        usedAt: voucher.usedAt,
        till: voucher.till,
        reference: voucher.reference,
      },
    ],
  );
});

test("sent again with its Idempotency-Key, a use returns the first response", async () => {
  const { code } = await redeemed();
  const key = { "idempotency-key": "till-7" };
  const [first, second] = [await use(code, { till: "7" }, key), await use(code, { till: "7" }, key)];
  assert.deepEqual([second.statusCode, second.json()], [200, first.json()]);
});

test("a used voucher stops its refund, a refund its voucher, and of both at once one succeeds", async () => {
  const refund = ({ userId, id }: { userId: string; id: string }) =>
    client.call("POST", `/users/${userId}/redemptions/${id}/refund`, { reason: "Closed" });
  const one = await redeemed();
  await use(one.code);
  assert.deepEqual(codeOf(await refund(one)), [409, "VoucherUsed"]);
  const two = await redeemed();
  assert.equal((await refund(two)).statusCode, 200);
  assert.deepEqual(codeOf(await use(two.code)), [409, "VoucherVoid"]);
  assert.equal((await read(two.code)).state, "void");
  for (let i = 0; i < 10; i++) {
    const both = await redeemed();
    const responses = await Promise.all([use(both.code), refund(both)]);
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1);
  }
});

test("a reserved voucher cannot be used, a released one is void, an expired one has a problem of its own", async () => {
  const reserved = await redeemed({ reserve: true });
  assert.equal((await read(reserved.code)).state, "reserved");
  assert.deepEqual(codeOf(await use(reserved.code)), [409, "RedemptionState"]);
  await client.call("POST", `/users/${reserved.userId}/redemptions/${reserved.id}/release`);
  assert.deepEqual(codeOf(await use(reserved.code)), [409, "VoucherVoid"]);
  const validTill = new Date(service.clock.ms + 3_600_000).toISOString();
  const expiring = await redeemed({}, { validTill });
  service.clock.ms += 7_200_000;
  assert.equal((await read(expiring.code)).state, "expired");
  assert.deepEqual(codeOf(await use(expiring.code)), [409, "VoucherExpired"]);
  service.clock.ms -= 7_200_000;
  assert.equal((await use(expiring.code)).statusCode, 200);
});

test("codes of another application, free codes, and what is no code are unknown", async () => {
  const { code } = await redeemed();
  const other = await service.newClient();
  assert.equal((await other.call("GET", `/vouchers/${code}`)).statusCode, 404);
  assert.equal((await other.call("POST", `/vouchers/${code}/use`, {})).statusCode, 404);
  const { reward } = (await client.call("POST", "/rewards", { name: "Card", points: 1, codes: "pool" })).json();
  await client.call("POST", `/rewards/${reward.id}/codes`, { codes: ["FREE-CODE"] });
  for (const unknown of [
    "FREE-CODE",
    "x".repeat(65),
    "%00",
    "%2F%2F",
    "-A",
    "a%20b",
    "%F0%9F%8D%8F",
    code.toLowerCase(),
  ]) {
    const response = await client.call("GET", `/vouchers/${unknown}`);
    assert.ok([400, 404].includes(response.statusCode), `${unknown}: ${response.statusCode}`);
    const used = await use(unknown);
    assert.ok([400, 404].includes(used.statusCode), `${unknown}: ${used.statusCode}`);
  }
  assert.equal((await use(code, { till: "x".repeat(256) })).statusCode, 400);
  assert.equal((await use(code)).statusCode, 200);
});

test("who guesses codes is stopped after sixty in a minute, and no other application is", async () => {
  const guesser = await service.newClient();
  const statuses: number[] = [];
  for (let i = 0; i < 65; i++) statuses.push((await guesser.call("GET", `/vouchers/GUESS-${i}`)).statusCode);
  assert.deepEqual([statuses.slice(0, 60).every((status) => status === 404), statuses.at(-1)], [true, 429]);
  const response = await guesser.call("POST", "/vouchers/GUESS-1/use", {});
  assert.deepEqual([response.statusCode, response.headers["retry-after"]], [429, "60"]);
  const { code } = await redeemed();
  assert.equal((await use(code)).statusCode, 200);
});

test("an export has what became of a user's vouchers", async () => {
  const { userId, code } = await redeemed();
  await use(code, { till: "Shop 12", reference: "sale-x" });
  const { redemptions } = await service.database.tx((tx) => exportUserData(tx, userId, STORED_FORMS));
  assert.equal(redemptions!.length, 1);
  const [{ used_till, used_reference, code: exported, state }] = redemptions as [Record<string, unknown>];
  assert.deepEqual([used_till, used_reference, exported, state], ["Shop 12", "sale-x", code, "completed"]);
});
