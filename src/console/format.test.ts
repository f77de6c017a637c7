import assert from "node:assert/strict";
import { test } from "node:test";
import { money, signed } from "./format.ts";
import { consoleLanguageFor } from "./language.ts";

const english = consoleLanguageFor({ chosen: "en" });
const arabic = consoleLanguageFor({ chosen: "ar" });

test("a number keeps its sign before it, also where text runs from right to left", () => {
  assert.deepEqual(
    [12, 0, -1_200].map((value) => signed(english, value)),
    ["+12", "0", "-1,200"],
  );
  // U+200E: without it the sign of "+12" is shown behind the number.
  assert.deepEqual(
    [12, 0, -1_200].map((value) => signed(arabic, value)),
    ["\u200E+12", "0", "\u200E-1,200"],
  );
});

test("an amount in a text that runs from right to left is isolated from it", () => {
  assert.equal(money(english, -0.75, "GBP"), "-£0.75");
  for (const amount of [22.68, -0.75]) assert.match(money(arabic, amount, "GBP"), /^\u2066[^\u2066\u2069]*GBP\u2069$/);
});
