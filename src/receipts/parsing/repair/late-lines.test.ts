import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("deposits between a first total and the one to pay", () => {
  const receipt = (tomatoes: string, deposit: string): string => `
     SKLEP POD LIPĄ
     ul. Wielicka 118, Kraków
     NIP: 734-118-84-42
       PARAGON FISKALNY
Masło ekstra       2 * 6,99  13,98 C
Pomidory malinowe             ${tomatoes} C
Suma PTU                      1,04
Suma PLN                     21,77
KAUCJA PET 0,50   6 * 0,50    ${deposit}
Do zapłaty:                  24,77
Karta płatnicza              24,77
2026-02-28 11:09
`;

  test("are goods", () => {
    const reading = readTyped(receipt("7,79", "3,00"));
    assert.equal(reading.totalMinor, 2477);
    assert.deepEqual(brief(reading).slice(2), ["KAUCJA PET 0,50  6 * 0,50 = 300"]);
  });

  test("are goods where a line above is misread, too, if they are the difference between the two", () => {
    const reading = readTyped(receipt("4,13", "3,00"));
    assert.deepEqual(brief(reading).slice(1), ["Pomidory malinowe = 413", "KAUCJA PET 0,50  6 * 0,50 = 300"]);
    assert.equal(brief(readTyped(receipt("4,13", "3,60"))).length, 2);
  });
});

test("a donation between two totals is a line, although its name has the word for change", () => {
  const reading = readTyped(`
     PIENAAR HYPER
     TAX INVOICE
SUGAR 2.5KG             52.99
BUTTER 500G             69.99
TOTAL (Incl. VAT)      122.98
DONATION SMALL CHANGE    3.00
BALANCE DUE            125.98
CASH                   126.00
`);
  assert.deepEqual(brief(reading).at(-1), "DONATION SMALL CHANGE = 300");
  assert.equal(reading.totalMinor, 12_598);
});
