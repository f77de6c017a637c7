import { createHash } from "node:crypto";
import type { CeilingRequest } from "./ceiling.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import type { Sent } from "./generator.ts";
import { startProgram } from "./program.ts";
import type { Progress } from "./progress.ts";
import { cpuBetween } from "./subject.ts";
import type { Cpu, Subject } from "./subject.ts";
import { warmUp } from "./warm-up.ts";

const CONNECTIONS = 128;

/** A round of load, with the number of cores it used. */
interface Round {
  readonly sent: Sent;
  readonly perSecond: number;
  readonly node: number;
  readonly postgres: number;
  readonly generator: number;
  readonly receiver: number;
}

interface AcceptOptions {
  readonly rounds: number;
  readonly roundMs: number;
  readonly progress: Progress;
}

/**
 * Measures the foods that a process that only serves accepts per second, durably, against the same server without
 * storage. Rounds alternate, so that a busy machine slows both; the first of each is a warm-up.
 */
export async function measureAcceptAlone(subject: Subject, options: AcceptOptions): Promise<Figure[]> {
  const { ceilings, rounds, keyed } = await alternate(subject, options, "serve", async () => {});
  return [
    ratioOf(rounds, ceilings, 0.6, `only serving (npm run serve): ${describe(options)}`),
    { name: "foods accepted, only serving", value: rateOf(rounds), unit: "/s", note: coresOf(rounds) },
    {
      name: "processor time of a food with an Idempotency-Key, against none",
      value: costOf(keyed, "node") + costOf(keyed, "postgres"),
      unit: "µs",
      note:
        `Node ${costOf(keyed, "node").toFixed(0)} against ${costOf(rounds, "node").toFixed(0)}, ` +
        `PostgreSQL ${costOf(keyed, "postgres").toFixed(0)} against ${costOf(rounds, "postgres").toFixed(0)} µs; ` +
        `${Math.round(rateOf(keyed))} against ${Math.round(rateOf(rounds))}/s`,
    },
    {
      name: "ceiling: the same, storing nothing",
      value: rateOf(ceilings),
      unit: "/s",
      note: `the generator took ${median(ceilings.map(({ generator }) => generator)).toFixed(2)} cores; ${spread(ceilings)}`,
    },
  ];
}

/**
 * Measures the same for a process that also does the background work. After each round it waits for that work, which
 * gives the rate of draining.
 */
export async function measureAccept(subject: Subject, options: AcceptOptions): Promise<Figure[]> {
  const left: number[] = [];
  const drains: number[] = [];
  const { ceilings, rounds } = await alternate(subject, options, "start", async () => {
    const inFlight = await subject.inFlight();
    const startMs = performance.now();
    await subject.settled();
    left.push(inFlight);
    drains.push((inFlight / (performance.now() - startMs)) * 1_000);
  });
  return [
    ratioOf(rounds, ceilings, 0.45, `scoring and delivering meanwhile (npm start): ${describe(options)}`),
    { name: "foods accepted, npm start", value: rateOf(rounds), unit: "/s", note: coresOf(rounds) },
    {
      name: "time to the 202 under this load",
      value: median(rounds.map(({ sent }) => sent.medianMs)),
      unit: "ms",
      note: `p99 ${median(rounds.map(({ sent }) => sent.p99Ms)).toFixed(0)} ms`,
    },
    {
      name: "left in flight at a round's end",
      value: median(left),
      unit: "intakes",
      note: `of ${Math.round(median(rounds.map(({ sent }) => sent.accepted)))} accepted in it`,
    },
    {
      name: "drained when nothing more comes",
      value: median(drains),
      unit: "/s",
      note: "intakes scored, booked and all their webhooks delivered",
    },
  ];
}

async function alternate(
  subject: Subject,
  { rounds, roundMs, progress }: AcceptOptions,
  role: "start" | "serve",
  afterRound: () => Promise<void>,
): Promise<{ ceilings: Round[]; rounds: Round[]; keyed: Round[] }> {
  const isKeyedToo = role === "serve";
  const ceiling = startProgram<CeilingRequest, { url: string }>("ceiling.ts");
  try {
    const secretHashHex = createHash("sha256").update(subject.clientSecret).digest("hex");
    const { url } = await ceiling.ask({ clientId: subject.clientId, secretHashHex });
    const load = { kind: "food", connections: CONNECTIONS, durationMs: roundMs } as const;
    await warmUp(subject, { progress, settled: role === "start" ? subject.settled : undefined });
    const measured: { ceilings: Round[]; rounds: Round[]; keyed: Round[] } = { ceilings: [], rounds: [], keyed: [] };
    for (let round = 0; round <= rounds; round++) {
      progress(`accept: round ${round} of ${rounds}`);
      const before = subject.cpu();
      const most = toRound(await subject.send({ ...load, url }), before, subject.cpu());
      const store = async (isKeyed: boolean): Promise<Round> => {
        const between = subject.cpu();
        const stored = toRound(await subject.send({ ...load, isKeyed }), between, subject.cpu());
        await afterRound();
        return stored;
      };
      // They take turns at being first, since the tables grow.
      const isKeyedFirst = isKeyedToo && round % 2 === 1;
      const keyedEarly = isKeyedFirst ? await store(true) : null;
      const stored = await store(false);
      const keyed = isKeyedToo && !isKeyedFirst ? await store(true) : keyedEarly;
      if (round === 0) continue;
      measured.ceilings.push(most);
      measured.rounds.push(stored);
      if (keyed) measured.keyed.push(keyed);
    }
    return measured;
  } finally {
    await ceiling.stop();
  }
}

function toRound(sent: Sent, before: Cpu, after: Cpu): Round {
  const { nodeMs, postgresMs, receiverMs } = cpuBetween(before, after);
  const { accepted, cpuMs, durationMs } = sent;
  return {
    sent,
    perSecond: (accepted / durationMs) * 1_000,
    node: nodeMs / durationMs,
    postgres: postgresMs / durationMs,
    receiver: receiverMs / durationMs,
    generator: cpuMs / durationMs,
  };
}

const rateOf = (rounds: readonly Round[]): number => median(rounds.map(({ perSecond }) => perSecond));

/** Processor time of one accepted submission, in µs. */
function costOf(rounds: readonly Round[], of: "node" | "postgres"): number {
  return median(rounds.map((round) => (round[of] / round.perSecond) * 1e6));
}

function ratioOf(rounds: readonly Round[], ceilings: readonly Round[], atLeast: number, note: string): Figure {
  const value = rateOf(rounds) / rateOf(ceilings);
  return { name: "accept against the ceiling", value, unit: "", aim: { atLeast }, note };
}

function describe({ rounds, roundMs }: AcceptOptions): string {
  return `${rounds} alternating rounds of ${roundMs / 1_000} s, ${CONNECTIONS} connections`;
}

function coresOf(rounds: readonly Round[]): string {
  const cores = (of: "node" | "postgres" | "generator" | "receiver"): string =>
    median(rounds.map((round) => round[of])).toFixed(2);
  return `cores: Node ${cores("node")}, PostgreSQL ${cores("postgres")}, generator ${cores("generator")}, receiver ${cores("receiver")}; ${spread(rounds)}`;
}

function spread(rounds: readonly Round[]): string {
  const rates = rounds.map(({ perSecond }) => Math.round(perSecond));
  return `rounds ${Math.min(...rates)} to ${Math.max(...rates)}`;
}
