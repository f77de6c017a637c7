// Attacks the running service, and checks that another application hardly notices: `npm run test:attacks`.
import { parseArgs } from "node:util";
import { sampleImage } from "../../src/receipts/samples/sample-image.task.ts";
import { ATTACKS, CALM } from "./attacks.ts";
import { LIVE_MS_MAX, measure } from "./measure.ts";
import { tableHead, tableRow } from "./table.ts";

const USAGE = `Usage: npm run test:attacks -- [NAME …] [--seconds N] [--list]

  NAME …        which attacks; all of them without a name
  --seconds N   how long each one goes on (default 20)
  --list        lists them

Each attack has a service of its own, started by its usual command in a temporary folder. Meanwhile GET /health/live is
requested every 50 ms, and another application sends meals and receipts. The exit code is 1 when /health/live takes more
than ${LIVE_MS_MAX} ms, or a request of the other application fails. Run it on a machine without other work.
`;
const PICTURES = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "20" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !ATTACKS.some((attack) => attack.name === name));
const seconds = Number(values.seconds);
if (values.help) say(USAGE.trimEnd());
else if (values.list) for (const { name, about } of ATTACKS) say(`${name.padEnd(18)}${about}`);
else if (unknown.length > 0 || !(seconds > 0)) {
  say(unknown.length > 0 ? `there is no attack ${unknown.join(", ")}; --list lists them` : USAGE);
  process.exitCode = 2;
} else await run(positionals);

async function run(names: readonly string[]): Promise<void> {
  const chosen = names.length === 0 ? ATTACKS : ATTACKS.filter(({ name }) => names.includes(name));
  const pictures: Buffer[] = [];
  for (let seed = 1; seed <= PICTURES; seed++) pictures.push(await sampleImage("completed", seed));
  let usualFinishMs: number | null = null;
  let brokenCount = 0;
  say(tableHead());
  for (const attack of [CALM, ...chosen]) {
    const outcome = await measure({ attack, seconds, pictures, usualFinishMs });
    if (attack === CALM) usualFinishMs = outcome.seen.finishedMs;
    else if (outcome.broken.length > 0) brokenCount++;
    say(tableRow(outcome));
  }
  say(`${chosen.length} attacks, ${brokenCount} broke a promise`);
  if (brokenCount > 0) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
