import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LANGUAGES, formatCount, formatDate, formatMoney, formatNumber, languageFor, nameWithin } from "./language.ts";

const spoken = (wishes: Parameters<typeof languageFor>[0]) => languageFor(wishes).phrases.tag;

test("the switch goes before the session, the session before the browser; else it is English", () => {
  assert.equal(spoken({}), "en");
  assert.equal(spoken({ accepted: "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5" }), "fr");
  assert.equal(spoken({ accepted: "en;q=0.2, ar" }), "ar");
  assert.equal(spoken({ accepted: "pt-BR,pt;q=0.9,es;q=0.1" }), "es");
  assert.equal(spoken({ accepted: "de;q=0, en" }), "en");
  assert.equal(spoken({ session: "de-AT", accepted: "fr" }), "de");
  assert.equal(spoken({ session: "it", accepted: "fr" }), "fr");
  assert.equal(spoken({ chosen: "es", session: "de", accepted: "fr" }), "es");
  assert.equal(spoken({ chosen: "xx", session: "de" }), "de");
});

test("a switch is remembered only when it was one", () => {
  assert.equal(languageFor({ chosen: "de" }).isChosen, true);
  assert.equal(languageFor({ session: "de" }).isChosen, false);
  assert.equal(languageFor({ chosen: "<script>" }).isChosen, false);
});

test("no header and no parameter is too strange to choose a language", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (chosen, accepted) => {
      assert.ok(LANGUAGES.includes(languageFor({ chosen, session: chosen, accepted }).phrases));
    }),
  );
});

test("numbers, money and dates are written as the country does, as far as the page speaks its language", () => {
  assert.equal(formatNumber(languageFor({}), 1234.5), "1,234.5");
  assert.equal(formatNumber(languageFor({ session: "de-DE" }), 1234.5), "1.234,5");
  assert.equal(formatNumber(languageFor({ session: "it-IT" }), 1234.5), "1,234.5");
  assert.equal(languageFor({ chosen: "en", accepted: "de, en-US;q=0.5" }).locale, "en-US");
  assert.equal(formatMoney(languageFor({ session: "en-GB" }), 4.1, "GBP"), "£4.10");
  assert.equal(formatMoney(languageFor({ session: "de" }), 4.1, "EUR"), "4,10\u00a0€");
  assert.equal(formatMoney(languageFor({ accepted: "en-US" }), 4.1, "USD"), "$4.10");
  assert.match(formatMoney(languageFor({ session: "ar-AE" }), 4.1, "GBP"), /GBP.*4\.10|4\.10.*GBP/);
  assert.equal(formatMoney(languageFor({}), 4.1, null), "4.10");
  assert.equal(formatMoney(languageFor({}), 4.1, "no code"), "4.10");
  assert.equal(formatDate(languageFor({}), "2026-11-20"), "20 November 2026");
  assert.equal(formatDate(languageFor({ accepted: "en-US" }), "2026-11-20"), "November 20, 2026");
  assert.equal(formatDate(languageFor({}), "2026-13-20"), null);
});

test("each language counts as it does", () => {
  const points = (tag: string, count: number) => {
    const language = languageFor({ session: tag });
    return formatCount(language, language.phrases.points, count);
  };
  assert.deepEqual(
    [0, 1, 2, 1500].map((n) => points("en", n)),
    ["0 points", "1 point", "2 points", "1,500 points"],
  );
  assert.deepEqual(
    [0, 1, 2].map((n) => points("fr", n)),
    ["0 point", "1 point", "2 points"],
  );
  assert.deepEqual(
    [1, 2, 3, 11].map((n) => points("ar-AE", n)),
    ["نقطة واحدة", "نقطتان", "3 نقاط", "11 نقطة"],
  );
});

test("a name from left to right stays whole in a phrase from right to left", () => {
  assert.equal(nameWithin(languageFor({}), "Green Basket"), "Green Basket");
  assert.equal(nameWithin(languageFor({ session: "ar" }), "Green Basket"), "\u2068Green Basket\u2069");
});

test("a tag that is longer than any language's is ignored, although it is well-formed", () => {
  const long = `de-x-${"a-".repeat(7_500)}a`;
  assert.equal(new Intl.Locale(long).language, "de");
  for (const wishes of [{ chosen: long }, { session: long }]) {
    const { phrases, isChosen } = languageFor(wishes);
    assert.deepEqual([phrases.tag, isChosen], ["en", false]);
  }
});
