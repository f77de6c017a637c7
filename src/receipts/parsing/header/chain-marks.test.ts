import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a chain whose logo was not read", () => {
  const read = (sign: string): string | null =>
    readTyped(`
     Industrivagen 4
     12345 SMABY
     Org.nr 556000-1234
     ${sign}
     MJOLK 1,5L               17,90
     BROD                     24,90
     GURKA                    15,90
     ATT BETALA SEK           58,70
     KONTANT                  58,70
`).businessName;

  test("is known by its website's name, of no other country", () => {
    assert.equal(read("www.hemkop.se"), "Hemköp");
    assert.notEqual(read("www.hemkop.dk"), "Hemköp");
  });

  test("is known by a card of its own", () => {
    assert.equal(read("WILLYS PLUS 12345"), "Willys");
    assert.notEqual(read("CLUBCARD 12345"), "Tesco");
  });
});
