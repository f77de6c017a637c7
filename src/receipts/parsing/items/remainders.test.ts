import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a price that is printed again less its discount", () => {
  test("is no good, whatever its word, where the list adds up without it", () => {
    for (const [discount, rest, total] of [
      ["RABATT", "NEUER PREIS", "SUMME"],
      ["VOREK", "FINAT", "DUGIR"],
    ]) {
      const reading = readTyped(`
     LADEN AM TOR
     KANE 500           2,35
     MELOK              6,99
     ${discount!.padEnd(17)} -2,00
     ${rest!.padEnd(18)} 4,99
     PIRUN              7,90
     ${total!.padEnd(17)} 15,24
     LAROB             20,00
     MISTU              4,76
`);
      assert.equal(reading.totalMinor, 1524);
      assert.deepEqual(brief(reading), ["KANE 500 = 235", "MELOK = 699", `${discount} = -200`, "PIRUN = 790"]);
    }
  });

  test("is a good where the list adds up with it", () => {
    const reading = readTyped(`
     LADEN AM TOR
     MELOK              6,99
       RABATT          -2,00
     FINAT              4,99
     PIRUN              7,90
     SUMME             17,88
`);
    assert.deepEqual(brief(reading), ["MELOK = 699", "RABATT = -200", "FINAT = 499", "PIRUN = 790"]);
  });
});

test("the sum below a discount on all is no such price, though the change was misread", () => {
  const reading = readTyped(`
     MIXUE HOUSE
     Boba Sundae        16.00
     Boba Sundae        16.00
     Total amount       32.00
     Other discount     -4.00
     Due                28.00
     Cash               30.00
     Change              0.20
`);
  assert.equal(reading.totalMinor, 2800);
});
