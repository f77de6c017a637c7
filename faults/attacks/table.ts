import type { Outcome } from "./measure.ts";
import type { Call } from "./victim.ts";

const COLUMNS = [
  ["attack", 18],
  ["live max", 9],
  ["p99", 6],
  ["meals", 9],
  ["slowest", 8],
  ["uploads", 8],
  ["slowest", 8],
  ["finished", 9],
  ["cpu s", 7],
  ["api MB", 7],
  ["kids MB", 8],
  ["rows", 8],
  ["db MB", 6],
  ["files", 6],
] as const;

/** The head of the table; times in ms, `finished` in seconds. */
export function tableHead(): string {
  return COLUMNS.map(([name, width], index) => (index === 0 ? name.padEnd(width) : name.padStart(width))).join("");
}

/** One attack as a row of the table, with the responses that the attacker got. */
export function tableRow(outcome: Outcome): string {
  const { attack, seen, responses, cpuSeconds, apiMb, childrenMb, rows, databaseMb, files, broken } = outcome;
  const cells = [
    attack,
    slowest(seen.live),
    quantile(seen.live, 0.99),
    succeeded(seen.meals),
    slowest(seen.meals.map(({ ms }) => ms)),
    succeeded(seen.uploads),
    slowest(seen.uploads.map(({ ms }) => ms)),
    seen.finishedMs === null ? "-" : (seen.finishedMs / 1_000).toFixed(1),
    cpuSeconds.toFixed(1),
    apiMb,
    childrenMb,
    rows,
    databaseMb,
    files,
  ];
  const row = COLUMNS.map(([, width], index) => {
    const cell = String(cells[index]);
    return index === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  const statuses = [...responses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status || "none"}`);
  const result = broken.length === 0 ? "withstood" : `BROKEN: ${broken.join("; ")}`;
  return `${row.join("")}  ${result}\n${" ".repeat(18)}  the attacker got ${statuses.join(", ") || "no response"}`;
}

function slowest(times: readonly number[]): number {
  return Math.round(Math.max(0, ...times));
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function succeeded(calls: readonly Call[]): string {
  return `${calls.filter(({ status }) => status >= 200 && status < 300).length}/${calls.length}`;
}
