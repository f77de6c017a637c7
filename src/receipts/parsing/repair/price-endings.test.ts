import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, dictionary, readTyped, typedPage } from "../../../../test/support/typed-receipt.ts";
import { parseReceipt } from "../parse.ts";

describe("a misread digit that two lines could have", () => {
  test("is that of the price that then ends as prices do", () => {
    const reading = readTyped(`
     HILL STORES
     EGGS                    2.93
     MILK                    1.40
     TEA                     1.99
     RICE                    2.49
     TOTAL                   8.87
     VISA                    8.87
`);
    assert.deepEqual(brief(reading).slice(0, 2), ["EGGS = 299", "MILK = 140"]);
    assert.deepEqual(reading.repairs, ["EGGS: one digit of the amount corrected from the total"]);
  });

  const alike = `
     HILL STORES
     BREAD                   1.13
     BUTTER                  3.93
     TOTAL                   5.12
     VISA                    5.12
`;

  test("is that of the row that the OCR doubted", () => {
    const page = typedPage(alike);
    const boxes = page.boxes.map((box) => (box.text === "3.93" ? { ...box, score: 0.5 } : box));
    assert.deepEqual(brief(parseReceipt({ ...page, boxes }, dictionary)), ["BREAD = 113", "BUTTER = 399"]);
  });

  test("stays where neither says which it is", () => {
    assert.deepEqual(brief(readTyped(alike)), ["BREAD = 113", "BUTTER = 393"]);
  });
});
