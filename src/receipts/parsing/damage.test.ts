import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../test/support/typed-receipt.ts";

describe("a misread digit of one line", () => {
  const shop = (butter: string, below: string): string => `
     HILL STORES
     BREAD                   1.25
     BUTTER                  ${butter}
     JAM                     2.45
${below}`;
  const sum = "     TOTAL                   7.69\n";

  test("is corrected if the sum is confirmed and one digit of one line explains it; the repair is reported and the line's accuracy is lower", () => {
    const reading = readTyped(shop("3.93", `${sum}     VISA                    7.69\n`));
    assert.deepEqual(brief(reading), ["BREAD = 125", "BUTTER = 399", "JAM = 245"]);
    assert.equal(reading.repairs.length, 1);
    assert.ok(reading.lines[1]!.accuracy < reading.lines[0]!.accuracy);
  });

  test("is corrected if a tax in the total confirms it", () => {
    const reading = readTyped(shop("3.93", `${sum}     INCL VAT @ 15%          1.00\n`));
    assert.deepEqual(brief(reading), ["BREAD = 125", "BUTTER = 399", "JAM = 245"]);
  });

  test("stays if only the total contradicts the list: the total may be misread", () => {
    assert.deepEqual(brief(readTyped(shop("3.93", sum))), ["BREAD = 125", "BUTTER = 393", "JAM = 245"]);
  });

  test("stays if two lines could have it", () => {
    const reading = readTyped(`
     HILL STORES
     BREAD                   1.13
     BUTTER                  3.93
     TOTAL                   5.12
     VISA                    5.12
`);
    assert.deepEqual(brief(reading), ["BREAD = 113", "BUTTER = 393"]);
    assert.deepEqual(reading.repairs, []);
  });

  test("is not assumed for a rounding", () => {
    const reading = readTyped(`
     HILL STORES
     BREAD                   1.20
     BUTTER                  3.98
     TOTAL                   5.20
     CASH                    5.20
`);
    assert.deepEqual(brief(reading), ["BREAD = 120", "BUTTER = 398"]);
  });
});

describe("amounts beside their column", () => {
  const shop = (total: string): string => `
     LIDL
     EMMENTAL                2.15
     JAMBON 2.59
     REMISE PLUS      -0.40
     TOMATES                 1.97
     ECO-PART 0.14
     FRAISES                 3.49
     TOTAL                   ${total}
     CB                      ${total}
`;

  test("belong to the list if it adds up with them in exactly one way", () => {
    const reading = readTyped(shop("9.80"));
    assert.deepEqual(brief(reading), ["EMMENTAL = 215", "JAMBON = 259", "REMISE PLUS = -40", "TOMATES = 197", "FRAISES = 349"]); // prettier-ignore
  });

  test("belong to it above the first one that is read, and without their point", () => {
    const reading = readTyped(`
     LIDL
     14 SHEEPCOTE ROAD
     WHOLE MILK               145 A
     JAMBON 2.59
     EMMENTAL                2.15 A
     TOMATES                 1.97 A
     TOTAL                   8.16
     CB                      8.16
`);
    assert.deepEqual(brief(reading), ["WHOLE MILK = 145", "JAMBON = 259", "EMMENTAL = 215", "TOMATES = 197"]);
  });

  test("don't if no choice of them adds up", () => {
    assert.deepEqual(brief(readTyped(shop("8.00"))), ["EMMENTAL = 215", "TOMATES = 197", "FRAISES = 349"]);
  });
});

describe("a misread total", () => {
  const shop = (total: string, below: string): string => `
     DENNER
     BREAD                   1.85
     MILK                    1.45
     WINE                   18.05
     TOTAL CHF              ${total}
${below}`;
  const paid = "     CASH                   50.00\n     CHANGE                 28.65\n";

  test("is corrected by cash and change if one digit explains it", () => {
    const reading = readTyped(shop("21.85", paid));
    assert.equal(reading.totalMinor, 2135);
    assert.equal(reading.repairs.length, 1);
    assert.ok(reading.fieldAccuracy.total < readTyped(shop("21.35", paid)).fieldAccuracy.total);
    assert.equal(readTyped(shop("1.35", paid)).totalMinor, 2135);
  });

  test("stays if only the lines contradict it, or if it is printed twice", () => {
    assert.equal(readTyped(shop("21.85", "")).totalMinor, 2185);
    assert.equal(readTyped(shop("21.85", "     VISA                   21.85\n")).totalMinor, 2185);
  });

  test("is not assumed for a rounding of half a rupee", () => {
    const reading = readTyped(`
     UDUPI BHAVAN
     Masala Dosa           170.00
     Idli Vada              60.00
     CGST 2.5%               5.7
     Round off             +0.50
     Grand Total        Rs.242.00
`);
    assert.equal(reading.totalMinor, 24200);
  });
});

test("a unit price is recognised although its sign was misread or not read", () => {
  const reading = readTyped(`
     SUPER SEVEN
     BERAS 10KG        (53.50
     955660638  *1          53.50 ZR
     BAWANG BESAR        8.50
     FM4290000  *2          17.00 ZR
     CILI KERING         24.20
     FM4290001  *3          12.60 ZR
     TOTAL                  83.10
`);
  assert.deepEqual(brief(reading), ["BERAS 10KG = 5350", "BAWANG BESAR × 2 = 1700", "CILI KERING × 3 = 1260"]);
});

test("a price above a count with its own price is no unit price", () => {
  const reading = readTyped(`
     SUPER SEVEN
     BREAD               12.50
     3 x 2.50             7.50
     MILK                 1.00
     TOTAL               21.00
`);
  assert.deepEqual(
    reading.lines.map(({ amountMinor }) => amountMinor),
    [1250, 750, 100],
  );
});

test("a weight is recognised although its unit was misread", () => {
  const reading = readTyped(`
     EDEKA
     TRAUBEN HELL
       0,862k9 x 3,49 E/kg   3,01 B
     TOFU                    1,00 B
     SUMME E                 4,01
`);
  assert.deepEqual(brief(reading), ["TRAUBEN HELL × 0.862kg = 301", "TOFU = 100"]);
});

test("a tax is recognised although a letter of its word was read as a zero", () => {
  const reading = readTyped(`
     SKLEP
     Chleb                   4.49 C
     Mleko                  15.16 C
     SPRZEDAZ 0PODATKOWANA C 19.65
     PTU C 5,00 %            0.94
     SUMA PLN               19.65
`);
  assert.deepEqual(brief(reading), ["Chleb = 449", "Mleko = 1516"]);
});

test("a rounded total with a misread digit is the sum of the total above it and its rounding", () => {
  const reading = readTyped(`
     HANA CUISINE SDN BHD
     14/05/2018 12:14
     SALAD                  28.00
     RICE SET               59.08
     Grand Total            87.08
     Rounding Adjustment     0.02
     Net Total              87.16
`);
  assert.equal(reading.totalMinor, 8710);
});

test("specks in a price below its name leave the name above", () => {
  const reading = readTyped(`
     TOKO PURNAMA
     JL. KENANGA 4 SLEMAN
     NUGGET AYAM 500GR
     50.000,00 .x1,00 PAK =     50.000,00
     SOSIS SAPI 250 GRAM
     fUN X 21.500,0020,00)      21.500,00
     KOPI BUBUK
     1 BUC. X B 500,00           8.500,00
     TOTAL                      80.000,00
     Tunai                     100.000,00
     Kembali                    20.000,00
`);
  assert.deepEqual(
    brief(reading),
    ["NUGGET AYAM 500GR = 5000000", "SOSIS SAPI 250 GRAM = 2150000", "KOPI BUBUK = 850000"], // prettier-ignore
  );
});

test("a zero at the end of another receipt is no free good of the one below it", () => {
  const reading = readTyped(`
     0UU                     0.00
     **THANK YOU
     KEDAI BUNGA RAYA SDN BHD
     GST NO: 002013487104
     Invoice No. :222221980
     COOKING OIL 5KG        19.99
     TOTAL                  19.99
     CASH                   20.00
`);
  assert.deepEqual(brief(reading), ["COOKING OIL 5KG = 1999"]);
});
