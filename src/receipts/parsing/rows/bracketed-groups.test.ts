import assert from "node:assert/strict";
import { test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

test("goods of an offer in brackets are read with their discount, and without the sums between", () => {
  const { lines, totalMinor } = readTyped(`
        TRYSIL MATSENTER AS
     Salgskvittering 118   09.02.2026 17:14
  AGURK STK                       33,48
  SYLTETOY 500G                 ( 38,50)
  SYLTETOY 500G                 ( 38,50)
    Sum                         ( 77,00)
    Mixrabatt                   (-17,00)
    Sum mix                       60,00
  PANT                             8,00
  Totalt (4 Artikler)            101,48
  Bank:                          101,48
  `);
  assert.equal(totalMinor, 10148);
  assert.deepEqual(
    lines.map(({ amountMinor }) => amountMinor),
    [3348, 3850, 3850, -1700, 800],
  );
});

test("brackets without a minus of their own take off", () => {
  const { lines } = readTyped(`
        TRYSIL MATSENTER AS
     Salgskvittering 118   09.02.2026 17:14
  AGURK STK                       33,48
  SYLTETOY 500G                   38,50
  RABATT                        ( 10,00)
  Totalt                          61,98
  Bank:                           61,98
  `);
  assert.deepEqual(
    lines.map(({ amountMinor }) => amountMinor),
    [3348, 3850, -1000],
  );
});
