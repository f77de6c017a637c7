import assert from "node:assert/strict";
import { test } from "node:test";
import { isAddress, isBusiness, isTradeOnly, printedPart } from "./header-rows.ts";

test("a name is no address for a word that is one in another language", () => {
  for (const name of ["Al Noor", "No Worries", "Toast in a Box", "St Marie", "La Plaza de Ana", "Kota King"])
    assert.equal(isAddress(name), name === "Kota King", name);
  for (const address of ["Calle Mayor", "HIGH STREET", "ul. Rynek", "Str. Mare", "12 Al Noor Rd", "No 7, Jln Besar"])
    assert.equal(isAddress(address), true, address);
});

test("what a shop sells is no name", () => {
  for (const trades of ["FOTOCOPY - ATK - PRINT", "Carnes, Frutas, Verduras", "BOULANGERIE PATISSERIE"])
    assert.equal(isTradeOnly(trades), true, trades);
  for (const name of ["TASCA DO ZÉ", "Carnes Mora", "Harper, Lee & Co", "Good food - good mood"])
    assert.equal(isTradeOnly(name), false, name);
});

test("the year of foundation is no part of a name", () => {
  assert.equal(printedPart("POLVORON DESDE 1946"), "POLVORON");
  assert.equal(printedPart("Noodle Barn - Est. 1988"), "Noodle Barn");
  assert.equal(printedPart("SINCE 1966"), "");
});

test("a word of a trade is none where another language uses it for something else", () => {
  for (const text of ["Boire et manger", "TORI"]) assert.equal(isBusiness(text), false, text);
  for (const shop of ["ARSLAN ET KASAP", "YILDIZ ET MANGAL"]) assert.equal(isBusiness(shop), true, shop);
});
