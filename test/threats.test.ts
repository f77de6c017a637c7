import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
const page = readFileSync(join(ROOT, "docs/threats.md"), "utf8");

test("each threat has one row, in order, and says what holds it", () => {
  const rows = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  const numbers = rows.map(([, number]) => Number(number));
  assert.deepEqual(
    numbers.slice(0, 87),
    Array.from({ length: 87 }, (_, i) => i + 1),
  );
  // Later sections number their rows by theme, with gaps.
  assert.ok(numbers.every((number, i) => i === 0 || number > numbers[i - 1]!));
  for (const [row, , , heldBy] of rows) assert.match(heldBy!, /\.test\.ts`|\blater\b|^as \d+|^there is no/, row);
});

test("every test that the page of threats names exists", () => {
  const cited = [...page.matchAll(/`([\w/.-]+\.test\.ts)`((?:,? "[^"]+")*)/g)];
  assert.ok(cited.length > 80);
  for (const [, file, names] of cited) {
    const source = readFileSync(join(ROOT, file!), "utf8");
    for (const [, name] of names!.matchAll(/"([^"]+)"/g)) assert.ok(source.includes(name!), `${file}: ${name}`);
  }
});
