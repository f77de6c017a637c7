import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { candidateFor } from "./candidate.ts";
import { findPreservedForms, preferPreserved } from "./preserved-forms.ts";

const catalogue = readCatalogue();
const forms = findPreservedForms(catalogue);
const food = (id: string) => catalogue.byId.get(id)!;
const firstFor = (id: string, name: string) => preferPreserved([candidateFor(food(id), 0.8)], name, forms)[0];

test("a name that says frozen or tinned means that form of the food", () => {
  const names = [
    ["broccoli", "GV FRZN BRCCLI FLRTS", "frozen-broccoli"],
    ["leek", "POIREAUX SURG.", "frozen-leeks"],
    ["spinach", "BLATTSPINAT TK 450", "frozen-spinach"],
    ["frozen-peas", "ERBSEN DOSE", "tinned-peas"],
    ["tinned-peas", "PISELLI SURGELATI", "frozen-peas"],
    ["green-beans", "HAR.VERTS 4/4", "tinned-green-beans"],
    ["tomato", "TOMATE LATA", "tinned-tomatoes"],
    ["dried-lentils", "canned lentils", "tinned-lentils"],
    ["mixed-vegetables", "MACED.LEG. 1/2", "tinned-mixed-vegetables"],
    ["sweet-pepper", "PIMIENTO CONGELADO", "frozen-peppers"],
    ["tuna-steak", "LATA ATUN", "tinned-tuna"],
  ] as const;
  for (const [id, name, expected] of names) {
    assert.equal(firstFor(id, name)?.food.id, expected, name);
    assert.equal(firstFor(id, name)?.confidence, 0.8);
  }
});

test("a name that says neither or both, or a food without that form, stays", () => {
  assert.equal(firstFor("broccoli", "BROCCOLI FLORETS")?.food.id, "broccoli");
  assert.equal(firstFor("green-beans", "GREEN BEANS CANDIED")?.food.id, "green-beans");
  assert.equal(firstFor("peas", "FROZEN PEAS TIN")?.food.id, "peas");
  assert.equal(firstFor("peas", "1/2 PETITS POIS")?.food.id, "peas");
  assert.equal(firstFor("cola", "COLA CAN")?.food.id, "cola");
  assert.equal(firstFor("sea-bream", "ORATA SURG.")?.food.id, "sea-bream");
});

test("no food is named twice, and each form is the one that its id says", () => {
  const candidates = [candidateFor(food("broccoli"), 0.8), candidateFor(food("frozen-broccoli"), 0.1)];
  assert.deepEqual(
    preferPreserved(candidates, "FROZEN BROCCOLI", forms).map(({ food: { id } }) => id),
    ["frozen-broccoli"],
  );
  assert.ok(forms.size > 40);
  for (const others of forms.values())
    for (const [form, other] of Object.entries(others)) assert.ok(other.id.startsWith(`${form}-`), other.id);
});
