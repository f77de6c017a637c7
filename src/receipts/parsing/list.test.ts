import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../test/support/typed-receipt.ts";

describe("the sum decides which rows are goods", () => {
  test("a fuel's total if the total below is the sum of both; gallons and unit prices are no amounts", () => {
    const reading = readTyped(`
     SUNRISE MART
     PUMP# 06
     REGULAR   SELF    10.482G
     PRICE/GAL          $3.459
     FUEL TOTAL        $36.26
     COFFEE 20OZ         2.29
     HOT DOG COMBO       4.20
     TOTAL            $ 42.75
     CREDIT           $ 42.75
`);
    assert.equal(reading.totalMinor, 4275);
    assert.deepEqual(brief(reading), ["REGULAR SELF = 3626", "COFFEE 20OZ = 229", "HOT DOG COMBO = 420"]);
  });

  test("a greeting card is no payment, TAX and BAL on one row are tax and total", () => {
    const reading = readTyped(`
     PRAIRIE DRUGS
       NIVEA LOTION 625      9.99 B
       HALLMARK CARD         6.29 B
       KITKAT                1.69 G
       EXTRAS SAVING          .29-
       TAX      0.89  BAL     18.57
       MasterCard            18.57
       CHANGE                  .00
`);
    assert.equal(reading.totalMinor, 1857);
    assert.deepEqual(brief(reading), [
      "NIVEA LOTION 625 = 999",
      "HALLMARK CARD = 629",
      "KITKAT = 169",
      "EXTRAS SAVING = -29",
    ]);
  });

  test("a total whose word was cut off, of two goods only: it is the payment", () => {
    const reading = readTyped(`
     GASTHAUS ADLER
     2 Melange               11,00
     1 Apfelstrudel           6,60
     mme EUR                 17,60
     davon10%USt              0,60
     davon 20% USt            1,83
     BAR                     17,60
`);
    assert.equal(reading.totalMinor, 1760);
    assert.deepEqual(brief(reading), ["Melange × 2 = 1100", "Apfelstrudel = 660"]);
  });

  test("a tax joined to its rate is no goods", () => {
    const reading = readTyped(`
     BAR CASA MANOLO
     4 Cana          1,80     7,20
     2 Menú del día 13,50    27,00
     3 Flan          1,40     4,20
     Baseimp.                34,91
     IVA10%                   3,49
     TOTAL                   38,40
`);
    assert.equal(reading.totalMinor, 3840);
    assert.deepEqual(brief(reading), ["Cana × 4 = 720", "Menú del día × 2 = 2700", "Flan × 3 = 420"]);
  });

  test("a figure of the name that is joined to the amount is found by the total", () => {
    const reading = readTyped(`
     SUPERMERCADO LOPEZ
     LECHE SEMI PACK         65,10
     PAN BARRA                1,10
     HUEVOS L 12              2,35
     TOTAL                    8,55
`);
    assert.deepEqual(
      reading.lines.map(({ amountMinor }) => amountMinor),
      [510, 110, 235],
    );
  });

  test("a pack's name with the word is no total, the word joined to the word before it is", () => {
    const reading = readTyped(`
     CORNER DRUGS
     COLGATE TOTAL 100ML      4.00
     COTTON PADS              1.22
     Take-OutTotal            6.52
`);
    assert.equal(reading.totalMinor, 652);
    assert.deepEqual(brief(reading), ["COLGATE TOTAL 100ML = 400", "COTTON PADS = 122"]);
  });

  test("a figure in a name is no count", () => {
    const reading = readTyped(`
     CORNER SHOP
     7UP CANS                 2.50
     2TEA CAKES               1.20
     BREAD                    1.00
     TOTAL                    4.70
`);
    assert.deepEqual(
      reading.lines.map(({ quantity }) => quantity),
      [1, 2, 1],
    );
  });

  test("a card payment among the goods is no goods", () => {
    const reading = readTyped(`
     HARBOUR COFFEE
     Gr Iced Latte           4.95
     Butter Croissant        3.95
     Gift Card               9.67
     Subtotal                8.90
     Tax 8.6%                0.77
     Total                   9.67
`);
    assert.equal(reading.totalMinor, 967);
    assert.deepEqual(brief(reading), ["Gr Iced Latte = 495", "Butter Croissant = 395"]);
  });

  test("goods after the subtotal, but no service charge and nothing in percent", () => {
    const goods = ["SEMI SKIM MILK 2L = 120", "BRAEBURN APPLES = 159"];
    const withLate = (label: string): string => `
     HILL STORES
     SEMI SKIM MILK 2L       1.20
     BRAEBURN APPLES         1.59
     SUBTOTAL                2.79
     ${label.padEnd(24)}0.30
     TOTAL                   3.09
     CASH                    3.09
`;
    assert.deepEqual(brief(readTyped(withLate("PEELER"))), [...goods, "PEELER = 30"]);
    assert.deepEqual(brief(readTyped(withLate("OPTIONAL SERVICE"))), goods);
    assert.deepEqual(brief(readTyped(withLate("LEVY 10.75%"))), goods);
  });

  test("amounts without a column", () => {
    const reading = readTyped(`
     KATZ CORNER DELI
     1 Pastrami Rye  24. 95
     1 Knish  5 .50
     2 Dr Browns  5.20
     Total  $35.65
     Cash  4O.00
     Change  4.35
`);
    assert.deepEqual(brief(reading), ["Pastrami Rye = 2495", "Knish = 550", "Dr Browns × 2 = 520"]);
  });
});

describe("the text of a quantity is no name", () => {
  const rows: [string, string, string][] = [
    ["net weight", "COLES CHICKEN BRST\n 0.785 kg NET @ $11.00/kg        8.64", "COLES CHICKEN BRST × 0.785kg = 864"],
    ["a price in another currency's letters", "BANANAS LOOSE\n 0.934kg x 0.89 GBP/kg           0.83", "BANANAS LOOSE × 0.934kg = 83"],
    ["tare", "SALMON FILLET\n Tare Weight 0.02 lb\n 1.04 lb @ $13.99/lb            14.55", "SALMON FILLET × 1.04lb = 1455"],
    ["quantity and each", "AVOCADO HASS\n Qty     3 @   $1.60 each         4.80", "AVOCADO HASS × 3 = 480"],
    ["pence a litre", "UNLEADED 32.15 LITRES\n@ 145.9 P/LTR                   46.91", "UNLEADED = 4691"],
    ["batch and month", "PAN 40  PN0091  11/25 10  1.55    15.50", "PAN 40 × 10 = 1550"],
  ]; // prettier-ignore
  for (const [what, row, line] of rows)
    test(what, () => {
      const reading = readTyped(
        `HILL STORES\n${row}\nSPARE LEMON                      0.50\nCASH                           200.00`,
      );
      assert.equal(brief(reading)[0], line);
    });
});

test("a row without a count continues the name above it if names begin with a count", () => {
  const reading = readTyped(`
     TOOL TOWN
Qty  Item                      Price    Total
1    Cordless Drill 20V
     w/ Battery & Charger      59.99    59.99
2    Drill Bit Set              9.50    19.00
1    Safety Glasses            10.00    10.00
          TOTAL                        $88.99
`);
  assert.deepEqual(brief(reading), [
    "Cordless Drill 20V w/ Battery & Charger = 5999",
    "Drill Bit Set × 2 = 1900",
    "Safety Glasses = 1000",
  ]);
});

describe("the amount to pay", () => {
  const bill = `
     THE RUSTY ANCHOR
      3 IPA DRAFT             21.00
      1 LOADED NACHOS         14.50
     SUBTOTAL                 35.50
     TAX                       3.86
     TOTAL DUE                39.36`;
  test("includes the tip on the card slip", () => {
    const slip = `
     BASE AMOUNT:            $39.36
     TIP AMOUNT:              $7.50
     TOTAL AMOUNT:           $46.86`;
    assert.equal(readTyped(bill + slip).totalMinor, 4686);
  });
  test("includes the tip that was paid, although it is in no total", () => {
    assert.equal(
      readTyped(`${bill}\n     Tip                       7.50\n     Amount Paid              46.86`).totalMinor,
      4686,
    );
  });
  test("is found by its sum, whatever its word", () => {
    const called = (word: string): string => `
     KEDAI AH SENG
     MILO 1KG                 19.90
     AIS KRIM                  7.97
     TTL                      27.87
     BDR                      -0.02
     ${word.padEnd(24)} 27.85`;
    assert.equal(readTyped(called("NETT")).totalMinor, 2785);
    assert.equal(readTyped(called("XYZZY")).totalMinor, 2785);
  });
  test("is that of goods and payment if the total was misread", () => {
    const reading = readTyped(`
     HILL STORES
     SHOWER GEL                1.50
     MASCARA                  12.95
     TOTAL TO PAY             £19.45
     VISA CONTACTLESS          14.45`);
    assert.equal(reading.totalMinor, 1445);
    assert.equal(readTyped(bill.replace("39.36", "89.36") + "\n     CHARGE                   39.36").totalMinor, 3936);
  });
  test("is not the tax in it", () => {
    const reading = readTyped(`
     ROMEO'S
     DAIRY 3L                  4.65
     CHUPA CHUP                1.14
     TOTAL 2 ITEMS     AUD     5.79
     GST INCL IN TOTAL         0.53`);
    assert.equal(reading.totalMinor, 579);
  });
  test("has no tip if the line for it is empty", () => {
    assert.equal(
      readTyped(`${bill}\n     Tip  ________\n     Total  ________\n     18%: $6.39   20%: $7.10`).totalMinor,
      3936,
    );
  });
  test("is rounded if cash less change is", () => {
    const reading = readTyped(`
     NEW WORLD
     VOGELS ORIGINAL           4.49
     LAMB CHOPS               12.24
     TOTAL                    16.73
     ROUNDING                 -0.03
     CASH                     20.00
     CHANGE                    3.30
`);
    assert.deepEqual([reading.totalMinor, reading.roundingMinor], [1670, -3]);
  });
});

describe("the row above", () => {
  test("is an item of its own if it has the same price", () => {
    const reading = readTyped(`
     HARBOUR DINER
     COFFEE              $3.15
     TEA                 $3.15
     BUN                 $2.00
     2 RYE               $4.00
     TOTAL              $12.30
`);
    assert.deepEqual(brief(reading), ["COFFEE = 315", "TEA = 315", "BUN = 200", "2 RYE × 2 = 400"]);
    assert.deepEqual(reading.repairs, []);
  });
  test("is a unit price with a misread @ if it times the count is the amount", () => {
    const reading = readTyped(`
     HARBOUR HARDWARE
     SANDPAPER SHEETS     $3.15
     2                     6.30
     PAINT BRUSH SET      $8.50
     FM429000000  *2      17.00 ZR
     NAILS                1.20
     TOTAL                24.50
`);
    assert.deepEqual(brief(reading), ["SANDPAPER SHEETS × 2 = 630", "PAINT BRUSH SET × 2 = 1700", "NAILS = 120"]);
  });
});

test("a line whose sign is changed by the sum is goods with a dash before its price", () => {
  const reading = readTyped(`
     CORNER SHOP
     MILK 1L              1.20
     CARRIER BAG         - 0.10
     TOTAL                1.30
`);
  assert.deepEqual(reading.lines.map(({ kind, amountMinor }) => [kind, amountMinor]), [["item", 120], ["item", 10]]); // prettier-ignore
});

describe("two taxes on top, or service and tax, are the difference between total and list", () => {
  const added: [string, string, string, string, number][] = [
    ["Quebec", "SOUS-TOTAL", "TPS 5%                0.65", "TVQ 9.975%            1.30", 1495],
    ["British Columbia", "SUBTOTAL", "GST 5%                0.65", "PST 7%                0.91", 1456],
    ["Illinois", "SUBTOTAL", "STATE TAX             0.81", "CITY TAX              0.16", 1397],
    ["Singapore", "SUBTOTAL", "SVC CHG 10%           1.30", "GST 9%                1.29", 1559],
  ];
  for (const [place, subtotal, first, second, totalMinor] of added)
    test(place, () => {
      const reading = readTyped(`
     CORNER CAFE
     MILK 2L               4.00
     PAPER                 6.00
     SOAP                  3.00
     ${subtotal}              13.00
     ${first}
     ${second}
     TOTAL                ${totalMinor / 100}
`);
      assert.deepEqual([reading.totalMinor, reading.subTotalMinor], [totalMinor, 1300]);
      assert.equal(reading.taxMinor, totalMinor - 1300);
    });
});

test("the size of a bottle or crate belongs to the name and is no number of pieces", () => {
  const reading = readTyped(`
     KAUFMARKT
     Radler 6x0,33l                4,49 A
     Hasseroder 20x0,5l           10,99 A
     Cola 1,5l                     1,19 A
     Wein 0,75l                    3,99 A
     Pfand 20x0,08                 1,60 A
     Summe                        22,26
`);
  assert.deepEqual(brief(reading), [
    "Radler 6x0,33l = 449",
    "Hasseroder 20x0,5l = 1099",
    "Cola 1,5l = 119",
    "Wein 0,75l = 399",
    "Pfand × 20 = 160",
  ]);
});
