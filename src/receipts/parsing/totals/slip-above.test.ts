import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a card's slip above the bill", () => {
  const receipt = (total: string): string => `
      Blue Heron Grill
      77 Harbor Blvd, Oxnard, CA 93035
Date:       06/20/26  07:44 PM
Card Type:  Visa
Amount:                $44.10
 TIP        $ 8.40
 TOTAL      $ ${total}
--------------------------------
2  Fish Tacos            $31.00
1  Clam Chowder           $9.50
   Subtotal              $40.50
   Sales Tax              $3.60
   Total                 $44.10
`;

  test("has the total with its tip", () => {
    const reading = readTyped(receipt("52.50"));
    assert.equal(reading.totalMinor, 5250);
    assert.deepEqual(brief(reading), ["Fish Tacos × 2 = 3100", "Clam Chowder = 950"]);
  });

  test("has none where the sum is another one", () => {
    assert.equal(readTyped(receipt("62.50")).totalMinor, 4410);
  });
});

test("the slip below the bill has the total with its tip", () => {
  const receipt = (tip: string): string => `
      Blue Heron Grill
      77 Harbor Blvd, Oxnard, CA 93035
2  Fish Tacos            $31.00
1  Clam Chowder           $9.50
   Subtotal              $40.50
   Sales Tax              $3.60
   Balance Due           $44.10
Suggested Gratuity:
18% =  7.29
20% =  8.10
Amount:                  $44.10
+ Tip:                   ${tip}
= Total:                 $52.50
`;
  assert.equal(readTyped(receipt("$8.40")).totalMinor, 5250);
  assert.equal(readTyped(receipt("$7.40")).totalMinor, 4410);
});
