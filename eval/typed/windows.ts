// A typed receipt as several photos would show it: windows of its lines that overlap, each tilted, scaled and misread.
import type { OcrPage, Point, TextBox } from "../../src/ocr/page.ts";
import { shaken } from "./collection.ts";

/** Lines that two neighbouring windows have in common, at least and at most. */
const COMMON_MIN = 3;
const COMMON_MAX = 8;
/** A photo is taken from as near as the one before, give or take. */
const SCALE_RANGE = [0.8, 1.25] as const;
const SHIFT_MAX_PX = 60;

/** Returns the pages of `count` windows, from top to bottom; fewer if the receipt has too few lines. */
export function windowsOf(page: OcrPage, count: number, misread: number, random: () => number): OcrPage[] {
  const tops = [...new Set(page.boxes.map(topOf))].toSorted((a, b) => a - b);
  const cuts = cutsOf(tops.length, count, random);
  return cuts.map(([from, to]) => {
    const [top, bottom] = [tops[from]!, tops[to - 1]!];
    const boxes = page.boxes.filter((box) => topOf(box) >= top && topOf(box) <= bottom);
    return shaken(photographed({ ...page, boxes }, top, bottom, random), misread, random);
  });
}

/** The first and the last line of each window, which have lines in common with the next one. */
function cutsOf(lines: number, count: number, random: () => number): [number, number][] {
  const possible = Math.max(1, Math.min(count, Math.floor(lines / (COMMON_MIN + 2))));
  const step = lines / possible;
  return Array.from({ length: possible }, (_, i) => {
    const common = COMMON_MIN + Math.floor(random() * (COMMON_MAX - COMMON_MIN + 1));
    const from = i === 0 ? 0 : Math.max(0, Math.round(i * step) - common);
    return [from, i === possible - 1 ? lines : Math.round((i + 1) * step)];
  });
}

function photographed(page: OcrPage, top: number, bottom: number, random: () => number): OcrPage {
  const [low, high] = SCALE_RANGE;
  const scale = low * (high / low) ** random();
  const shift = SHIFT_MAX_PX * random();
  const height = bottom - top + 2 * SHIFT_MAX_PX;
  const moved = ({ x, y }: Point): Point => ({ x: scale * x + shift, y: scale * (y - top) + SHIFT_MAX_PX });
  const boxes = page.boxes.map((box): TextBox => {
    const [a, b, c, d] = box.polygon;
    return { ...box, polygon: [moved(a), moved(b), moved(c), moved(d)] };
  });
  return { ...page, width: page.width * high + SHIFT_MAX_PX, height: height * high, boxes };
}

function topOf({ polygon: [{ y }] }: TextBox): number {
  return y;
}
