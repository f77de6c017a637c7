import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { csvLine } from "./csv.ts";
import { createRowReader, separatorOf } from "./row-reader.ts";

function read(separator: "\t" | ";" | ",", ...pieces: string[]): string[][] {
  const reader = createRowReader(separator);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()].map(({ cells }) => [...cells]);
}

test("a table is read the same, no matter how its text is cut into pieces", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "é", ",", '"', "\n", " ") });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(rows, fc.array(fc.nat(60), { maxLength: 5 }), (table, cuts) => {
      const text = table.map((cells) => `${csvLine(cells)}\n`).join("");
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((place, i) => text.slice(places[i], place));
      assert.deepEqual(read(",", ...pieces), table);
    }),
  );
});

test("a table separated by tabs keeps its quotes", () => {
  assert.deepEqual(read("\t", 'a\tb\r\n"Petit\tbeurre"\n'), [
    ["a", "b"],
    ['"Petit', 'beurre"'],
  ]);
});

test("rows know the line they start on, and the last needs no line break", () => {
  const reader = createRowReader(";");
  const rows = [...reader.push('a;b\n\n"x\ny";1\nz;2'), ...reader.end()];
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 3, 5],
  );
});

test("the separator is read from the header", () => {
  assert.equal(separatorOf("code\tname, brand\tquantity"), "\t");
  assert.equal(separatorOf("Code AGB;Nom, long;DQR"), ";");
  assert.equal(separatorOf("gtin,name"), ",");
});

test("a quote that is never closed is noticed by the characters that are kept", () => {
  const reader = createRowReader(",");
  reader.push('a,"b\n');
  for (let i = 0; i < 10; i += 1) reader.push("x,y\n".repeat(100));
  assert.equal(reader.pending(), "ab\n".length + 4_000);
  const whole = createRowReader(",");
  whole.push("a,b\n1,2");
  assert.equal(whole.pending(), 2);
});
