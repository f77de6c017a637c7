import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { originsOf } from "./origins.ts";

const line = (id: string, name: string, amountMinor: number) => ({ id, name, amountMinor });
const READ = [line("r-1", "Milk", 100), line("r-2", "Bread", 200), line("r-3", "Bag", 30)];

test("a line keeps its place on the picture after corrections; an added one has none", () => {
  assert.deepEqual(originsOf(READ, READ), [0, 1, 2]);
  assert.deepEqual(originsOf(READ, [READ[0]!, line("c-1", "Rye bread", 210), READ[2]!]), [0, 1, 2]);
  assert.deepEqual(originsOf(READ, [READ[0]!, READ[1]!]), [0, 1]);
  assert.deepEqual(originsOf(READ, [READ[0]!, line("c-1", "Bread", 250), line("c-2", "Tea", 400)]), [0, 1, 2]);
  assert.deepEqual(originsOf(READ, [...READ, line("c-1", "Tea", 400)]), [0, 1, 2, null]);
  assert.deepEqual(originsOf(READ, [line("c-1", "Oat milk", 100), line("c-2", "Tea", 9)]), [0, null]);
});

test("no two lines have one origin, and origins are in the order of the lines", () => {
  const change = fc.constantFrom("keep", "change", "remove");
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(3), (changes, added) => {
      const read = changes.map((_, i) => line(`r-${i + 1}`, `n${i % 3}`, (i % 4) * 10));
      const kept = changes.flatMap((what, i) =>
        what === "remove" ? [] : [what === "keep" ? read[i]! : line(`c-${i}`, `x${i}`, read[i]!.amountMinor)],
      );
      const today = [...kept, ...Array.from({ length: added }, (_, i) => line(`a-${i}`, `y${i}`, 7))];
      const origins = originsOf(read, today).filter((origin) => origin !== null);
      assert.deepEqual(
        origins,
        [...new Set(origins)].toSorted((a, b) => a - b),
      );
    }),
  );
});
