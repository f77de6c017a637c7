// Strikes the running service for the given time and audits its data: `npm run test:faults -- --minutes 10`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded, urlOf } from "../src/postgres/embedded/embedded.ts";
import type { Log } from "../src/log.ts";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";
import { strikeFirstStart } from "./first-start.ts";
import { runStory } from "./story.ts";
import { startSplit, startTogether } from "./topology.ts";
import type { Topology } from "./topology.ts";

const USAGE = `Usage: npm run test:faults -- [--minutes N] [--strikes N] [--accepted N] [--receipts N] [--seed S] [--split]

  --minutes N   how long new stories are started (default 10)
  --strikes N   … or the number of strikes after which none is
  --accepted N  submissions that are accepted before each strike (default 50)
  --receipts N  pictures that are uploaded, 0 to 3: reading them takes most of the time (default 3)
  --seed S      seed of the first story; the next one has the next number (default: the time)
  --split       two processes that serve and three that work, instead of one with the bundled PostgreSQL
`;
const STRIKES_A_STORY = 10;
const FIRST_STARTS_A_STORY = 2;
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    strikes: { type: "string", default: "1000000" },
    accepted: { type: "string", default: "50" },
    receipts: { type: "string", default: "3" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1_000)) },
    split: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const dataDir = mkdtempSync(join(tmpdir(), "rewards-faults-"));
const { topology, close } = values.split ? await split() : await together();
const since = Date.now();
const tally = new Map<string, number>();
let [stories, struck, faults, records] = [0, 0, 0, 0];
try {
  for (let seed = Number(values.seed); ; seed++) {
    if (Date.now() - since > Number(values.minutes) * 60_000 || struck >= Number(values.strikes)) break;
    const count = Math.min(STRIKES_A_STORY, Number(values.strikes) - struck);
    const acceptedBetween = Number(values.accepted);
    const struckBy = chosen(topology, seed, count);
    const receipts = Number(values.receipts);
    const story = await runStory({ topology, seed, faults: struckBy, log: say, acceptedBetween, receipts });
    for (const strike of story.strikes) tally.set(strike, (tally.get(strike) ?? 0) + 1);
    if (!values.split) {
      say(`${FIRST_STARTS_A_STORY} first starts`);
      await strikeFirstStart(randomness(seed), FIRST_STARTS_A_STORY);
      struck += FIRST_STARTS_A_STORY;
      tally.set("first start", (tally.get("first start") ?? 0) + FIRST_STARTS_A_STORY);
    }
    stories++;
    struck += story.strikes.length;
    records += story.audit.records;
    const { faults: found, ...figures } = story.audit;
    say(`seed ${seed}: ${JSON.stringify(figures)}, ${found.length} broken promises`);
    for (const fault of found.slice(0, 20)) say(`  ${fault}`);
    faults += found.length;
    const ledger = await topology
      .cli<{ ok: boolean; records: number }>("ledger", "verify")
      .catch((error: Error) => error);
    if (ledger instanceof Error || !ledger.ok) say(`  ledger verify: ${JSON.stringify(ledger)}`);
    if (ledger instanceof Error || !ledger.ok || found.length > 0) process.exitCode = 1;
  }
} finally {
  await close();
}
if (process.exitCode === undefined) rmSync(dataDir, { recursive: true, force: true });
else say(`its data is in ${dataDir}`);
const kinds = [...tally].map(([fault, times]) => `${fault} ${times}`).join(", ");
say(`${stories} stories, ${struck} strikes (${kinds}), ${records} records, ${faults} broken promises`);

/** All faults in a random order by the seed, again and again. */
function chosen<Fault extends string>({ faults }: Topology<Fault>, seed: number, count: number): Fault[] {
  const random = randomness(seed);
  const order: Fault[] = [];
  while (order.length < count) {
    order.push(
      ...faults
        .map((fault) => [random(), fault] as const)
        .sort(([a], [b]) => a - b)
        .map(([, fault]) => fault),
    );
  }
  return order.slice(0, count);
}

async function together(): Promise<{ topology: Topology; close: () => Promise<void> }> {
  const topology = await startTogether(dataDir);
  return { topology: topology, close: () => topology.stop() };
}

async function split(): Promise<{ topology: Topology; close: () => Promise<void> }> {
  const postgres = await startEmbedded({ dataDir: join(dataDir, "database"), log: silent });
  const url = urlOf(postgres.connection);
  const topology = await startSplit(join(dataDir, "files"), url).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  const close = async () => {
    await topology.stop();
    await postgres.stop();
  };
  return { topology: topology, close };
}

function say(line: string): void {
  const seconds = Math.round((Date.now() - since) / 1_000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`);
}
