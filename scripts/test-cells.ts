// Runs the tests with another service in each of their databases: npm run test:cells -- [OPTION ...] [FILE ...]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const USAGE = `Usage: npm run test:cells -- [--cell NAME --beside NAME] [--pgbouncer] [FILE ...]

Runs all tests but those of the pages and the container, or those of the files, with two cells in each database: the one under test, and a neighbour with data,
due jobs and locks. After each test database its neighbour says what was done to it: nothing is allowed.

  --cell NAME, --beside NAME  schemas of the cell under test and of its neighbour
                              (default: cell_a beside public, and then public beside cell_a)
  --pgbouncer                 the service reaches the test databases through PgBouncer in transaction mode
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cell: { type: "string" },
    beside: { type: "string" },
    pgbouncer: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || (values.cell === undefined) !== (values.beside === undefined)) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 1);
}
const { cell, beside } = values;
const pairs =
  cell !== undefined && beside !== undefined
    ? [{ cell, beside }]
    : [
        { cell: "cell_a", beside: "public" },
        { cell: "public", beside: "cell_a" },
      ];
const program = positionals.length > 0 ? ["scripts/test-one.ts", ...positionals] : ["scripts/test-all.ts", "all"];
const root = join(import.meta.dirname, "..");
let status = 0;
for (const pair of pairs) {
  console.log(`${pair.cell} beside ${pair.beside}${values.pgbouncer ? ", through PgBouncer" : ""}`);
  const run = spawnSync(process.execPath, ["bin/run.mjs", ...program], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_DATABASE_SCHEMA: pair.cell,
      TEST_NEIGHBOUR_SCHEMA: pair.beside,
      TEST_PGBOUNCER: String(values.pgbouncer),
    },
  });
  status ||= run.status ?? 1;
}
process.exit(status);
