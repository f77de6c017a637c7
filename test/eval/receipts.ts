// npm run eval:receipts -- ../shared/receipts [--limit N] [--source prefix] [--cache DIR] [--failures]
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { createOcr, OcrFailure, type Ocr, type OcrReading } from "../../src/adapters/ocr.ts";
import { squashed } from "../../src/receipts/labels.ts";
import { toMerchantDictionary, withoutLegalForm } from "../../src/receipts/merchants.ts";
import { parseReceipt, type ReceiptReading } from "../../src/receipts/parse.ts";
import { rowsOf } from "../../src/receipts/read.ts";

/** One line of truth.jsonl, as far as used here. */
type Truth = {
  file: string;
  merchant: string;
  date: string;
  total: number;
  items?: { name: string; amount: number }[];
  discounts?: { label: string; amount: number }[];
  items_source?: "gold" | "silver";
  lines?: { box: number[]; text: string }[];
};

/** Counted over the receipts of one source. `characterErrors` and `characters` where transcripts exist. */
type Tally = {
  receipts: number;
  merchant: number;
  date: number;
  total: number;
  amounts: { right: number; read: number; true: number };
  items: { right: number; read: number; true: number };
  listed: number;
  whole: number;
  characterErrors: number;
  characters: number;
  failed: number;
};

const METRICS = `merchant  printed or usual name against the truth, letters only, with and without legal forms: edit similarity >= 0.8, or one holds the other (4 letters or more)
date      exact day;  total  exact to the cent, what was to pay
amounts   F1 over receipts with items: line amounts as a multiset, discounts included, every receipt's counts summed
items     F1 over gold receipts: amount equal and name alike (edit similarity >= 0.7, or half of the words)
whole     merchant, date and total right and every amount right (gold: every item too), of the receipts with items
CER       edit distance of the letters read, row by row, to the transcript, upper case without spaces, by characters of the transcript
seconds   of one process for one image, its waiting left out: by the clock (a busy machine is slower) and of the processor`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      limit: { type: "string" },
      source: { type: "string", default: "" },
      cache: { type: "string" },
      failures: { type: "boolean", default: false },
      processes: { type: "string" },
    },
  });
  const folder = positionals[0];
  if (folder === undefined)
    throw new Error(
      "usage: npm run eval:receipts -- FOLDER [--limit N] [--source prefix] [--cache DIR] [--failures] [--processes N]",
    );
  const truths = (await readFile(path.join(folder, "truth.jsonl"), "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Truth)
    .filter(({ file }) => path.basename(file).startsWith(values.source))
    .slice(0, Number(values.limit ?? Infinity));
  const dictionary = toMerchantDictionary(
    await readFile(new URL("../../data/merchants.jsonl", import.meta.url), "utf8"),
  );
  if (values.cache) await mkdir(values.cache, { recursive: true });
  const ocr = createOcr(values.processes ? { processes: Number(values.processes) } : {});
  const tallies = new Map<string, Tally>();
  const readings: OcrReading[] = [];
  const failures: string[] = [];
  let done = 0;
  await Promise.all(
    truths.map(async (truth) => {
      const source = path.basename(truth.file).split("_")[0]!;
      const reading = await readCached(ocr, path.join(folder, truth.file), values.cache).catch((error: unknown) => {
        if (!(error instanceof OcrFailure)) throw error;
        failures.push(`${truth.file}: ${error.kind}: ${error.message}`);
        return null;
      });
      if (reading) readings.push(reading);
      const receipt = reading && parseReceipt(reading.page, dictionary);
      for (const name of [source, "all"]) {
        const tally = tallies.get(name) ?? emptyTally();
        tallies.set(name, tally);
        const faults = count(tally, truth, receipt, reading);
        if (name === "all" && faults.length > 0) failures.push(`${path.basename(truth.file)}: ${faults.join("; ")}`);
      }
      done++;
      if (process.stderr.isTTY || done % 10 === 0 || done === truths.length)
        process.stderr.write(`\r${done}/${truths.length} read`);
    }),
  );
  await ocr.close();
  process.stderr.write("\n");
  console.log(table(tallies));
  console.log(cost(readings));
  console.log(`\n${METRICS}`);
  if (values.failures) console.log(`\n${failures.sort().join("\n")}`);
}

/** With a cache folder the OCR's page is kept beside its cost, so that only the parser runs the next time. */
async function readCached(ocr: Ocr, file: string, cache: string | undefined): Promise<OcrReading> {
  if (!cache) return ocr.readMeasured({ path: file });
  const kept = path.join(cache, `${path.basename(file)}.json`);
  const text = await readFile(kept, "utf8").catch(() => null);
  if (text !== null) return JSON.parse(text) as OcrReading;
  const reading = await ocr.readMeasured({ path: file });
  await writeFile(kept, JSON.stringify(reading));
  return reading;
}

function noPairs(): Tally["amounts"] {
  return { right: 0, read: 0, true: 0 };
}

function emptyTally(): Tally {
  return {
    receipts: 0,
    merchant: 0,
    date: 0,
    total: 0,
    amounts: noPairs(),
    items: noPairs(),
    listed: 0,
    whole: 0,
    characterErrors: 0,
    characters: 0,
    failed: 0,
  };
}

/** Adds one receipt to the tally and says in words what was wrong. */
function count(tally: Tally, truth: Truth, receipt: ReceiptReading | null, reading: OcrReading | null): string[] {
  const faults: string[] = [];
  tally.receipts++;
  if (!receipt || !reading) {
    tally.failed++;
    return faults;
  }
  const merchantRight = [receipt.merchantName, receipt.businessName].some(
    (name) => name !== null && isSameMerchant(name, truth.merchant),
  );
  const dateRight = receipt.date === truth.date;
  const totalRight = receipt.totalMinor === toMinor(truth.total);
  tally.merchant += Number(merchantRight);
  tally.date += Number(dateRight);
  tally.total += Number(totalRight);
  if (!merchantRight) faults.push(`merchant ${receipt.merchantName} for ${truth.merchant}`);
  if (!dateRight) faults.push(`date ${receipt.date} for ${truth.date}`);
  if (!totalRight) faults.push(`total ${receipt.totalMinor} for ${toMinor(truth.total)}`);
  if (truth.items) {
    const trueLines = [
      ...truth.items.map(({ name, amount }) => ({ name, amountMinor: toMinor(amount) })),
      ...(truth.discounts ?? []).map(({ label, amount }) => ({ name: label, amountMinor: toMinor(amount) })),
    ];
    const readLines = receipt.lines.map(({ description, amountMinor }) => ({ name: description, amountMinor }));
    const amounts = paired(readLines, trueLines, () => true);
    const items = paired(readLines, trueLines, isSameName);
    add(tally.amounts, amounts.pairs, readLines.length, trueLines.length);
    if (truth.items_source === "gold") add(tally.items, items.pairs, readLines.length, trueLines.length);
    const isComplete = (pairs: number): boolean => pairs === readLines.length && pairs === trueLines.length;
    const linesRight = isComplete(truth.items_source === "gold" ? items.pairs : amounts.pairs);
    tally.listed++;
    tally.whole += Number(merchantRight && dateRight && totalRight && linesRight);
    if (!linesRight) {
      const pairing = truth.items_source === "gold" ? items : amounts;
      faults.push(`lines wrong [${show(pairing.readAlone)}] missing [${show(pairing.trueAlone)}]`);
    }
  }
  if (truth.lines) {
    tally.characters += truth.lines.reduce((sum, { text }) => sum + withoutSpaces(text).length, 0);
    tally.characterErrors += characterErrors(truth.lines, reading);
  }
  return faults;
}

function show(lines: readonly Line[]): string {
  return lines.map(({ name, amountMinor }) => `${name}=${amountMinor}`).join(", ");
}

function withoutSpaces(text: string): string {
  return text.toUpperCase().replace(/\s/g, "");
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : ((100 * part) / whole).toFixed(1);
}

function wordsOf(text: string): string[] {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}

/** Each transcript line against the text read nearest to it would need a pairing; the bag of characters by row is enough for a trend. */
function characterErrors(lines: NonNullable<Truth["lines"]>, reading: OcrReading): number {
  const rows = rowsOf(reading.page);
  const all = rows.flatMap((row) => [row.text, ...row.cells.map(({ text }) => text)]).map(withoutSpaces);
  // A transcript line is looked for in the rows and cells read; the closest one counts.
  return lines.reduce((sum, { text }) => {
    const wanted = withoutSpaces(text);
    let best = wanted.length;
    for (const candidate of all) best = Math.min(best, distanceInside(candidate, wanted));
    return sum + best;
  }, 0);
}

/** Edit distance of `wanted` to the most similar part of `text`. */
function distanceInside(text: string, wanted: string): number {
  let column = Array.from({ length: wanted.length + 1 }, (_, i) => i);
  let best = wanted.length;
  for (const letter of text) {
    const next = [0];
    for (let i = 1; i <= wanted.length; i++) {
      next.push(Math.min(column[i - 1]! + (wanted[i - 1] === letter ? 0 : 1), column[i]! + 1, next[i - 1]! + 1));
    }
    best = Math.min(best, next[wanted.length]!);
    column = next;
  }
  return best;
}

type Line = { name: string; amountMinor: number };

/** Pairs lines of equal amount that `alike` accepts, each used once. */
function paired(read: readonly Line[], real: readonly Line[], alike: (a: string, b: string) => boolean) {
  const trueAlone = [...real];
  const readAlone = read.filter((line) => {
    const at = trueAlone.findIndex(
      ({ amountMinor, name }) => amountMinor === line.amountMinor && alike(line.name, name),
    );
    if (at >= 0) trueAlone.splice(at, 1);
    return at < 0;
  });
  return { pairs: read.length - readAlone.length, readAlone, trueAlone };
}

function isSameName(a: string, b: string): boolean {
  if (similarity(squashed(a), squashed(b)) >= 0.7) return true;
  const [first, second] = [wordsOf(a), new Set(wordsOf(b))];
  const shared = first.filter((word) => second.has(word)).length;
  return shared > 0 && shared * 2 >= Math.max(first.length, second.size);
}

function isSameMerchant(a: string, b: string): boolean {
  const pairs = [
    [squashed(a), squashed(b)],
    [squashed(withoutLegalForm(a)), squashed(withoutLegalForm(b))],
  ] as const;
  const holds = (x: string, y: string): boolean => y.length >= 4 && x.includes(y);
  return pairs.some(([x, y]) => similarity(x, y) >= 0.8 || holds(x, y) || holds(y, x));
}

function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return 1 - row[b.length]! / longest;
}

function add(sum: Tally["amounts"], right: number, read: number, real: number): void {
  sum.right += right;
  sum.read += read;
  sum.true += real;
}

function toMinor(amount: number): number {
  return Math.round(amount * 100);
}

function table(tallies: ReadonlyMap<string, Tally>): string {
  const f1 = ({ right, read, true: real }: Tally["amounts"]): string => percent(2 * right, read + real);
  const head = [
    "source",
    "receipts",
    "merchant %",
    "date %",
    "total %",
    "amounts F1",
    "items F1",
    "whole %",
    "CER %",
    "failed",
  ];
  const order = [...tallies.keys()].sort((a, b) => Number(a === "all") - Number(b === "all") || a.localeCompare(b));
  const body = order.map((name) => {
    const t = tallies.get(name)!;
    return [
      name,
      String(t.receipts),
      percent(t.merchant, t.receipts),
      percent(t.date, t.receipts),
      percent(t.total, t.receipts),
      f1(t.amounts),
      f1(t.items),
      percent(t.whole, t.listed),
      percent(t.characterErrors, t.characters),
      String(t.failed),
    ];
  });
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((row) => row[i]!.length)));
  return [head, ...body]
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "))
    .join("\n");
}

function cost(readings: readonly OcrReading[]): string {
  const peakMb = Math.max(0, ...readings.map(({ rssBytes }) => rssBytes)) / 1e6;
  const spread = (milliseconds: readonly number[]): string => {
    const sorted = milliseconds.toSorted((a, b) => a - b);
    const at = (share: number): string => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(2);
    return `median ${at(0.5)}, p90 ${at(0.9)}`;
  };
  return [
    `seconds an image and process: ${spread(readings.map(({ durationMs }) => durationMs))}`,
    `of the processor: ${spread(readings.map(({ cpuMs }) => cpuMs))}`,
    `memory of a process after an image, at most ${peakMb.toFixed(0)} MB`,
  ].join("; ");
}

await main();
