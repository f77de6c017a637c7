import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

test("a star before most amounts is a mark", () => {
  const reading = readTyped(`
     RISTORANTE BELVEDERE
     2 Aperitif           10.50 *21.00
     1 Pizza               25.50 *25.50
     1 Insalata             9.00 *9.00
     Total CHF                  *55.50
`);
  assert.deepEqual(brief(reading), ["Aperitif × 2 = 2100", "Pizza = 2550", "Insalata = 900"]);
});

test("a star in one row multiplies", () => {
  const reading = readTyped(`
     KIOSK AM MARKT
     Wasser  3 *1.50        4.50
     Brot                   2.80
     Total                  7.30
`);
  assert.equal(reading.lines[0]?.quantity, 3);
});
