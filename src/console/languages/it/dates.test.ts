import assert from "node:assert/strict";
import { test } from "node:test";
import { day, instant } from "../../format.ts";
import { al, dal, il } from "./dates.ts";
import { it } from "./index.ts";

test("the article before a date follows its day, as the console writes dates", () => {
  const language = { phrases: it, locale: it.locale };
  const written = (date: string) => day(language, date);
  assert.equal(il(written("2026-11-03")), "il 3 nov 2026");
  assert.equal(il(written("2026-11-08")), "l’8 nov 2026");
  assert.equal(dal(written("2026-11-11")), "dall’11 nov 2026");
  assert.equal(dal(written("2026-11-18")), "dal 18 nov 2026");
  assert.equal(al(instant(language, "2026-11-08T10:41:00Z")), "all’8 nov 2026, 10:41 UTC");
  assert.equal(al(written("2026-11-30")), "al 30 nov 2026");
});
