import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutServing } from "./served.ts";

test("how a food is cut or cooked in water is left out of a typed name", () => {
  const names = [
    ["rice, cooked with water", "rice, cooked"],
    ["Kartoffeln in Würfeln", "Kartoffeln"],
    ["poulet cuit à l'eau", "poulet cuit"],
    ["zucchine tagliate a cubetti", "zucchine"],
    ["pollo en tiras", "pollo"],
  ];
  for (const [name, rest] of names) assert.equal(withoutServing(name!), rest);
});

test("words that name the food stay", () => {
  for (const name of ["tuna in water", "stock cubes", "ice cubes", "pizza a pezzi surgelati", "coffee with water"])
    assert.equal(withoutServing(name), name);
});
