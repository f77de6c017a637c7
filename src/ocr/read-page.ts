import ort from "onnxruntime-node";
import type { OcrPage, Point, TextBox } from "./page.ts";
import { findSmallText, findText } from "./find-text.ts";
import type { Found } from "./find-text.ts";
import { withinGutters } from "./gutter.ts";
import { halfTurned, loadPixels, straightenInto, stretchOf, turned } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";
import { withPrintOnly } from "./ink.ts";
import { ofMainPaper } from "./main-paper.ts";
import { MIDDLE_LEVEL, recognizeText } from "./recognition.ts";
import type { Recognized } from "./recognition.ts";

/** What finds lines, what sees upside down, what reads, and the characters that it reads. */
export interface OcrModels {
  detection: ort.InferenceSession;
  direction: ort.InferenceSession;
  recognition: ort.InferenceSession;
  characters: readonly string[];
}

/** Number of lines, the widest ones, that vote on the direction. */
const DIRECTION_VOTERS = 12;
const DIRECTION_WIDTH_PX = 192;
const DIRECTION_HEIGHT_PX = 48;
/** Number of lines that are read both ways if the vote is upside down. */
const CONFIRMING_LINES = 6;
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
  direction: number;
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
  const stepCpuMs: StepCpuMs = { decode: 0, detect: 0, direction: 0, ink: 0, recognise: 0 };
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
  if (await timed("direction", () => isUpsideDown(models, pixels, rectangles))) {
    const { width, height } = pixels;
    pixels = await turned(pixels, 180);
    rotation = rotation === 90 ? 270 : 180;
    rectangles = rectangles.map((r) => ({ ...r, x: width - r.x, y: height - r.y, bend: -r.bend }));
  }
  rectangles = await timed("ink", () => withPrintOnly(pixels, rectangles));
  const lines = await timed("recognise", async () => {
    const read = await recognizeText(models.recognition, models.characters, pixels, rectangles);
    return withMaskedDigits(models, pixels, rectangles, read);
  });
  const boxes = rectangles
    .map((rectangle, i) => toTextBox(rectangle, lines[i]!))
    .filter((box) => box.text !== "" && box.score >= TEXT_SCORE_MIN);
  return { page: { width: pixels.width, height: pixels.height, rotation, boxes }, stepCpuMs };
}

/** Leaves out the lines of other papers; where those of the receipt are small, it is searched again, enlarged. */
async function linesOfReceipt(models: OcrModels, pixels: Pixels, found: Found): Promise<Rectangle[]> {
  const ofReceipt = (lines: Rectangle[]): Rectangle[] =>
    lines.length <= LINES_FOUND_MAX ? withinGutters(ofMainPaper(lines, found.papers, pixels), pixels) : lines;
  const lines = ofReceipt(found.rectangles);
  const enlarged = await findSmallText(models.detection, pixels, lines, found.scale);
  return enlarged === null ? lines : ofReceipt(enlarged);
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

/** Asks the direction model about the widest lines; if most are upside down, compares some lines read both ways. */
async function isUpsideDown(models: OcrModels, pixels: Pixels, rectangles: readonly Rectangle[]): Promise<boolean> {
  const voters = rectangles.toSorted((a, b) => b.width - a.width).slice(0, DIRECTION_VOTERS);
  // If no line of the wider half is upside down, most are not: on most pages the other half need not be asked.
  const half = Math.ceil(voters.length / 2);
  const votes = await turnedOf(models, pixels, voters.slice(0, half));
  if (votes === 0) return false;
  const allVotes = votes + (await turnedOf(models, pixels, voters.slice(half)));
  if (allVotes * 2 <= voters.length) return false;
  const lines = voters.slice(0, CONFIRMING_LINES);
  const asIs = await recognizeText(models.recognition, models.characters, pixels, lines);
  const other = await recognizeText(models.recognition, models.characters, pixels, lines.map(halfTurned));
  return readability(other) > readability(asIs);
}

/** Returns how many of the lines the direction model takes for upside down. */
async function turnedOf(models: OcrModels, pixels: Pixels, lines: readonly Rectangle[]): Promise<number> {
  if (lines.length === 0) return 0;
  const size = 3 * DIRECTION_HEIGHT_PX * DIRECTION_WIDTH_PX;
  const levels = new Uint8Array(lines.length * size).fill(MIDDLE_LEVEL);
  for (const [i, line] of lines.entries()) {
    // The model's input is four times as wide as high: a longer line is cut off at its end.
    const width = Math.min(line.width, (line.height * DIRECTION_WIDTH_PX) / DIRECTION_HEIGHT_PX);
    const part = stretchOf(line, 0, width / line.width);
    const textWidth = Math.max(8, Math.round((DIRECTION_HEIGHT_PX * width) / line.height));
    straightenInto(levels, i * size, DIRECTION_WIDTH_PX, pixels, part, textWidth, DIRECTION_HEIGHT_PX);
  }
  const tensor = new Float32Array(levels.length);
  for (let i = 0; i < levels.length; i++) tensor[i] = levels[i]! / 127.5 - 1;
  const shape = [lines.length, 3, DIRECTION_HEIGHT_PX, DIRECTION_WIDTH_PX];
  const output = await models.direction.run({ x: new ort.Tensor("float32", tensor, shape) });
  const votes = Object.values(output)[0]!.data as Float32Array;
  return lines.filter((_, i) => votes[2 * i + 1]! > votes[2 * i]!).length;
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
