import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

const slip = (total: string): string => `
     SPBU MELATI 34.401.12
     Jl. Anggrek No 8, Bandung
Tanggal     : 15/11/2026 14:32:05
Pulau/Pompa : 3
Nama Produk : Pertamax
Harga/Liter : Rp. 13.900
Volume      : (L) 20.05
Total Harga : Rp. ${total}
Operator    : SARI
CASH                 300.000
`;

test("fuel with its volume, price and amount on rows of their own is one line", () => {
  const reading = readTyped(slip("278.695"));
  assert.deepEqual(brief(reading), ["Pertamax × 20.05l = 27869500"]);
  assert.equal(reading.lines[0]?.unitPriceMinor, 1_390_000);
});

test("the volume has two decimals, so that the amount may be another one by half a hundredth of the price", () => {
  assert.deepEqual(brief(readTyped(slip("278.750"))), ["Pertamax × 20.05l = 27875000"]);
  assert.ok(!brief(readTyped(slip("279.000"))).some((line) => line.startsWith("Pertamax")));
});
