import assert from "node:assert/strict";
import { test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

test("a price and its amount that were joined are parted where the count shows it", () => {
  const reading = readTyped(`
     SKLEP POD LIPA
     PARAGON FISKALNY
     A CUKIERKI MLECZNE  043 x19,908.56A
     A CHUSTECZKI 2W     2 x3,997.98A
     C PAPRYKA KG        1,2 x12,99 15 59C
     A HENNA             0,438 x19,80 867A
     C SEREK             1 x4,39 4,39C
     SUMA PLN                   45,19
`);
  assert.equal(reading.totalMinor, 4519);
  assert.deepEqual(
    reading.lines.map(({ amountMinor }) => amountMinor),
    [856, 798, 1559, 867, 439],
  );
});

test("where the product is another figure they stay joined", () => {
  const reading = readTyped(`
     SKLEP POD LIPA
     CUKIERKI   2 x1,90 8.56
     SEREK      2 x3,997.97A
     SUMA PLN   16,53
`);
  assert.deepEqual(
    reading.lines.map(({ amountMinor }) => amountMinor),
    [856],
  );
});
