import type { DraftLine } from "./lines.ts";

/** A letter behind a name: `Hljeb bijeli 600g E`. */
const MARK = /(?<=\p{L}{2}.*\S)\s+\p{Lu}$/u;
const GOODS_MIN = 3;

/**
 * Removes the tax mark behind names where it is behind each of them, three at least: tills with the amount on the row
 * below print it there (`Sir Livanjski E`, `  0,312x  24,90  7,77`).
 */
export function withoutCommonMarks(lines: readonly DraftLine[]): readonly DraftLine[] {
  const goods = lines.filter(({ kind, name }) => kind === "item" && name !== "");
  if (goods.length < GOODS_MIN || !goods.every(({ name }) => MARK.test(name))) return lines;
  return lines.map((line) => (line.kind === "item" ? { ...line, name: line.name.replace(MARK, "") } : line));
}
