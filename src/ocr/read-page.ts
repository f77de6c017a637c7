import ort from "onnxruntime-node";
import type { OcrPage, Point, TextBox } from "./page.ts";
import { detectText } from "./detection.ts";
import { croppedTo, halfTurned, loadPixels, resized, straightenInto, stretchOf, turned } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";
import { withPrintOnly } from "./ink.ts";
import { recognizeText } from "./recognition.ts";
import type { Alphabet, Recognized } from "./recognition.ts";

/** The three models of PP-OCRv4 and the alphabet to read with. */
export interface OcrModels {
  detection: ort.InferenceSession;
  direction: ort.InferenceSession;
  recognition: ort.InferenceSession;
  alphabet: Alphabet;
}

// Bounds of the detection's input: without them a large scan takes gigabytes. A long receipt keeps its short side readable.
// With lines narrowed to 0.9 (ocr-recognition.ts), 1,344 and 576 take 1.16 s of processor at the median where 1,600 and 640 with full lines
// take 1.37; 93 % of the 59 listed development receipts come out whole either way. The two changes were measured together only.
const LONG_SIDE_MAX_PX = 1024;
const SHORT_SIDE_MIN_PX = 448;
const AREA_MAX_PX = 1600 * 1280;
/** Text lower than this in the detection's input is cut out, enlarged and looked for again. */
const SMALL_TEXT_PX = 14;
/** What small text is enlarged to. */
const WANTED_TEXT_PX = 22;
/** Lines asked for their direction, the widest ones. */
const DIRECTION_VOTERS = 12;
const DIRECTION_WIDTH_PX = 192;
const DIRECTION_HEIGHT_PX = 48;
/** Lines read both ways when the vote says upside down. */
const CONFIRMING_LINES = 6;
/** A rectangle read worse than this is not text. */
const TEXT_SCORE_MIN = 0.5;

/** Milliseconds of the processor that each step took. */
export interface StepCpuMs {
  decode: number;
  detect: number;
  direction: number;
  ink: number;
  recognise: number;
}

/** A page and what it cost. */
export interface PageWithCost {
  page: OcrPage;
  stepCpuMs: StepCpuMs;
}

/** Reads one image, given as a path or its bytes: turned upright, its lines found and read. Throws when it cannot be decoded. */
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
  let rectangles = await timed("detect", () => findText(models, pixels));
  if (standUpright(rectangles)) {
    pixels = await turned(pixels, 90);
    rotation = 90;
    rectangles = await timed("detect", () => findText(models, pixels));
  }
  if (await timed("direction", () => isUpsideDown(models, pixels, rectangles))) {
    const { width, height } = pixels;
    pixels = await turned(pixels, 180);
    rotation = rotation === 90 ? 270 : 180;
    rectangles = rectangles.map((r) => ({ ...r, x: width - r.x, y: height - r.y, bend: -r.bend }));
  }
  rectangles = await timed("ink", () => withPrintOnly(pixels, rectangles));
  const lines = await timed("recognise", async () => {
    const read = await recognizeText(models.recognition, models.alphabet, pixels, rectangles);
    return withMaskedDigits(models, pixels, rectangles, read);
  });
  const boxes = rectangles
    .map((rectangle, i) => toTextBox(rectangle, lines[i]!))
    .filter((box) => box.text !== "" && box.score >= TEXT_SCORE_MIN);
  return { page: { width: pixels.width, height: pixels.height, rotation, boxes }, stepCpuMs };
}

/** The lines of text in pixels of the image: looked for once on the whole, and once more on an enlarged part where they are small. */
async function findText(models: OcrModels, pixels: Pixels): Promise<Rectangle[]> {
  const whole = { left: 0, top: 0, width: pixels.width, height: pixels.height };
  const scale = detectionScale(pixels.width, pixels.height);
  const rectangles = await detectPart(models, pixels, whole, scale);
  const textHeight = median(rectangles.map((r) => Math.min(r.width, r.height)));
  if (textHeight === null || textHeight * scale >= SMALL_TEXT_PX) return rectangles;
  const part = surrounding(rectangles, pixels, 2 * textHeight);
  const wanted = WANTED_TEXT_PX / textHeight;
  const bound = Math.sqrt(AREA_MAX_PX / (part.width * part.height));
  const enlarged = Math.min(wanted, bound);
  return enlarged < 1.2 * scale ? rectangles : detectPart(models, pixels, part, enlarged);
}

function detectionScale(width: number, height: number): number {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const wanted = Math.max(Math.min(1, LONG_SIDE_MAX_PX / long), Math.min(1, SHORT_SIDE_MIN_PX / short));
  return Math.min(wanted, Math.sqrt(AREA_MAX_PX / (width * height)));
}

async function detectPart(
  models: OcrModels,
  pixels: Pixels,
  part: { left: number; top: number; width: number; height: number },
  scale: number,
): Promise<Rectangle[]> {
  const width = Math.max(32, Math.round((part.width * scale) / 32) * 32);
  const height = Math.max(32, Math.round((part.height * scale) / 32) * 32);
  const isWhole = part.width === pixels.width && part.height === pixels.height;
  const image = isWhole ? await resized(pixels, width, height) : await croppedTo(pixels, part, width, height);
  const found = await detectText(models.detection, image);
  const scaleX = part.width / width;
  const scaleY = part.height / height;
  // The sides differ in scale by at most half of 32 pixels: too little to bend a rectangle.
  return found.map((r) => ({
    x: part.left + r.x * scaleX,
    y: part.top + r.y * scaleY,
    width: r.width * scaleX,
    height: r.height * scaleY,
    angle: r.angle,
    bend: (r.bend * scaleY) / (scaleX * scaleX),
  }));
}

/** Half of the larger side: a rectangle whichever way it lies is within it of its middle. */
function reach({ width, height }: Rectangle): number {
  return Math.max(width, height) / 2;
}

function surrounding(rectangles: readonly Rectangle[], pixels: Pixels, margin: number) {
  const left = Math.max(0, Math.floor(Math.min(...rectangles.map((r) => r.x - reach(r))) - margin));
  const right = Math.min(pixels.width, Math.ceil(Math.max(...rectangles.map((r) => r.x + reach(r))) + margin));
  const top = Math.max(0, Math.floor(Math.min(...rectangles.map((r) => r.y - r.height / 2)) - margin));
  const bottom = Math.min(pixels.height, Math.ceil(Math.max(...rectangles.map((r) => r.y + r.height / 2)) + margin));
  return { left, top, width: right - left, height: bottom - top };
}

/** Whether most of the text runs from top to bottom: its rectangles are higher than wide. */
function standUpright(rectangles: readonly Rectangle[]): boolean {
  let upright = 0;
  let lying = 0;
  for (const { width, height } of rectangles) {
    if (height > 1.5 * width) upright += height;
    else if (width > 1.5 * height) lying += width;
  }
  return upright > lying;
}

/** The vote of the widest lines; where it says upside down, reading some lines both ways decides. */
async function isUpsideDown(models: OcrModels, pixels: Pixels, rectangles: readonly Rectangle[]): Promise<boolean> {
  const voters = rectangles.toSorted((a, b) => b.width - a.width).slice(0, DIRECTION_VOTERS);
  if (voters.length === 0) return false;
  const size = 3 * DIRECTION_HEIGHT_PX * DIRECTION_WIDTH_PX;
  const tensor = new Float32Array(voters.length * size);
  for (const [i, line] of voters.entries()) {
    // The model looks at four heights of a line; of a wider one its beginning.
    const width = Math.min(line.width, (line.height * DIRECTION_WIDTH_PX) / DIRECTION_HEIGHT_PX);
    const part = stretchOf(line, 0, width / line.width);
    const textWidth = Math.max(8, Math.round((DIRECTION_HEIGHT_PX * width) / line.height));
    straightenInto(tensor, i * size, DIRECTION_WIDTH_PX, pixels, part, textWidth, DIRECTION_HEIGHT_PX);
  }
  const shape = [voters.length, 3, DIRECTION_HEIGHT_PX, DIRECTION_WIDTH_PX];
  const output = await models.direction.run({ x: new ort.Tensor("float32", tensor, shape) });
  const votes = Object.values(output)[0]!.data as Float32Array;
  const turnedVotes = voters.filter((_, i) => votes[2 * i + 1]! > votes[2 * i]!).length;
  if (turnedVotes * 2 <= voters.length) return false;
  const lines = voters.slice(0, CONFIRMING_LINES);
  const asIs = await recognizeText(models.recognition, models.alphabet, pixels, lines);
  const other = await recognizeText(models.recognition, models.alphabet, pixels, lines.map(halfTurned));
  return readability(other) > readability(asIs);
}

/** `*************729`: behind a row of stars the first of a card's four digits is often read as one more star. */
const MASKED_THREE = /^(.*[*#xX]{6,}\s?)[*#xX](\d{3})$/;
/** Characters from the end that are looked at by themselves. */
const MASKED_TAIL = 7;

/** The lines with the lost digit put in where the end of the line, read by itself, shows it. */
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
    const [read] = await recognizeText(models.recognition, models.alphabet, pixels, [tail]);
    const four = /(\d{4})$/.exec(read!.text)?.[1];
    if (four?.endsWith(digits)) results[i] = { text: `${before}${four}`, score: Math.min(score, read!.score) };
  }
  return results;
}

function readability(lines: readonly Recognized[]): number {
  return lines.reduce((sum, { text, score }) => sum + text.length * score * score, 0);
}

/** The corners of a bent line lie where its ends do. */
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

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}
