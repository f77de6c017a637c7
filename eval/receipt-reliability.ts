import { columns } from "./receipt-tally.ts";
import type { Judgement } from "./receipt-tally.ts";

/** Edges of the classes of stated accuracy: tenths, the last one in three parts. */
const EDGES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001];

/**
 * How often what was stated with an accuracy is right, by tenths: a calibrated reader has both columns alike. The last
 * row of each has all cases, and how far the two are apart in the mean over the cases.
 */
export function reliability(judgements: readonly Judgement[]): string {
  const lines = judgements.flatMap(({ receipt, lines: rights }) =>
    receipt && rights ? receipt.lines.map(({ accuracy }, i) => ({ accuracy, isRight: rights[i]! })) : [],
  );
  const wholes = judgements.flatMap(({ receipt, whole }) =>
    receipt && whole !== null ? [{ accuracy: receipt.accuracy, isRight: whole }] : [],
  );
  const of = (field: "merchantName" | "date" | "total", right: "merchant" | "date" | "total"): Stated[] =>
    judgements.flatMap((judgement) =>
      judgement.receipt && judgement[right] !== null
        ? [{ accuracy: judgement.receipt.fieldAccuracy[field], isRight: judgement[right] }]
        : [],
    );
  return columns([
    ["stated accuracy", "of", "cases", "stated %", "right %", "apart %"],
    ...rows("merchant", of("merchantName", "merchant")),
    ...rows("date", of("date", "date")),
    ...rows("total", of("total", "total")),
    ...rows("a line", lines),
    ...rows("a receipt, whole", wholes),
  ]);
}

interface Stated {
  accuracy: number;
  isRight: boolean;
}

function rows(name: string, cases: readonly Stated[]): string[][] {
  let apart = 0;
  const classes = EDGES.slice(0, -1).flatMap((from, i) => {
    const to = EDGES[i + 1]!;
    const inside = cases.filter(({ accuracy }) => accuracy >= from && accuracy < to);
    if (inside.length === 0) return [];
    const { stated, right } = meansOf(inside);
    apart += (Math.abs(stated - right) * inside.length) / cases.length;
    const range = `${from.toFixed(2)}-${Math.min(1, to).toFixed(2)}`;
    return [[range, name, String(inside.length), percent(stated), percent(right), percent(Math.abs(stated - right))]];
  });
  const { stated, right } = meansOf(cases);
  return [...classes, ["all", name, String(cases.length), percent(stated), percent(right), percent(apart)]];
}

function meansOf(cases: readonly Stated[]): { stated: number; right: number } {
  const count = Math.max(1, cases.length);
  return {
    stated: cases.reduce((sum, { accuracy }) => sum + accuracy, 0) / count,
    right: cases.filter(({ isRight }) => isRight).length / count,
  };
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
