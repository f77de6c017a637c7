import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dictionary, typedPage } from "../../../test/support/typed-receipt.ts";
import { countryCodeOf } from "./languages/country-code.ts";
import { parseReceipt } from "./parse.ts";

const read = (likelyCountry: string | null, text: string, today: string | null = null) =>
  parseReceipt(typedPage(text), dictionary, { today, likelyCountry });

const CAFE = `
     THE COPPER KETTLE
     03/04/2026  10:14
     FLAT WHITE           $4.50
     BANANA BREAD         $6.00
     TOTAL               $10.50
`;

describe("what a receipt leaves open is read as in the country that it is likely from", () => {
  test("the currency of a sign, and the order of day and month", () => {
    const found = ["US", "AU", "CA", null].map((country) => {
      const reading = read(country, CAFE);
      return [reading.country, reading.currency, reading.date];
    });
    assert.deepEqual(found, [
      ["US", "USD", "2026-03-04"],
      ["AU", "AUD", "2026-04-03"],
      ["CA", "CAD", "2026-03-04"],
      ["US", "USD", "2026-03-04"],
    ]);
  });

  test("the day, also where both are before the upload", () => {
    const plain = CAFE.replaceAll("$", " ");
    assert.equal(read("US", plain, "2026-04-20").date, "2026-03-04");
    assert.equal(read("GB", plain, "2026-04-20").date, "2026-04-03");
  });

  test("whether amounts have decimals", () => {
    const text = `
     TIENDA LA COLINA
     ARROZ                 2,347
     LECHE                 4,152
     TOTAL                 6,499
`;
    assert.equal(read("CL", text).totalMinor, 6499);
    assert.equal(read("CL", text).currency, "CLP");
    assert.deepEqual(
      read("CL", text).lines.map(({ amountMinor }) => amountMinor),
      [2347, 4152],
    );
    assert.notEqual(read("GB", text).totalMinor, 6499);
  });

  test("letters of names that the OCR does not have", () => {
    const text = `
     AM MARKTPLATZ
     BROTCHEN              0,45
     TOTAL                 0,45
`;
    assert.deepEqual(
      ["DE", "GB"].map((country) => read(country, text).lines[0]?.description),
      ["BRÖTCHEN", "BROTCHEN"],
    );
  });

  test("but evidence on the paper wins", () => {
    const german = read(
      "US",
      `
     BACKEREI LINDE GMBH
     03.04.2026  10:14
     KAFFEE               4,50
     SUMME EUR            4,50
     MWST 7%              0,29
`,
    );
    assert.deepEqual([german.country, german.currency, german.date], ["DE", "EUR", "2026-04-03"]);
  });
});

test("a user's country may be written in many ways", () => {
  const written: [string, string | null][] = [
    ["DE", "DE"],
    [" de ", "DE"],
    ["Germany", "DE"],
    ["Deutschland", "DE"],
    ["España", "ES"],
    ["espana", "ES"],
    ["UK", "GB"],
    ["United Kingdom", "GB"],
    ["U.S.A.", "US"],
    ["HK", "HK"],
    ["", null],
    ["somewhere", null],
  ];
  for (const [text, code] of written) assert.equal(countryCodeOf(text), code, text);
});
