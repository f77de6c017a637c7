import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judged } from "../../eval/receipt-tally.ts";
import type { Judgement, Pairs } from "../../eval/receipt-tally.ts";
import type { ReceiptReading } from "../../src/receipts/parsing/parse.ts";
import { canReadCpu, cpuMsOfTree } from "../cpu.ts";
import type { Figure } from "../figures.ts";
import { median } from "../figures.ts";
import { startProgram } from "../program.ts";
import type { Program } from "../program.ts";
import type { Progress } from "../progress.ts";
import { closing } from "./closing.ts";
import { folderReceipts, sampleReceipts } from "./labelled-receipts.ts";
import type { LabelledReceipt } from "./labelled-receipts.ts";

/** What either side read. */
interface Reading {
  readonly merchant: string | null;
  readonly businessName?: string | null;
  readonly date: string | null;
  readonly totalMinor: number | null;
  readonly items: readonly { readonly name: string; readonly amountMinor: number }[];
}

/** `folder` is for files that are not needed afterwards. */
type Reader = Program<{ path: string; folder: string }, Reading>;

interface Read {
  readonly cpuMs: number;
  readonly judgement: Judgement;
}

type Sides = Readonly<Record<"ours" | "peer", Read[]>>;

/** Compares reading receipts: the drawn samples, and those of a folder with labels if there is one. */
export async function compareReceipts({
  folder,
  receiptsMax,
  progress,
}: {
  folder: string;
  receiptsMax: number;
  progress: Progress;
}): Promise<Figure[]> {
  const drawings = mkdtempSync(join(tmpdir(), "rewards-samples-"));
  progress("receipts: drawing the samples, starting both readers");
  const ours: Reader = startProgram("peers/reading.ts");
  const peer: Reader = startProgram("peers/tesseract/tesseract.ts");
  const close = async (): Promise<void> => {
    await Promise.all([ours.stop(), peer.stop()]);
    rmSync(drawings, { recursive: true, force: true });
  };
  return closing(close, async () => {
    const samples = await sampleReceipts(drawings);
    const first = { path: samples[0]!.path, folder: drawings };
    await Promise.all([ours.ask(first), peer.ask(first)]);
    const figures: Figure[] = [];
    for (const [name, receipts] of [
      ["samples", samples],
      ["photos and scans", folderReceipts(folder, receiptsMax)],
    ] as const) {
      if (receipts.length === 0) continue;
      const sides = await readAll(name, receipts, { ours, peer, folder: drawings, progress });
      figures.push(...described(name, sides));
    }
    return figures;
  });
}

/** Each receipt by one side and then by the other, so that a busy machine slows both. */
async function readAll(
  name: string,
  receipts: readonly LabelledReceipt[],
  {
    folder,
    progress,
    ...readers
  }: Readonly<Record<"ours" | "peer", Reader>> & { readonly folder: string; readonly progress: Progress },
): Promise<Sides> {
  const sides: Sides = { ours: [], peer: [] };
  for (const [i, { path, truth }] of receipts.entries()) {
    progress(`receipts: ${name}, ${i + 1} of ${receipts.length}`);
    for (const who of ["ours", "peer"] as const) {
      const reader = readers[who];
      const before = cpuMsOfTree(reader.pid);
      const reading = await reader.ask({ path, folder });
      sides[who].push({ cpuMs: cpuMsOfTree(reader.pid) - before, judgement: judged(truth, toReceipt(reading), null) });
    }
  }
  return sides;
}

/** Only the members that are compared. */
function toReceipt({ merchant, businessName = null, date, totalMinor, items }: Reading): ReceiptReading {
  const lines = items.map(({ name, amountMinor }) => ({ description: name, amountMinor }));
  return { merchantName: merchant, businessName, date, totalMinor, lines } as unknown as ReceiptReading;
}

function described(name: string, sides: Sides): Figure[] {
  const { ours, peer } = sides;
  const side = (who: string, reads: readonly Read[]): Figure => ({
    name: `${who}: processor time of a receipt, ${name}`,
    value: canReadCpu ? median(reads.map(({ cpuMs }) => cpuMs)) : null,
    unit: "ms",
    note: `median of ${reads.length}; ${accuracy(reads.map(({ judgement }) => judgement))}`,
  });
  const ratio = median(peer.map(({ cpuMs }, i) => cpuMs / ours[i]!.cpuMs));
  return [
    side("ours", ours),
    side("peer", peer),
    { name: `processor time of a receipt, the peer's by ours, ${name}`, value: canReadCpu ? ratio : null, unit: "×" },
  ];
}

function accuracy(judgements: readonly Judgement[]): string {
  const right = (of: (judgement: Judgement) => boolean | null): string => {
    const known = judgements.map(of).filter((one) => one !== null);
    return `${known.filter(Boolean).length} of ${known.length}`;
  };
  const f1 = (of: (judgement: Judgement) => Pairs): string => {
    const pairs = judgements.map(of);
    const sum = (key: keyof Pairs): number => pairs.reduce((total, pair) => total + pair[key], 0);
    // A list without names to compare has nothing to count.
    return sum("true") === 0 ? "-" : `${((200 * sum("right")) / (sum("read") + sum("true"))).toFixed(0)} %`;
  };
  return (
    `total ${right(({ total }) => total)}, date ${right(({ date }) => date)}, ` +
    `merchant ${right(({ merchant }) => merchant)}, amounts F1 ${f1(({ amounts }) => amounts)}, ` +
    `items with names F1 ${f1(({ items }) => items)}`
  );
}
