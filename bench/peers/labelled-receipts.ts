import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Truth } from "../../eval/receipt-tally.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES } from "../../src/receipts/samples/outcomes.ts";
import type { SampleOutcome } from "../../src/receipts/samples/outcomes.ts";
import { sampleImage } from "../../src/receipts/samples/sample-image.task.ts";
import { totalMinorOf } from "../../src/receipts/samples/sample.ts";

/** A picture of a receipt, with what it says. */
export interface LabelledReceipt {
  readonly path: string;
  readonly truth: Truth;
}

const SEED = 7;
const MINOR = 100;

/** Draws each sample receipt of the sandbox once, as a photo in `folder`. */
export async function sampleReceipts(folder: string): Promise<LabelledReceipt[]> {
  const drawn: LabelledReceipt[] = [];
  for (const outcome of Object.keys(SAMPLE_OUTCOMES) as SampleOutcome[]) {
    const sample = SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT);
    if (sample.kind !== "receipt") continue;
    const { receipt } = sample;
    const path = join(folder, `${outcome}.jpg`);
    await writeFile(path, await sampleImage(outcome, SEED));
    drawn.push({
      path,
      truth: {
        merchant: receipt.merchant?.name ?? null,
        date: receipt.date,
        total: totalMinorOf(receipt) / MINOR,
        currency: receipt.currency,
        items: receipt.lines.map(({ name, amountMinor }) => ({ name, amount: amountMinor / MINOR })),
        items_source: "gold",
      },
    });
  }
  return drawn;
}

/** Up to `receiptsMax` receipts of a folder with labels, evenly from its list; none when there is no folder. */
export function folderReceipts(folder: string, receiptsMax: number): LabelledReceipt[] {
  const list = join(folder, "truth.jsonl");
  if (!existsSync(list)) return [];
  const all = readFileSync(list, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Truth & { file: string });
  const step = Math.max(1, all.length / receiptsMax);
  return all
    .filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
    .map((truth) => ({ path: join(folder, truth.file), truth }));
}
