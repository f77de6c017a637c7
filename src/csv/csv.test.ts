import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { csvLine, parseCsv } from "./csv.ts";

test("quotes hold commas, quotes and line breaks", () => {
  assert.deepEqual(parseCsv('a,b\r\n1,"x, ""y""\nz"\n'), [{ a: "1", b: 'x, "y"\nz' }]);
});

test("a row that is too short or too long is rejected with its line", () => {
  assert.throws(() => parseCsv("a,b\n1,2\n3\n"), /CSV line 3: 1 cells, the header has 2/);
});

test("written rows are read again", () => {
  const cell = fc.string({ maxLength: 12 }).map((text) => text.replaceAll("\r", ""));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 6 }), (rows) => {
      const text = [["a", "b"], ...rows].map(csvLine).join("\n");
      const expected = rows.map(([a, b]) => ({ a, b }));
      assert.deepEqual(parseCsv(text), expected);
    }),
  );
});
