import glyphs from "../../reference/till-font/glyphs.json" with { type: "json" };
import { asRead } from "../typed/collection.ts";
import type { TypedReceipt } from "../typed/collection.ts";
import { flatPaper, pictured } from "./draw.ts";
import { newPaper } from "./paper.ts";
import type { Paper } from "./paper.ts";
import { randomBy } from "./random.ts";

/** A JPEG of a typed receipt: the paper that it would be, photographed or scanned as the seed says. */
export async function typedPicture({ print }: TypedReceipt, seed: number): Promise<Buffer> {
  return (await pictured(paperOf(print), randomBy(seed ^ 0x33333), seed)).jpeg;
}

/** A JPEG of its paper alone, flat. */
export async function typedFlat({ print }: TypedReceipt, seed: number): Promise<Buffer> {
  return flatPaper(paperOf(print), randomBy(seed ^ 0x33333));
}

function paperOf(print: string): Paper {
  const rows = print.split("\n").map((row) => Array.from(row).map(toPrintable).join(""));
  const paper = newPaper(Math.max(...rows.map(({ length }) => length)));
  for (const row of rows) {
    if (row.trim() === "") paper.gap();
    else paper.text(row);
  }
  return paper;
}

/** Every typeface has Latin-1 and the euro, but for what the till's own lacks. */
function toPrintable(character: string): string {
  if ((character <= "ÿ" || character === "€") && (character in glyphs || character === " ")) return character;
  return Array.from(asRead(character)).every((letter) => letter in glyphs) ? asRead(character) : " ";
}
