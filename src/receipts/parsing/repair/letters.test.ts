import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withLettersRestored } from "./letters.ts";

describe("letters that the OCR doesn't have are restored in the country's words", () => {
  const read: [text: string, country: string | null, expected: string][] = [
    ["DOPPELBROTCHEN", "DE", "DOPPELBRÖTCHEN"],
    ["WURFELZUCKER", "DE", "WÜRFELZUCKER"],
    ["Hahnchen suB-sauer", "DE", "Hähnchen süß-sauer"],
    ["Warburger StraBe 130", "DE", "Warburger Straße 130"],
    ["PINA COLADA", "ES", "PIÑA COLADA"],
    ["SUBWAY SANDWICH", "DE", "SUBWAY SANDWICH"],
    ["STUCK IN THE MUD", "GB", "STUCK IN THE MUD"],
    ["BROTCHEN", null, "BROTCHEN"],
    ["Polarbrod Rag", "SE", "Polarbröd Rag"],
    ["KOKKENRULLE OKO", "DK", "KØKKENRULLE ØKO"],
    ["OKONOMI", "DK", "OKONOMI"],
  ];
  for (const [text, country, expected] of read) {
    test(`${text} (${country ?? "no country"})`, () => assert.equal(withLettersRestored(text, country), expected));
  }
});
