import assert from "node:assert/strict";
import { test } from "node:test";
import { areOwnersFirst, isOperator, isPerson } from "./owners.ts";

test("a person's name has a first name or initials, in any order", () => {
  for (const person of [
    "JAN KOWALCZYK",
    "KOVÁCS ISTVÁN",
    "DE GOMEZ MARIA LAURA",
    "R. GARCIA MORENO",
    "Sebastião Alves Pereira",
    "J R DE OLIVEIRA PANIFICADORA ME",
  ])
    assert.equal(isPerson(person), true, person);
});

test("a shop that is called after someone is none", () => {
  for (const shop of [
    "LA MARIA",
    "CASA PABLO",
    "SANTA ISABEL",
    "MARIA",
    "BAR MANOLO",
    "JUAN PEREZ S.L.",
    "NOODLE BARN",
    "ADAM I EWA",
  ])
    assert.equal(isPerson(shop), false, shop);
});

test("owners are above their shops only in some countries", () => {
  for (const country of ["ES", "PL", "TR", "BR"]) assert.equal(areOwnersFirst(country), true, country);
  for (const country of ["GB", "DE", "US", "FR", null]) assert.equal(areOwnersFirst(country), false, String(country));
});

test("an operator is before its company", () => {
  for (const row of ["OWNED AND OPERATED BY:", "(A UNIT OF NOODLE FOODS PVT LTD)", "Prop. M. Reyes"])
    assert.equal(isOperator(row), true, row);
  for (const row of ["PROP SHOP", "UNIT 5", "OPERA CAFE"]) assert.equal(isOperator(row), false, row);
});

test("long rows are read at once", () => {
  const start = performance.now();
  for (const row of ["maria ".repeat(42), "a. ".repeat(83), "ma-".repeat(83)]) isPerson(row);
  assert.ok(performance.now() - start < 100);
});
