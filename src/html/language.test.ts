import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LANGUAGES, formatCount, formatDate, formatMoney, formatNumber, languageFor, nameWithin } from "./language.ts";

const spoken = (wishes: Parameters<typeof languageFor>[0]) => languageFor(wishes).phrases.tag;

test("the switch goes before the session, the session before the browser; else it is English", () => {
  assert.equal(spoken({}), "en");
  assert.equal(spoken({ accepted: "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5" }), "fr");
  assert.equal(spoken({ accepted: "en;q=0.2, ar" }), "ar");
  assert.equal(spoken({ accepted: "pt-BR,pt;q=0.9,es;q=0.1" }), "pt");
  assert.equal(spoken({ accepted: "sv-SE,sv;q=0.9,es;q=0.1" }), "es");
  assert.equal(spoken({ accepted: "de;q=0, en" }), "en");
  assert.equal(spoken({ session: "de-AT", accepted: "fr" }), "de");
  assert.equal(spoken({ session: "sv", accepted: "fr" }), "fr");
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
  assert.equal(formatNumber(languageFor({ session: "sv-SE" }), 1234.5), "1,234.5");
  assert.equal(languageFor({ chosen: "en", accepted: "de, en-US;q=0.5" }).locale, "en-US");
  assert.equal(formatMoney(languageFor({ session: "en-GB" }), 4.1, "GBP"), "£4.10");
  assert.equal(formatMoney(languageFor({ session: "de" }), 4.1, "EUR"), "4,10\u00a0€");
  assert.equal(formatMoney(languageFor({ accepted: "en-US" }), 4.1, "USD"), "$4.10");
  assert.equal(formatMoney(languageFor({ session: "it" }), 4.1, "EUR"), "4,10\u00a0€");
  assert.equal(formatMoney(languageFor({ session: "nl" }), 4.1, "EUR"), "€\u00a04,10");
  assert.equal(formatMoney(languageFor({ session: "pl" }), 4.1, "PLN"), "4,10\u00a0zł");
  assert.equal(formatMoney(languageFor({ session: "pt" }), 4.1, "EUR"), "4,10\u00a0€");
  assert.equal(formatMoney(languageFor({ accepted: "pt-BR" }), 4.1, "BRL"), "R$\u00a04,10");
  assert.match(formatMoney(languageFor({ session: "ar-AE" }), 4.1, "GBP"), /GBP.*4\.10|4\.10.*GBP/);
  assert.equal(formatMoney(languageFor({ session: "en" }), 1234, "JPY"), "¥1,234");
  assert.equal(formatMoney(languageFor({}), 4.1, null), "4.10");
  assert.equal(formatMoney(languageFor({}), 4.1, "no code"), "4.10");
  assert.equal(formatDate(languageFor({}), "2026-11-20"), "20 November 2026");
  assert.equal(formatDate(languageFor({ accepted: "en-US" }), "2026-11-20"), "November 20, 2026");
  assert.equal(formatDate(languageFor({ session: "it" }), "2026-11-20"), "20 novembre 2026");
  assert.equal(formatDate(languageFor({ session: "nl" }), "2026-11-20"), "20 november 2026");
  assert.equal(formatDate(languageFor({ session: "pl" }), "2026-11-20"), "20 listopada 2026");
  assert.equal(formatDate(languageFor({ session: "pt" }), "2026-11-20"), "20 de novembro de 2026");
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
    [0, 1, 2, 1_000_000].map((n) => points("it", n)),
    ["0 punti", "1 punto", "2 punti", "1.000.000 di punti"],
  );
  assert.deepEqual(
    [0, 1, 2, 1500].map((n) => points("nl", n)),
    ["0 punten", "1 punt", "2 punten", "1.500 punten"],
  );
  assert.deepEqual(
    [0, 1, 2, 5, 12, 22, 1.5].map((n) => points("pl", n)),
    ["0 punktów", "1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "1,5 punktu"],
  );
  assert.deepEqual(
    [0, 1, 2].map((n) => points("pt", n)),
    ["0 pontos", "1 ponto", "2 pontos"],
  );
  assert.deepEqual(
    [0, 1, 2, 1500].map((n) => points("pt-BR", n)),
    ["0 ponto", "1 ponto", "2 pontos", "1.500 pontos"],
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
