import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("the name has no text about the quantity", () => {
  const rows: [string, string, string, string[]][] = [
    ["a price per pound", "BANANAS", " 2.42 lb @ 0.59 per lb   1.43 F", ["BANANAS × 2.42lb = 143"]],
    ["pieces in Lithuanian", "Alus 0,5 l", "  1,45 X 4 vnt.          5,80 A", ["Alus 0,5 l × 4 = 580"]],
    ["columns set wide", "YOGURT   003663203614 F", "  6 AT     1 FOR   0.62  3.72 N", ["YOGURT × 6 = 372"]],
    ["an offer and its share", "SALAD                    4.10", "STAFF DISC 10%          -0.62", ["SALAD = 410", "STAFF DISC 10% = -62"]], // prettier-ignore
    ["an offer of two letters", "DISPOSITIVO MEDICO       4.75", "SC. 15%                 -1.75", ["DISPOSITIVO MEDICO = 475", "SC. 15% = -175"]], // prettier-ignore
    ["weight and price in euros", "CEBOLLA                  4.75", "MAIS  0,784 kg  2,35 €   1,84", ["CEBOLLA = 475", "MAIS × 0.784kg = 184"]], // prettier-ignore
    ["a tax mark before it", "A00 SÖR 0,5L             4.75", "B: PLASTRY               2.75", ["SÖR 0,5L = 475", "PLASTRY = 275"]], // prettier-ignore
    ["the unit of sale behind it", "Hljeb/kom                4.75", "Mleko 1l/KOM (E)         2.75", ["Hljeb = 475", "Mleko 1l = 275"]], // prettier-ignore
    ["a count in pieces and its price", "LECHE 1L   5 ud   0,95 €   4.75", "PAN BARRA  1 ud   2,75 €   2.75", ["LECHE 1L × 5 = 475", "PAN BARRA = 275"]], // prettier-ignore
    ["a count or weight and a price with its unit", "LECHE 5 ud 0,95 €/u       4.75", "PERA 1,000 kg 2,75 €/kg   2.75", ["LECHE × 5 = 475", "PERA × 1kg = 275"]], // prettier-ignore
    ["a code with a dash behind a tax mark", "SR I0010003- 3 VEGE       4.75", "SR I0010015- IKAN KERING  2.75", ["3 VEGE = 475", "IKAN KERING = 275"]], // prettier-ignore
    ["a code with its count, and tax marks", "06038318640 2% MILK  MRJ 4.75", "(2)06340011 KD ORIG HMRJ 2.75", ["2% MILK = 475", "KD ORIG = 275"]], // prettier-ignore
    ["the sign before a price with a gap for its thousands", "1 db LEVES x           4.75", "1 db TEA x               2.75", ["LEVES = 475", "TEA = 275"]], // prettier-ignore
    ["the price of one and a count", "Kaffe 7310865 4,75 1 st   4.75", "Ost 7310866 1,10 2 st     2.20", ["Kaffe = 475", "Ost × 2 = 220"]], // prettier-ignore
    ["a column of article numbers", "SPARKA soft toy  21394   4.75", "LACK bench       1472   2.75", ["SPARKA soft toy = 475", "LACK bench = 275"]], // prettier-ignore
    ["a tax mark in brackets", "(C) AGUA LUSO            4.75", "(A) QUEIJO FATIADO       2.75", ["AGUA LUSO = 475", "QUEIJO FATIADO = 275"]], // prettier-ignore
    ["a running number and a short code", "003 884 PAO DE QUEIJO    4.75", "004 1102 AGUA MINERAL    2.75", ["PAO DE QUEIJO = 475", "AGUA MINERAL = 275"]], // prettier-ignore
    ["francs", "Laugengipfeli        CHF 4.75", "Dinkelbrot           CHF 2.75", ["Laugengipfeli = 475", "Dinkelbrot = 275"]], // prettier-ignore
    ["the tax mark of its amount", "SER GOUDA C              4.75 C", "SOK JABLK A              2.75 A", ["SER GOUDA = 475", "SOK JABLK = 275"]], // prettier-ignore
    ["a tax mark and a line below it", "C_SER EDAMSKI            4.75", "B_ZELE OVOCNE            2.75", ["SER EDAMSKI = 475", "ZELE OVOCNE = 275"]], // prettier-ignore
    ["a code with letters for figures", "98O440011 STRAWBERRY     4.75", "E 98O44001l CHEESE       2.75", ["STRAWBERRY = 475", "CHEESE = 275"]], // prettier-ignore
    ["a code with its label", "PAO (Código: 21468)      4.75", "MUG (SKU: 4410)          2.75", ["PAO = 475", "MUG = 275"]], // prettier-ignore
    ["an offer and its price", "CHEESE                   4.75", "Cc £3.00                -1.75", ["CHEESE = 475", "Cc £3.00 = -175"]], // prettier-ignore
  ];
  for (const [name, first, second, expected] of rows)
    test(name, () => {
      const reading = readTyped(`
     CORNER STORE
     MILK                     2.00
     ${first}
     ${second}
     SOAP                     3.00
     TOTAL                    9.99
`);
      assert.deepEqual(brief(reading).slice(1, -1), expected);
    });
});

test("the grade of rice in Brazil is no lira, and so no total", () => {
  const reading = readTyped(`
     MERCADO DO VALE LTDA
     CNPJ: 11.223.344/0001-55
     COD    DESCRICAO
     QTD UN   VL UNIT R$     VL TOTAL R$
     004412 ARROZ LONGO T1 5KG
     2 UN x    24,90               49,80
     118842 FEIJAO CARIOCA 1KG
     3 UN x     6,98               20,94
     Valor total R$                70,74
     Pix                           70,74
`);
  assert.deepEqual(brief(reading), ["ARROZ LONGO T1 5KG × 2 = 4980", "FEIJAO CARIOCA 1KG × 3 = 2094"]);
});

describe("free goods are lines if they are printed as the other goods are", () => {
  test("with its count", () => {
    const reading = readTyped(`
     BRASSERIE
     2 Plat du jour          29,00
     1 Carafe d'eau           0,00
     1 Moules                17,50
       sans sel               0,00
     TOTAL                   46,50
`);
    assert.deepEqual(brief(reading).map((line) => line.replace(/ × \d/, "")), ["Plat du jour = 2900", "Carafe d'eau = 0", "Moules = 1750"]); // prettier-ignore
  });
  test("with its tax mark", () => {
    const reading = readTyped(`
     MARKET
     CHIPS AHOY               5.49 F
     CHIPS AHOY               0.00 F
     DEPOSIT WAIVED           0.00
     GRND CHUCK               8.31 F
     TOTAL                   13.80
`);
    assert.deepEqual(brief(reading), ["CHIPS AHOY = 549", "CHIPS AHOY = 0", "GRND CHUCK = 831"]);
  });
});

describe("what is left of a price is no name", () => {
  test("a currency before prices below their names, and a wish between the two", () => {
    const reading = readTyped(`
     KEDAI KOPI MERAPI
     01/06/2025 16:40
     1  Kopi Susu Gula Aren
                            Rp 28.000
     2  Croissant
        @ Rp 23.000         Rp 46.000
     1  Matcha Latte
        - Less Sugar
                            Rp 31.000
     TOTAL                 Rp 105.000
`);
    assert.deepEqual(
      reading.lines.map(({ description, amountMinor }) => `${description} = ${amountMinor}`),
      ["Kopi Susu Gula Aren = 2800000", "Croissant = 4600000", "Matcha Latte = 3100000"],
    );
  });
  test("a currency behind the price of one", () => {
    const reading = readTyped(`
     ÉLELMISZER BT.
         NYUGTA
     Füstölt tarja           C    1 617
     Natúr joghurt
       4 x 149 Ft            C      596
     Trappista               C    1 899
     ÖSSZESEN                    4 112 Ft
     KÉSZPÉNZ                    5 112 Ft
     VISSZAJÁRÓ                  1 000 Ft
`);
    assert.deepEqual(brief(reading).slice(0, 2), ["Füstölt tarja = 161700", "Natúr joghurt × 4 = 59600"]);
  });
});

test("names that begin above their amounts, behind a code", () => {
  const reading = readTyped(`
     Trgovina Boja i Alat
     048500292892 AURA sprej bijeli
     600ml  3,000 ko   25%   8,70  26,10
     4028641681312 Brusni papir fini
     100-2000  2,000 ko  25%  0,85  1,70
     Ukupno:                       27,80
`);
  assert.deepEqual(
    reading.lines.map(({ description }) => description),
    ["AURA sprej bijeli", "Brusni papir fini"],
  );
});

test("a column of article numbers with a mark, and what is taken off before its amount", () => {
  const deposits = readTyped(`
     Heron Foods
     Milk 1% Jug 4L                 $4.65  C
     +EHC  74127  DP                $0.07  R
     +Deposit  74123  DP            $0.25  R
     TOTAL                          $4.97
`);
  assert.deepEqual(brief(deposits), ["Milk 1% Jug 4L = 465", "+EHC = 7", "+Deposit = 25"]);
  const discount = readTyped(`
     TOKO MELATI
     MINYAK GORENG 2L
     1 PCS x 36500       36500
     GULA PASIR 1KG
     2 PCS x 17500       35000
     Diskon 5000         -5000
     Total Rp.           66500
     Bayar              100000
     Kembali             33500
`);
  assert.equal(discount.lines.at(-1)!.description, "Diskon");
});
