// Strikes the running service for the given time and audits its data: `npm run test:faults -- --minutes 10`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded, urlOf } from "../src/postgres/embedded/embedded.ts";
import { NO_LOG } from "../src/log.ts";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";
import { strikeFirstStart } from "./first-start.ts";
import { createBarrier, startCells } from "./cells.ts";
import { runStory } from "./story.ts";
import type { Story } from "./story.ts";
import { startSplit, startTogether } from "./topology.ts";
import type { Topology } from "./topology.ts";

const USAGE = `Usage: npm run test:faults -- [--minutes N] [--strikes N] [--accepted N] [--receipts N] [--seed S]
                              [--split | --cells N [--pgbouncer] [--s3 | --swift] [--moves]]

  --minutes N   how long new stories are started (default 10)
  --strikes N   … or the number of strikes after which none is
  --accepted N  submissions that are accepted before each strike (default 50)
  --receipts N  pictures that are uploaded, 0 to 3: reading them takes most of the time (default 3)
  --seed S      seed of the first story; the next one has the next number (default: the time)
  --split       two processes that serve and three that work, instead of one with the bundled PostgreSQL
  --cells N     N times the same, in schemas of one installed PostgreSQL, each with a story of its own at once
  --pgbouncer   the processes of cells reach it through PgBouncer in transaction mode
  --s3          their images are in a bucket of S3, which is away at times
  --swift       their images are in a bucket of an installed OpenStack Swift, whose servers are killed at times
  --moves       as a strike, the application of a story moves to the next cell, by a command that is killed at times
`;
const STRIKES_A_STORY = 10;
const FIRST_STARTS_A_STORY = 2;
/** Between the seeds of stories that run at once. */
const SEEDS_OF_A_CELL = 1_000_000_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    strikes: { type: "string", default: "1000000" },
    accepted: { type: "string", default: "50" },
    receipts: { type: "string", default: "3" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1_000)) },
    split: { type: "boolean", default: false },
    cells: { type: "string" },
    pgbouncer: { type: "boolean", default: false },
    s3: { type: "boolean", default: false },
    swift: { type: "boolean", default: false },
    moves: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

/** What is struck: one service, or several that run at once. */
interface Subject {
  readonly topologies: readonly Topology[];
  /** What of one service is in another. */
  strangers(stories: readonly Story[]): Promise<string[]>;
  close(): Promise<void>;
}

const since = Date.now();
const dataDir = mkdtempSync(join(tmpdir(), "rewards-faults-"));
const hasCells = values.cells !== undefined;
const subject = hasCells ? await cells() : values.split ? await split() : await together();
const tally = new Map<string, number>();
let [stories, struck, faults, records] = [0, 0, 0, 0];
try {
  for (let seed = Number(values.seed); ; seed++) {
    if (Date.now() - since > Number(values.minutes) * 60_000 || struck >= Number(values.strikes)) break;
    const ended = await storiesOf(seed, Math.min(STRIKES_A_STORY, Number(values.strikes) - struck));
    for (const [i, story] of ended.entries()) await judge(story, subject.topologies[i]!, seed + i * SEEDS_OF_A_CELL);
    const strangers = await subject.strangers(ended);
    for (const stranger of strangers) say(`  ${stranger}`);
    faults += strangers.length;
    if (strangers.length > 0) process.exitCode = 1;
    if (!hasCells && !values.split) {
      say(`${FIRST_STARTS_A_STORY} first starts`);
      await strikeFirstStart(randomness(seed), FIRST_STARTS_A_STORY);
      struck += FIRST_STARTS_A_STORY;
      tally.set("first start", (tally.get("first start") ?? 0) + FIRST_STARTS_A_STORY);
    }
  }
} finally {
  const ownExits = subject.topologies.flatMap((topology) => topology.ownExits?.() ?? []);
  for (const [exit, all] of Map.groupBy(ownExits, (one) => one)) say(`started again, ${all.length} times: ${exit}`);
  for (const [i, { traveller }] of subject.topologies.entries()) {
    if (traveller) say(`cell ${i + 1}: moves ${JSON.stringify(traveller.interruptions)}`);
  }
  await subject.close();
}
if (process.exitCode === undefined) rmSync(dataDir, { recursive: true, force: true });
else say(`its data is in ${dataDir}`);
const kinds = [...tally].map(([fault, times]) => `${fault} ${times}`).join(", ");
say(`${stories} stories, ${struck} strikes (${kinds}), ${records} records, ${faults} broken promises`);

/** A story of each service, all at once; `count` strikes in each. */
async function storiesOf(seed: number, count: number): Promise<Story[]> {
  const { topologies } = subject;
  const barrier = createBarrier(topologies.length);
  const acceptedBetween = Number(values.accepted);
  const receipts = Number(values.receipts);
  const running = topologies.map((topology, i) => {
    const own = seed + i * SEEDS_OF_A_CELL;
    const log = (line: string) => say(topologies.length > 1 ? `cell ${i + 1}: ${line}` : line);
    return runStory({
      topology,
      seed: own,
      faults: chosen(topology, own, count),
      log,
      acceptedBetween,
      receipts,
      isPrepared: barrier.arrive,
      strikesInAll: count * topologies.length,
    }).finally(barrier.abandon);
  });
  const ended = await Promise.allSettled(running);
  const failed = ended.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
  if (failed) throw failed.reason;
  return ended.map((story) => (story as PromiseFulfilledResult<Story>).value);
}

/** Reports a story, and whether the ledger agrees after it. */
async function judge(story: Story, topology: Topology, seed: number): Promise<void> {
  for (const strike of story.strikes) tally.set(strike, (tally.get(strike) ?? 0) + 1);
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

async function together(): Promise<Subject> {
  const topology = await startTogether(dataDir);
  return { topologies: [topology], strangers: async () => [], close: () => topology.stop() };
}

async function split(): Promise<Subject> {
  const postgres = await startEmbedded({ dataDir: join(dataDir, "database"), log: NO_LOG });
  const env = { DATABASE_URL: urlOf(postgres.connection) };
  const topology = await startSplit(join(dataDir, "files"), env).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  const close = async () => {
    await topology.stop();
    await postgres.stop();
  };
  return { topologies: [topology], strangers: async () => [], close };
}

async function cells(): Promise<Subject> {
  const s3 = values.swift ? "swift" : values.s3 ? "s3rver" : null;
  const on = { isPooled: values.pgbouncer, s3, doMove: values.moves } as const;
  const started = await startCells(dataDir, { count: Number(values.cells), ...on });
  say(started.about);
  return { topologies: started.topologies, strangers: started.strangers, close: started.stop };
}

function say(line: string): void {
  const seconds = Math.round((Date.now() - since) / 1_000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`);
}
