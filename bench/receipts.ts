import { createOcr } from "../src/ocr/ocr.ts";
import { sampleImage } from "../src/receipts/samples/sample-image.task.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

const DAY_MS = 86_400_000;

/** A photo of a drawn receipt. Each `n` is another purchase and another photo. */
export interface Photo {
  readonly image: Buffer;
  readonly soldAt: Date;
}

export async function photo(n: number): Promise<Photo> {
  // Yesterday, and each a minute later: two of one purchase would be duplicates.
  const day = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS);
  const soldAt = new Date(day.getTime() + (8 * 60 + n) * 60_000);
  const [date, time] = [soldAt.toISOString().slice(0, 10), soldAt.toISOString().slice(11, 16)];
  return { image: await sampleImage("completed", n, { date, time }), soldAt };
}

/** Uploads photos, `atOnce` at a time. Returns the time from each upload to its last event, in ms. */
export async function readReceipts(subject: Subject, photos: readonly Photo[], atOnce: number): Promise<number[]> {
  const waits: number[] = [];
  const waiting = [...photos];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const sentMs = performance.timeOrigin + performance.now();
      const id = await subject.upload(next);
      const { event, atMs } = await subject.endOf(id);
      if (event !== "receipt_completed") throw new Error(`a sample ended with ${event}`);
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
