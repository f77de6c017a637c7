import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecent } from "./recent.ts";

test("the result of a text is computed again when others were asked for since", () => {
  const recent = createRecent<string | undefined>(2);
  const computed: string[] = [];
  const ask = (text: string) =>
    recent(text, () => {
      computed.push(text);
      return text === "none" ? undefined : text.toUpperCase();
    });
  assert.deepEqual(["a", "none", "a", "none"].map(ask), ["A", undefined, "A", undefined]);
  assert.deepEqual(computed, ["a", "none"]);
  // "a" was asked for before "none", so the third text takes its place.
  assert.deepEqual(["b", "none", "a"].map(ask), ["B", undefined, "A"]);
  assert.deepEqual(computed, ["a", "none", "b", "a"]);
});
