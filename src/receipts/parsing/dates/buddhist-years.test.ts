import assert from "node:assert/strict";
import { test } from "node:test";
import { withCommonYears } from "./buddhist-years.ts";
import { findMoment } from "./dates.ts";

test("years of four figures are those of Thailand where no other country is known", () => {
  assert.equal(withCommonYears("21/03/2569 18:09  CASHIER 1182", null), "21/03/2026 18:09  CASHIER 1182");
  assert.equal(withCommonYears("21 MAR 2569", null), "21 MAR 2026");
  assert.equal(withCommonYears("BAHT 2569", "TH"), "BAHT 2569");
  assert.equal(withCommonYears("Ref 25/06/2567", "GB"), "Ref 25/06/2567");
});

test("years of two figures only where they are counted so", () => {
  assert.equal(withCommonYears("18/04/69 12:33", "TH"), "18/04/26 12:33");
  assert.equal(withCommonYears("18/04/69 12:33", "GB"), "18/04/69 12:33");
  assert.equal(withCommonYears("18/04/26 12:33", "TH"), "18/04/26 12:33");
  assert.equal(withCommonYears("02-18-69-12", "TH"), "02-18-69-12");
  assert.equal(withCommonYears("12/08 69.00", "TH"), "12/08 69.00");
});

test("the date of the purchase is found", () => {
  assert.equal(findMoment(["21/03/2569 18:09"], { country: null, today: null }).date, "2026-03-21");
  assert.equal(findMoment(["18/04/69 12:33"], { country: "TH", today: null }).date, "2026-04-18");
});

test("long rows are read at once", () => {
  const start = performance.now();
  for (const row of ["12/03/".repeat(42), "1 ".repeat(125), "12 ABC ".repeat(36)]) withCommonYears(row, "TH");
  assert.ok(performance.now() - start < 100);
});
