import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { missingDetails, readDetails } from "./details.ts";

const nothing = { userId: "u", reference: null, merchantName: null, amount: null, transactionTimestamp: null };
const form = (typed: Record<string, string>) =>
  new Map(Object.entries(typed).map(([name, text]) => [name, [{ text, isCut: false }]]));

test("asked is only what the application didn't send, and nothing else that is sent counts", () => {
  assert.deepEqual(missingDetails(nothing), ["merchantName", "amount"]);
  assert.deepEqual(missingDetails({ ...nothing, merchantName: "Corner Shop", amount: 5 }), []);
  const known = { ...nothing, merchantName: "Corner Shop" };
  assert.deepEqual(missingDetails(known), ["amount"]);
  const sent = form({ merchantName: "Another", amount: "5", userId: "somebody else" });
  assert.deepEqual(readDetails(sent, known).details, { merchantName: "Corner Shop", amount: 5 });
});

test("both may be left empty", () => {
  for (const sent of [form({}), form({ merchantName: " ", amount: "" })]) {
    assert.deepEqual(readDetails(sent, nothing), {
      details: { merchantName: null, amount: null },
      typed: { merchantName: "", amount: "" },
      errors: [],
    });
  }
});

test("an amount is read as people type it", () => {
  const amounts = { "12.50": 12.5, "12,5": 12.5, " 7 ": 7, "£3.20": 3.2, "4,10 €": 4.1, "١٢٫٥٠": 12.5, "0.01": 0.01 };
  for (const [text, amount] of Object.entries(amounts)) {
    assert.deepEqual(readDetails(form({ amount: text }), nothing).details.amount, amount, text);
  }
  for (const text of ["0", "-1", "1.234", "1,234.50", "ten", "1e3", "99999999999", "NaN"]) {
    assert.deepEqual(readDetails(form({ amount: text }), nothing).errors, ["amount"], text);
  }
});

test("a name that cannot be stored, or is endless, is a error; whatever is typed, nothing breaks", () => {
  for (const merchantName of ["x".repeat(256), "a\0b", "\ud800"]) {
    assert.deepEqual(readDetails(form({ merchantName }), nothing).errors, ["merchantName"]);
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const { details } = readDetails(form({ merchantName: text, amount: text }), nothing);
      assert.ok(details.amount === null || details.amount >= 0.01);
    }),
  );
});
