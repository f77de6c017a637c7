import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { csvLine } from "../csv/csv.ts";
import { spreadsheetText } from "./spreadsheet-text.ts";

test("a name that starts as a formula becomes a text, also behind a separator of another language", () => {
  const cases = {
    "=1+1": "'=1+1",
    "@SUM(A1)": "'@SUM(A1)",
    ' "=1': `' "=1`,
    "＝1+1": "'＝1+1",
    "\t=1": "\\u0009=1",
    'milk;=HYPERLINK("http://x.example")': 'milk;\'=HYPERLINK("http://x.example")',
    "milk;\n=1": "milk;\\u000a=1",
    "Coca-Cola, 0.5 l = 1 bottle": "Coca-Cola, 0.5 l = 1 bottle",
    "": "",
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(spreadsheetText(text), expected);
});

test("whatever the separator, no cell of a line starts as a formula, and a terminal obeys nothing", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      "=",
      "+",
      "-",
      "@",
      "＝",
      ",",
      ";",
      "|",
      "\t",
      "\n",
      "\r",
      '"',
      "'",
      " ",
      "a",
      "\u001b",
      "\u009b",
      "\u202e",
    ),
    maxLength: 12,
  });
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      const line = csvLine([one, other].map(spreadsheetText));
      // eslint-disable-next-line no-control-regex -- it finds control characters
      assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u202e]/);
      for (const separator of [",", ";", "|"]) {
        for (const cell of line.split(separator))
          assert.doesNotMatch(cell.replaceAll('"', "").trimStart(), /^[=+\-@＝]/);
      }
    }),
    { numRuns: 2_000 },
  );
});
