import sharp from "sharp";
import type { Sharp } from "sharp";
import { photograph } from "../../src/receipts/samples/photograph.task.ts";
import { drawReceipt } from "../../src/receipts/samples/drawing.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES } from "../../src/receipts/samples/outcomes.ts";
import type { SampleLine, SampleReceipt } from "../../src/receipts/samples/sample.ts";

/** Alterations of a photo before it is submitted again, by name. */
export const ALTERATIONS: Readonly<Record<string, (photo: Buffer) => Promise<Buffer>>> = {
  "turned by 90°": (photo) => jpeg(sharp(photo).rotate(90)),
  "turned by 180°": (photo) => jpeg(sharp(photo).rotate(180)),
  "turned by 270°": (photo) => jpeg(sharp(photo).rotate(270)),
  "cropped by 5 % on each side": async (photo) => {
    const { width, height } = await sharp(photo).metadata();
    const [left, top] = [Math.round(width * 0.05), Math.round(height * 0.05)];
    return jpeg(sharp(photo).extract({ left, top, width: width - 2 * left, height: height - 2 * top }));
  },
  "at JPEG quality 40": (photo) => sharp(photo).jpeg({ quality: 40 }).toBuffer(),
  "brightened by 20 %": (photo) => jpeg(sharp(photo).modulate({ brightness: 1.2 })),
  "darkened by 20 %": (photo) => jpeg(sharp(photo).modulate({ brightness: 0.8 })),
  "scaled to 60 %": async (photo) => {
    const { width } = await sharp(photo).metadata();
    return jpeg(sharp(photo).resize({ width: Math.round(width * 0.6) }));
  },
};

/** Several alterations at once, by name. */
export const COMBINED: typeof ALTERATIONS = Object.fromEntries(
  (
    [
      [90, 1.2],
      [180, 0.8],
      [270, 1.2],
      [90, 0.8],
    ] as const
  ).map(([degrees, brightness]) => [
    `turned by ${degrees}°, cropped, ${brightness > 1 ? "brightened" : "darkened"}, at JPEG quality 40`,
    async (photo) => {
      const cropped = await ALTERATIONS["cropped by 5 % on each side"]!(await sharp(photo).autoOrient().toBuffer());
      return sharp(cropped).rotate(degrees).modulate({ brightness }).jpeg({ quality: 40 }).toBuffer();
    },
  ]),
);

function jpeg(picture: Sharp): Promise<Buffer> {
  return picture.jpeg({ quality: 90 }).toBuffer();
}

/** Receipts of shops that differ in everything. */
export const SHOPS = (["completed", "completed_de", "no_valid_food_items", "already_exists"] as const).map(
  (outcome) => SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT).receipt,
);

/** The receipt that the others of the same shop and day are made from. */
export const MARKET_RECEIPT: SampleReceipt = SHOPS[0]!;

/**
 * Receipts of one shop on one day, as similar as a till prints them: every third has the lines of the one before, with
 * another number and minute.
 */
export function receiptsOfOneDay(count: number): SampleReceipt[] {
  const { lines } = MARKET_RECEIPT;
  return Array.from({ length: count }, (_, i) => {
    const basket = Math.floor((2 * i + 1) / 3);
    const minute = 9 * 60 + 11 * basket + (i % 3);
    return {
      ...MARKET_RECEIPT,
      time: [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":"),
      receiptNumber: `0417 3 ${5861 + i}`,
      lines: basketOf(lines, basket),
    };
  });
}

/** Two long receipts of the same basket, the second a minute later: only its time and its number differ. */
export function longReceipts(lines: number): [SampleReceipt, SampleReceipt] {
  const pool = SHOPS.flatMap((shop) => (shop.currency === "GBP" ? shop.lines : [])).filter(
    ({ amountMinor }) => amountMinor > 0,
  );
  const first = { ...MARKET_RECEIPT, lines: Array.from({ length: lines }, (_, i) => pool[i % pool.length]!) };
  return [first, { ...first, time: "10:42", receiptNumber: "0417 3 5862" }];
}

/** Other purchases of the same shop that are most like a receipt, by name. A till numbers each of them anew. */
export function otherPurchases(receipt: SampleReceipt): Readonly<Record<string, SampleReceipt>> {
  const { lines, time, date, receiptNumber } = receipt;
  const after = (figure: string, by: number) => figure.replace(/\d$/, (digit) => String((Number(digit) + by) % 10));
  const numbered = (by: number) => ({ ...receipt, receiptNumber: after(receiptNumber, by) });
  const priced = lines.map((line, i) => ({ line, i })).filter(({ line }) => line.amountMinor > 20 && !line.measure);
  const moved = (changes: ReadonlyMap<number, number>) =>
    lines.map((line, i) => ({ ...line, amountMinor: line.amountMinor + (changes.get(i) ?? 0) }));
  const [first, second] = [priced[0]!.i, priced[1]!.i];
  const exchanged = new Map([
    [first, 10],
    [second, -10],
  ]);
  return {
    "the same minute, another total": { ...numbered(1), lines: moved(new Map([[first, 10]])) },
    "the same minute and total, other lines": { ...numbered(2), lines: moved(exchanged) },
    "the same lines, the next minute": { ...numbered(3), time: after(time, 1) },
    "the same lines, another day": { ...numbered(4), date: after(date, 3), time: after(time, 2) },
  };
}

/** Selects at least four of the lines; another selection and another first price for each basket. */
function basketOf(lines: readonly SampleLine[], basket: number): SampleLine[] {
  const bought = lines.filter((line, i) => line.amountMinor > 0 && (i + basket) % 3 !== 0);
  return bought
    .slice(0, 4 + (basket % 5))
    .map((line, i) => (i === 0 && !line.measure ? { ...line, amountMinor: line.amountMinor + basket } : line));
}

/** A photo of a receipt on a table, at most of a sample's size. The same seed gives the same table and angle. */
export function photoOf(receipt: SampleReceipt, seed: number, size: { frameLongPx?: number } = {}): Promise<Buffer> {
  return photograph({ ...drawReceipt(receipt), isPaper: true }, { seed, ...size });
}

/** A receipt drawn on plain white, like an e-receipt. */
export function drawingOf(receipt: SampleReceipt): Promise<Buffer> {
  return jpeg(sharp(Buffer.from(drawReceipt(receipt).svg)).flatten({ background: "white" }));
}
