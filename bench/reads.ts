import { openDatabase } from "../src/postgres/postgres.ts";
import { fillLedger } from "../test/support/ledger.ts";
import type { Figure } from "./figures.ts";
import { median, quantile } from "./figures.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

const FEW = 1_000;
const MANY = 1_000_000;
const PAGE_SIZE = 20;
/** Number of records in a timeframe in the middle of a history. */
const TIMEFRAME_RECORDS = 500;
const MINUTE_MS = 60_000;
/** Number of pages near the end that take turns: always the same one would only show that a cache works. */
const DEEP_PAGES = 25;
const AIM = 1.5;

/** The query of a list, by the round and the number of its user's records. */
type Query = (round: number, records: number) => string;

/**
 * Measures a page of a user with a million records against that of a user with a thousand: the first page, one near
 * the last (page 50,000), one within a timeframe. Requests alternate, so that a busy machine slows both.
 */
export async function measureReads(
  subject: Subject,
  { rounds, progress }: { rounds: number; progress: Progress },
): Promise<Figure[]> {
  const [, few, many] = subject.userIds as [string, string, string];
  const until = new Date();
  await fill(subject, { few, many, until, progress });

  const queries: Record<string, Query> = {
    "first page": () => `page=1&pageSize=${PAGE_SIZE}`,
    "last pages": (round, records) => `page=${records / PAGE_SIZE - (round % DEEP_PAGES)}&pageSize=${PAGE_SIZE}`,
    "page in a timeframe": (round, records) => {
      const endMs = until.getTime() - (records / 4 + round) * MINUTE_MS;
      const start = new Date(endMs - TIMEFRAME_RECORDS * MINUTE_MS).toISOString();
      return `page=2&pageSize=${PAGE_SIZE}&timeframe=${start}/${new Date(endMs).toISOString()}`;
    },
  };
  const read = async (userId: string, query: string, matching: number): Promise<number> => {
    const startMs = performance.now();
    const url = `${subject.url}/users/${userId}/transactions?api-version=1.0&${query}`;
    const response = await fetch(url, { headers: subject.headers });
    const list = (await response.json()) as { transactions: object[]; count: number };
    const durationMs = performance.now() - startMs;
    if (list.transactions.length !== PAGE_SIZE || list.count !== matching) {
      throw new Error(`${query}: ${list.transactions.length} of ${list.count} instead of ${PAGE_SIZE} of ${matching}`);
    }
    return durationMs;
  };

  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const timings: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let round = 0; round < rounds; round++) {
      if (round % 50 === 0) progress(`reads: ${name}, ${round} of ${rounds}`);
      const isPart = name === "page in a timeframe";
      timings.few.push(await read(few, query(round, FEW), isPart ? TIMEFRAME_RECORDS : FEW));
      timings.many.push(await read(many, query(round, MANY), isPart ? TIMEFRAME_RECORDS : MANY));
    }
    const [fewMs, manyMs] = [median(timings.few), median(timings.many)];
    figures.push({
      name: `${name}: a million records against a thousand`,
      value: manyMs / fewMs,
      unit: "×",
      aim: { below: AIM },
      note:
        `${manyMs.toFixed(2)} against ${fewMs.toFixed(2)} ms, medians of ${rounds} alternating; ` +
        `p95 ${quantile(timings.many, 0.95).toFixed(1)} against ${quantile(timings.few, 0.95).toFixed(1)} ms`,
    });
  }
  return figures;
}

/** Creates the histories of both users, each record like one that was booked by the service. */
async function fill(
  subject: Subject,
  { few, many, until, progress }: { few: string; many: string; until: Date; progress: Progress },
): Promise<void> {
  progress("reads: booking a food to copy");
  await subject.endOf(await subject.track("to-copy"));
  const connection = { connectionString: subject.databaseUrl! };
  const database = openDatabase({ connection, connectionsMax: 1, onError: () => {} });
  const likeUserId = subject.userIds[0]!;
  const showCount = (done: number) =>
    progress(`reads: ${done.toLocaleString("en")} of ${MANY.toLocaleString("en")} records`);
  try {
    await fillLedger(database, { userId: few, likeUserId, count: FEW, until });
    await fillLedger(database, { userId: many, likeUserId, count: MANY, until }, showCount);
    progress("reads: VACUUM ANALYZE");
    await database.query({ name: "bench.vacuum", text: "VACUUM (ANALYZE) records" });
  } finally {
    await database.close();
  }
}
