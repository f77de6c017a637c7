import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

const RECEIPT = `
  TRGOVINA LIPA D.O.O. TUZLA
  BOSANSKI PUT 14
  JIB: 4200000000001
  08.03.2026  12:12
------ FISKALNI RAČUN ------
Mlijeko 2.8% 1L E
  2x          1,95      3,90
Hljeb bijeli 600g E
  1x          1,60      1,60
Sir Livanjski E
  0,312x     24,90      7,77
E 17,00%                13,27
UKUPNO:                 13,27
`;

test("a letter behind the name of all goods is their tax mark", () => {
  assert.deepEqual(brief(readTyped(RECEIPT)), [
    "Mlijeko 2.8% 1L × 2 = 390",
    "Hljeb bijeli 600g = 160",
    "Sir Livanjski × 0.312kg = 777",
  ]);
});

test("a letter behind the name of one is part of it", () => {
  const names = brief(readTyped(RECEIPT.replace("600g E", "600g").replace("2.8% 1L E", "2.8% 1L")));
  assert.equal(names[2], "Sir Livanjski E × 0.312kg = 777");
});
