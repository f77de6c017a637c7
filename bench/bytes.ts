import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Client } from "pg";
import type { Sample } from "./against/rounds.ts";
import { startProcess } from "../test/support/processes.ts";
import type { ProcessSettings } from "../test/support/processes.ts";
import { withBundled } from "./bundled.ts";
import type { Figure } from "./figures.ts";
import type { Progress } from "./progress.ts";
import { photo, readReceipts } from "./receipts.ts";
import type { Photo } from "./receipts.ts";
import type { Subject } from "./subject.ts";

const DAY_MS = 86_400_000;
/**
 * Events are kept for 30 days (WEBHOOK_RETENTION_DAYS). A little more, for what is removed by the week: it is all gone
 * then.
 */
const EVENTS_OVER_MS = 40 * DAY_MS;
const CONNECTIONS = 64;
const READ_AT_ONCE = 2;
const POLL_MS = 100;
const RETENTION_MS_MAX = 150_000;
/** Tables of a figure that the report names. */
const TABLES_NAMED = 4;
/** First number of photos that no other measurement of the same service uses. */
const FIRST_PHOTO = 200;
/** Smaller than a phone's: it takes half as long to draw, and what is read from it is the same. */
const PHOTO_LONG_PX = 1_600;

const CLOCK_AHEAD = pathToFileURL(join(import.meta.dirname, "clock-ahead.ts")).href;

function ahead(settings: ProcessSettings, aheadMs: number): ProcessSettings {
  const clock = { NODE_OPTIONS: `--import=${CLOCK_AHEAD}`, CLOCK_AHEAD_MS: String(aheadMs) };
  return { ...settings, env: { ...settings.env, ...clock } };
}

/** Bytes of each table with its indexes and its long values. */
type Sizes = ReadonlyMap<string, number>;

export interface Bytes {
  readonly food: Sizes;
  readonly receipt: Sizes;
  readonly foodOver: Sizes;
  readonly receiptOver: Sizes;
}

interface Options {
  readonly foods: number;
  readonly receipts: number;
  readonly progress: Progress;
}

/**
 * Measures what a food and a receipt of 13 lines leave in the database, with indexes, without the image: before their
 * events' time is over, and after it. Sizes are those after VACUUM FULL, so that they do not depend on when autovacuum
 * ran. A table grows by whole pages: all figures are differences between two sizes with rows before, where halves of
 * pages are as likely gained as lost. The service is ended and started with a clock weeks ahead, and then removes the
 * events itself.
 */
export async function weigh(subject: Subject, { foods, receipts, progress }: Options): Promise<Bytes> {
  let aheadMs = 0;
  const later = async (): Promise<Sizes> => {
    aheadMs += EVENTS_OVER_MS;
    progress("bytes: starting the service weeks later");
    await subject.restart((settings) => startProcess(ahead(settings, aheadMs)));
    await withBundled(subject.dataDir, eventsGone);
    return sizesNow(subject);
  };
  const send = async (): Promise<void> => {
    progress(`bytes: ${foods} foods`);
    await subject.send({ kind: "food", connections: CONNECTIONS, requestsMax: foods });
    await subject.settled();
  };
  const read = async (some: readonly Photo[]): Promise<void> => {
    progress(`bytes: ${some.length} receipts`);
    await readReceipts(subject, some, READ_AT_ONCE);
    await subject.settled();
  };
  const photos = await photosFor(receipts, progress);
  await send();
  await read(photos.splice(0, 2));
  const first = await sizesNow(subject);
  await send();
  const withFoods = await sizesNow(subject);
  await read(photos.splice(0, receipts));
  const withReceipts = await sizesNow(subject);
  const firstOver = await later();
  await send();
  const foodsOver = await later();
  await read(photos);
  const receiptsOver = await later();
  return {
    food: between(first, withFoods, foods),
    receipt: between(withFoods, withReceipts, receipts),
    foodOver: between(firstOver, foodsOver, foods),
    receiptOver: between(foodsOver, receiptsOver, receipts),
  };
}

const photosKept: Photo[] = [];

/** Photos for one service; those of the next are the same. */
async function photosFor(receipts: number, progress: Progress): Promise<Photo[]> {
  const count = 2 + 2 * receipts;
  while (photosKept.length < count) {
    if (photosKept.length % 10 === 0) progress(`bytes: drawing photos, ${photosKept.length} of ${count}`);
    photosKept.push(await photo(FIRST_PHOTO + photosKept.length, PHOTO_LONG_PX));
  }
  return photosKept.slice(0, count);
}

/** Waits until the service has removed all events. */
async function eventsGone(client: Client): Promise<void> {
  for (const deadline = Date.now() + RETENTION_MS_MAX; ; await sleep(POLL_MS)) {
    const { rows } = await client.query<{ left: boolean }>("SELECT EXISTS (SELECT FROM events) AS left");
    if (rows[0]?.left === false) return;
    if (Date.now() > deadline) throw new Error("the service did not remove its old events");
  }
}

/** Without the queue's tables: a finished job is removed after days by the database's clock, which is not moved. */
const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relname AS short, c.oid::text AS oid
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'jobs')`;

function sizesNow(subject: Subject): Promise<Sizes> {
  return withBundled(subject.dataDir, async (client) => {
    const { rows } = await client.query<{ name: string; short: string; oid: string }>(TABLES);
    const sizes = new Map<string, number>();
    for (const { name, short, oid } of rows) {
      await client.query(`VACUUM FULL ${name}`);
      const { rows: sized } = await client.query<{ bytes: string }>("SELECT pg_total_relation_size($1::oid) AS bytes", [
        oid,
      ]);
      sizes.set(short, Number(sized[0]!.bytes));
    }
    return sizes;
  });
}

function between(before: Sizes, after: Sizes, count: number): Sizes {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(names.map((name) => [name, ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / count]));
}

const totalOf = (sizes: Sizes): number => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);

function largest(sizes: Sizes): string {
  const sorted = [...sizes].sort(([, a], [, b]) => b - a).slice(0, TABLES_NAMED);
  return sorted.map(([name, bytes]) => `${name} ${Math.round(bytes)}`).join(", ");
}

const NAMES: readonly (readonly [of: keyof Bytes, name: string])[] = [
  ["food", "a food in the database, with indexes"],
  ["foodOver", "a food once its events' time is over"],
  ["receipt", "a 13-line receipt in the database, with indexes"],
  ["receiptOver", "a 13-line receipt once its events' time is over"],
];

export function samplesOf(bytes: Bytes): Sample[] {
  return NAMES.map(([of, name]) => ({ name, value: totalOf(bytes[of]), unit: "B" }));
}

/** The same for the report of one service, with the largest tables. */
export async function measureBytes(subject: Subject, options: Options): Promise<Figure[]> {
  const bytes = await weigh(subject, options);
  return NAMES.map(([of, name]) => ({ name, value: totalOf(bytes[of]), unit: "B", note: largest(bytes[of]) }));
}
