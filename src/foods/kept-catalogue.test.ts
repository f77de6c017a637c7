import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readNameModel } from "./matching/learned/store.ts";
import { createMatchData } from "./matching/match-data.ts";
import { createMatcher } from "./matching/match.ts";
import type { Matcher, NameSource } from "./matching/match.ts";
import { readCatalogue } from "./catalogue/store.ts";
import { PROGRAMS, readKeptCatalogue } from "./kept-catalogue.task.ts";

const NAMES = [
  "Whole Milk 1L",
  "SMKD MACKEREL FLT",
  "S/ONION",
  "Erdbeerjoghurt",
  "dog food",
  "jus de pomme",
  "7UP",
  "EPIN.HACH.SURG 1K",
];

test("a kept catalogue is that of the files, and finds the same foods as one made from them", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "rewards-foods-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const source = readCatalogue();
  const expected = found(createMatcher(source, createMatchData(source), readNameModel()));
  // The second one is read from the file that the first one wrote.
  for (let start = 0; start < 2; start++) {
    const { catalogue, matcher } = await readKeptCatalogue(folder);
    assert.deepEqual(catalogue, source);
    assert.deepEqual(found(matcher), expected);
    assert.equal(readdirSync(folder).length, 1);
    const [{ food } = { food: undefined }] = matcher.match("milk", { source: "food" });
    assert.equal(food, catalogue.byId.get(food!.id), "the index refers to the foods of the catalogue");
  }
});

test("all programs that the kept catalogue is made by decide on the name of its file", () => {
  const root = new URL(".", import.meta.url);
  const programs = PROGRAMS.map((path) => new URL(path, root).href);
  const reached = new Set(["catalogue/parse.ts", "matching/match-data.ts"].map((path) => new URL(path, root).href));
  for (const file of reached) {
    const imports = readFileSync(fileURLToPath(file), "utf8").matchAll(/^import (?!type\b)[^;]*"(\.[^"]+)";/gms);
    for (const [, target] of imports) reached.add(new URL(target!, file).href);
  }
  assert.ok(reached.size > 10);
  assert.deepEqual(
    [...reached].filter((file) => !programs.some((program) => file.startsWith(program))),
    [],
  );
});

function found(matcher: Matcher): unknown[] {
  const sources: NameSource[] = ["receipt", "meal"];
  return NAMES.flatMap((name) => sources.map((source) => matcher.match(name, { source })));
}
