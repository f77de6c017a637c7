import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
const SPEC = join(ROOT, "../shared/spec.md");
const page = readFileSync(join(ROOT, "docs/spec-tests.md"), "utf8");

test("every test that the table of the specification names exists", () => {
  const rows = page.slice(page.indexOf("\n| "));
  const cited = [...rows.matchAll(/`([\w/.-]+\.test\.ts)`((?:,? "[^"]+")*)/g)];
  assert.ok(cited.length > 90);
  for (const [, file, names] of cited) {
    const source = readFileSync(join(ROOT, file!), "utf8");
    const titles = [...names!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
    assert.ok(titles.length > 0, `${file} is named with its tests`);
    for (const name of titles) assert.ok(source.includes(name), `${file}: ${name}`);
  }
});

test("each row of the table says what holds it", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Sentence"));
  assert.ok(rows.length > 75);
  for (const row of rows) assert.match(row, /^\| [^|]+ \| [^|]*(?:\.test\.ts`|names no behaviour)[^|]* \|$/);
});

test(
  "every section of the specification has its part of the table",
  { skip: !existsSync(SPEC) && "no ../shared" },
  () => {
    const sections = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    assert.deepEqual(sections(page), sections(readFileSync(SPEC, "utf8")));
  },
);
