// The printed rows of one photo of a receipt, as they are compared with those of another photo. Pure.
import type { OcrPage } from "../../ocr/page.ts";
import { pageAngle, place } from "../parsing/rows/baselines.ts";
import type { Placed } from "../parsing/rows/baselines.ts";
import { rowsOf } from "../parsing/rows/rows.ts";

/** A printed row of a part. */
export interface PartRow {
  /** Its boxes from left to right, the tilt of their picture removed. */
  readonly boxes: readonly Placed[];
  /** Its middle in deskewed pixels. */
  readonly y: number;
  readonly height: number;
  /** Letters and digits in capitals, look-alikes made the same: `M1LK` is `MILK`. */
  readonly key: string;
  /** Pairs of neighbours in the key, as numbers, ascending. */
  readonly pairs: readonly number[];
  /** The digits of its last amount; null: it has none. */
  readonly amount: string | null;
  /** It is the first or the last one of its photo, which may have cut it. */
  readonly isAtEdge: boolean;
  /** How much of it can be believed: its characters by their scores, half of that at the edge. */
  readonly quality: number;
}

const AMOUNT = /\d+\s?[.,]\s?\d\d(?!\d)/g;
/** Letters that the recogniser confuses with digits. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: "0", Q: "0", D: "0", I: "1", L: "1", S: "5", B: "8", Z: "2", G: "6" }; // prettier-ignore
/** Returns the rows of a part from top to bottom. */
export function partRows(page: OcrPage): PartRow[] {
  const boxes = page.boxes.filter(({ text }) => text.trim() !== "");
  const placed = place(boxes, pageAngle(boxes));
  const byPolygon = new Map(placed.map((each) => [each.box.polygon, each]));
  return rowsOf(page).map(({ members, y, height }, at, rows): PartRow => {
    const found = members.flatMap((polygon) => byPolygon.get(polygon) ?? []);
    const text = found.map(({ box }) => box.text).join("  ");
    const key = keyOf(text);
    const isAtEdge = at === 0 || at === rows.length - 1;
    const quality = qualityOf(found) / (isAtEdge ? 2 : 1);
    return { boxes: found, y, height, key, pairs: pairsOf(key), amount: amountIn(text), isAtEdge, quality };
  });
}

function keyOf(text: string): string {
  const letters = text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
  return Array.from(letters, (letter) => LOOK_ALIKES[letter] ?? letter).join("");
}

function pairsOf(key: string): number[] {
  const pairs = Array.from({ length: Math.max(0, key.length - 1) }, (_, i) => pairAt(key, i));
  return pairs.toSorted((a, b) => a - b);
}

function pairAt(key: string, at: number): number {
  return key.charCodeAt(at) * 0x10000 + key.charCodeAt(at + 1);
}

function amountIn(text: string): string | null {
  return text.match(AMOUNT)?.at(-1)?.replace(/\D/g, "") ?? null;
}

function qualityOf(boxes: readonly Placed[]): number {
  return boxes.reduce((total, { box }) => total + box.text.length * box.score ** 2, 0);
}
