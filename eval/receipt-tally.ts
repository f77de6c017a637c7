import type { OcrReading } from "../src/ocr/ocr.ts";
import type { NamePair } from "./receipt-names.ts";
import { toMinor } from "../src/points/money.ts";
import { compactKey } from "../src/receipts/parsing/rows/labels.ts";
import { withoutLegalForm } from "../src/receipts/parsing/header/header-rows.ts";
import type { ReceiptReading } from "../src/receipts/parsing/parse.ts";
import { rowsOf } from "../src/receipts/parsing/rows/rows.ts";

/** One line of truth.jsonl, as far as used here. */
export interface Truth {
  /** null: the picture does not show it. */
  merchant: string | null;
  date: string | null;
  total: number;
  /** `printed`: the name with the letters that the OCR does not have, where `name` is without them. */
  items?: { name: string; amount: number; printed?: string; qty?: number }[];
  discounts?: { label: string; amount: number }[];
  items_source?: "gold" | "silver";
  lines?: { box: number[]; text: string }[];
  time?: string | null;
  currency?: string;
  country?: string;
  card_last4?: string | null;
}

/** The country that a receipt is likely from, by `--likely own|CODE`; null without it. */
export function likelyCountryOf(likely: string | undefined, { country }: Truth): string | null {
  return likely === "own" ? (country ?? null) : (likely ?? null);
}

/**
 * One receipt's reading compared with its truth. `lines`: whether each line read is right (its amount; for gold also
 * its name), null if the truth lists none.
 */
export interface Judgement {
  receipt: ReceiptReading | null;
  /** Of this and what follows null: the truth doesn't say. */
  merchant: boolean | null;
  date: boolean | null;
  total: boolean;
  time: boolean | null;
  currency: boolean | null;
  card: boolean | null;
  lines: readonly boolean[] | null;
  amounts: Pairs;
  /** Of gold lists only. */
  items: Pairs;
  /** Names of gold lists that were paired, as read and as printed. */
  names: readonly NamePair[];
  /** Of paired items whose count or weight the truth has: whether it was read. */
  quantities: readonly boolean[];
  /** null where the truth lists no items. */
  whole: boolean | null;
  characterErrors: number;
  characters: number;
  /** Descriptions of the errors. */
  errors: readonly string[];
}

/** Lines paired, lines read, lines there are. */
export interface Pairs {
  right: number;
  read: number;
  true: number;
}

/** What the columns of the table mean. */
export const METRICS = `merchant  printed or usual name against the truth, letters only, with and without legal forms: edit similarity >= 0.8, or one holds the other (4 letters or more)
date      exact day;  total  exact to the cent, what was to pay
amounts   F1 over receipts with items: line amounts as a multiset, discounts included, every receipt's counts summed
items     F1 over gold receipts: amount equal and name alike (edit similarity >= 0.7, or half of the words)
quantity  of those items, where the truth has a count or weight: equal to a hundredth of it
whole     merchant, date and total right and every amount right (gold: every item too), of the receipts with items
CER       edit distance of the letters read, row by row, to the transcript, upper case without spaces, by characters of the transcript
seconds   of one process for one image, its waiting left out: by the clock (a busy machine is slower) and of the processor`;

function noPairs(): Pairs {
  return { right: 0, read: 0, true: 0 };
}

/** Compares a reading with the truth. */
export function judged(truth: Truth, receipt: ReceiptReading | null, reading: OcrReading | null): Judgement {
  const { merchant } = truth;
  const isMerchant =
    merchant === null
      ? null
      : [receipt?.merchantName, receipt?.businessName].some(
          (name) => typeof name === "string" && isSameMerchant(name, merchant),
        );
  const isDate = truth.date === null ? null : receipt?.date === truth.date;
  const isTotal = receipt?.totalMinor === toMinor(truth.total, truth.currency ?? "");
  const errors: string[] = [];
  if (!receipt) errors.push("not read");
  else {
    if (isMerchant === false) errors.push(`merchant ${receipt.merchantName} for ${truth.merchant}`);
    if (isDate === false) errors.push(`date ${receipt.date} for ${truth.date}`);
    if (!isTotal) errors.push(`total ${receipt.totalMinor} for ${toMinor(truth.total, truth.currency ?? "")}`);
  }
  const isGold = truth.items_source === "gold";
  const trueLines = linesOf(truth);
  const readLines = (receipt?.lines ?? []).map(({ description, amountMinor, quantity }) => ({
    name: description,
    printed: description,
    amountMinor,
    quantity,
  }));
  const amounts = paired(readLines, trueLines ?? [], () => true);
  const items = paired(readLines, trueLines ?? [], isSameName);
  const pairing = isGold ? items : amounts;
  const areLines = pairing.readAlone.length === 0 && pairing.trueAlone.length === 0;
  if (receipt && trueLines && !areLines)
    errors.push(`lines wrong [${show(pairing.readAlone)}] missing [${show(pairing.trueAlone)}]`);
  const wrong = new Set(pairing.readAlone);
  const isSame = <T>(wanted: T | undefined, read: T | null | undefined): boolean | null =>
    wanted === undefined || wanted === null ? null : read === wanted;
  return {
    receipt,
    merchant: isMerchant,
    date: isDate,
    total: isTotal,
    time: isSame(truth.time?.slice(0, 5), receipt?.time?.slice(0, 5)),
    currency: isSame(truth.currency, receipt?.currency),
    card: isSame(truth.card_last4 ?? undefined, receipt?.cardLast4),
    lines: trueLines ? readLines.map((line) => !wrong.has(line)) : null,
    names: isGold ? items.names : [],
    quantities: isGold ? items.quantities : [],
    amounts: trueLines ? { right: amounts.pairs, read: readLines.length, true: trueLines.length } : noPairs(),
    items: trueLines && isGold ? { right: items.pairs, read: readLines.length, true: trueLines.length } : noPairs(),
    whole: trueLines ? isMerchant !== false && isDate !== false && isTotal && areLines : null,
    characters: (truth.lines ?? []).reduce((sum, { text }) => sum + withoutSpaces(text).length, 0),
    characterErrors: truth.lines && reading ? characterErrors(truth.lines, reading) : 0,
    errors,
  };
}

function linesOf({ items, discounts, currency = "" }: Truth): Line[] | null {
  if (!items) return null;
  return [
    ...items.map(({ name, amount, printed = name, qty }) => ({
      name,
      printed,
      amountMinor: toMinor(amount, currency),
      quantity: qty ?? null,
    })),
    ...(discounts ?? []).map(({ label, amount }) => ({
      name: label,
      printed: label,
      amountMinor: toMinor(amount, currency),
      quantity: null,
    })),
  ];
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
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}

/**
 * Counts wrong characters. Each line of the transcript is compared with the most similar row or cell; pairing them is
 * not needed for a trend.
 */
function characterErrors(lines: NonNullable<Truth["lines"]>, reading: OcrReading): number {
  const rows = rowsOf(reading.page);
  const all = rows.flatMap((row) => [row.text, ...row.cells.map(({ text }) => text)]).map(withoutSpaces);
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

interface Line {
  name: string;
  printed: string;
  amountMinor: number;
  /** null: the truth doesn't say. */
  quantity: number | null;
}

/** A weight may be printed with more figures than the truth has. */
const QUANTITY_GAP_MAX = 0.01;

/** Pairs lines of equal amount that `alike` accepts, each used once. */
function paired(read: readonly Line[], real: readonly Line[], alike: (a: string, b: string) => boolean) {
  const trueAlone = [...real];
  const names: NamePair[] = [];
  const quantities: boolean[] = [];
  const readAlone = read.filter((line) => {
    const at = trueAlone.findIndex(
      ({ amountMinor, name }) => amountMinor === line.amountMinor && alike(line.name, name),
    );
    if (at < 0) return true;
    const [{ printed, quantity }] = trueAlone.splice(at, 1) as [Line];
    names.push({ read: line.name, printed });
    if (quantity !== null) quantities.push(Math.abs(line.quantity! - quantity) <= QUANTITY_GAP_MAX * quantity);
    return false;
  });
  return { pairs: read.length - readAlone.length, readAlone, trueAlone, names, quantities };
}

function isSameName(a: string, b: string): boolean {
  if (similarity(compactKey(a), compactKey(b)) >= 0.7) return true;
  const [first, second] = [wordsOf(a), new Set(wordsOf(b))];
  const shared = first.filter((word) => second.has(word)).length;
  return shared > 0 && shared * 2 >= Math.max(first.length, second.size);
}

function isSameMerchant(a: string, b: string): boolean {
  const pairs = [
    [compactKey(a), compactKey(b)],
    [compactKey(withoutLegalForm(a)), compactKey(withoutLegalForm(b))],
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

/** The judgements as a table, a row for each source and one for all. */
export function table(judgements: ReadonlyMap<string, readonly Judgement[]>): string {
  const sources: [string, readonly Judgement[]][] = [...judgements].sort(([a], [b]) => a.localeCompare(b));
  const all = sources.flatMap(([, list]) => list);
  const head = "source receipts merchant% date% total% amountsF1 itemsF1 quantity% whole% time% currency% card% CER% failed".split(" "); // prettier-ignore
  const body = [...sources, ["all", all] as [string, readonly Judgement[]]].map(([name, list]) => {
    const share = (field: (judgement: Judgement) => boolean | null): string => {
      const known = list.map(field).filter((right) => right !== null);
      return percent(known.filter(Boolean).length, known.length);
    };
    const f1 = (field: (judgement: Judgement) => Pairs): string => {
      const pairs = list.map(field);
      const sum = (key: keyof Pairs): number => pairs.reduce((total, pair) => total + pair[key], 0);
      return percent(2 * sum("right"), sum("read") + sum("true"));
    };
    return [
      name,
      String(list.length),
      share(({ merchant }) => merchant),
      share(({ date }) => date),
      share(({ total }) => total),
      f1(({ amounts }) => amounts),
      f1(({ items }) => items),
      percent(...partOf(list.flatMap(({ quantities }) => quantities))),
      share(({ whole }) => whole),
      share(({ time }) => time),
      share(({ currency }) => currency),
      share(({ card }) => card),
      percent(
        list.reduce<number>((sum, judgement) => sum + judgement.characterErrors, 0),
        list.reduce<number>((sum, judgement) => sum + judgement.characters, 0),
      ),
      String(list.filter(({ receipt }) => receipt === null).length),
    ];
  });
  return columns([head, ...body]);
}

/** How many are true, and how many there are. */
function partOf(list: readonly boolean[]): [number, number] {
  return [list.filter(Boolean).length, list.length];
}

/** Rows of cells set in columns, the first to the left, the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "))
    .join("\n");
}
