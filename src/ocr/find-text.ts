import type ort from "onnxruntime-node";
import { detectText } from "./detection.ts";
import { croppedTo, resized } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";
import { paperLevelsOf } from "./paper-levels.ts";
import type { PaperLevels } from "./paper-levels.ts";

// Limits of the detection's input: without them a large scan takes gigabytes. The short side of a long receipt stays
// readable. With lines narrowed to 0.9 (recognition.ts), 1,344 and 576 px take 1.16 s of the processor at the median,
// and 1,600 and 640 px with full lines 1.37 s; 93 % of the 59 listed development receipts are read whole either way.
// The two changes were only measured together.
const LONG_SIDE_MAX_PX = 1024;
const SHORT_SIDE_MIN_PX = 448;
const AREA_MAX_PX = 1600 * 1280;
/**
 * If the text in the detection's input is lower than this in a quarter of the lines, the part with text is enlarged and
 * searched again: rows of lower print become one rectangle. Of 14 pictures near this bound, with 14 px for half of the
 * lines, amounts had an F1 of 72; with 14, 16 and 18 px for a quarter 72, 77 and 92.
 */
const SMALL_TEXT_PX = 18;
const QUARTERS = 4;
/** Height that small text is enlarged to. */
const ENLARGED_TEXT_PX = 22;

/** The lines of text in pixels of the image, how bright it is around them, and at what scale they were searched. */
export interface Found {
  readonly rectangles: Rectangle[];
  readonly papers: PaperLevels;
  readonly scale: number;
}

/** Finds the lines of text on the whole image. */
export async function findText(detection: ort.InferenceSession, pixels: Pixels): Promise<Found> {
  const { width, height } = pixels;
  const scale = detectionScale(width, height);
  const { rectangles, image } = await detectPart(detection, pixels, { left: 0, top: 0, width, height }, scale);
  return { rectangles, papers: paperLevelsOf(image, width, height), scale };
}

/** Searches the part of the image around lines once more, enlarged, if they are small; else returns null. */
export async function findSmallText(
  detection: ort.InferenceSession,
  pixels: Pixels,
  rectangles: readonly Rectangle[],
  scale: number,
): Promise<Rectangle[] | null> {
  const textHeight = lowestHeight(rectangles);
  if (textHeight === null || textHeight * scale >= SMALL_TEXT_PX) return null;
  const part = surrounding(rectangles, pixels, 2 * textHeight);
  const wanted = ENLARGED_TEXT_PX / textHeight;
  const bound = Math.sqrt(AREA_MAX_PX / (part.width * part.height));
  const enlarged = Math.min(wanted, bound);
  return enlarged < 1.2 * scale ? null : (await detectPart(detection, pixels, part, enlarged)).rectangles;
}

function detectionScale(width: number, height: number): number {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const wanted = Math.max(Math.min(1, LONG_SIDE_MAX_PX / long), Math.min(1, SHORT_SIDE_MIN_PX / short));
  return Math.min(wanted, Math.sqrt(AREA_MAX_PX / (width * height)));
}

async function detectPart(
  detection: ort.InferenceSession,
  pixels: Pixels,
  part: { left: number; top: number; width: number; height: number },
  scale: number,
): Promise<{ rectangles: Rectangle[]; image: Pixels }> {
  const width = Math.max(32, Math.round((part.width * scale) / 32) * 32);
  const height = Math.max(32, Math.round((part.height * scale) / 32) * 32);
  const isWhole = part.width === pixels.width && part.height === pixels.height;
  const image = isWhole ? await resized(pixels, width, height) : await croppedTo(pixels, part, width, height);
  const found = await detectText(detection, image);
  const scaleX = part.width / width;
  const scaleY = part.height / height;
  // The sides differ in scale by at most half of 32 pixels: too little to bend a rectangle.
  const rectangles = found.map((r) => ({
    x: part.left + r.x * scaleX,
    y: part.top + r.y * scaleY,
    width: r.width * scaleX,
    height: r.height * scaleY,
    angle: r.angle,
    bend: (r.bend * scaleY) / (scaleX * scaleX),
  }));
  return { rectangles, image };
}

/** Returns half of the longer side: at any angle the rectangle is within this distance of its middle. */
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

/**
 * The height of text in that quarter of the lines, from top to bottom, where it is lowest: seen at an angle, or on
 * curled paper, print is lower at an end, and what is too low there becomes one rectangle for several rows.
 */
function lowestHeight(rectangles: readonly Rectangle[]): number | null {
  const sorted = rectangles.toSorted((a, b) => a.y - b.y);
  const heights = Array.from({ length: QUARTERS }, (_, i) => {
    const part = sorted.slice((i * sorted.length) / QUARTERS, ((i + 1) * sorted.length) / QUARTERS);
    return median(part.map((r) => Math.min(r.width, r.height)));
  }).filter((height) => height !== null);
  return heights.length === 0 ? null : Math.min(...heights);
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}
