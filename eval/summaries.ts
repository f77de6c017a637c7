// npm run eval:summaries -- [--seeds 1-20] [--misread SHARE] [--kind KIND] [--failures total|list]
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { toMinor } from "../src/points/money.ts";
import { toMerchantDictionary } from "../src/receipts/parsing/header/merchant-dictionary.ts";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import type { ReceiptReading } from "../src/receipts/parsing/parse.ts";
import { typedPage } from "../test/support/typed-receipt.ts";
import { columns } from "./receipt-tally.ts";
import { asRead } from "./typed/collection.ts";
import { drawnSummaries } from "./typed/summaries.ts";
import type { Summary } from "./typed/summaries.ts";

// Reads drawn summaries (typed/summaries.ts), and shows how often the total was wrong or missing, or the list wrong,
// by what was printed below the list.

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    misread: { type: "string", default: "0" },
    kind: { type: "string" },
    failures: { type: "string" },
  },
});
const dictionary = toMerchantDictionary(
  await readFile(new URL("../reference/merchants.jsonl", import.meta.url), "utf8"),
);

/** How a summary was read. */
interface Verdict {
  summary: Summary;
  isTotal: boolean;
  isMissing: boolean;
  isList: boolean;
  /** The total that was read is one digit's correction of a printed one. */
  isCorrected: boolean;
}

const [first, last = first] = values.seeds.split("-").map(Number) as [number, number | undefined];
const verdicts: Verdict[] = [];
for (let seed = first; seed <= last; seed++)
  for (const summary of drawnSummaries(seed, Number(values.misread))) {
    if (values.kind !== undefined && !tagsOf(summary).includes(values.kind)) continue;
    const reading = parseReceipt(typedPage(asRead(summary.print)), dictionary);
    const verdict = judged(summary, reading);
    verdicts.push(verdict);
    if (values.failures === "total" ? !verdict.isTotal : values.failures === "list" && !verdict.isList)
      show(summary, reading, seed);
  }
const tags = [...new Set(verdicts.flatMap(({ summary }) => tagsOf(summary)))].toSorted();
const line = (name: string, some: readonly Verdict[]): string[] => [
  name,
  String(some.length),
  ...[
    some.filter(({ isTotal, isMissing }) => !isTotal && !isMissing),
    some.filter(({ isMissing }) => isMissing),
    some.filter(({ isCorrected, isTotal }) => isCorrected && !isTotal),
    some.filter(({ isList }) => !isList),
    some.filter(({ isTotal, isList }) => isTotal && isList),
  ].map((part) => `${part.length} (${((100 * part.length) / some.length).toFixed(1)} %)`),
];
const head = ["with", "receipts", "total wrong", "total missing", "of wrong: corrected", "list wrong", "both right"];
const body = tags.map((tag) => line(tag, verdicts.filter(({ summary }) => tagsOf(summary).includes(tag)))); // prettier-ignore
console.log(columns([head, ...body, line("all", verdicts)]));

/** Kinds of rows, country and language of a summary. */
function tagsOf({ kinds, country, isInvented }: Summary): string[] {
  return [...kinds, `country ${country}`, isInvented ? "invented words" : "usual words"];
}

function judged(summary: Summary, { totalMinor, lines, currency, repairs }: ReceiptReading): Verdict {
  const minors = (amounts: readonly number[]): number[] => amounts.map((one) => toMinor(one, currency ?? ""));
  const total = toMinor(summary.total, summary.currency);
  const read = lines.map(({ amountMinor }) => amountMinor);
  const [right, optional] = [minors(summary.lines), minors(summary.optional)];
  return {
    summary,
    isTotal: totalMinor === total,
    isMissing: totalMinor === null,
    isList:
      isSame(read, right) ||
      isSame(read, [...right, ...optional]) ||
      optional.some((one) => isSame(read, [...right, one])),
    isCorrected: repairs.some((repair) => repair.startsWith("total")),
  };
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  const sorted = (all: readonly number[]): string => all.toSorted((a, b) => a - b).join(" ");
  return sorted(some) === sorted(others);
}

function show(summary: Summary, { totalMinor, lines, repairs, currency }: ReceiptReading, seed: number): void {
  const read = lines.map(({ amountMinor }) => amountMinor).join(" ");
  console.log(
    `${summary.print}\n>>> seed ${seed} ${summary.country}: total ${totalMinor} for ${summary.total} ${summary.currency} (${currency}), lines ${read} for ${summary.lines.join(" ")}; ${repairs.join("; ")}\n`,
  );
}
