import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

test("the only amount, without its point behind its tax mark, is the total", () => {
  const reading = readTyped(`
     FARM CASH & CARRY
     TAX INVOICE
     Doc No : CS00241999   Date : 03/02/2018
     Item            Qty   Price   Amount
     9557366100208    1    21 20   2120 SR
     CRISP OIL 800G
     Total GST                      1 20
     Total Sales :                 21.20
     CASH :                       100.00
     Change :                      78.80
`);
  assert.deepEqual(brief(reading), ["CRISP OIL 800G = 2120"]);
});

test("an amount without its point behind a count and a mark belongs to the list that it makes add up", () => {
  const reading = readTyped(`
     PAPER HOUSE
     NAME BADGE H399       100S SR 5830
     809 METAL CLIP        1 SR  21.20
     TOTAL AMT                   79.50
     CASH                       100.00
     CHANGE                      20.50
`);
  assert.deepEqual(
    reading.lines.map(({ amountMinor }) => amountMinor),
    [5830, 2120],
  );
});
