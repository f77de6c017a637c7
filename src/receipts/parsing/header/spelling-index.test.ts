import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactKey } from "../rows/labels.ts";
import { spellingsIn } from "./spelling-index.ts";
import { readTyped } from "../../../../test/support/typed-receipt.ts";
import { toMerchantDictionary } from "./merchant-dictionary.ts";

const chain = (name: string, country: string | null = null): string =>
  JSON.stringify({ name, spellings: [name.toUpperCase()], kind: "other", country, vatIds: [], websites: [] });
const dictionary = toMerchantDictionary(
  ["Kwik Corner", "Vo", "Grandview Hardware"].map((name) => chain(name)).join("\n"),
);

describe("spellings that may be in a row", () => {
  const found = (text: string): string[] => spellingsIn(compactKey(text), dictionary).map((entry) => entry.chain.name);
  test("a name in other words, and names of two letters always", () =>
    assert.deepEqual(found("THE KWIK CORNER SHOP"), ["Kwik Corner", "Vo"]));
  test("a name with as many letters wrong as its length allows, wherever they are", () => {
    for (const text of ["XWIK CORNER", "KWIK CORNEX", "GRXNDVIEW HARDWARX", "GRANDVXXW HARDWARE"])
      assert.ok(found(text).length === 2, text);
  });
  test("nothing else", () => assert.deepEqual(found("BAKERY PLUM"), ["Vo"]));
});

describe("a chain in a row", () => {
  const merchant = (row: string, rest = ""): string | null => readTyped(`
     ${row}
     ${rest}
     BREAD                    2.00
     MILK                     3.00
     TOTAL                    5.00
`).businessName; // prettier-ignore
  test("a street with another number is no chain with a figure in its name", () => {
    assert.notEqual(merchant("Corner Bakery", "Mitre 820"), "Mitre 10");
    assert.equal(merchant("MITRE 10"), "Mitre 10");
  });
  test("a short word is not read as another one", () => {
    assert.equal(merchant("SUPERMERCADOS BH LTDA"), "Supermercados BH");
    assert.notEqual(merchant("SUPERMERCADOS NOVA LTDA"), "Supermercados BH");
  });
  test("the company of a chain in another country has the chain's usual name", () => {
    assert.equal(merchant("LIDL HELLAS & SIA O.E."), "Lidl");
    assert.equal(merchant("REKSO NASIONAL FOOD"), "McDonald's");
  });
});
