import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";
import { merchantNamedIn } from "./declared-name.ts";
import { toMerchantDictionary } from "./merchant-dictionary.ts";

const dictionary = toMerchantDictionary(
  readFileSync(new URL("../../../../reference/merchants.jsonl", import.meta.url), "utf8"),
);

describe("the declared merchant is in the receipt's text", () => {
  const named: [string, string[]][] = [
    ["Tesco Stores Ltd", ["*** TESCO ***", "Kensington"]],
    ["Green Valley Grocers", ["GREEN VALLEV GR0CERS LTD"]],
    ["Super Seven Cash & Carry", ["SUPER SEVEN", "CASH & CARRY SDN BHD"]],
    ["McDonald's", ["Gerbang Alaf Restaurants Sdn Bhd"]],
    ["Lidl", ["LIDL", "Warburger Str."]],
  ];
  for (const [declared, texts] of named)
    test(`${declared}: yes`, () => assert.equal(merchantNamedIn(texts, declared, dictionary), true));

  const missing: [string, string[]][] = [
    ["Tesco", ["SAINSBURY'S", "MILK 1.20"]],
    ["Aldi", ["WALDINGER STR. 5"]],
    ["Corner Bakery", ["CORNER SHOP", "BREAD 2.10"]],
  ];
  for (const [declared, texts] of missing)
    test(`${declared}: no`, () => assert.equal(merchantNamedIn(texts, declared, dictionary), false));
});

test("each chain of the dictionary has a name, spellings and VAT ids of its own", () => {
  const names = dictionary.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const ids = dictionary.flatMap(({ vatIds }) => vatIds);
  assert.equal(new Set(ids).size, ids.length);
  for (const { spellings, country } of dictionary) {
    assert.ok(spellings.length > 0);
    assert.ok(country === null || /^[A-Z]{2}$/.test(country));
  }
});

test("a product above its amount is no chain", () => {
  const reading = readTyped(`
      ROTI MELATI
12/01/2019 10:22
REAL GANACHE
1          16,500     16,500
EGG TART
1          13,000     13,000
TOTAL                 29,500
CASH                  30,000
CHANGE                   500
`);
  assert.equal(reading.merchantName, "ROTI MELATI");
});

test("a word of a slogan is no chain, and the name below a company is that above its trade", () => {
  const nameOf = (head: string): string | null =>
    readTyped(`${head}
12/06/2026 13:05
LATTE                 3.40
FLAPJACK              2.60
TOTAL                 6.00
VISA                  6.00
`).merchantName;
  assert.equal(nameOf("POUND CORNER\nEVERY PENNY COUNTS"), "POUND CORNER");
  // Before its slogan a chain is named.
  assert.equal(readTyped("SPAR FRESH DAILY\nLEEDS LS1 4AB\nLATTE   3.40\nTOTAL   3.40").merchantKind, "grocery");
  // A greeting is none either, in any language, alone on its row or before the name.
  assert.equal(nameOf("BUN VENIT LA\nTAVERNA VERDE"), "TAVERNA VERDE");
  assert.equal(nameOf("Willkommen im Lindenhof"), "Lindenhof");
  const reading = readTyped(`
SARL LES EMBRUNS 18
CHEZ MARCEL
Brasserie - Tabac - PMU
TEL 04.11.88.22.33
CAFE                  1,80
CROISSANT             1,40
TOTAL TTC             3,20
CB                    3,20
`);
  assert.equal(reading.businessName, "CHEZ MARCEL");
});

test("the shop of a company is that which the website names", () => {
  const businessOf = (sign: string): string | null =>
    readTyped(`
COMPRA VERDE Y FOOD S.L.
BRILLANTE DIAGONAL
Diagonal 640 08017 Barcelona
${sign}
12/06/2026 13:05
CAFE CON LECHE        1,60
TOSTADA               4,20
TOTAL                 5,80
`).businessName;
  assert.equal(businessOf("www.brillante.es"), "BRILLANTE DIAGONAL");
  assert.equal(businessOf("info@gestoria-sol.es"), "COMPRA VERDE Y FOOD S.L.");
});

test("the number of premises is no letter of a chain", () => {
  const reading = readTyped(`
106481835
KOMERC VIR
1234567-MARKET LIPA 33
BALKANSKA 123
Naziv   Cena         Kol.         Ukupno
VODA 1.5 L
       89,99          6          539,94
Ukupan iznos:                    539,94
06.05.2023. 20:33:41
`);
  assert.equal(reading.businessName, "KOMERC VIR");
});

test("a chain's spelling that is a common word counts only in the chain's own country", () => {
  const readingOf = (head: string, place: string): (string | null)[] => {
    const { businessName, country } = readTyped(`
${head}
${place}
BREAD            2.50
MILK             1.20
TOTAL            3.70
`);
    return [businessName, country];
  };
  for (const name of ["Holland Bakery", "Spartan Pizza", "Point Coffee", "Disco Bowling Bar"])
    assert.deepEqual(readingOf(name, "Austin, TX 78702"), [name, "US"]);
  assert.deepEqual(readingOf("Holland Bakery", "Jl. Sudirman 5 Jakarta\nTELP 021-118822"), ["Holland Bakery", "ID"]);
});
