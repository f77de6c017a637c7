import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, dictionary, readTyped as read, typedPage as pageOf } from "../../../test/support/typed-receipt.ts";
import { parseReceipt } from "./parse.ts";
import type { ReceiptReading } from "./parse.ts";

function facts({ businessName, country, currency, date, time, totalMinor, cardLast4 }: ReceiptReading) {
  return { businessName, country, currency, date, time, totalMinor, cardLast4 };
}

describe("a receipt is read by the habits of its country", () => {
  test("United Kingdom: £ read as E, quantity below the name, savings and points are no goods", () => {
    const reading = read(`
              TESCO
         Kensington Superstore
     West Cromwell Road, London SW5 0TL
          Tel: 0345 677 9388
       VAT NO: GB 220 4302 31

     TESCO SEMI SKIMMED MILK 2L    E1.45
     BANANAS LOOSE
      0.745 kg @ E0.90/kg           E0.67
     HOVIS BEST OF BOTH 800G       £1.40
     TESCO HOUMOUS 200G            £2.60
      2 @ £1.30
     BAG FOR LIFE                  £0.30
     SUBTOTAL                      £6.42
     SAVINGS
     Cc Houmous 2 for 2.20        -£0.40
     TOTAL                         £6.02
     Visa Debit SALE               £6.02
     CARD NUMBER: ************4521
     CLUBCARD POINTS EARNED            6
     14/03/24   18:32   3456 012 5567
`);
    assert.deepEqual(facts(reading), {
      businessName: "Tesco",
      country: "GB",
      currency: "GBP",
      date: "2024-03-14",
      time: "18:32:00",
      totalMinor: 602,
      cardLast4: "4521",
    });
    assert.deepEqual(brief(reading), [
      "TESCO SEMI SKIMMED MILK 2L = 145",
      "BANANAS LOOSE × 0.745kg = 67",
      "HOVIS BEST OF BOTH 800G = 140",
      "TESCO HOUMOUS 200G × 2 = 260",
      "BAG FOR LIFE = 30",
      "Cc Houmous 2 for 2.20 = -40",
    ]);
  });

  test("Ireland: euro, deposit lines, change in cash", () => {
    const reading = read(`
            DUNNES STORES
         Cornelscourt, Dublin 18
          VAT No IE 4515821B
     AVONMORE MILK 1L              1.55
     BRENNANS BREAD 800G           2.19
     DEPOSIT                       0.15
     KERRYGOLD BUTTER 454G         4.29
     TOTAL                        €8.18
     CASH                        €10.00
     CHANGE                       €1.82
     Date 02/11/2024  Time 09:14
`);
    assert.deepEqual(facts(reading), {
      businessName: "Dunnes Stores",
      country: "IE",
      currency: "EUR",
      date: "2024-11-02",
      time: "09:14:00",
      totalMinor: 818,
      cardLast4: null,
    });
    assert.equal(reading.lines.length, 4);
    assert.equal(reading.changeMinor, 182);
  });

  test("United States: month first, codes, tax on top, coupons with the minus behind", () => {
    const reading = read(`
              Walmart
       1234 MAIN ST, BENTONVILLE AR 72712
            479-555-0100
     ST# 01234 OP# 009043 TE# 43 TR# 02345
     GV WHL MILK   007874235186 F     3.48 N
     BANANAS       000000004011KF
       2.46 lb @ 1 lb /0.58           1.43 N
     GRD BEEF 93   020565400000 F     6.97 N
     PAPER TOWEL   003700086523       8.94 X
     COUPON        352100             1.00-O
                     SUBTOTAL        19.82
          TAX 1   8.250 %             0.74
                        TOTAL        20.56
                   VISA TEND         20.56
     VISA CREDIT **** **** **** 1234
                   CHANGE DUE         0.00
            # ITEMS SOLD 4
         03/07/24     17:45:12
`);
    assert.deepEqual(facts(reading), {
      businessName: "Walmart",
      country: "US",
      currency: "USD",
      date: "2024-03-07",
      time: "17:45:12",
      totalMinor: 2056,
      cardLast4: "1234",
    });
    assert.deepEqual(brief(reading), [
      "GV WHL MILK = 348",
      "BANANAS × 2.46lb = 143",
      "GRD BEEF 93 = 697",
      "PAPER TOWEL = 894",
      "COUPON = -100",
    ]);
    assert.equal(reading.subTotalMinor, 1982);
  });

  test("Germany: quantity before or after the price, deposit given back, card slip below", () => {
    const reading = read(`
                 REWE
             Hauptstr. 12
             50667 Koln
        UID Nr.: DE812706034
                                 EUR
     H-MILCH 3,5%               0,99 B
     PFAND 0,25 EURO            0,25 A
     TOMATEN RISPE
       0,512 kg x  2,99 EUR/kg  1,53 B
     JOGHURT NATUR              1,38 B
       2 Stk x  0,69
     LEERGUT EINWEG            -0,50 A
     SUMME          EUR         3,65
     Geg. Mastercard EUR        3,65
     Steuer %  Netto  Steuer  Brutto
     B= 7,0%   3,64   0,26   3,90
     12.06.2023  14:05  Bon-Nr.:1433
`);
    assert.deepEqual(facts(reading), {
      businessName: "REWE",
      country: "DE",
      currency: "EUR",
      date: "2023-06-12",
      time: "14:05:00",
      totalMinor: 365,
      cardLast4: null,
    });
    assert.deepEqual(brief(reading), [
      "H-MILCH 3,5% = 99",
      "PFAND 0,25 EURO = 25",
      "TOMATEN RISPE × 0.512kg = 153",
      "JOGHURT NATUR × 2 = 138",
      "LEERGUT EINWEG = -50",
    ]);
    assert.equal(reading.discountsMinor, -50);
  });

  test("France: TTC, quantity rows, card payment", () => {
    const reading = read(`
            CARREFOUR MARKET
         12 RUE DE LA PAIX 75002 PARIS
          Tel 01 42 61 00 00
       SIRET 451 321 335 00012
     LAIT DEMI ECREME 1L         1,15 €
     BAGUETTE TRADITION
       2 x 1,20€                 2,40 €
     CAMEMBERT 250G              2,89 €
     POMMES GOLDEN
       0,845 kg x 2,50 €/kg      2,11 €
     REMISE FIDELITE            -0,50 €
     TOTAL A PAYER               8,05 €
     CARTE BANCAIRE              8,05 €
     Dont TVA 5,50%              0,42
     Le 05/09/2023 a 12:41
     MERCI DE VOTRE VISITE
`);
    assert.deepEqual(facts(reading), {
      businessName: "Carrefour",
      country: "FR",
      currency: "EUR",
      date: "2023-09-05",
      time: "12:41:00",
      totalMinor: 805,
      cardLast4: null,
    });
    assert.deepEqual(brief(reading), [
      "LAIT DEMI ECREME 1L = 115",
      "BAGUETTE TRADITION × 2 = 240",
      "CAMEMBERT 250G = 289",
      "POMMES GOLDEN × 0.845kg = 211",
      "REMISE FIDELITE = -50",
    ]);
  });

  test("Spain: a count before each name, unit price in a column of its own", () => {
    const reading = read(`
           MERCADONA, S.A.   A-46103834
         C/ MAYOR 10  28013 MADRID
             TELEFONO: 910000000
         21/01/2024 19:22  OP: 123456
       FACTURA SIMPLIFICADA: 2222-012-345678
     Descripcion        P. Unit  Importe
     1 LECHE ENTERA                0,95
     2 YOGUR NATURAL      1,10     2,20
     1 PLATANO
       0,780 kg     2,15 €/kg      1,68
     1 BOLSA PLASTICO              0,15
     TOTAL (€)                     4,98
     TARJETA BANCARIA              4,98
     IVA    BASE IMPONIBLE (€)  CUOTA (€)
     10%         4,40            0,43
`);
    assert.deepEqual(facts(reading), {
      businessName: "Mercadona",
      country: "ES",
      currency: "EUR",
      date: "2024-01-21",
      time: "19:22:00",
      totalMinor: 498,
      cardLast4: null,
    });
    assert.deepEqual(brief(reading), [
      "LECHE ENTERA = 95",
      "YOGUR NATURAL × 2 = 220",
      "PLATANO × 0.78kg = 168",
      "BOLSA PLASTICO = 15",
    ]);
  });

  test("Italy: a tax column beside the price, change given back", () => {
    const reading = read(`
              ESSELUNGA S.P.A.
         VIA GIAMBOLOGNA 1 - LIMITO
           P.IVA 04916380159
         DOCUMENTO COMMERCIALE
     DESCRIZIONE        IVA    PREZZO(€)
     LATTE INTERO 1L    4,00%     1,49
     PANE CASERECCIO    4,00%     2,35
     MELE GALA         4,00%     1,87
     SCONTO FIDATY              -0,30
     SUBTOTALE                    5,41
     TOTALE COMPLESSIVO           5,41
     di cui IVA                   0,21
     Pagamento contante          10,00
     Resto                        4,59
     17-02-2024 10:03
`);
    assert.deepEqual(facts(reading), {
      businessName: "Esselunga",
      country: "IT",
      currency: "EUR",
      date: "2024-02-17",
      time: "10:03:00",
      totalMinor: 541,
      cardLast4: null,
    });
    assert.deepEqual(brief(reading), [
      "LATTE INTERO 1L = 149",
      "PANE CASERECCIO = 235",
      "MELE GALA = 187",
      "SCONTO FIDATY = -30",
    ]);
    assert.equal(reading.taxMinor, 21);
  });

  test("Malaysia: the amount is above the name, the total is rounded to 5 sen", () => {
    const reading = read(`
         AEON CO. (M) BHD (126926-H)
        3RD FLR, AEON TAMAN MALURI SC
          GST ID : 002017394688
     1x 000000118927          16.90SR
        V-CHOR FRA
     2x 000005270385          10.46SR
        CE 13312 LONG H
        DISC 10% @8.01        -0.89
     Sub-total                26.47
     Total Sales Incl GST     26.47
     Rounding Adj             -0.02
     Total After Adj Incl GST 26.45
     CASH                     50.00
     Change Amt               23.55
     28/02/2018 20:11   1008 210 2100090
`);
    assert.deepEqual(facts(reading), {
      businessName: "AEON",
      country: "MY",
      currency: "MYR",
      date: "2018-02-28",
      time: "20:11:00",
      totalMinor: 2645,
      cardLast4: null,
    });
    assert.deepEqual(brief(reading), ["V-CHOR FRA = 1690", "CE 13312 LONG H × 2 = 1046", "DISC 10% = -89"]);
    assert.equal(reading.roundingMinor, -2);
  });
});

describe("arithmetic corrects misread figures and reports it", () => {
  test("an amount that differs in one digit from the one that the total requires", () => {
    const page = pageOf(`
     CORNER SHOP LTD
     MILK 1L            1.25
     BREAD              7.10
     TOTAL              2.35
     CASH               5.00
     CHANGE             2.65
`);
    const doubtful = page.boxes.map((box) => (box.text === "7.10" ? { ...box, score: 0.7 } : box));
    const reading = parseReceipt({ ...page, boxes: doubtful }, dictionary);
    assert.deepEqual(brief(reading), ["MILK 1L = 125", "BREAD = 110"]);
    assert.equal(reading.repairs.length, 1);
  });
});

describe("the list ends before its sum", () => {
  const goods = `
     CORNER SHOP LTD
     MILK 1L            1.25
     COLGATE TOTAL      3.50
     LEMON TART         2.00
     BREAD              1.10
`;
  const lines = ["MILK 1L = 125", "COLGATE TOTAL = 350", "LEMON TART = 200", "BREAD = 110"];

  test("although goods have the word total in their name", () => {
    const reading = read(`${goods}
     TOTAL              7.85
     CASH              10.00
     CHANGE             2.15
`);
    assert.deepEqual(brief(reading), lines);
    assert.equal(reading.totalMinor, 785);
  });

  test("although its word was misread", () => {
    const reading = read(`${goods}
     IQYRL              7.85
     CASH              10.00
     CHANGE             2.15
`);
    assert.deepEqual(brief(reading), lines);
    assert.equal(reading.totalMinor, 785);
  });

  test("with the tax on top", () => {
    const reading = read(`${goods}
     TAX                0.65
     **** BALANCE       8.50
     VISA               8.50
`);
    assert.deepEqual(brief(reading), lines);
    assert.equal(reading.totalMinor, 850);
  });
});

describe("more habits", () => {
  test("Netherlands: its own words, a deposit charged after the subtotal", () => {
    const reading = read(`
     JANSEN VERSMARKT
     Hoofdstraat 8 1012 AB Amsterdam
     1 HALFVOLLE MELK             1,09
     2 BRUIN BROOD       1,89     3,78
     1 KAAS JONG BELEGEN          4,55
     BONUS KAAS                  -0,90
     SUBTOTAAL                    8,52
     STATIEGELD                   0,25
     TOTAAL                       8,77
     PINNEN                       8,77
     BTW    OVER     EUR
     9%     8,05    0,72
     15-04-2020 17:20
`);
    assert.equal(reading.country, "NL");
    assert.equal(reading.totalMinor, 877);
    assert.deepEqual(brief(reading), [
      "HALFVOLLE MELK = 109",
      "BRUIN BROOD × 2 = 378",
      "KAAS JONG BELEGEN = 455",
      "BONUS KAAS = -90",
      "STATIEGELD = 25",
    ]);
  });

  test("United Kingdom: credits reach beyond the column; America: the tax above the balance, a town in Colorado is no company", () => {
    const credits = read(`
     FENWICK STORES
     CAT FOOD POUCH             £1.50
     CAT FOOD POUCH             £1.50
     3 FOR 2                    £1.50 CR
     BUTTER 250G                £2.00
     Multibuy saving           -£0.50 CR
     5 BALANCE DUE              £3.00
`);
    assert.equal(credits.discountsMinor, -200);
    const american = read(`
          GIANT OAK MARKET
         Denver, CO 80204
     LARGE EGGS 12CT          3.49 F
     WHEAT THINS              4.29 F
     COKE ZERO 12PK           8.99 T
     TAX                      0.72
     **** BALANCE            17.49
     VISA                    17.49
     Apr 15, 2020  06:42 PM
`);
    const { merchantName, taxMinor, totalMinor, date, time } = american;
    assert.deepEqual(
      { merchantName, taxMinor, totalMinor, date, time },
      { merchantName: "GIANT OAK MARKET", taxMinor: 72, totalMinor: 1749, date: "2020-04-15", time: "18:42:00" },
    );
  });

  test("the amount to pay with the service is the total, and charges on top are no goods", () => {
    const reading = read(`
     The Copper Kettle
     Flat White              6.40
     Eggs Benedict           9.50
     Total excl VAT         15.90
     VAT @ 20%               3.18
     Total                  19.08
     Service 10%             1.91
     Amount to pay          20.99
`);
    assert.equal(reading.totalMinor, 2099);
    assert.deepEqual(brief(reading), ["Flat White = 640", "Eggs Benedict = 950"]);
  });
});

describe("damaged or divided print is read", () => {
  test("a total with faded digits ends the list and is the sum of the lines", () => {
    const reading = read(`
     GRUENER MARKT GMBH
     33100 Paderborn
     SEIFE                 8,99 V
     WALNUESSE             3,49 E
     HONIG                 6,98 E
     SUMME          EUR    19, 6
     Mastercard     EUR    19, 6
     V 19,0%   1,44  7,55  8,99
     15.04.20  16:15
`);
    assert.equal(reading.totalMinor, 1946);
    assert.deepEqual(brief(reading), ["SEIFE = 899", "WALNUESSE = 349", "HONIG = 698"]);
  });

  test("an invoice with a total for each section", () => {
    const reading = read(`
     NORTHGATE BAKERIES SDN BHD
     Date: 21/08/2017
     Description         U.P     Qty     Amt(RM)
     WHITE BREAD         2.13      3        6.39
     WHOLEMEAL           2.78      5       13.90
     Total 0% supplies:                    20.29
     BUTTERSCOTCH        3.72      2        7.44
     CHOCOLATE ROLL      0.72     20       14.40
     Total 6% supplies (excl. GST):        21.84
     GST:                                   1.31
     Total 6% supplies (Inc. GST):         23.15
     Total 0% supplies:                    20.29
     Total Payable:                        43.44
`);
    assert.equal(reading.totalMinor, 4344);
    assert.deepEqual(reading.lines.map(({ amountMinor }) => amountMinor), [639, 1390, 744, 1440]); // prettier-ignore
  });
});

describe("the kind of shop", () => {
  test("is found outside the list, since shops sell coffee and kitchen rolls", () => {
    const goods = `
     KITCHEN ROLL 2PK     1.20
     CAFE MOLIDO          3.20
     TOTAL                4.40
`;
    assert.equal(read(`PATEL NEWS\n12 High Street\n${goods}`).merchantKind, "other");
    assert.equal(read(`PATEL MINI MARKET\n12 High Street\n${goods}`).merchantKind, "grocery");
    assert.equal(read(`THE HARBOUR KITCHEN\n12 High Street\n${goods}`).merchantKind, "restaurant");
    assert.equal(read(`DA MARIO\n12 High Street\n     COPERTO              2.00\n${goods}`).merchantKind, "restaurant");
  });
});

describe("the card's digits are not those of another number", () => {
  test("of the customer or the shop", () => {
    const reading = read(`
     CORNER SHOP LTD
     MILK 1L            1.25
     TOTAL              1.25
     Member *********6436
     MERCHANT: 123456  TID ****1631
     Card No. ************0014
`);
    assert.equal(reading.cardLast4, "0014");
    assert.equal(read("CORNER SHOP\nTicket.......... 1234\nMILK 1L   1.25\nTOTAL   1.25").cardLast4, null);
  });
});

describe("any page is read without failing", () => {
  test("an empty one is no receipt", () => {
    const reading = parseReceipt({ width: 100, height: 100, rotation: 0, boxes: [] }, dictionary);
    assert.equal(reading.isReceipt, false);
    assert.deepEqual(reading.lines, []);
  });

  test("a row of very many figures, in about the time of others", () => {
    const reading = read(`CORNER SHOP\nMILK 1L   1.25\n${"1.23  ".repeat(60)}x\nTOTAL   1.25`);
    assert.equal(reading.totalMinor, 125);
  });

  test("a letter is no receipt", () => {
    assert.equal(read("Dear neighbour,\nthe garden party begins at noon.\nBring a chair, please.").isReceipt, false);
  });
});

describe("a dollar sign means the dollar of the country", () => {
  const dollars: [string, string, string][] = [
    ["825 Don Mills Rd, Toronto ON M3C 1V4", "CA", "CAD"],
    ["12 Tanjong Pagar Rd, Singapore 088443", "SG", "SGD"],
    ["2515 Florida Ave S, Lakeland, FL 33803", "US", "USD"],
  ];
  for (const [address, country, currency] of dollars)
    test(country, () => {
      const reading = read(`
        CORNER MARKET
        ${address}
        21-GROCERY
        OAT DRINK 1L            $2.99
        BREAD                   $3.49
        APPLES                  $1.20
        TOTAL                   $7.68
        `);
      assert.deepEqual([reading.country, reading.currency, reading.merchantName], [country, currency, "CORNER MARKET"]);
    });
});

test("rows of an included tax between goods and total are no goods", () => {
  const reading = read(`
        TABERNA CASA PACO
        C/ Cervantes 12 - 18009 Granada
        Fecha 12-05-24  Hora 14:20
        Cant Concepto    Precio    Total
        2   CANA           1,80     3,60
        1   CROQUETAS      7,50     7,50
        Base imponible             10,09
        IVA 10%                     1,01
        TOTAL EUR                  11,10
        `);
  assert.deepEqual([brief(reading), reading.totalMinor], [["CAÑA × 2 = 360", "CROQUETAS = 750"], 1110]);
});
