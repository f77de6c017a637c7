import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

test("what fuel cost has the name of the product above", () => {
  const reading = readTyped(`
     PRAIRIE FUEL
 2201 S Broadway
 Lexington KY 40504
 PUMP# 6
 REGULAR CR   13.721G
 PRICE/GAL    $3.140
 FUEL TOTAL   $ 43.08
 LARGE COFFEE    1.89
 SALE TOTAL   $ 44.97
 CREDIT       $ 44.97
`);
  assert.deepEqual(brief(reading), ["REGULAR CR = 4308", "LARGE COFFEE = 189"]);
});

test("it keeps its words where no product is printed", () => {
  const reading = readTyped(`
     PRAIRIE FUEL
 Lexington KY 40504
 GALLONS      13.721
 FUEL TOTAL   $ 43.08
 LARGE COFFEE    1.89
 TOTAL        $ 44.97
 CREDIT       $ 44.97
`);
  assert.equal(brief(reading)[0], "FUEL TOTAL = 4308");
});

test("its product is above its volume and the price of a litre, behind the number of the pump", () => {
  const reading = readTyped(`
     PRAIRIE MOTORS
 VAT NO 4560107744
 PUMP 04 DIESEL 50PPM
 LITRES 45.20 @ R21.87
 FUEL                      R988.52
 TOTAL                     R988.52
`);
  assert.deepEqual(brief(reading), ["DIESEL 50PPM × 45.2l = 98852"]);
});
