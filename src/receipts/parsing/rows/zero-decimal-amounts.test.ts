import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("amounts that are printed without decimals", () => {
  test("rupiah: thousands after a comma, a count and a price in columns of their own", () => {
    const reading = readTyped(`
     INDOMARET
     JL. SUDIRMAN NO. 4 JAKARTA
     12.05.24-19:20  2.0.18 441203
     SARIMI AYAM         4   2,900   11,600
     TEH BOTOL 450ML     1   5,500    5,500
     DISKON                            -900
     HARGA JUAL :                    17,100
     VOUCHER DISC :                    -900
     TOTAL :                         16,200
     TUNAI :                         20,000
     KEMBALI :                        3,800
`);
    assert.deepEqual([reading.currency, reading.totalMinor, reading.changeMinor], ["IDR", 1_620_000, 380_000]);
    assert.deepEqual(brief(reading), ["SARIMI AYAM × 4 = 1160000", "TEH BOTOL 450ML = 550000", "DISKON = -90000"]);
  });

  test("rupiah: thousands without a mark in the list, with one in the totals", () => {
    const reading = readTyped(`
     INDOMARET
     JL. KENANGA 4 SLEMAN
     SUSU UHT 189ML      3   9500   28500
     ROTI SOBEK          1  17000   17000
     KANTONG BELANJA     1    500     500
                   VOUCHER :       (2,000)
     HARGA JUAL :                   46,000
     TOTAL :                        44,000
     TUNAI :                        50,000
     KEMBALI :                       6,000
`);
    assert.deepEqual(
      brief(reading),
      ["SUSU UHT 189ML × 3 = 2850000", "ROTI SOBEK = 1700000", "KANTONG BELANJA = 50000", "VOUCHER = -200000"], // prettier-ignore
    );
  });

  test("kronor: a colon for the decimal mark", () => {
    const reading = readTyped(`
     Fika vid ån
     23 aug 2025     10:17
     Latte stor              52:00
     Bulle                   36:00
     ATT BETALA SEK          88:00
     Swish                   88:00
`);
    assert.deepEqual([reading.totalMinor, reading.time], [8800, "10:17:00"]);
    assert.deepEqual(brief(reading), ["Latte stor = 5200", "Bulle = 3600"]);
  });

  test("dong: no minor unit, weights stay weights", () => {
    const reading = readTyped(`
     CUA HANG MINH CHAU
     12 Hang Bai, Ha Noi
     Ngay ban: 02/08/2024 18:22
     Mat hang       Don gia   SL    T.Tien
     Gao ST25 5kg   185.000    1   185.000
     Thit heo       140.000  0,65   91.000
     Tong cong                     276.000
     Tien mat                      300.000
     Tien thua                      24.000
`);
    assert.deepEqual([reading.currency, reading.totalMinor], ["VND", 276_000]);
    assert.deepEqual(brief(reading), ["Gao ST25 5kg = 185000", "Thit heo × 0.65kg = 91000"]);
  });

  test("forints: a weight in capitals is no amount", () => {
    const reading = readTyped(`
     KISBOLT KFT.
     NYUGTA
     C00 BANÁN KG
         1,202 KG * 956 Ft/KG     1.149 Ft
     C00 KENYÉR                     899 Ft
     ÖSSZESEN:                    2.048 Ft
`);
    assert.deepEqual(brief(reading), ["BANÁN KG × 1.202kg = 114900", "KENYÉR = 89900"]);
  });

  test("forints: thousands separated by spaces, hundreds without, the sum rounded", () => {
    const reading = readTyped(`
     SARKI BOLT KFT
     -----NYUGTA-----
     C00 ROZSKENYER 500G           649
     C00 SAJT TRAPPISTA          1 749
     B00 ALMA
        1,204 KG * 450             542
     RESZOSSZEG:              2 940 Ft
     KEREKITES:                   0 Ft
     OSSZESEN:                2 940 Ft
     BANKKARTYA               2 940 Ft
     2024.03.29. 18:40
`);
    assert.deepEqual([reading.country, reading.totalMinor], ["HU", 294_000]);
    assert.deepEqual(reading.lines.map(({ amountMinor }) => amountMinor), [64_900, 174_900, 54_200]); // prettier-ignore
  });

  test("dashes mean zero decimals", () => {
    const reading = readTyped(`
     RESTAURANT BAEREN
     3011 Bern  CHE-114.203.876
     Tagesmenu              24.-
     Mineral gross           9.50
     TOTAL CHF              33.50
`);
    assert.deepEqual(brief(reading), ["Tagesmenu = 2400", "Mineral gross = 950"]);
  });

  test("a euro sign read as a digit makes no thousands", () => {
    const reading = readTyped(`
     BOULANGERIE PETIT
     BAGUETTE          1,206
     CROISSANT         2,406
     TARTE            12,506
     TOTAL            16,106
`);
    assert.equal(reading.totalMinor, 1610);
  });

  test("weights at the ends of rows are no thousands", () => {
    const reading = readTyped(`
     OBST & GEMUESE WINTER
     AEPFEL           1,204
       x 2,49          3,00
     BIRNEN           2,016
       x 1,99          4,01
     SUMME EUR         7,01
`);
    assert.equal(reading.totalMinor, 701);
  });

  test("whole amounts that are neither round nor high are amounts where they add up", () => {
    const reading = readTyped(`
     KOMBINI SAKURA
     Onigiri                160
     Sando                  298
     Latte                  248
     Fukuro                   3
     Gokei                  709
     Genkin               1,000
     Otsuri                 291
`);
    assert.equal(reading.totalMinor, 70_900);
    assert.equal(reading.lines.length, 4);
  });

  test("numbers that do not add up stay numbers", () => {
    const reading = readTyped(`
     MUSEUM CARD
     Level 1                160
     Level 2                298
     Level 3                248
     Points                 900
`);
    assert.equal(reading.totalMinor, null);
  });

  test("the last zero of a total among thousands was not read", () => {
    const reading = readTyped(`
     RUMAH RAMEN
     Ramen Ayam             37,000
     Es Teh                 13,800
     Gyoza                  12,000
     Subtotal               62,800
     PB1                     6,280
     Grand Total             69,08
`);
    assert.equal(reading.totalMinor, 6_908_000);
  });

  test("a zero behind the name of what is free is its amount, and no other is computed", () => {
    const reading = readTyped(`
     SUSHI MAWAR
     1 EDO SET             205.000
     2 OCHA                 22.000
     1 FREE BIRTHDAY CAKE        0
     Subtotal              227.000
     Service                17.025
     PB1                    24.403
     TOTAL                 268.428
`);
    assert.deepEqual(
      reading.lines.map(({ amountMinor }) => amountMinor),
      [20_500_000, 2_200_000, 0],
    );
  });

  test("a space between thousands needs no sign where the words are Hungarian", () => {
    const reading = readTyped(`
     KISKONDÉR ÉLELMISZER KFT.
     ADÓSZÁM: 11882234-2-13
     NYUGTA
     TEJFÖL 20%
       2 db x            459        918 C
     CSIRKESZÁRNY      1 343 C
     TUSFÜRDŐ 500ML    1 400 C
     ÖSSZESEN          3 661
     BANKKÁRTYA        3 661
`);
    assert.equal(reading.totalMinor, 366_100);
    assert.equal(reading.lines.length, 3);
  });

  test("dashes for fillér before the sign", () => {
    const reading = readTyped(`
     BAGOLY KÖNYVESBOLT
     NYUGTA
     TÉRKÉP BALATON       4 490,- B00
     NAPTÁR               3 990,- B00
     ÖSSZESEN:            8 480,- Ft
     BANKKÁRTYA:          8 480,- Ft
`);
    assert.equal(reading.totalMinor, 848_000);
    assert.equal(reading.lines.length, 2);
  });

  test("forints without any mark between thousands", () => {
    const reading = readTyped(`
     LEVENDULA FAGYI KFT
     - - - NYUGTA - - -
     GOMBÓC FAGYI
     3 db*650           1950 C
     TÖLCSÉR PRÉMIUM     250 C
     LIMONÁDÉ 0,3        650 C
     ÖSSZESEN           2850 Ft
     KÉSZPÉNZ           3000 Ft
     VISSZAJÁRÓ          150 Ft
`);
    assert.equal(reading.totalMinor, 285_000);
    assert.deepEqual(
      reading.lines.map(({ amountMinor }) => amountMinor),
      [195_000, 25_000, 65_000],
    );
  });
});

test("full hundreds are whole amounts where nothing names the country", () => {
  const reading = readTyped(`
     TIENDA LA ROSA
TINTO                 2.500
PANDEBONO             3.500
TOTAL A PAGAR $       6.000
EFECTIVO             10.000
CAMBIO                4.000
`);
  assert.deepEqual(brief(reading), ["TINTO = 250000", "PANDEBONO = 350000"]);
});

test("amounts in dinars have three decimals, be they full hundreds", () => {
  for (const [last, total] of [
    ["TOTAL                 7.200", "CHICKEN               0.500"],
    ["TOTAL KD             11.700", "CHICKEN               5.000"],
  ] as const) {
    const reading = readTyped(`
     CORNICHE GROCERY
MILK                  1.200
DATES                 2.500
RICE                  3.000
${total}
${last}
`);
    assert.equal(brief(reading)[0], "MILK = 120");
  }
});
