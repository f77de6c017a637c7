import type { FileStore } from "../files.ts";
import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import type { Exposition } from "./exposition.task.ts";
import { gauge } from "./gauge.ts";
import type { GaugeReading } from "./gauge.ts";
import { readGauges, readQueueGauges } from "./store.ts";

/** Returns all metrics as text. */
export type Scrape = () => Promise<string>;

export interface ScrapeDeps {
  readonly exposition: Exposition;
  /** For requests. */
  readonly database: Pick<Database, "pool">;
  /** For long work: metrics are read by it. */
  readonly background: Database;
  readonly images: Pick<FileStore, "isReachable">;
  readonly now: () => Date;
  readonly log: Log;
}

/** Creates what reads the metrics. Clients that come at once share one reading. */
export function createScrape(deps: ScrapeDeps): Scrape {
  let reading: Promise<string> | null = null;
  return () =>
    (reading ??= read(deps).finally(() => {
      reading = null;
    }));
}

async function read(deps: ScrapeDeps): Promise<string> {
  const { exposition, background, images, now, log } = deps;
  // What this process has measured itself is wanted most while the database is away.
  const stored = await readStored(background, now()).catch((error: unknown) => {
    log.warn({ err: error }, "metrics of the database were not read");
    return null;
  });
  const up = gauge("rewards_database_up", "1: the figures of the database could be read.", stored ? 1 : 0);
  const areImagesUp = images.isReachable?.() ?? true;
  const imagesUp = gauge("rewards_image_store_up", "1: the store of images responds.", areImagesUp ? 1 : 0);
  return exposition.text([...(stored ?? []), up, imagesUp, ...connections(deps)]);
}

async function readStored(background: Database, now: Date): Promise<GaugeReading[]> {
  return [...(await readGauges(background, now)), ...(await readQueueGauges(background, now))];
}

function connections({ database, background }: ScrapeDeps): GaugeReading[] {
  const pools = [
    ["requests", database.pool],
    ["background", background.pool],
  ] as const;
  return [
    {
      name: "rewards_database_connections",
      help: "Database connections of this process by pool: used, idle, and how many callers wait for one.",
      labels: ["pool", "state"],
      values: pools.flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        { of: { pool, state: "used" }, value: totalCount - idleCount },
        { of: { pool, state: "idle" }, value: idleCount },
        { of: { pool, state: "waiting" }, value: waitingCount },
      ]),
    },
    {
      name: "rewards_database_connections_max",
      help: "Most connections of the pool.",
      labels: ["pool"],
      values: pools.map(([pool, { options }]) => ({ of: { pool }, value: options.max })),
    },
  ];
}
