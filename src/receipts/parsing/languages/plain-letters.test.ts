import assert from "node:assert/strict";
import { test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";
import { plainLetters } from "./plain-letters.ts";

test("letters with and without marks are the same words", () => {
  assert.equal(plainLetters("DO ZAPŁATY"), "DO ZAPLATY");
  assert.equal(plainLetters("Kjøp Søndag æble"), "Kjop Sondag aeble");
  assert.equal(plainLetters("ÖSSZESEN"), "OSSZESEN");
  assert.equal(plainLetters("Blumenstraße"), "Blumenstrasse");
  assert.equal(plainLetters("TOTAL 4,20"), "TOTAL 4,20");
});

test("a Polish total is found however its letters were read", () => {
  for (const label of ["DO ZAPŁATY", "DO ZAPLATY"]) {
    const receipt = readTyped(`
      Warzywniak Modrak
      ul. Kwietna 4
      30-412 Kraków
      NIP 675-111-22-33
      PARAGON FISKALNY
      Ogórki C  1 x3,50  3,50C
      Śliwki C  2 x4,10  8,20C
      SPRZ. OPODATK. C  11,70
      PTU C 5%  0,56
      ${label}  11,70
    `);
    assert.equal(receipt.totalMinor, 1170);
  }
});
