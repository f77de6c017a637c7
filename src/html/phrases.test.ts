import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LANGUAGES } from "./language.ts";
import { en } from "./languages/en.ts";
import { consentText } from "./phrases.ts";
import type { Phrases } from "./phrases.ts";

/** What each version of the consent said, so that its words cannot change under a version that people agreed to. */
const CONSENT_DIGESTS: Record<string, string> = {
  "consent/2 en": "764ff8891353c1c1",
  "consent/2 de": "23b648333f79f994",
  "consent/2 fr": "b416cdc6fd8de47f",
  "consent/2 es": "3fc8494d50e2af00",
  "consent/2 it": "53983c7b131aa5a7",
  "consent/2 nl": "23c6d38ef7243d0c",
  "consent/2 pl": "ff37522f1e265275",
  "consent/2 pt": "15f02feba73d893b",
  "consent/2 ar": "39c63e7fc23a8d54",
};

/** Every phrase by its path; a phrase about the application is taken for one named APP. */
function phrasesOf(value: unknown, path = ""): [string, string][] {
  if (typeof value === "function") return phrasesOf((value as (app: string) => unknown)("APP"), `${path}()`);
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, member]) => phrasesOf(member, `${path}.${key}`));
}

const pathsOf = (phrases: Phrases) =>
  // Languages differ in how they count.
  phrasesOf({ ...phrases, points: "" })
    .map(([path]) => path)
    .sort();

test("every file of a language is one of the languages", () => {
  const files = readdirSync(join(import.meta.dirname, "languages"));
  assert.deepEqual(files.sort(), LANGUAGES.map(({ tag }) => `${tag}.ts`).sort());
});

test("every language says all that English says, and leaves nothing empty", () => {
  for (const language of LANGUAGES) {
    assert.deepEqual(pathsOf(language), pathsOf(en), language.tag);
    for (const [path, text] of phrasesOf(language)) assert.ok(text.trim(), `${language.tag}${path}`);
  }
});

test("no language left a sentence in English", () => {
  const english = new Map(phrasesOf(en));
  for (const language of LANGUAGES.filter((candidate) => candidate !== en)) {
    const same = phrasesOf(language).filter(
      ([path, text]) => text.includes(" ") && !path.startsWith(".points") && english.get(path) === text,
    );
    assert.deepEqual(same, [], language.tag);
  }
});

test("every phrase about the application names it, in every language", () => {
  const named = phrasesOf(en)
    .filter(([, text]) => text.includes("APP"))
    .map(([path]) => path);
  for (const language of LANGUAGES) {
    const phrases = new Map(phrasesOf(language));
    for (const path of named) assert.ok(phrases.get(path)?.includes("APP"), `${language.tag}${path}`);
  }
});

test("every language has a form for every way in which it counts", () => {
  for (const { tag, locale, points } of LANGUAGES) {
    for (const rule of new Intl.PluralRules(locale).resolvedOptions().pluralCategories) {
      assert.ok(points[rule], `${tag}: ${rule}`);
    }
  }
});

test("the words of the consent are those of its version, in every language", () => {
  for (const { tag, consent } of LANGUAGES) {
    const digest = createHash("sha256").update(consentText(consent, "APP")).digest("hex").slice(0, 16);
    assert.equal(digest, CONSENT_DIGESTS[`${consent.version} ${tag}`], tag);
  }
});
