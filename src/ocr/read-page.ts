import type ort from "onnxruntime-node";
import type { OcrPage, Point, TextBox } from "./page.ts";
import { findSmallText, findText } from "./find-text.ts";
import type { Found } from "./find-text.ts";
import { withinGutters } from "./gutter.ts";
import { halfTurned, loadPixels, stretchOf, turned } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";
import { withPrintOnly } from "./ink.ts";
import { withoutLeftOut } from "./left-out.ts";
import { ofMainPaper } from "./main-paper.ts";
import { recognizeText } from "./recognition.ts";
import type { Recognized } from "./recognition.ts";
import { withoutTurnedPapers } from "./turned-papers.ts";

/** What finds lines, what reads them, and the characters that it reads. */
export interface OcrModels {
  detection: ort.InferenceSession;
  recognition: ort.InferenceSession;
  characters: readonly string[];
}

/** Number of lines, the widest ones, that show whether a page is upside down. */
const DIRECTION_LINES = 6;
/**
 * Lines that are read with this mean score are upright. The six of 110 development receipts had 0.80 at least, but for
 * one that is hardly legible, and upside down 0.65 at most.
 */
const UPRIGHT_SCORE_MIN = 0.75;
/**
 * Reading costs about 2.5 ms of the processor for a line as long as high. The 113 development receipts have at most
 * 101 lines, together 510 heights long, and take at most 1.6 s. A page of small print (3,000 × 4,000 px, 890 kB)
 * has 4,540 heights and takes 13 s. A page beyond these bounds, four times the largest receipt, is not read.
 */
const LINES_MAX = 500;
const TEXT_LENGTH_MAX_HEIGHTS = 2_000;
/** With more lines than this nobody looks whether some are on other papers than the receipt. */
const LINES_FOUND_MAX = 2 * LINES_MAX;
/** A rectangle read worse than this is not text. */
const TEXT_SCORE_MIN = 0.5;

/** Processor time of each step, in milliseconds. */
export interface StepCpuMs {
  decode: number;
  detect: number;
  ink: number;
  recognise: number;
}

/** A page with its cost. */
export interface PageWithCost {
  page: OcrPage;
  stepCpuMs: StepCpuMs;
}

/**
 * Reads an image, given as a path or its bytes: turns it upright, finds its lines and reads them. Throws if it cannot
 * be decoded.
 */
export async function readPage(models: OcrModels, input: string | Uint8Array): Promise<PageWithCost> {
  const stepCpuMs: StepCpuMs = { decode: 0, detect: 0, ink: 0, recognise: 0 };
  const timed = async <T>(step: keyof StepCpuMs, work: () => T | Promise<T>): Promise<T> => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    stepCpuMs[step] += (user + system) / 1000;
    return result;
  };
  let pixels = await timed("decode", () => loadPixels(input));
  let rotation: OcrPage["rotation"] = 0;
  let found = await timed("detect", () => findText(models.detection, pixels));
  if (found.rectangles.length <= LINES_FOUND_MAX && isSideways(found.rectangles)) {
    pixels = await turned(pixels, 90);
    rotation = 90;
    found = await timed("detect", () => findText(models.detection, pixels));
  }
  let rectangles = await timed("detect", () => linesOfReceipt(models, pixels, found));
  if (isTooMuch(rectangles)) {
    const { width, height } = pixels;
    return { page: { width, height, rotation, boxes: [], hasTooMuchText: true }, stepCpuMs };
  }
  rectangles = await timed("ink", () => withPrintOnly(pixels, rectangles));
  const recognise = (of: readonly Rectangle[]): Promise<Recognized[]> =>
    timed("recognise", () => recognizeText(models.recognition, models.characters, pixels, of));
  const widest = rectangles.toSorted((a, b) => b.width - a.width).slice(0, DIRECTION_LINES);
  const first = await recognise(widest);
  const read = new Map(widest.map((rectangle, i) => [rectangle, first[i]!]));
  const isDoubtful = meanScore(first) < UPRIGHT_SCORE_MIN;
  if (isDoubtful && readability(await recognise(widest.map(halfTurned))) > readability(first)) {
    const { width, height } = pixels;
    pixels = await turned(pixels, 180);
    rotation = rotation === 90 ? 270 : 180;
    rectangles = rectangles.map((r) => ({ ...r, x: width - r.x, y: height - r.y, bend: -r.bend }));
    read.clear();
  }
  const rest = rectangles.filter((rectangle) => !read.has(rectangle));
  for (const [i, each] of (await recognise(rest)).entries()) read.set(rest[i]!, each);
  const inOrder = rectangles.map((rectangle) => read.get(rectangle)!);
  const lines = await timed("recognise", () => withMaskedDigits(models, pixels, rectangles, inOrder));
  const boxes = rectangles
    .map((rectangle, i) => toTextBox(rectangle, lines[i]!))
    .filter((box) => box.text !== "" && box.score >= TEXT_SCORE_MIN);
  return { page: { width: pixels.width, height: pixels.height, rotation, boxes }, stepCpuMs };
}

/** Leaves out the lines of other papers; where those of the receipt are small, it is searched again, enlarged. */
async function linesOfReceipt(models: OcrModels, pixels: Pixels, found: Found): Promise<Rectangle[]> {
  const ofReceipt = (lines: Rectangle[]): Rectangle[] =>
    lines.length <= LINES_FOUND_MAX
      ? withinGutters(withoutTurnedPapers(ofMainPaper(lines, found.papers, pixels), pixels), pixels)
      : lines;
  const lines = ofReceipt(found.rectangles);
  const enlarged = await findSmallText(models.detection, pixels, lines, found.scale);
  if (enlarged === null) return lines;
  const own = new Set(lines);
  const leftOut = found.rectangles.filter((line) => !own.has(line));
  return ofReceipt(withoutLeftOut(enlarged, leftOut));
}

/** Returns whether there is more text than on a till receipt. A vertical line is as long as its rectangle is high. */
function isTooMuch(rectangles: readonly Rectangle[]): boolean {
  const heights = rectangles.map(({ width, height }) => Math.max(width, height) / Math.min(width, height));
  return rectangles.length > LINES_MAX || heights.reduce((sum, each) => sum + each, 0) > TEXT_LENGTH_MAX_HEIGHTS;
}

/** Returns whether most of the text runs vertically: its rectangles are higher than wide. */
function isSideways(rectangles: readonly Rectangle[]): boolean {
  let vertical = 0;
  let horizontal = 0;
  for (const { width, height } of rectangles) {
    if (height > 1.5 * width) vertical += height;
    else if (width > 1.5 * height) horizontal += width;
  }
  return vertical > horizontal;
}

/** `*************729`: after a row of stars the first of a card's four digits is often read as another star. */
const MASKED_THREE = /^(.*[*#xX]{6,}\s?)[*#xX](\d{3})$/;
/** Number of characters at the end that are read again by themselves. */
const MASKED_TAIL = 7;

/** Restores the lost digit of a card number if the end of the line, read by itself, shows it. */
async function withMaskedDigits(
  models: OcrModels,
  pixels: Pixels,
  rectangles: readonly Rectangle[],
  lines: readonly Recognized[],
): Promise<Recognized[]> {
  const results = [...lines];
  for (const [i, { text, score }] of lines.entries()) {
    const [, before, digits] = MASKED_THREE.exec(text) ?? [];
    if (before === undefined || digits === undefined) continue;
    const tail = stretchOf(rectangles[i]!, 1 - MASKED_TAIL / text.length, 1);
    const [read] = await recognizeText(models.recognition, models.characters, pixels, [tail]);
    const four = /(\d{4})$/.exec(read!.text)?.[1];
    if (four?.endsWith(digits)) results[i] = { text: `${before}${four}`, score: Math.min(score, read!.score) };
  }
  return results;
}

/** No lines are upright. */
function meanScore(lines: readonly Recognized[]): number {
  return lines.length === 0 ? 1 : lines.reduce((sum, { score }) => sum + score, 0) / lines.length;
}

function readability(lines: readonly Recognized[]): number {
  return lines.reduce((sum, { text, score }) => sum + text.length * score * score, 0);
}

/** The corners of a bent line are those of its ends. */
function toTextBox({ x, y, width, height, angle, bend }: Rectangle, { text, score }: Recognized): TextBox {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const lower = bend * (width / 2) ** 2;
  const corner = (alongShare: number, acrossShare: number): Point => {
    const [u, v] = [(alongShare * width) / 2, (acrossShare * height) / 2 + lower];
    return { x: Math.round(10 * (x + u * cos - v * sin)) / 10, y: Math.round(10 * (y + u * sin + v * cos)) / 10 };
  };
  return {
    polygon: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)],
    text,
    score: Math.round(1000 * score) / 1000,
    ...(bend !== 0 && { bend }),
  };
}
