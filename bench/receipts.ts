import { createOcr } from "../src/ocr/ocr.ts";
import { drawReceipt } from "../src/receipts/samples/drawing.ts";
import { SAMPLE_OUTCOMES } from "../src/receipts/samples/outcomes.ts";
import type { SampleMoment } from "../src/receipts/samples/outcomes.ts";
import { photograph } from "../src/receipts/samples/photograph.task.ts";
import { totalMinorOf } from "../src/receipts/samples/sample.ts";
import type { SampleReceipt } from "../src/receipts/samples/sample.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The longer side of a phone's photo with 12 megapixels. */
export const PHONE_LONG_PX = 4_000;

/** A photo of a receipt, with what the upload says about the purchase. */
export interface Photo {
  readonly image: Buffer;
  readonly soldAt: Date;
  readonly totalMinor: number;
}

/** Draws the photo of a receipt of 13 lines. Each `n` below 3,600 is another purchase and another photo. */
export async function photo(n: number, frameLongPx?: number): Promise<Photo> {
  const soldAt = soldAtOf(n);
  const [date, time] = [soldAt.toISOString().slice(0, 10), soldAt.toISOString().slice(11, 16)];
  const receipt = purchase(n, { date, time });
  const size = frameLongPx === undefined ? {} : { frameLongPx };
  const image = await photograph({ ...drawReceipt(receipt), isPaper: true }, { seed: n, ...size });
  return { image, soldAt, totalMinor: totalMinorOf(receipt) };
}

/** Another day and another minute for each: two of one purchase would be duplicates. */
function soldAtOf(n: number): Date {
  const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  return new Date(yesterday - (n % 100) * DAY_MS + (8 * 60 + ((n * 37) % 720)) * MINUTE_MS);
}

/** The same shop and the same names, in another order and at other prices: the pictures of equal lists are similar. */
function purchase(n: number, moment: SampleMoment): SampleReceipt {
  const { receipt } = SAMPLE_OUTCOMES.completed(moment);
  const priced = receipt.lines.map((line, place) =>
    line.measure === undefined && line.amountMinor > 0
      ? { ...line, amountMinor: line.amountMinor + ((n * 31 + place * 17) % 90) }
      : line,
  );
  // A discount follows the item it belongs to.
  const starts = priced
    .keys()
    .filter((place) => priced[place]!.amountMinor > 0)
    .toArray();
  const start = starts[n % starts.length]!;
  const lines = [...priced.slice(start), ...priced.slice(0, start)];
  return { ...receipt, lines, receiptNumber: `0417 3 ${5_000 + n}` };
}

/** Uploads photos, `atOnce` at a time. Returns the time from each upload to its last event, in ms. */
export async function readReceipts(subject: Subject, photos: readonly Photo[], atOnce: number): Promise<number[]> {
  const waits: number[] = [];
  const waiting = [...photos];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const sentMs = performance.timeOrigin + performance.now();
      const id = await subject.upload(next);
      const { event, atMs, reason } = await subject.endOf(id);
      if (event !== "receipt_completed") throw new Error(`a sample ended with ${event} ${reason}`);
      waits.push(atMs - sentMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return waits;
}

/** Measures the seconds of a receipt, alone and with another at the same time, and the share of OCR. */
export async function measureReceipts(
  subject: Subject,
  { photos, progress }: { photos: number; progress: Progress },
): Promise<Figure[]> {
  progress("receipts: drawing photos");
  const drawn: Photo[] = [];
  for (let n = 0; n < 2 + photos * 2; n++) drawn.push(await photo(n));
  progress("receipts: starting the reading processes");
  await readReceipts(subject, drawn.slice(0, 2), 2);
  progress(`receipts: ${photos} one at a time`);
  const alone = await readReceipts(subject, drawn.slice(2, 2 + photos), 1);
  progress(`receipts: ${photos} two at a time`);
  const startedMs = performance.now();
  const paired = await readReceipts(subject, drawn.slice(2 + photos), 2);
  const pairedMs = performance.now() - startedMs;

  progress("receipts: OCR alone");
  const ocr = createOcr({ processes: 1 });
  try {
    await ocr.read({ bytes: drawn[0]!.image });
    const readings = [];
    for (const { image } of drawn.slice(2, 2 + photos)) readings.push(await ocr.readMeasured({ bytes: image }));
    const ocrMs = median(readings.map(({ durationMs }) => durationMs));
    return [
      {
        name: "a receipt, upload to receipt_completed",
        value: median(alone) / 1_000,
        unit: "s",
        note: `median of ${photos} drawn photos one at a time; slowest ${(Math.max(...alone) / 1_000).toFixed(2)} s`,
      },
      {
        name: "the same, two at a time",
        value: median(paired) / 1_000,
        unit: "s",
        note: `${((photos / pairedMs) * 60_000).toFixed(0)} receipts a minute`,
      },
      {
        name: "of it OCR, alone in its process",
        value: ocrMs / 1_000,
        unit: "s",
        note: `processor time ${(median(readings.map(({ cpuMs }) => cpuMs)) / 1_000).toFixed(2)} s`,
      },
    ];
  } finally {
    await ocr.close();
  }
}
