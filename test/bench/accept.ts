import { createHash } from "node:crypto";
import type { CeilingRequest } from "./ceiling.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import type { Sent } from "./generator.ts";
import { startProgram } from "./program.ts";
import type { Progress } from "./progress.ts";
import { cpuBetween } from "./subject.ts";
import type { Subject } from "./subject.ts";

const CONNECTIONS = 128;

interface Round {
  readonly perSecond: number;
  readonly sent: Sent;
}

/**
 * Foods accepted a second by the service, durably and with its background work at the heels of it, against the same
 * server storing nothing. Rounds alternate, so that a busy machine slows both; the first of each only warms up. After
 * each round of the service its background work is waited for, which gives the rate at which it drains.
 */
export async function measureAccept(
  subject: Subject,
  options: { rounds: number; roundMs: number; progress: Progress },
): Promise<Figure[]> {
  const { rounds, roundMs, progress } = options;
  const ceiling = startProgram<CeilingRequest, { url: string }>("ceiling.ts");
  try {
    const secretHashHex = createHash("sha256").update(subject.clientSecret).digest("hex");
    const { url } = await ceiling.ask({ clientId: subject.clientId, secretHashHex });
    const load = { kind: "food", connections: CONNECTIONS, durationMs: roundMs } as const;
    const accepting: Round[] = [];
    const ceilings: Round[] = [];
    const drains: number[] = [];
    const left: number[] = [];
    const shares: { node: number; postgres: number; generator: number; receiver: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      progress(`accept: round ${round} of ${rounds}`);
      const most = toRound(await subject.send({ ...load, url }));
      const before = subject.cpu();
      const stored = toRound(await subject.send(load));
      const spent = cpuBetween(before, subject.cpu());
      const inFlight = await subject.inFlight();
      const drainStart = performance.now();
      await subject.settled();
      if (round === 0) continue;
      const { durationMs, cpuMs } = stored.sent;
      ceilings.push(most);
      accepting.push(stored);
      left.push(inFlight);
      drains.push((inFlight / (performance.now() - drainStart)) * 1_000);
      shares.push({
        node: spent.nodeMs / durationMs,
        postgres: spent.postgresMs / durationMs,
        generator: cpuMs / durationMs,
        receiver: spent.receiverMs / durationMs,
      });
    }
    const accepted = median(accepting.map(({ perSecond }) => perSecond));
    const most = median(ceilings.map(({ perSecond }) => perSecond));
    const cores = (share: keyof (typeof shares)[number]): string =>
      median(shares.map((each) => each[share])).toFixed(2);
    const generatorOfCeiling = median(ceilings.map(({ sent }) => sent.cpuMs / sent.durationMs)).toFixed(2);
    return [
      {
        name: "accept against the ceiling",
        value: accepted / most,
        unit: "",
        aim: { atLeast: 0.35 },
        note: `ratio of medians of ${rounds} alternating rounds of ${roundMs / 1_000} s, ${CONNECTIONS} connections`,
      },
      {
        name: "foods accepted durably",
        value: accepted,
        unit: "/s",
        note: `cores: Node ${cores("node")}, PostgreSQL ${cores("postgres")}, generator ${cores("generator")}, receiver ${cores("receiver")}; ${spread(accepting)}`,
      },
      {
        name: "ceiling: the same, storing nothing",
        value: most,
        unit: "/s",
        note: `the generator took ${generatorOfCeiling} cores; ${spread(ceilings)}`,
      },
      {
        name: "time to the 202 under this load",
        value: median(accepting.map(({ sent }) => sent.medianMs)),
        unit: "ms",
        note: `p99 ${median(accepting.map(({ sent }) => sent.p99Ms)).toFixed(0)} ms`,
      },
      {
        name: "left in flight at a round's end",
        value: median(left),
        unit: "intakes",
        note: `of ${Math.round(median(accepting.map(({ sent }) => sent.accepted)))} accepted in it`,
      },
      {
        name: "drained when nothing more comes",
        value: median(drains),
        unit: "/s",
        note: "intakes scored, booked and all their webhooks delivered",
      },
    ];
  } finally {
    await ceiling.stop();
  }
}

function toRound(sent: Sent): Round {
  return { perSecond: (sent.accepted / sent.durationMs) * 1_000, sent };
}

function spread(rounds: readonly Round[]): string {
  const rates = rounds.map(({ perSecond }) => Math.round(perSecond));
  return `rounds ${Math.min(...rates)} to ${Math.max(...rates)}`;
}
