import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import type { Figure } from "./figures.ts";
import { median, quantile } from "./figures.ts";
import type { Progress } from "./progress.ts";
import { photo, readReceipts } from "./receipts.ts";
import type { Subject } from "./subject.ts";

const MEALS = 500;
const CONNECTIONS = 64;
const PAUSE_MS = 2;
/** First number of photos that no other measurement uses. */
const FIRST_PHOTO = 1_000;

/**
 * Measures the slowest response of /health/live while 500 meals of 8 ingredients are scored and two receipts are
 * read.
 */
export async function measureHealth(
  subject: Subject,
  { runs, progress }: { runs: number; progress: Progress },
): Promise<Figure[]> {
  const photos = await Promise.all(Array.from({ length: 2 * (runs + 1) }, (_, i) => photo(FIRST_PHOTO + i)));
  progress("health: warming up");
  await readReceipts(subject, photos.splice(0, 2), 2);
  await subject.send({ kind: "meal", connections: CONNECTIONS, requestsMax: MEALS });
  await subject.settled();
  const slowest: number[] = [];
  const all: number[] = [];
  for (let run = 1; run <= runs; run++) {
    progress(`health: run ${run} of ${runs}`);
    const done = new AbortController();
    const probing = probe(subject.url, done.signal);
    await Promise.all([
      readReceipts(subject, photos.splice(0, 2), 2),
      subject.send({ kind: "meal", connections: CONNECTIONS, requestsMax: MEALS }).then(() => subject.settled()),
    ]);
    done.abort();
    const responses = await probing;
    slowest.push(Math.max(...responses));
    all.push(...responses);
  }
  return [
    {
      name: "slowest /health/live while busy",
      value: Math.max(...slowest),
      unit: "ms",
      aim: { below: 100 },
      note: `${MEALS} meals of 8 ingredients scored, 2 receipts read; slowest of each run: ${slowest.map((ms) => ms.toFixed(0)).join(", ")}`,
    },
    {
      name: "median /health/live meanwhile",
      value: median(all),
      unit: "ms",
      note: `p99 ${quantile(all, 0.99).toFixed(1)} ms of ${all.length} responses`,
    },
  ];
}

/** Requests it again and again until `done`, one at a time. Returns the duration of each, in ms. */
async function probe(url: string, done: AbortSignal): Promise<number[]> {
  const client = new Client(url);
  const responses: number[] = [];
  while (!done.aborted) {
    const askedMs = performance.now();
    const { statusCode, body } = await client.request({ method: "GET", path: "/health/live" });
    await body.dump();
    if (statusCode !== 200) throw new Error(`/health/live responded with ${statusCode}`);
    responses.push(performance.now() - askedMs);
    await sleep(PAUSE_MS);
  }
  await client.close();
  return responses;
}
