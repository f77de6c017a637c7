import { canReadCpu } from "../cpu.ts";
import type { Figure } from "../figures.ts";
import { median } from "../figures.ts";
import type { Progress } from "../progress.ts";
import { cpuBetween, startSubject } from "../subject.ts";
import { closing } from "./closing.ts";
import { startPeer } from "./peer-subject.ts";
import type { Compared } from "./peer-subject.ts";

const CONNECTIONS = 128;
/**
 * For each side: after a round or two most of the code is not compiled yet. The same time, since the same number of
 * foods would take the peer minutes.
 */
const WARM_UP_MS = 30_000;
const WARM_UP_FOODS = 400;
/** Foods of a round from request to last webhook: some seconds of either side. */
const FOODS = { ours: 1_500, peer: 300 } as const;

/** One side's round, per food. */
interface Round {
  readonly perSecond: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly deliveries: number;
}

interface Options {
  readonly rounds: number;
  readonly roundMs: number;
  readonly progress: Progress;
}

interface Sides {
  readonly ours: Compared;
  readonly peer: Compared;
}

/** Compares accepting foods, with nothing else done: `npm run serve` against the peer without its worker. */
export async function compareAccepting({ rounds, roundMs, progress }: Options): Promise<Figure[]> {
  const accept = async (side: Compared): Promise<Round> => {
    const before = side.cpu();
    const { accepted, durationMs } = await side.send({
      kind: "food",
      connections: CONNECTIONS,
      durationMs: roundMs,
    });
    const { nodeMs, postgresMs } = cpuBetween(before, side.cpu());
    return {
      perSecond: (accepted / durationMs) * 1_000,
      nodeUs: (nodeMs / accepted) * 1_000,
      postgresUs: (postgresMs / accepted) * 1_000,
      deliveries: 0,
    };
  };
  const measured = await alternate("serve", { name: "accepting", rounds, progress, warmUp: accept, measure: accept });
  return [
    ...described("accepted alone", measured),
    {
      name: "accepted a second, ours by the peer's",
      value: ratio(measured, (ours, peer) => ours.perSecond / peer.perSecond),
      unit: "×",
      aim: { atLeast: 8 },
      note: `median of ${rounds} alternating rounds of ${roundMs / 1_000} s, ${CONNECTIONS} connections`,
    },
    ...costRatio("processor time of accepting, the peer's by ours", measured),
  ];
}

/** Compares foods from the request to the last of four webhooks, everything in one process. */
export async function compareEndToEnd({ rounds, progress }: Options): Promise<Figure[]> {
  const toTheEnd = async (side: Compared, foods: number): Promise<Round> => {
    const [{ deliveries: before }, cpuBefore, startedMs] = [await side.settled(), side.cpu(), performance.now()];
    const { accepted } = await side.send({ kind: "food", connections: CONNECTIONS, requestsMax: foods });
    const { deliveries } = await side.settled();
    const durationMs = performance.now() - startedMs;
    const { nodeMs, postgresMs } = cpuBetween(cpuBefore, side.cpu());
    return {
      perSecond: (accepted / durationMs) * 1_000,
      nodeUs: (nodeMs / accepted) * 1_000,
      postgresUs: (postgresMs / accepted) * 1_000,
      deliveries: (deliveries - before) / accepted,
    };
  };
  const measured = await alternate("start", {
    name: "end to end",
    rounds,
    progress,
    warmUp: (side) => toTheEnd(side, WARM_UP_FOODS),
    measure: (side, who) => toTheEnd(side, FOODS[who]),
  });
  return [
    ...described("to the last webhook", measured),
    ...costRatio("processor time to the last webhook, the peer's by ours", measured, 6),
  ];
}

type Measured = Readonly<Record<keyof Sides, readonly Round[]>>;

interface Comparison {
  readonly name: string;
  readonly rounds: number;
  readonly progress: Progress;
  warmUp(side: Compared): Promise<unknown>;
  measure(side: Compared, who: keyof Sides): Promise<Round>;
}

/** Starts both sides and lets them take turns, each first in every other round. */
async function alternate(
  role: "start" | "serve",
  { name, rounds, progress, warmUp, measure }: Comparison,
): Promise<Measured> {
  progress(`${name}: starting both`);
  const starting = [startSubject(role), startPeer(role)] as const;
  const close = (): Promise<unknown> => Promise.allSettled(starting.map(async (side) => (await side).close()));
  return closing(close, async () => {
    const [ours, peer] = await Promise.all(starting);
    const sides: Sides = { ours, peer };
    const measured: Record<keyof Sides, Round[]> = { ours: [], peer: [] };
    progress(`${name}: warming up`);
    for (const side of [ours, peer]) {
      const untilMs = performance.now() + WARM_UP_MS;
      while (performance.now() < untilMs) await warmUp(side);
    }
    for (let round = 1; round <= rounds; round++) {
      const order = round % 2 === 1 ? (["ours", "peer"] as const) : (["peer", "ours"] as const);
      for (const who of order) {
        progress(`${name}: round ${round} of ${rounds}, ${who}`);
        measured[who].push(await measure(sides[who], who));
      }
    }
    return measured;
  });
}

function described(what: string, measured: Measured): Figure[] {
  return (["ours", "peer"] as const).flatMap((who) => {
    const side = measured[who];
    const at = (figure: keyof Round): number => median(side.map((round) => round[figure]));
    const rates = side.map(({ perSecond }) => Math.round(perSecond));
    const webhooks = at("deliveries");
    return [
      {
        name: `${who}: foods ${what}`,
        value: at("perSecond"),
        unit: "/s",
        note: `rounds ${Math.min(...rates)} to ${Math.max(...rates)}${webhooks > 0 ? `, ${webhooks.toFixed(2)} webhooks a food` : ""}`,
      },
      {
        name: `${who}: processor time a food ${what}`,
        value: canReadCpu ? median(side.map(({ nodeUs, postgresUs }) => nodeUs + postgresUs)) : null,
        unit: "µs",
        note: `Node ${at("nodeUs").toFixed(0)}, PostgreSQL ${at("postgresUs").toFixed(0)}`,
      },
    ];
  });
}

function costRatio(name: string, measured: Measured, atLeast?: number): Figure[] {
  const cost = ({ nodeUs, postgresUs }: Round): number => nodeUs + postgresUs;
  const value = canReadCpu ? ratio(measured, (ours, peer) => cost(peer) / cost(ours)) : null;
  return [{ name, value, unit: "×", ...(atLeast === undefined ? {} : { aim: { atLeast } }) }];
}

/** Median of the rounds' ratios. */
function ratio({ ours, peer }: Measured, of: (ours: Round, peer: Round) => number): number {
  return median(ours.map((round, i) => of(round, peer[i]!)));
}
