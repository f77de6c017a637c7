import { columns } from "./receipt-tally.ts";
import type { Judgement } from "./receipt-tally.ts";

/** Edges of the classes of stated accuracy. */
const EDGES = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001];

/** How often what was stated with an accuracy is right: a calibrated reader has both columns alike. */
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
    ["stated accuracy", "of", "cases", "stated %", "right %"],
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
  return EDGES.slice(0, -1).flatMap((from, i) => {
    const to = EDGES[i + 1]!;
    const inside = cases.filter(({ accuracy }) => accuracy >= from && accuracy < to);
    if (inside.length === 0) return [];
    const stated = inside.reduce((sum, { accuracy }) => sum + accuracy, 0) / inside.length;
    const right = inside.filter(({ isRight }) => isRight).length / inside.length;
    const range = `${from.toFixed(2)}-${Math.min(1, to).toFixed(2)}`;
    return [[range, name, String(inside.length), (100 * stated).toFixed(1), (100 * right).toFixed(1)]];
  });
}
