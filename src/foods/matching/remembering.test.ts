import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate } from "./candidate.ts";
import type { NameSource } from "./match.ts";
import { remembering } from "./remembering.ts";

/** A matcher that notes what it is asked. */
function counting() {
  const asked: string[] = [];
  const match = (name: string, { source, limit }: { source: NameSource; limit?: number }): readonly Candidate[] => {
    asked.push(`${source} ${limit ?? 5} ${name}`);
    return [];
  };
  return { asked, match };
}

test("a name is matched once for each origin and limit", () => {
  const { asked, match } = counting();
  const matcher = remembering({ match });
  for (let i = 0; i < 3; i++) {
    matcher.match("milk", { source: "food" });
    matcher.match("milk", { source: "receipt" });
    matcher.match("milk", { source: "food", limit: 1 });
  }
  assert.deepEqual(asked, ["food 5 milk", "receipt 5 milk", "food 1 milk"]);
});

test("what was not asked for longest is forgotten first, and long names are not remembered", () => {
  const { asked, match } = counting();
  const matcher = remembering({ match }, 2);
  const long = "x".repeat(101);
  for (const name of ["a", "b", "a", "c", "a", "b", long, long]) matcher.match(name, { source: "meal" });
  assert.deepEqual(
    asked.map((each) => each.slice(7)),
    ["a", "b", "c", "b", long, long],
  );
});
