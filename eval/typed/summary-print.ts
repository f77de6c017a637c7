import { printed } from "./summary-words.ts";
import type { RowKind, Till } from "./summary-words.ts";

// How a till prints the rows of a drawn summary.

/** A row to print. `amount` is null where the text has it. */
export interface Row {
  kind: RowKind | "goods" | "text";
  text: string;
  amount: number | null;
  isUnsigned?: boolean;
}

/** How a receipt is printed. */
interface Layout {
  width: number;
  mark: string;
  minus: "before" | "behind";
  isInTwoRows: boolean;
  isTotalMarked: boolean;
  hasRules: boolean;
}

/** Signs before an amount. */
const SIGNS: Readonly<Record<string, string>> = { USD: "$", GBP: "£", EUR: "€", MYR: "RM ", CAD: "$", AUD: "$", BRL: "R$ ", IDR: "Rp " }; // prettier-ignore

/** Prints rows below the head of a shop and above the foot of a receipt, in a drawn layout. */
export function printedSummary(
  till: Till,
  rows: readonly Row[],
  random: () => number,
  misread: (figures: string) => string,
): string {
  const head = headOf(till, random);
  const printedAll = printedRows(till, rows, layoutOf(till, random), misread);
  return [...head, ...printedAll, ...footOf(random)].join("\n");
}

function oneOf<T>(random: () => number, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}

function layoutOf(till: Till, random: () => number): Layout {
  const sign = SIGNS[till.currency] ?? "";
  return {
    width: 34 + Math.floor(random() * 9),
    mark: random() < 0.3 ? oneOf(random, [" A", " B", " T", "*"]) : "",
    minus: random() < 0.2 ? "behind" : "before",
    isInTwoRows: random() < 0.06,
    isTotalMarked: sign !== "" && random() < 0.3,
    hasRules: random() < 0.4,
  };
}

/** Kinds of rows whose figures may be misread, beside the goods. */
const MISREAD_KINDS: ReadonlySet<string> = new Set(["goods", "total", "toPay", "cash", "card"]);

function printedRows(till: Till, rows: readonly Row[], layout: Layout, misread: (figures: string) => string): string[] {
  return rows.flatMap(({ kind, text, amount, isUnsigned }) => {
    if (amount === null) return [text];
    const figures = printed(till, Math.abs(amount));
    const seen = MISREAD_KINDS.has(kind) ? misread(figures) : figures;
    const isNegative = amount < 0 && isUnsigned !== true;
    const signed = isNegative ? (layout.minus === "behind" ? `${seen}-` : `-${seen}`) : seen;
    const isTotal = kind === "total" || kind === "toPay";
    const sign = isTotal && layout.isTotalMarked && !/[$€]|Rp?\$?$|EUR$/.test(text) ? (SIGNS[till.currency] ?? "") : "";
    const mark = kind === "goods" ? layout.mark : "";
    const room = Math.max(2, layout.width - text.length - sign.length - signed.length + (layout.minus === "behind" && isNegative ? 1 : 0)); // prettier-ignore
    const rule = kind === "total" && layout.hasRules ? ["-".repeat(layout.width)] : [];
    if (layout.isInTwoRows && kind !== "goods" && kind !== "itemDiscount")
      return [...rule, text, `${sign}${signed}`.padStart(layout.width)];
    return [...rule, `${text}${" ".repeat(room)}${sign}${signed}${mark}`];
  });
}

function headOf({ words }: Till, random: () => number): string[] {
  const head = oneOf(random, words.get("head")!).split(" / ");
  const digits = (below: number): string => String(1 + Math.floor(random() * below)).padStart(2, "0");
  return [...head.map((row) => `    ${row}`), `${digits(28)}.${digits(12)}.2025  ${digits(20)}:${digits(58)}`];
}

function footOf(random: () => number): string[] {
  return [`#${Math.floor(1000 + 9000 * random())}  ${Math.floor(10 + 89 * random())}`];
}
