import type { Chance } from "./chance.ts";
import { decoded, sharpOf } from "./raster.ts";
import type { Raster } from "./raster.ts";
import { letterPage, lying, onTable, otherReceipt } from "./table.ts";
import type { Laid } from "./table.ts";

// Other papers in the picture.

const DEGREE = Math.PI / 180;

/** On a table with letters lying under it. */
export async function cluttered(sheet: Raster, chance: Chance): Promise<Raster> {
  const under: Laid[] = [];
  for (let i = 0; i < chance.strength; i++) {
    const letter = await letterPage(chance.seed + i);
    const side = i % 2 === 0 ? chance.sign : -chance.sign;
    const x = side * (sheet.width / 2 + chance.of([0.2, 0.3], [0.1, 0.3], [0, 0.2]) * letter.width);
    const y = chance.within(-0.4, 0.4) * sheet.height;
    under.push({ sheet: letter, mesh: lying(letter, chance.within(-25, 25) * DEGREE), x, y });
  }
  const margin = chance.of([0.25, 0.4], [0.35, 0.55], [0.5, 0.7]) * sheet.width;
  const own = lying(sheet, chance.within(-4, 4) * DEGREE);
  return onTable([...under, { sheet, mesh: own, x: 0, y: 0 }], margin, chance.seed);
}

/** Beside another receipt. The picture shows a third of its width, two thirds, or all of it, and less of its length. */
export async function beside(sheet: Raster, chance: Chance): Promise<Raster> {
  const other = await narrower(sheet, chance, chance.seed);
  const gap = chance.within(0.03, 0.1) * sheet.width;
  const shown = chance.of([0.25, 0.4], [0.55, 0.75], [1.05, 1.1]) * other.width;
  // Its upper part reaches down to half of the main one at most, or its lower part up to half.
  const end = chance.within(0, 0.15) * sheet.height;
  const x = chance.sign * (sheet.width / 2 + gap + other.width / 2);
  const isBelow = chance.within(0, 1) < 0.5;
  const y = isBelow ? end + other.height / 2 : -end - other.height / 2;
  const laid = [
    { sheet: other, mesh: lying(other, chance.within(-3, 3) * DEGREE), x, y },
    { sheet, mesh: lying(sheet, chance.within(-2, 2) * DEGREE), x: 0, y: 0 },
  ];
  const [near, far] = [0.06 * sheet.width, gap + shown];
  return onTable(laid, chance.sign > 0 ? [near, near, far, near] : [far, near, near, near], chance.seed);
}

/**
 * Partly on another receipt, whose print runs up to its edge: white on white. The picture shows some of the other's
 * print, more of it, or all that isn't hidden; at strength 3 the two lie alike.
 */
export async function overlapping(sheet: Raster, chance: Chance): Promise<Raster> {
  const other = await narrower(sheet, chance, chance.seed);
  const hidden = chance.within(0.1, 0.3) * other.width;
  const shown = Math.min(chance.of([0.25, 0.4], [0.45, 0.65], [1, 1]) * other.width, other.width - hidden);
  const x = chance.sign * (sheet.width / 2 - hidden + other.width / 2);
  const y = chance.within(-0.4, 0.4) * sheet.height;
  const turn = chance.sign * chance.of([6, 14], [3, 8], [0, 3]) * DEGREE;
  const laid = [
    { sheet: other, mesh: lying(other, turn), x, y },
    { sheet, mesh: lying(sheet, chance.within(-2, 2) * DEGREE), x: 0, y: 0 },
  ];
  const near = 0.06 * sheet.width;
  return onTable(laid, chance.sign > 0 ? [near, near, shown, near] : [shown, near, near, near], chance.seed);
}

/** In a column of receipts: the foot of another one above it, and the head of one below. */
export async function stacked(sheet: Raster, chance: Chance): Promise<Raster> {
  const [above, below] = [await narrower(sheet, chance, chance.seed), await narrower(sheet, chance, chance.seed + 1)];
  const gap = chance.within(0.04, 0.1) * sheet.width;
  const shown = chance.of([0.12, 0.2], [0.25, 0.4], [0.5, 0.7]) * sheet.width;
  const aside = (): number => chance.within(-0.12, 0.12) * sheet.width;
  const laid = [
    { sheet: above, mesh: lying(above, chance.within(-3, 3) * DEGREE), x: aside(), y: -(sheet.height + above.height) / 2 - gap }, // prettier-ignore
    { sheet: below, mesh: lying(below, chance.within(-3, 3) * DEGREE), x: aside(), y: (sheet.height + below.height) / 2 + gap }, // prettier-ignore
    { sheet, mesh: lying(sheet, chance.within(-2, 2) * DEGREE), x: 0, y: 0 },
  ];
  const side = 0.08 * sheet.width;
  return onTable(laid, [side, gap + shown, side, gap + shown], chance.seed);
}

/** Another receipt, its paper a little narrower than the sheet. */
async function narrower(sheet: Raster, chance: Chance, seed: number): Promise<Raster> {
  const drawn = await otherReceipt(seed);
  const scale = chance.within(0.75, 0.9) * Math.min(1, sheet.width / drawn.width);
  return decoded(await sharpOf(drawn).resize(Math.round(drawn.width * scale)).png().toBuffer()); // prettier-ignore
}
