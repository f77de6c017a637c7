import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { readPrintedSize } from "../measures/quantity.ts";
import { doubtSolids, isTin } from "./by-the-litre.ts";
import { candidateFor } from "./candidate.ts";

const catalogue = readCatalogue();
const isAccepted = (id: string, name: string) =>
  doubtSolids([candidateFor(catalogue.byId.get(id)!, 0.95)], readPrintedSize(name).size)[0]?.accepted;

test("a raw or dry food that is sold by volume is what something tastes or smells of", () => {
  assert.equal(isAccepted("swiss-chard", "CHARD 75CL"), false);
  assert.equal(isAccepted("pineapple", "MOGU PINEAPPLE 320ML"), false);
});

test("tins, liquids, weights and sizes of eggs are believed", () => {
  assert.ok(isTin(readPrintedSize("ANANAS 850ML").size));
  assert.ok(isAccepted("pineapple", "ANANAS 850ML"));
  for (const size of ["284ML", "341ML", "398ML", "540ML", "796ML"]) assert.ok(isAccepted("tomato", `TOMATOES ${size}`));
  assert.ok(isAccepted("whole-milk", "MILK 1L"));
  assert.ok(isAccepted("pineapple", "ANANAS 500G"));
  assert.ok(isAccepted("swiss-chard", "CHARD 10 L"));
});
