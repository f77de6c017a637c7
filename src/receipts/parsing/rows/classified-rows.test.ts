import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { typedPage } from "../../../../test/support/typed-receipt.ts";
import { classifyRows } from "./classified-rows.ts";
import type { ClassifiedRow } from "./classified-rows.ts";
import { priceColumnOf } from "./price-column.ts";
import { toReceiptRows } from "./receipt-rows.ts";
import { rowsOf } from "./rows.ts";

const RECEIPT = `
Date: 12.11.2025  14:32
Qty  Description      Price
2 x 1.50  MILK         3.00
WEIGHT 0.4 kg
GREETING CARD          6.29
TAX 1 8.25 %           0.74
Tip: $5.00
TOTAL                 15.03
CASH                  20.00`;

function classified(text: string): ClassifiedRow[] {
  const rows = toReceiptRows(rowsOf(typedPage(text)));
  return classifyRows(rows, priceColumnOf(rows, 28 * 12));
}

describe("rows are classified once", () => {
  const rows = classified(RECEIPT);

  test("by kind; a row can have several", () => {
    assert.deepEqual(
      rows.map(({ kinds }) => [...kinds].join(" ")),
      [
        "headerField",
        "columnWords columnHeadings",
        "",
        "",
        "payment",
        "tax",
        "tip",
        "total columnWords",
        "payment barePayment",
      ],
    );
  });

  test("with the amount in the price column, not a unit price or a tip beside it", () => {
    assert.deepEqual(
      rows.map(({ columnAmount }) => columnAmount?.minor ?? null),
      [null, null, 300, null, 629, 74, null, 1503, 2000],
    );
  });

  test("and with their reach into the column", () => {
    assert.deepEqual(
      rows.flatMap(({ reachesColumn }, i) => (reachesColumn ? [] : [i])),
      [0, 3, 6],
    );
  });

  test("a tax can be a total too", () => {
    const [, row] = classified("MILK  1.00\nTOTAL TAX  1.20");
    assert.deepEqual([...row!.kinds], ["total", "tax"]);
  });

  test("without a column no row has an amount in it", () => {
    const free = classifyRows(rows, null);
    assert.ok(free.every(({ columnAmount, reachesColumn }) => columnAmount === null && reachesColumn));
  });
});
