import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dictionary, readTyped, typedPage } from "../../../../test/support/typed-receipt.ts";
import type { OcrPage } from "../../../ocr/page.ts";
import { parseReceipt } from "../parse.ts";
import { toMerchantDictionary } from "./merchant-dictionary.ts";

const CHAINS = toMerchantDictionary(
  `{"name": "Zelkova", "spellings": ["ZELKOVA"], "kind": "grocery", "country": "PL", "vatIds": [], "websites": []}
{"name": "Ruda", "spellings": ["RUDA"], "kind": "grocery", "country": "PL", "vatIds": [], "websites": []}`,
);
const GOODS = `
     MLEKO            3,49 C
     CHLEB            4,20 C
     SUMA PLN         7,69
     KARTA            7,69`;

/** The page with the rows of these texts set that many times as high. */
function withHeight(page: OcrPage, texts: readonly string[], times: number): OcrPage {
  const boxes = page.boxes.map((box) => {
    if (!texts.includes(box.text)) return box;
    const [a, b, c, d] = box.polygon;
    const lift = (times - 1) * (c.y - b.y);
    return {
      ...box,
      polygon: [{ ...a, y: a.y - lift / 2 }, { ...b, y: b.y - lift / 2 }, { ...c, y: c.y + lift / 2 }, { ...d, y: d.y + lift / 2 }] as typeof box.polygon,
    }; // prettier-ignore
  });
  return { ...page, boxes };
}

describe("a logo that was misread", () => {
  test("is that of a chain of the receipt's country", () => {
    const reading = parseReceipt(
      typedPage(`     Zetkcva\n     NIP 777-00-11-222\n     PARAGON FISKALNY${GOODS}`),
      CHAINS,
    );
    assert.deepEqual([reading.merchantName, reading.businessName], ["Zetkcva", "Zelkova"]);
  });

  test("is that of no chain of another country", () => {
    const reading = parseReceipt(
      typedPage(`     Zetkcva\n     12 High St, Leeds LS1 4AB${GOODS.replace("PLN", "GBP")}`),
      CHAINS,
    );
    assert.equal(reading.businessName, "Zetkcva");
  });
});

test("a short name of a chain is a word elsewhere", () => {
  const head = "     RUDA SMITH BAKERY\n     12 High St, Leeds LS1 4AB\n     VAT NO GB 123 4567 89";
  const reading = parseReceipt(typedPage(`${head}\n     BREAD       £2.10\n     TOTAL GBP   £2.10`), CHAINS);
  assert.equal(reading.businessName, "RUDA SMITH BAKERY");
});

test("a name set large in two short rows is one name", () => {
  const text = `     THAI

     LOTUS POND
     Table 11

     Menu 1              18.00
     Tea                  4.00
     Total CHF           22.00`;
  const page = withHeight(typedPage(text), ["THAI", "LOTUS POND"], 2);
  assert.equal(parseReceipt(page, dictionary).merchantName, "THAI LOTUS POND");
});

test("where the header is missing, goods are not taken for the shop", () => {
  const reading = readTyped(`
     ARROZ AGULHA 1KG
     2 UN X 5,00         10,00
     FEIJAO PRETO 1KG
     1 UN X 8,50          8,50
     TOTAL R$            18,50
`);
  assert.equal(reading.merchantName, null);
});

test("a misread logo that is of no chain is the name that is printed again below it, more legibly", () => {
  const page = typedPage(`RUMENND!\nRumen YA! Galeria\nJl. Bypass 4, Kuta\n12-06-2022 15:18${GOODS}`);
  const boxes = page.boxes.map((box) => (box.text === "RUMENND!" ? { ...box, score: 0.88 } : box));
  const reading = parseReceipt({ ...page, boxes }, CHAINS);
  assert.equal(reading.merchantName, "Rumen YA! Galeria");
});

test("print that is much lower than the rest is around the receipt, and not its name", () => {
  const text = `     Mum\n\n     Zetkcva\n     NIP 777-00-11-222\n     PARAGON FISKALNY${GOODS}`;
  assert.equal(parseReceipt(typedPage(text), []).merchantName, "Mum");
  assert.equal(parseReceipt(withHeight(typedPage(text), ["Mum"], 0.5), []).merchantName, "Zetkcva");
});

test("a card is of its chain in a country that is known", () => {
  const chains = toMerchantDictionary(
    `{"name": "Zelkova", "spellings": ["ZELKOVA"], "kind": "grocery", "country": "PL", "vatIds": [], "websites": [], "marks": ["MOJA KARTA"]}`,
  );
  const named = (text: string): string | null => parseReceipt(typedPage(text), chains).businessName;
  assert.equal(named(`     NIP 777-00-11-222\n     PARAGON FISKALNY${GOODS}\n     MOJA KARTA 12`), "Zelkova");
  assert.equal(named("     LIPA\n     BREAD       2.10\n     TOTAL       2.10\n     MOJA KARTA 12"), "LIPA");
});
