import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAverage } from "../cpu.ts";
import type { Progress } from "../progress.ts";
import { alternate } from "./alternate.ts";
import type { Comparison } from "./against.ts";
import { intakes } from "./load.ts";
import { compare } from "./rounds.ts";
import { checkOut } from "./tree.ts";

/** The function that counts a record. Without it there are no differences, and none is written or added up. */
const COUNTING = "src/points/figures/record-figures.ts";
const BEGINNING = /export function countRecord\([^{]*\{\n/;

/** Measures what the daily figures cost an intake: this tree, and the last commit of it without them, in turns. */
export async function measureReports(rounds: number, progress: Progress, signal: AbortSignal): Promise<Comparison> {
  const tree = await checkOut("HEAD", progress, signal);
  try {
    const file = join(tree.root, COUNTING);
    const text = readFileSync(file, "utf8");
    if (!BEGINNING.test(text)) throw new Error(`${COUNTING} has no countRecord`);
    writeFileSync(
      file,
      text.replace(BEGINNING, (beginning) => `${beginning}  return;\n`),
    );
    const loads = [loadAverage()];
    const there = { root: tree.root, label: "without figures" };
    const found = await alternate("reports", intakes({ rounds, foods: 2_000 }), { there, progress, signal });
    loads.push(loadAverage());
    const failed = found.missing === null ? [] : [{ name: "reports", reason: found.missing }];
    return { commit: there.label, compared: compare(found.pairs), missing: [], failed, loads };
  } finally {
    tree.remove();
  }
}
