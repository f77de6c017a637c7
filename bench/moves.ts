import { callerOf } from "./call.ts";
import type { Figure } from "./figures.ts";
import { median, quantile } from "./figures.ts";
import type { Progress } from "./progress.ts";
import { cpuBetween } from "./subject.ts";
import type { Subject } from "./subject.ts";

/** Requests at once, and in all of one kind. */
const AT_ONCE = 64;
const REQUESTS = 1_500;
const WARM_UP = 300;

interface Moved {
  readonly transaction: { readonly id: string; readonly userID: string };
}

/** A request that moves points: its path and body. */
interface Request {
  readonly path: string;
  readonly body: object;
}

/** Codes that one request loads. */
const CODES_A_REQUEST = 500;

/**
 * Measures requests that move points, 64 at once over all users: adjustments, a reversal of each, and redemptions. The
 * processor time has that of their events, delivered meanwhile.
 */
export async function measureMoves(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  const { userIds } = subject;
  const adjustment =
    (prefix: string, points: number) =>
    (n: number): Request => ({
      path: `/users/${userIds[n % userIds.length]!}/adjustments`,
      body: { points, reason: "Goodwill gift", reference: `${prefix}-${n}` },
    });
  progress("moves: warming up");
  // Each user has enough for all redemptions.
  await run(subject, adjustment("warm", REQUESTS), WARM_UP);
  const adjusted = await measure(subject, "an adjustment", adjustment("gift", 10), progress);
  const records = adjusted.moved.map(({ transaction }) => transaction);
  const reversal = (n: number): Request => {
    const { id, userID } = records[n]!;
    return { path: `/users/${userID}/transactions/${id}/reversal`, body: { reason: "A mistake" } };
  };
  const reversed = await measure(subject, "a reversal", reversal, progress);
  return [...adjusted.figures, ...reversed.figures, ...(await measureRedemptions(subject, progress))];
}

/** Of a reward without stock, of one with a pool of codes, for whose row all wait in turn, and of an own reward. */
async function measureRedemptions(subject: Subject, progress: Progress): Promise<Figure[]> {
  const { userIds } = subject;
  const call = callerOf(subject.url, subject.headers);
  const coffee = { name: "A coffee", points: 1 };
  const add = async (reward: object): Promise<string> =>
    (await call<{ reward: { id: string } }>("POST", "/rewards", reward)).reward.id;
  const unlimitedId = await add(coffee);
  const pooledId = await add({ ...coffee, codes: "pool" });
  for (let from = 0; from < REQUESTS; from += CODES_A_REQUEST) {
    const codes = Array.from({ length: CODES_A_REQUEST }, (_, i) => `BENCH-${from + i}`);
    await call("POST", `/rewards/${pooledId}/codes`, { codes });
  }
  const redemption =
    (prefix: string, what: object) =>
    (n: number): Request => ({
      path: `/users/${userIds[n % userIds.length]!}/redemptions`,
      body: { ...what, reference: `${prefix}-${n}` },
    });
  const kinds: [name: string, what: object][] = [
    ["a redemption, reward without stock", { rewardId: unlimitedId }],
    ["a redemption, pool of codes", { rewardId: pooledId }],
    ["a redemption, own reward", { points: 1, reward: { name: "A coffee" } }],
  ];
  const figures: Figure[] = [];
  for (const [name, what] of kinds) {
    figures.push(...(await measure(subject, name, redemption(name, what), progress)).figures);
  }
  return figures;
}

async function measure(
  subject: Subject,
  name: string,
  request: (n: number) => Request,
  progress: Progress,
): Promise<{ moved: readonly Moved[]; figures: Figure[] }> {
  progress(`moves: ${REQUESTS} times ${name}`);
  const before = subject.cpu();
  const startMs = performance.now();
  const { moved, timings } = await run(subject, request, REQUESTS);
  const durationMs = performance.now() - startMs;
  const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
  const each = (ms: number) => (ms / REQUESTS) * 1_000;
  const figures: Figure[] = [
    { name: `processor time of ${name}, Node`, value: each(nodeMs), unit: "µs" },
    { name: `processor time of ${name}, PostgreSQL`, value: each(postgresMs), unit: "µs" },
    {
      name: `${name}, ${AT_ONCE} at once: median`,
      value: median(timings),
      unit: "ms",
      note: `p99 ${quantile(timings, 0.99).toFixed(0)} ms; ${Math.round((REQUESTS / durationMs) * 1_000)}/s`,
    },
  ];
  return { moved, figures };
}

/** Sends `count` requests over AT_ONCE connections. */
async function run(
  subject: Subject,
  request: (n: number) => Request,
  count: number,
): Promise<{ moved: Moved[]; timings: number[] }> {
  const moved: Moved[] = [];
  const timings: number[] = [];
  const call = callerOf(subject.url, subject.headers);
  let next = 0;
  const send = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const { path, body } = request(n);
      const startMs = performance.now();
      moved[n] = await call<Moved>("POST", path, body);
      timings.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return { moved, timings };
}
