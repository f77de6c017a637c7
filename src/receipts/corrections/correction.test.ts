import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScoredLine } from "../../points/scored-line.ts";
import { namesToLookUp } from "./correction.ts";

test("a line is looked up by its name, also under the id of its version after its award was scored again", () => {
  const lines = [{ id: "r-1", name: "Oat drink", externalId: "" }] as unknown as ScoredLine[];
  const namesOf = (id: string) => namesToLookUp(lines, { reason: "Misread", items: [{ id, quantity: 2 }] });
  const expected = [{ name: "Oat drink", foodId: null }];
  assert.deepEqual(namesOf("r-1"), expected);
  assert.deepEqual(namesOf("r-1~2"), expected);
});
