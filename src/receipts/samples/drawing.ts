import glyphs from "../../../reference/till-font/glyphs.json" with { type: "json" };
import { COLUMNS, printReceipt } from "./sample.ts";
import type { PrintedRow, SampleReceipt } from "./sample.ts";

/** A picture as SVG. Every character is an outline, so it looks the same on a machine without fonts. */
export interface Drawing {
  readonly svg: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The typeface's units to the em (reference/till-font). */
const EM = 1000;
/** Character spacing, in its units. With the font's own 500, PP-OCR finds a space in the middle of WHOLEMEAL. */
const PITCH = 450;
/** The L is at the left of its cell. Without this step to the right some photos are still read as WHOL EMEAL. */
const L_STEP = 30;

const FONT_PX = 40;
const COLUMN_PX = (FONT_PX * PITCH) / EM;
const ROW_PX = 48;
const MARGIN_PX = 2 * COLUMN_PX;
const PAPER_WIDTH_PX = COLUMNS * COLUMN_PX + 2 * MARGIN_PX;
const BARS_PX = 90;

/** Widening of Lekton's thin strokes to those of a till, in the font's units. */
const STROKE = 36;
const STROKE_BOLD = 50;

const paths: Readonly<Record<string, string>> = glyphs;

/** Draws the paper of a receipt, seen from straight above: black print on white. */
export function drawReceipt(receipt: SampleReceipt): Drawing {
  const marks: string[] = [];
  let y = MARGIN_PX + ROW_PX;
  for (const row of printReceipt(receipt)) {
    marks.push(drawRow(row, y));
    y += heightOf(row);
  }
  const heightPx = Math.ceil(y + ROW_PX);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PAPER_WIDTH_PX}" height="${heightPx}">` +
    `<rect width="100%" height="100%" fill="#fff"/>${marks.join("")}</svg>`;
  return { svg, widthPx: PAPER_WIDTH_PX, heightPx };
}

function heightOf(row: PrintedRow): number {
  if (row.kind === "bars") return BARS_PX;
  return row.kind === "gap" ? ROW_PX / 2 : ROW_PX * row.scale;
}

function drawRow(row: PrintedRow, y: number): string {
  if (row.kind === "gap") return "";
  if (row.kind === "bars") return drawBars(row.digits, y - ROW_PX / 2);
  return drawText(row.text, y + ROW_PX * (row.scale - 1), FONT_PX * row.scale, row.isBold ? STROKE_BOLD : STROKE);
}

function drawText(text: string, baselineY: number, fontPx: number, stroke: number): string {
  const scale = fontPx / EM;
  const outlines = text.split("").map((character, column) => {
    if (character === " ") return "";
    const path = paths[character];
    if (path === undefined) throw new RangeError(`The typeface has no outline for ${JSON.stringify(character)}.`);
    return `<path transform="translate(${column * PITCH + (character === "L" ? L_STEP : 0)})" d="${path}"/>`;
  });
  return (
    `<g transform="translate(${MARGIN_PX} ${baselineY}) scale(${scale})" stroke="#000" stroke-width="${stroke}">` +
    `${outlines.join("")}</g>`
  );
}

/** Draws bars and spaces of one to four modules by the digits. It looks like a bar code and encodes nothing. */
function drawBars(digits: string, top: number): string {
  const widths = digits
    .repeat(4)
    .split("")
    .flatMap((digit) => [1 + (Number(digit) % 3), 1 + (Number(digit) % 4)]);
  const moduleCount = widths.reduce((sum, width) => sum + width, 0);
  const modulePx = Math.min(5, (PAPER_WIDTH_PX - 6 * MARGIN_PX) / moduleCount);
  let x = (PAPER_WIDTH_PX - moduleCount * modulePx) / 2;
  const bars = widths.map((width, index) => {
    const bar =
      index % 2 === 0
        ? `M${x.toFixed(2)} ${top}h${(width * modulePx).toFixed(2)}v${BARS_PX - 20}H${x.toFixed(2)}z`
        : "";
    x += width * modulePx;
    return bar;
  });
  return `<path d="${bars.join("")}"/>`;
}
