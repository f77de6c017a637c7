import { GROWTH_PARTS } from "./growth/growth.ts";
import { MEASUREMENTS } from "./measurements.ts";

/** Measurements that start several services, or fill their database: each is a run of its own. */
export const ALONE = {
  growth: "a database with --records (a million) records beside a small one: a minute for each million",
  console: "every page of the console over --records (a million) records",
  "app-move": "app move of --records (a hundred thousand) records and their images, killed, undone and run again",
  floors: "accepting and intakes with parts of the service removed: ten minutes",
  reports: "what daily figures cost an intake, beside the same service without them",
} as const;

/** What can be measured, and how. */
export function usage(): string {
  const line = (name: string, what: string): string => `  ${name.padEnd(10)} ${what}`;
  const all = Object.entries(MEASUREMENTS);
  return `Measures the service on this machine. Each measurement starts a new one, and ends and removes it. The machine should
have nothing else to do. docs/performance.md has the figures, docs/measuring.md says what they mean.

npm run bench                                  about seven minutes:
${all
  .filter(([, { isLong }]) => !isLong)
  .map(([name, { what }]) => line(name, what))
  .join("\n")}

npm run bench -- --only NAME[,NAME…]           only some of them, or what is too long for the first command:
${all
  .filter(([, { isLong }]) => isLong)
  .map(([name, { what }]) => line(name, what))
  .join("\n")}

npm run bench -- --only NAME                   each by itself:
${Object.entries(ALONE)
  .map(([name, what]) => line(name, what))
  .join("\n")}

npm run bench -- --against COMMIT [--only …]   this tree and a commit in turns: idle, intakes, even, receipts, bytes, serve,
                                           accept
npm run bench -- --quick                       two minutes: against bench/record.json; exits with 1 when a ratio is worse
npm run bench -- --quick --write               makes this machine's figures the record

  --rounds N         rounds of accept, serve, floors and reports, of --against (5); of each page of the console (40)
  --seconds N        length of a round of accept and serve (4), of floors (3), of the steady load (60)
  --records N        for growth, console and app-move
  --folder FOLDER    for growth and console: the filled database stays there, and is not filled again
  --parts PART,…     for growth: ${GROWTH_PARTS.join(", ")}
  --pages TEXT       for console: only pages with this in their name or address
  --json             for machines`;
}
