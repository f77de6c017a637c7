import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reading } from "../receipts/types.ts";
import { changesOf, readForm, typedOf, withProposal } from "./form.ts";
import type { Typed } from "./form.ts";

const line = (id: string, name: string, more: object = {}): Reading["lines"][number] => ({
  id,
  name,
  printed: name,
  quantity: 1,
  unit: "piece",
  totalPrice: 1.5,
  matchedIngredientName: "",
  confidence: 0,
  exclusionReason: null,
  healthGrade: null,
  carbonGrade: null,
  points: null,
  accuracy: 1,
  places: [],
  parts: [],
  ...more,
});
const READING: Reading = {
  receiptID: "r",
  picture: null,
  pictures: [],
  merchantName: "Market",
  date: "2026-10-24",
  time: "10:41:00",
  totalAmount: 7.4,
  currency: "GBP",
  accuracy: 0.9,
  fields: [],
  lines: [line("r-1", "MILK"), line("r-2", "BAG", { exclusionReason: "BAG" })],
  similarReceiptID: null,
};

/** The fields that a browser sends for a form as typed. */
function sent(typed: Typed): URLSearchParams {
  const { merchantName, date, time, totalAmount, lines, added } = typed;
  const form = new URLSearchParams({ merchantName, date, time, totalAmount });
  for (const [i, each] of lines.entries()) {
    form.set(`name-${i}`, each.name);
    form.set(`quantity-${i}`, each.quantity);
    form.set(`price-${i}`, each.price);
    form.set(`what-${i}`, each.what);
  }
  for (const [i, each] of added.entries()) {
    form.set(`newName-${i}`, each.name);
    form.set(`newQuantity-${i}`, each.quantity);
    form.set(`newPrice-${i}`, each.price);
  }
  return form;
}

const changes = (change: (typed: Typed) => Typed) =>
  changesOf(readForm(sent(change(typedOf(READING))), READING), READING);
const changeLine = (index: number, more: Partial<Typed["lines"][number]>) => (typed: Typed) => ({
  ...typed,
  lines: typed.lines.map((each, i) => (i === index ? { ...each, ...more } : each)),
});

test("a form that was sent as it was shown changes nothing", () => {
  assert.deepEqual(
    changes((typed) => typed),
    { changes: {}, errors: {} },
  );
});

test("only what was typed is corrected", () => {
  assert.deepEqual(changes(changeLine(0, { name: "Oat milk" })).changes, { items: [{ id: "r-1", name: "Oat milk" }] });
  assert.deepEqual(changes(changeLine(0, { quantity: "2,5" })).changes, { items: [{ id: "r-1", quantity: 2.5 }] });
  assert.deepEqual(changes(changeLine(0, { what: "notFood" })).changes, { items: [{ id: "r-1", notFood: true }] });
  assert.deepEqual(changes(changeLine(1, { what: "remove" })).changes, { items: [{ id: "r-2", remove: true }] });
  assert.deepEqual(changes(changeLine(1, { what: "keep" })).changes, { items: [{ id: "r-2", name: "BAG" }] });
  assert.deepEqual(changes((typed) => ({ ...typed, merchantName: "Shop", date: "2026-10-23" })).changes, {
    merchantName: "Shop",
    transactionTimestamp: "2026-10-23T10:41:00.000Z",
  });
  const added = [{ name: "Tea", quantity: "", price: "2.00", foodId: "" }];
  assert.deepEqual(changes((typed) => ({ ...typed, added })).changes, {
    items: [{ name: "Tea", quantity: 1, totalPrice: 2 }],
  });
});

test("a field that cannot be used is named", () => {
  assert.deepEqual(changes(changeLine(0, { quantity: "-1" })).errors, { "quantity-0": "number" });
  assert.deepEqual(changes((typed) => ({ ...typed, totalAmount: "many" })).errors, { totalAmount: "number" });
  assert.deepEqual(changes((typed) => ({ ...typed, date: "2026-13-99" })).errors, { date: "date" });
  assert.deepEqual(changes((typed) => ({ ...typed, time: "99:99" })).errors, { time: "time" });
  const added = [{ name: "Tea", quantity: "1", price: "", foodId: "" }];
  assert.deepEqual(changes((typed) => ({ ...typed, added })).errors, { "newName-0": "newLine" });
});

test("what a user has asked for is filled in, and is the correction that it was", () => {
  const proposal = { items: [{ id: "r-1", quantity: 3 }], totalAmount: 9, disputeIds: ["d"] };
  const typed = withProposal(typedOf(READING), proposal);
  assert.deepEqual(typed.disputeIds, ["d"]);
  assert.deepEqual(changesOf(typed, READING).changes, {
    totalAmount: 9,
    items: [{ id: "r-1", quantity: 3 }],
  });
});
