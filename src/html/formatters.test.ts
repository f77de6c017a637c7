import assert from "node:assert/strict";
import { test } from "node:test";
import { dateFormat, numberFormat, pluralRules } from "./formatters.ts";

test("a formatter is made once for a locale and its options, and writes as a new one does", () => {
  const options = { style: "currency", currency: "EUR" } as const;
  assert.equal(numberFormat("de", options), numberFormat("de", { ...options }));
  assert.notEqual(numberFormat("de", options), numberFormat("de"));
  assert.equal(numberFormat("de", options).format(1234.5), new Intl.NumberFormat("de", options).format(1234.5));
  assert.equal(numberFormat("fr").format(1234.5), new Intl.NumberFormat("fr").format(1234.5));
  const day = { dateStyle: "long", timeZone: "UTC" } as const;
  assert.equal(dateFormat("pl", day).format(0), new Intl.DateTimeFormat("pl", day).format(0));
  assert.equal(pluralRules("pl").select(3), "few");
});

test("locales and currencies without end are not all kept", () => {
  const first = numberFormat("en", { style: "currency", currency: "AAA" });
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  for (const a of letters) for (const b of letters) numberFormat("en", { style: "currency", currency: `Z${a}${b}` });
  assert.notEqual(numberFormat("en", { style: "currency", currency: "AAA" }), first);
});
