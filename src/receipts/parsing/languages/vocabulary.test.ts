import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { compactKey } from "../rows/labels.ts";
import { cluePattern, countryProblems, currencyProblems } from "./country.ts";
import {
  conflictMessage,
  CONFLICT_REMEDY,
  LABELS,
  languageProblems,
  WORD_LISTS,
  wordsWithTwoLabels,
} from "./language.ts";
import { anyWholeWordOf, anyWordOf, wordProblem } from "./notation.ts";
import { LANGUAGES } from "./vocabulary.ts";

/** Words that two languages read differently, each with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {};

describe("the files of reference/receipts", () => {
  test("no word has two labels, in one language or in two", () => {
    const conflicts = wordsWithTwoLabels(LANGUAGES).filter(({ word }) => !(word in ALLOWED));
    assert.deepEqual(conflicts.map(conflictMessage), []);
  });

  test("no two words with different labels look alike to the OCR", () => {
    const firstUses = new Map<string, { label: string; use: string }>();
    const conflicts: string[] = [];
    for (const [code, { labels = {} }] of LANGUAGES)
      for (const [label, words] of Object.entries(labels))
        for (const word of words) {
          const use = `"${word}" is listed as ${label} (${code})`;
          const first = firstUses.get(compactKey(word)) ?? { label, use };
          if (first.label !== label) conflicts.push(`${use}, ${first.use}; ${CONFLICT_REMEDY}`);
          firstUses.set(compactKey(word), first);
        }
    assert.deepEqual(conflicts, []);
  });

  test("every language's file is read: some country names it", () => {
    const files = readdirSync(new URL("../../../../reference/receipts/languages/", import.meta.url));
    const unread = files.filter((file) => !LANGUAGES.has(file.replace(/\.json$/, "")));
    assert.deepEqual(
      unread.map((file) => `${file}: no row of countries.json names it`),
      [],
    );
  });

  test("each language has twelve months or none, seven weekdays or none", () => {
    for (const [code, { months = {}, weekdays = {} }] of LANGUAGES) {
      assert.ok([0, 12].includes(Object.keys(months).length), `${code}: months`);
      assert.ok([0, 7].includes(Object.keys(weekdays).length), `${code}: weekdays`);
    }
  });
});

test("docs/add-a-country.md describes every label and every list of words", () => {
  const guide = readFileSync(new URL("../../../../docs/add-a-country.md", import.meta.url), "utf8");
  const membersOf = (heading: string): string[] => {
    const section = guide.split(`### ${heading}\n`)[1]?.split(/^##/m)[0] ?? "";
    const cells = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].map((match) => match[1]!);
    return cells.flatMap((cell) => cell.replaceAll("`", "").split(", "));
  };
  assert.deepEqual(membersOf("`labels`: what a row of the receipt is").toSorted(), LABELS.toSorted());
  assert.deepEqual(membersOf("Lists of words").toSorted(), WORD_LISTS.toSorted());
});

describe("errors of a file are named", () => {
  test("of a language", () => {
    const content = {
      labels: { total: ["totaal", ""], subtotal: ["totaal"], totel: ["x"] },
      months: { januari: ["januari"] },
      businesses: ["Bakkerij", "slager(ij", "slagerij", "slagerij"],
      headings: "aantal",
      bussinesses: [],
    };
    assert.deepEqual(languageProblems("languages/nl.json", content), [
      "languages/nl.json: has no name",
      'languages/nl.json: labels.total: "" is not written in small letters from a to z, words with one blank between',
      'languages/nl.json: unknown member "labels.totel"',
      'languages/nl.json: unknown member "months.januari"',
      'languages/nl.json: businesses: "Bakkerij" has a capital letter or a sign that the notation does not have',
      'languages/nl.json: businesses: "slager(ij" has a bracket that is not closed',
      'languages/nl.json: businesses: "slagerij" is listed twice',
      "languages/nl.json: headings is no list",
      'languages/nl.json: unknown member "bussinesses"',
      'languages/nl.json: "totaal" is listed as total (languages/nl.json) and subtotal (languages/nl.json); ' +
        "use a longer phrase of your language, or leave it out: docs/add-a-country.md",
    ]);
  });

  test("of the table of countries", () => {
    const row = { code: "NL", name: "Netherlands", currency: "EUR", decimalMark: ",", dateOrder: "dayFirst" };
    const content = [
      { ...row, languages: ["nl"], clues: [{ weight: 6, words: ["btw"] }] },
      { ...row, code: "IS", currency: "ISK", languages: ["nl"], clues: [] },
      { ...row, currency: "euro", dateOrder: "daysFirst", languages: ["xx"], clues: [{ weight: 60, patterns: ["("] }, {}] },
    ]; // prettier-ignore
    assert.deepEqual(
      countryProblems(
        content,
        (code) => code === "nl",
        (code) => code === "EUR",
      ),
      [
        "countries.json: IS: currency ISK has no row in currencies.json",
        "countries.json: NL has two rows",
        'countries.json: NL: currency is "euro"',
        'countries.json: NL: dateOrder is "daysFirst"',
        'countries.json: NL: languages: "xx" has no file languages/xx.json',
        "countries.json: NL: clue 1: weight is no number from 1 to 20",
        'countries.json: NL: clue 1: patterns: "(" is no regular expression',
        "countries.json: NL: clue 2: weight is no number from 1 to 20",
        "countries.json: NL: clue 2 has neither words nor patterns",
      ],
    );
  });

  test("of the table of currencies", () => {
    assert.deepEqual(currencyProblems([{ code: "PLN", sign: "zl", patterns: [""] }]), [
      'currencies.json: PLN: unknown member "sign"',
      'currencies.json: PLN: patterns: "" is empty',
    ]);
    assert.deepEqual(currencyProblems([{ code: "PLN", signs: ["zł", "PLN", "zl*"], patterns: [] }]), [
      'currencies.json: PLN: signs: "zł" is neither letters nor a currency symbol',
      'currencies.json: PLN: signs: "zl*" is neither letters nor a currency symbol',
    ]);
  });
});

describe("the notation of words", () => {
  const finds = (word: string, text: string): boolean => new RegExp(anyWordOf([word]), "i").test(text);

  test("a word is found as a whole, in capitals or not", () => {
    assert.equal(finds("bar", "Roxy BAR"), true);
    assert.equal(finds("bar", "barbier"), false);
  });

  test("`*` is any letters, at an end or inside; `?` a sign that may be missing; `#` a figure; `…` anything", () => {
    assert.equal(finds("*straat", "Kerkstraat 5"), true);
    assert.equal(finds("grocer*", "GROCERIES"), true);
    assert.equal(finds("sp.? ?z ?o.? ?o", "Jan Sp. z o.o."), true);
    assert.equal(finds("atu ?########", "ATU12345678"), true);
    assert.equal(finds("*www….pl", "www.sklep.pl"), true);
    assert.equal(finds("str…pr", "STR SUNCE JELENA ILIC PR"), true);
  });

  test("brackets: one of these letters, one of these parts, none of these behind", () => {
    assert.equal(finds("[cs]gst", "SGST"), true);
    assert.equal(finds("au(ss|b)er haus", "auBer Haus"), true);
    assert.equal(finds("valid(!ated)*", "valid till"), true);
    assert.equal(finds("valid(!ated)*", "validated"), false);
  });

  test("whole words are taken out of a text, the longest first", () => {
    assert.equal("PTU A SPRZEDAZ 5".replace(new RegExp(anyWholeWordOf(["ptu", "ptu a", "sprzed*"]), "gi"), ""), "  5");
    assert.equal("abc".replace(new RegExp(anyWholeWordOf([]), "g"), ""), "abc");
  });

  test("what is no word is refused", () => {
    for (const word of ["", " a", "A", "*", "**", "?a", "a(b", "a()", "a\\b"])
      assert.notEqual(wordProblem(word), null, word);
  });

  test("a clue finds its words and patterns; capitals count where it says so", () => {
    const clue = { weight: 5, words: ["btw"], patterns: [String.raw`\bNL\d{9}B\d{2}\b`] };
    assert.equal(cluePattern(clue).test("BTW 21%"), true);
    assert.equal(cluePattern({ ...clue, matchCase: true }).test("nl123456789b01"), false);
  });
});
