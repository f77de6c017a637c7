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
    assert.deepEqual(brief(reading).slice(2), ["KAUCJA PET × 6 = 300"]);
  });

  test("are goods where a line above is misread, too, if they are the difference between the two", () => {
    const reading = readTyped(receipt("4,13", "3,00"));
    assert.deepEqual(brief(reading).slice(1), ["Pomidory malinowe = 413", "KAUCJA PET × 6 = 300"]);
    assert.equal(brief(readTyped(receipt("4,13", "3,60"))).length, 2);
  });
});

describe("a discount between a subtotal and the total", () => {
  const receipt = (bread: string, discounts: string): string => `
     FERME DU LAC
     BAGUETTE              ${bread}
     POMMES               12.40
     COMTE                 6.51
     SOUS-TOTAL           21.11
${discounts}
     TOTAL                18.11
     CARTE                18.11
`;
  const voucher = "     BON D'ACHAT          -3.00";

  test("is a line where a line above is misread, too", () => {
    const reading = readTyped(receipt(" 2.70", voucher));
    assert.deepEqual(brief(reading), ["BAGUETTE = 270", "POMMES = 1240", "COMTE = 651", "BON D'ACHAT = -300"]);
  });

  test("with it the misread digit is found", () => {
    const reading = readTyped(receipt(" 2.25", voucher).replaceAll("21.11", "21.17").replaceAll("18.11", "18.17"));
    assert.deepEqual(brief(reading), ["BAGUETTE = 226", "POMMES = 1240", "COMTE = 651", "BON D'ACHAT = -300"]);
  });

  test("is none if it is the sum of those in the list", () => {
    const listed = receipt(" 2.70", "     REMISES TOTALES      -3.00").replace(
      "     SOUS",
      "     REMISE -3.00\n     SOUS",
    );
    assert.equal(brief(readTyped(listed)).filter((line) => line.endsWith("-300")).length, 1);
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

describe("what is printed between the subtotal and the total", () => {
  const goods = `
     HILLTOP STORES
     TAX INVOICE
WRAPS                    £3.80
LAUNDRY PODS            £16.00
COFFEE BEANS             £8.00
Subtotal:               £27.80
`;

  test("discounts are lines, their own sum is none", () => {
    const reading = readTyped(`${goods}
Cc £8.50 LAUNDRY PODS   -£7.50
Cc £7.00 COFFEE BEANS   -£1.00
Savings:                -£8.50
TOTAL                   £19.30
Card                    £19.30
`);
    assert.deepEqual(brief(reading).slice(3), ["Cc £8.50 LAUNDRY PODS = -750", "Cc £7.00 COFFEE BEANS = -100"]);
  });

  test("a discount before the tax is a line", () => {
    const reading = readTyped(`${goods}
DISCOUNT                -£5.00
TAX 5%                   £1.14
TOTAL                   £23.94
`);
    assert.deepEqual(brief(reading).slice(3), ["DISCOUNT = -500"]);
    assert.equal(reading.taxMinor, 114);
  });

  test("a deposit is a line although it is called a total, what was saved is none", () => {
    const reading = readTyped(`
     HILLTOP STORES
WRAPS                    $3.80
LAUNDRY PODS            $16.00
COFFEE BEANS             $8.00
Total Bottle Deposit     $0.20
Total Savings:          -$2.10
Balance to pay          $28.00
VISA                    $28.00
`);
    assert.deepEqual(brief(reading).slice(3), ["Total Bottle Deposit = 20"]);
  });

  test("deposits below the total of the goods have a sum of their own", () => {
    const reading = readTyped(`
     SKLEP POD LIPĄ
       PARAGON FISKALNY
Masło ekstra       2 * 6,99  13,98 C
Chleb                         4,02 C
Suma PLN                     18,00
OPAKOWANIA ZWROTNE WYDANIA
Butelka kaucja     3x 0,50    1,50
OPAKOWANIA ZWROTNE SUMA       1,50
DO ZAPŁATY                   19,50 PLN
Karta płatnicza              19,50
`);
    assert.equal(reading.totalMinor, 1950);
    assert.deepEqual(brief(reading).slice(2), ["Butelka kaucja × 3 = 150"]);
  });

  test("a discount for cash has no sign either", () => {
    const reading = readTyped(`
     KLINIK SUBANG SDN. BHD.
LOTION                             241.00
PLASTER                             10.00
SUBTOTAL:                          251.00
CASH PROMOTION                      34.00
TOTAL INCLUSIVE GST:               217.00
MASTER                             217.00
`);
    assert.deepEqual(brief(reading).slice(2), ["CASH PROMOTION = -3400"]);
  });
});
