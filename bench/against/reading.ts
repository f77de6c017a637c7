import { photo, readReceipts, PHONE_LONG_PX } from "../receipts.ts";
import type { Photo } from "../receipts.ts";
import type { Progress } from "../progress.ts";
import { median } from "../figures.ts";
import { cpuBetween } from "../subject.ts";
import type { Subject } from "../subject.ts";
import { nothingToClose } from "./measurement.ts";
import type { Measurement, Rounds } from "./measurement.ts";
import type { Sample } from "./rounds.ts";

interface Photos {
  readonly warmUp: Photo;
  readonly small: readonly Photo[];
  readonly phone: readonly Photo[];
}

/** Processor time of receipts, one at a time: drawn photos of 3 megapixels, and of 12 as a phone's. */
export function receipts({ rounds, small, phone }: { rounds: number; small: number; phone: number }): Measurement {
  // Drawn once, so that both sides get the same photos.
  const drawn = new Map<number, Promise<Photos>>();
  const photosOf = (n: number, progress: Progress): Promise<Photos> => {
    const known = drawn.get(n);
    if (known) return known;
    progress(`receipts: drawing the photos of round ${n}`);
    const photos = drawPhotos(n * (1 + small + phone), small, phone);
    drawn.set(n, photos);
    return photos;
  };
  const begin = async (subject: Subject, progress: Progress): Promise<Rounds> => {
    const round = async (n: number): Promise<Sample[]> => {
      const photos = await photosOf(n, progress);
      // The reading processes may have ended since the last round.
      await readReceipts(subject, [photos.warmUp], 1);
      return [
        ...(await measure(subject, photos.small, "a receipt")),
        ...(await measure(subject, photos.phone, "a receipt of 12 megapixels")),
      ];
    };
    return { round, close: nothingToClose };
  };
  return { role: "start", rounds, begin };
}

async function drawPhotos(first: number, small: number, phone: number): Promise<Photos> {
  const draw = async (from: number, count: number, longPx?: number): Promise<Photo[]> => {
    const photos: Photo[] = [];
    for (let i = 0; i < count; i++) photos.push(await photo(from + i, longPx));
    return photos;
  };
  const [warmUp] = await draw(first, 1);
  return {
    warmUp: warmUp!,
    small: await draw(first + 1, small),
    phone: await draw(first + 1 + small, phone, PHONE_LONG_PX),
  };
}

async function measure(subject: Subject, photos: readonly Photo[], what: string): Promise<Sample[]> {
  const before = subject.cpu();
  const waits = await readReceipts(subject, photos, 1);
  const spent = cpuBetween(before, subject.cpu());
  const each = (ms: number): number => ms / photos.length;
  return [
    { name: `${what}: processor time`, value: each(spent.nodeMs + spent.postgresMs), unit: "ms" },
    { name: `${what}: of it reading`, value: each(spent.readingMs), unit: "ms" },
    {
      name: `${what}: of it examination and the rest`,
      value: each(spent.nodeMs + spent.postgresMs - spent.readingMs),
      unit: "ms",
    },
    { name: `${what}: upload to receipt_completed`, value: median(waits), unit: "ms" },
  ];
}
