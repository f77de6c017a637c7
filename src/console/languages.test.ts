import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { colon } from "./format.ts";
import { CONSOLE_LANGUAGES, consoleLanguageFor } from "./language.ts";
import type { ConsolePhrases } from "./language.ts";
import { en } from "./languages/en/index.ts";

/**
 * Texts that a language may have in common with English: names, codes, and words that are the same there. A phrase
 * with arguments is listed without them. Separated by bars.
 */
const SAME_AS_ENGLISH: Readonly<Record<string, string>> = {
  all: "API|CO2e|CO2e, kg|Endpoint|JSON|kg|OK|Rewards|Sandbox|Webhook|Webhooks|ltr",
  de:
    "Bonus|Bronze|Code|Codes|Definition|Details|Gold|Manager|Name|Passkeys|Payload|Person|Secret|Status|Team|" +
    "Version",
  fr:
    "Action|Actions|Application|Bonus|Bronze|Code|Codes|Conditions|Correction|Corrections|Date|Description|Menu|" +
    "Note|Notes|Payload|Points|Programme|Secret|Sessions|Total|Transaction|Version|Versions",
  es: "Alcohol|No|Roles|Total",
  it: "Bonus|Menu|No|Password|Team",
  nl: "Alcohol|Bonus|Code|Codes|Details|Event|Events|Id|Manager|Menu|Passkeys|Payload|Status|Team|Voucher|Week",
  pl: "Bonus|Client id|Id|Menu|Operator|Status|Voucher",
  pt: "Bronze|Menu|Total",
};

/** Words that no other language of the console has: a sentence with one of them was not translated to its end. */
const ENGLISH_ONLY = /(?:^|[^\p{L}_])(?:the|and|with|which|this|that|your|were|been)(?![\p{L}_])/iu;

const OTHERS = CONSOLE_LANGUAGES.filter((language) => language !== en);

interface Phrase {
  readonly path: string;
  readonly text: string;
  /** How the arguments are written in it. */
  readonly used: readonly string[];
}

/** An argument of any type: as text it is its name; a member of it is one more argument. */
function argument(name: string, used: string[]): unknown {
  return new Proxy(
    {},
    {
      get: (_, member) => {
        if (member !== Symbol.toPrimitive) return argument(`${name}.${String(member)}`, used);
        return () => {
          used.push(`⟦${name}⟧`);
          return `⟦${name}⟧`;
        };
      },
    },
  );
}

/** Every phrase by its path. What takes arguments is called with some that can be found in the text. */
function phrasesOf(value: unknown, path = "", used: string[] = []): Phrase[] {
  if (typeof value === "string") return [{ path, text: value, used }];
  if (typeof value === "function") {
    const all: string[] = [];
    const phrase = value as (...of: unknown[]) => unknown;
    const given = Array.from({ length: phrase.length }, (_, index) => argument(String(index), all));
    return phrasesOf(phrase(...given), `${path}()`, all);
  }
  return Object.entries(value as object).flatMap(([key, member]) => phrasesOf(member, `${path}.${key}`, used));
}

/** Phrases that count: a form for each plural, and `{n}` for the number. By their path, in English. */
const COUNTED = phrasesOf(en).flatMap(({ path, text }) =>
  path.endsWith(".other") && text.includes("{n}") ? [path.slice(0, -".other".length)] : [],
);
const isCounted = ({ path }: Phrase) => COUNTED.includes(path.slice(0, path.lastIndexOf(".")));
const single = (phrases: ConsolePhrases) => phrasesOf(phrases).filter((phrase) => !isCounted(phrase));

/** A text without its arguments and the marks around them. */
const bare = (text: string) => text.replaceAll(/⟦[^⟧]*⟧|\{\w+\}/g, "").replaceAll(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");

test("every folder of a language is one of the languages, and found by its tag", () => {
  const folders = readdirSync(join(import.meta.dirname, "languages"));
  assert.deepEqual(folders.sort(), CONSOLE_LANGUAGES.map(({ tag }) => tag).sort());
  for (const phrases of CONSOLE_LANGUAGES) {
    const { tag, locale, name, direction } = phrases;
    assert.equal(consoleLanguageFor({ chosen: tag }).phrases, phrases);
    assert.equal(new Intl.Locale(locale).language, tag);
    const own = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? "";
    assert.equal(name.toLocaleLowerCase(tag), own.toLocaleLowerCase(tag));
    assert.equal(direction, ["ar", "fa", "he", "ur"].includes(tag) ? "rtl" : "ltr", tag);
  }
});

test("what the person chose goes first, then the first of the browser's languages that there is", () => {
  const spoken = (chosen: string | null, accepted: string) => consoleLanguageFor({ chosen, accepted }).phrases.tag;
  assert.equal(spoken(null, "xx, en;q=0.9"), "en");
  for (const { tag } of OTHERS) {
    assert.equal(spoken(tag, "en"), tag);
    assert.equal(spoken("en", tag), "en");
    assert.equal(spoken(null, `xx, ${tag};q=0.9, en;q=0.8`), tag);
    assert.equal(spoken("xx", tag), tag);
  }
});

test("every language of the console says all that English says, and nothing else", () => {
  const shape = (phrases: ConsolePhrases) => new Map(single(phrases).map(({ path, text }) => [path, text]));
  const english = shape(en);
  for (const language of OTHERS) {
    const own = shape(language);
    assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort(), language.tag);
    for (const [path, text] of own) {
      assert.equal(text.trim() === "", english.get(path)!.trim() === "", `${language.tag}${path} is empty`);
      assert.equal(text, text.trim(), `${language.tag}${path} begins or ends with a space`);
    }
  }
});

test("every phrase that counts has exactly the plurals of its language", () => {
  assert.ok(COUNTED.length > 0);
  for (const language of CONSOLE_LANGUAGES) {
    const plurals = new Intl.PluralRules(language.locale).resolvedOptions().pluralCategories;
    const all = phrasesOf(language);
    for (const path of COUNTED) {
      const forms = all.filter((phrase) => phrase.path.slice(0, phrase.path.lastIndexOf(".")) === path);
      const rules = forms.map((form) => form.path.slice(path.length + 1));
      assert.deepEqual(rules.sort(), [...plurals].sort(), `${language.tag}${path}`);
      assert.ok(forms.find((form) => form.path.endsWith(".other"))?.text.includes("{n}"), `${language.tag}${path}`);
      for (const form of forms) assert.ok(form.text.trim(), `${language.tag}${form.path}`);
    }
  }
});

test("every phrase says all of its arguments, those of English", () => {
  const english = new Map(single(en).map((phrase) => [phrase.path, new Set(phrase.used)]));
  for (const language of CONSOLE_LANGUAGES) {
    for (const { path, text, used } of single(language)) {
      assert.deepEqual(new Set(used), english.get(path), `${language.tag}${path}`);
      for (const each of used) assert.ok(text.includes(each), `${language.tag}${path}: ${each}`);
    }
    const marks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([mark]) => mark).sort();
    const own = new Map(single(language).map(({ path, text }) => [path, text]));
    for (const { path, text } of single(en)) assert.deepEqual(marks(own.get(path)!), marks(text), language.tag + path);
  }
});

test("nothing is left in English but words of the list", () => {
  const english = new Map(phrasesOf(en).map(({ path, text }) => [path, bare(text)]));
  for (const language of OTHERS) {
    const allowed = new Set(
      `${SAME_AS_ENGLISH["all"]}|${SAME_AS_ENGLISH[language.tag] ?? ""}`.toLowerCase().split("|"),
    );
    const same = phrasesOf(language)
      .map(({ path, text }) => ({ path, text: bare(text) }))
      // A single letter is a key, or a number.
      .filter(
        ({ path, text }) => /\p{L}{2}/u.test(text) && english.get(path) === text && !allowed.has(text.toLowerCase()),
      );
    assert.deepEqual(same, [], language.tag);
    const unfinished = phrasesOf(language).filter(({ text }) => ENGLISH_ONLY.test(text));
    assert.deepEqual(unfinished, [], language.tag);
  }
});

test("no phrase has markup, and none straight quotes where the language has its own", () => {
  for (const language of CONSOLE_LANGUAGES) {
    for (const { path, text } of phrasesOf(language)) {
      assert.doesNotMatch(text, /<|>|&\w+;|\n|"/, language.tag + path);
      if (language !== en) assert.doesNotMatch(text, /\p{L}'/u, `${language.tag}${path} has a typewriter's apostrophe`);
    }
  }
});

test("French has a space that does not break before a colon and before its other high marks", () => {
  for (const { path, text } of phrasesOf(CONSOLE_LANGUAGES.find(({ tag }) => tag === "fr"))) {
    assert.doesNotMatch(text, / [:;!?»]|« |[\p{L}⟧][;!?»]/u, path);
  }
  assert.equal(`Bonus${colon(consoleLanguageFor({ chosen: "fr-CA" }))} 5`, "Bonus\u00a0: 5");
  assert.equal(`Bonus${colon(consoleLanguageFor({ chosen: "de" }))} 5`, "Bonus: 5");
});
