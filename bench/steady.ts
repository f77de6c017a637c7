import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../src/postgres/postgres.ts";
import { columns, median, quantile, rounded, slopeOf } from "./figures.ts";
import type { Figure } from "./figures.ts";
import type { TimedRequest } from "./generator.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";
import { warmUp } from "./warm-up.ts";

const BURST = 4_000;
const BURSTS = 3;
const CONNECTIONS = 64;
const SHARE = 0.8;
/** Most requests at once of the load with a rate: more are late, and count as such. */
const AT_ONCE = 256;
const SAMPLE_MS = 500;
const SLICE_MS = 10_000;
/** The backlog may grow by this share of what arrives; a service that is too slow by a tenth grows by ten of these. */
const GROWTH_AIM = 0.01;

/** What was not finished at a time. */
interface Sample {
  readonly atMs: number;
  /** Submissions whose last event has arrived, since the start of the load. */
  readonly ended: number;
  /** Deliveries that have a row and are due. */
  readonly due: number;
}

/** A part of the load. */
export interface Slice {
  readonly fromSeconds: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly backlog: number;
  readonly backlogMax: number;
  readonly due: number;
}

/**
 * Finds the rate that the whole chain can do, from the request to the last webhook, and sends 80 % of it for some time:
 * the backlog and the latency must stay what they are.
 */
export async function measureSteady(
  subject: Subject,
  { durationMs, progress }: { durationMs: number; progress: Progress },
): Promise<Figure[]> {
  const capacity = await capacityOf(subject, progress);
  const perSecond = SHARE * capacity;
  const { ended } = await subject.tally();
  const connection = { connectionString: subject.databaseUrl! };
  const database = openDatabase({ connection, connectionsMax: 1, onError: () => {} });
  const samples: Sample[] = [];
  const startMs = Date.now();
  let isOver = false;
  const sampling = (async () => {
    for (; !isOver; await sleep(SAMPLE_MS)) {
      const tally = await subject.tally();
      const { rows } = await database.pool.query<{ due: number }>(
        "SELECT count(*)::int AS due FROM deliveries WHERE state = 'pending' AND due_at <= now()",
      );
      samples.push({ atMs: Date.now(), ended: tally.ended - ended, due: rows[0]!.due });
      const seconds = Math.round((Date.now() - startMs) / 1_000);
      progress(`steady: ${seconds} of ${durationMs / 1_000} s at ${perSecond.toFixed(0)}/s`);
    }
  })();
  try {
    const sent = await subject.send({ kind: "food", connections: AT_ONCE, durationMs, perSecond });
    isOver = true;
    await sampling;
    await subject.settled();
    return figuresOf({ requests: sent.requests, samples, capacity, perSecond, progress });
  } finally {
    isOver = true;
    await sampling.catch(() => {});
    await database.close();
  }
}

/** Foods a second to their last webhook, when as many as possible are sent. */
async function capacityOf(subject: Subject, progress: Progress): Promise<number> {
  // The rate of code that is half compiled is half of it: 80 % of that would be no load.
  await warmUp(subject, { progress, settled: subject.settled });
  const rates: number[] = [];
  for (let burst = 1; burst <= BURSTS; burst++) {
    progress(`steady: finding the rate, ${burst} of ${BURSTS}`);
    const startMs = performance.now();
    const { accepted } = await subject.send({ kind: "food", connections: CONNECTIONS, requestsMax: BURST });
    await subject.settled();
    rates.push((accepted / (performance.now() - startMs)) * 1_000);
  }
  return median(rates);
}

/** The load in slices of ten seconds. A food is in the backlog from its response to the arrival of its last event. */
export function slicesOf(requests: readonly TimedRequest[], samples: readonly Sample[]): Slice[] {
  const firstMs = Math.min(...requests.slice(0, 1).map(([atMs]) => atMs));
  const backlogs = backlogsOf(requests, samples);
  const slices: Slice[] = [];
  const lastMs = requests.at(-1)?.[0] ?? firstMs;
  // The last requests are due a moment before the end of the time.
  for (let fromMs = firstMs; fromMs < lastMs - SAMPLE_MS; fromMs += SLICE_MS) {
    const isIn = (atMs: number): boolean => atMs >= fromMs && atMs < fromMs + SLICE_MS;
    const waits = requests.filter(([atMs]) => isIn(atMs)).map(([, waitedMs]) => waitedMs);
    const within = backlogs.filter(({ atMs }) => isIn(atMs));
    const ofBacklog = within.map(({ backlog }) => backlog);
    slices.push({
      fromSeconds: (fromMs - firstMs) / 1_000,
      perSecond: waits.length / (Math.min(SLICE_MS, lastMs - fromMs) / 1_000),
      medianMs: median(waits),
      p99Ms: quantile(waits, 0.99),
      backlog: median(ofBacklog),
      backlogMax: Math.max(0, ...ofBacklog),
      due: median(within.map(({ due }) => due)),
    });
  }
  return slices;
}

function backlogsOf(requests: readonly TimedRequest[], samples: readonly Sample[]) {
  const responses = requests.map(([atMs, waitedMs]) => atMs + waitedMs).toSorted((a, b) => a - b);
  let accepted = 0;
  return samples.map(({ atMs, ended, due }) => {
    while (accepted < responses.length && responses[accepted]! <= atMs) accepted++;
    return { atMs, backlog: Math.max(0, accepted - ended), due };
  });
}

function figuresOf(load: {
  requests: readonly TimedRequest[];
  samples: readonly Sample[];
  capacity: number;
  perSecond: number;
  progress: Progress;
}): Figure[] {
  const { requests, samples, capacity, perSecond, progress } = load;
  const slices = slicesOf(requests, samples);
  const rows = slices.map((slice) => [
    `${slice.fromSeconds.toFixed(0)} s`,
    `${rounded(slice.perSecond)}/s`,
    `${rounded(slice.medianMs)} ms`,
    `${rounded(slice.p99Ms)} ms`,
    `${rounded(slice.backlog)} (${rounded(slice.backlogMax)})`,
    rounded(slice.due),
  ]);
  const header = ["from", "sent", "median to the 202", "p99", "backlog (most)", "due deliveries"];
  progress(`\n${columns([header, ...rows])}\n`);
  const points = backlogsOf(requests, samples).map(({ atMs, backlog }) => [atMs / 1_000, backlog] as const);
  const backlogs = points.map(([, backlog]) => backlog);
  const slope = slopeOf(points);
  const waits = requests.map(([, waitedMs]) => waitedMs);
  const [first, last] = [slices[0]!, slices.at(-1)!];
  return [
    {
      name: "foods a second to their last webhook, as many as possible",
      value: capacity,
      unit: "/s",
      note: `median of ${BURSTS} times ${BURST.toLocaleString("en")}, ${CONNECTIONS} at once`,
    },
    {
      name: `backlog at 80 % of it (${perSecond.toFixed(0)}/s): growth, of what arrives`,
      value: slope / perSecond,
      unit: "",
      aim: { below: GROWTH_AIM },
      note: `${slope.toFixed(2)} a second by least squares; first 10 s ${rounded(first.backlog)}, last ${rounded(last.backlog)}`,
    },
    {
      name: "… backlog, median",
      value: median(backlogs),
      unit: "foods",
      note: `most ${rounded(Math.max(...backlogs))}; ${((median(backlogs) / perSecond) * 1_000).toFixed(0)} ms of what arrives`,
    },
    {
      name: "… due deliveries, median",
      value: median(samples.map(({ due }) => due)),
      unit: "",
      note: `most ${rounded(Math.max(...samples.map(({ due }) => due)))}`,
    },
    {
      name: "… time to the 202, median",
      value: median(waits),
      unit: "ms",
      note: `p99 ${quantile(waits, 0.99).toFixed(0)} ms; medians of the first and the last 10 s ${rounded(first.medianMs)} and ${rounded(last.medianMs)} ms`,
    },
  ];
}
