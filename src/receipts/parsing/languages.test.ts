import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../test/support/typed-receipt.ts";

describe("a receipt is read by the words of its language", () => {
  test("Poland: the price after a discount is no line, taxes before the sum are no goods", () => {
    const reading = readTyped(`
     DELIKATESY U JANKA SP. Z O.O.
     ul. Dluga 12 31-147 Krakow
     NIP 676-10-22-113
     2024-07-20
     PARAGON FISKALNY
     CHLEB ZYTNI C  1 x5,49         5,49C
     SER GOUDA C  1 x8,99           8,99C
     OPUST                         -2,00
                                    6,99C
     WODA GAZ. A  6 x1,50           9,00A
     SPRZEDAZ OPODATKOWANA A        9,00
     PTU A 23,00%                   1,68
     SPRZEDAZ OPODATKOWANA C       12,48
     PTU C 5,00%                    0,59
     SUMA PTU                       2,27
     SUMA PLN                      21,48
     GOTOWKA                       50,00
     RESZTA                        28,52
`);
    assert.deepEqual(
      [reading.country, reading.currency, reading.totalMinor, reading.changeMinor],
      ["PL", "PLN", 2148, 2852],
    );
    assert.deepEqual(brief(reading), ["CHLEB ZYTNI = 549", "SER GOUDA = 899", "OPUST = -200", "WODA GAZ. × 6 = 900"]);
  });

  test("Sweden: number, price and quantity in columns behind the name", () => {
    const reading = readTyped(`
     Livs i Hornet AB
     Org nr: 556112-2208
     Datum: 2024-10-11  Tid: 17:31
     Beskrivning  Artikelnr   Pris Mangd  Summa(SEK)
     Kaffe        7310050001  59,90 1,00 st  59,90
     Farsk farsa  2340012200  129,00 0,850 kg  109,65
     Lattmjolk    7310865004  16,95 2,00 st  33,90
     Att betala                   203,45
     Moms 12%                      21,80
     Kontokort                    203,45
`);
    assert.deepEqual([reading.country, reading.currency, reading.totalMinor], ["SE", "SEK", 20_345]);
    assert.deepEqual(brief(reading), ["Kaffe = 5990", "Farsk farsa × 0.85kg = 10965", "Lättmjölk × 2 = 3390"]);
  });

  test("Finland: the sum is rounded to the amount to pay", () => {
    const reading = readTyped(`
     Kyläkauppa Virtanen
     Y-tunnus 2814023-5
     Kuitti 31.1.2024 16:16
     RUISLEIPÄ             2,19
     KAHVI                 4,99
     VOI                   3,14
     YHTEENSÄ             10,32
     PYORISTYS            -0,02
     MAKSETTAVA           10,30
     KATEINEN             20,00
     TAKAISIN              9,70
`);
    assert.deepEqual([reading.country, reading.totalMinor, reading.roundingMinor], ["FI", 1030, -2]);
    assert.equal(reading.lines.length, 3);
  });

  test("Turkey: a star before each amount is no multiplication", () => {
    const reading = readTyped(`
     YILDIZ MARKET
     FIS NO : 0217    TARIH : 15/05/2024
     SUT 1LT          %1     *34,90
     EKMEK            %1     *27,50
     DETERJAN 4KG     %20   *189,90
     TOPKDV                  *32,27
     TOPLAM                 *252,30
     NAKIT                  *300,00
     PARA USTU               *47,70
`);
    assert.deepEqual([reading.country, reading.currency, reading.totalMinor], ["TR", "TRY", 25_230]);
    assert.deepEqual(brief(reading), ["SÜT 1LT = 3490", "EKMEK = 2750", "DETERJAN 4KG = 18990"]);
  });

  test("Brazil: a discount without a sign between two totals is subtracted", () => {
    const reading = readTyped(`
     MERCADO BOM JESUS LTDA
     CNPJ: 47.508.411/0816-40
     # COD DESC QTD UN VL UN R$ VL ITEM R$
     001 7891000100103 LEITE INTEGRAL 1L
               2 UN X 5,49           10,98
     002 7896004003979 CAFE 500G
               1 UN X 21,90          21,90
     VALOR TOTAL R$                  32,88
     DESCONTO R$                      1,90
     VALOR A PAGAR R$                30,98
     Dinheiro                        50,00
     Troco R$                        19,02
`);
    assert.deepEqual([reading.country, reading.currency, reading.totalMinor], ["BR", "BRL", 3098]);
    assert.deepEqual(brief(reading), ["LEITE INTEGRAL 1L × 2 = 1098", "CAFE 500G = 2190", "DESCONTO R$ = -190"]);
  });

  test("Portugal is distinguished from Spain, a line of the tax mark T1 from a total", () => {
    const reading = readTyped(`
     PASTELARIA DA PRACA
     M. Ferreira, Lda  NIF 513887221
     FATURA-RECIBO FR 2024A/3312
     Meia de leite      1,45  T1
     Tosta mista        3,20  T1
     Total              4,65
     Multibanco         4,65
     2024-07-26 14:09
`);
    assert.deepEqual([reading.country, reading.totalMinor], ["PT", 465]);
    assert.deepEqual(brief(reading), ["Meia de leite = 145", "Tosta mista = 320"]);
  });

  test("Chile: whole pesos, a count and its price below the code and the name", () => {
    const reading = readTyped(`
     ALMACEN DOS ESQUINAS
     R.U.T.: 76.330.118-2
     BOLETA ELECTRONICA N 2201
     FECHA: 04-10-2025  HORA: 12:30
     7801230000011 ACEITE MARAVILLA 1L
       2 X 2.790                5.580
     7801230000028 TE CEYLAN 100G  
       1 X 3.150                3.150
     TOTAL $                    8.730
     EFECTIVO                  10.000
     VUELTO                     1.270
`);
    assert.deepEqual(
      [reading.country, reading.currency, reading.date, reading.totalMinor, reading.changeMinor],
      ["CL", "CLP", "2025-10-04", 8730, 1270],
    );
    assert.deepEqual(brief(reading), ["ACEITE MARAVILLA 1L × 2 = 5580", "TE CEYLAN 100G = 3150"]);
  });

  test("Argentina: a count and its price with four decimals above the name", () => {
    const reading = readTyped(`
     ALMACEN LA ESTACION
     C.U.I.T. Nro.: 20-11222333-4
     Fecha 06/09/25  Hora 11:31:20
     2,0000 u x 2.100,0000
     YERBA MATE 500G (21,00)  4.200,00
     0,8000 k x 6.500,0000
     QUESO CREMOSO (21,00)    5.200,00
     TOTAL                  $ 9.400,00
     Efectivo                10.000,00
     Su Vuelto                  600,00
`);
    assert.deepEqual([reading.country, reading.currency, reading.totalMinor], ["AR", "ARS", 940_000]);
    assert.deepEqual(brief(reading), ["YERBA MATE 500G × 2 = 420000", "QUESO CREMOSO × 0.8kg = 520000"]);
  });
});

describe("the text on the amount's row is not always the name", () => {
  const rows: [string, string, string][] = [
    ["a code with a word before it", "TACHIPIRINA 16CPR", "cod. 012745168  10%"],
    ["the price repeated", "IBUPROFEN 400 20ST", "AVP 7,90"],
    ["when something began and ended", "PARKING", "IN 20:12 OUT 20:58"],
  ];
  for (const [habit, name, row] of rows)
    test(habit, () => {
      const reading = readTyped(`
     FARMACIA CENTRALE
     CREMA MANI                  6,90
     ${name}
       ${row.padEnd(20)}      7,90
     OKI TASK 20BST             11,40
     TOTALE COMPLESSIVO         26,20
`);
      assert.deepEqual(brief(reading)[1], `${name} = 790`);
    });
});
