import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a name over several rows above its amount", () => {
  const reading = (first: string, second: string): string[] =>
    brief(
      readTyped(`
             MAGAZIN LA NUC
              CIF RO11607939
PRIMOLA LAPTE 26.8G
1 BUC X 2.98=                         2.98 A
PITAR PAINE ALBA FELIATA CU SEMINTE
1 BUC X 2.98=                         2.98 B
${first}
${second}
6 PET X 3.48=                        20.88 B
TOTAL LEI                            26.84
NUMERAR LEI                          26.84
`),
    );

  test("is joined where the next word would not have fitted", () => {
    assert.deepEqual(reading("IZVORU APA\nMIN.NAT.NECARBOGAZIFICATA PLATA PET", "2L SGR").slice(2), [
      "IZVORU APA MIN.NAT.NECARBOGAZIFICATA PLATA PET 2L SGR × 6 = 2088",
    ]);
  });

  test("is not joined with the heading of its department", () => {
    assert.deepEqual(reading("BAUTURI", "APA PLATA").slice(2), ["APA PLATA × 6 = 2088"]);
  });
});

test("a code with a short name is below the name where names are above their amounts", () => {
  const reading = readTyped(`
         KAWA JAPANESE RESTAURANT
ITEM           QTY  U/P(RM)  AMT(RM)
CHICKEN KATSU BENTO
BEN02            1  12.90    12.90
OMU FRIED RICE SET
SET10            1   6.90     6.90
KATSU DON (FISH)SET
TS02 KAT         1   9.90     9.90
TOTAL                        29.70
CASH                         30.00
CHANGE                        0.30
`);
  assert.deepEqual(brief(reading), [
    "CHICKEN KATSU BENTO = 1290",
    "OMU FRIED RICE SET = 690",
    "KATSU DON (FISH)SET = 990",
  ]);
});

test("goods whose word resembles that for a count are goods if count and price make their amount", () => {
  const reading = readTyped(`
UD             ARTÍCULO   PRECIO   IMPORTE
2     PAELLA VALENCIANA    16,50     33,00
1       BOTELLA VERDEJO    13,00     13,00
2                   PAN     0,50      1,00
TOTAL EUROS                          47,00
`);
  assert.deepEqual(brief(reading), ["PAELLA VALENCIANA × 2 = 3300", "BOTELLA VERDEJO = 1300", "PAN × 2 = 100"]);
});
