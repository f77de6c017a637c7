import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

/** Folders of the parser that each one may import, types included. Their order is that of the passes. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  languages: ["rows"],
  rows: ["languages"],
  items: ["languages", "rows"],
  totals: ["languages", "rows"],
  repair: ["languages", "rows", "items", "totals"],
  header: ["languages", "rows"],
  dates: ["languages"],
};

test("the folders of the parser import each other one way; only `languages` takes the type of labels from `rows`", () => {
  const root = import.meta.dirname;
  const wrong = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .flatMap((file) => {
        const path = join(root, folder, file);
        const targets = [...readFileSync(path, "utf8").matchAll(/ from "(\.[^"]+)"/g)].map((match) => match[1]!);
        return targets
          .map((target) => relative(root, resolve(dirname(path), target)))
          .filter((target) => !target.startsWith("..") && dirname(target) !== folder)
          .filter((target) => !allowed.includes(dirname(target)))
          .map((target) => `${folder}/${file} imports ${target}`);
      }),
  );
  assert.deepEqual(wrong, []);
});
