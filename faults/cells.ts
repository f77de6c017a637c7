// Several services in schemas of one external PostgreSQL, which are struck at once.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../src/postgres/postgres.ts";
import { leftoversOf } from "../test/support/leftovers.ts";
import { isPoolerNamed, startPooler } from "../test/support/pooler.ts";
import type { Pooler } from "../test/support/pooler.ts";
import { startS3 } from "../test/support/s3/server.ts";
import type { S3Kind, S3Server } from "../test/support/s3/server.ts";
import { createTraveller } from "./cell-moves.ts";
import type { Station } from "./cell-moves.ts";
import { startExternal } from "./external-postgres.ts";
import type { Story } from "./story.ts";
import { startSplit } from "./topology.ts";
import type { SplitFault, Topology } from "./topology.ts";

/** Strikes at what all cells share. */
export type SharedFault = "postgres" | "pooler" | "storage";
/** The application of the story moves to the next cell. */
type CellFault = SplitFault | SharedFault | "move";

export interface Cells {
  /** What the cells are on, for the report. */
  readonly about: string;
  readonly topologies: readonly Topology<CellFault>[];
  /** What is in a cell and belongs to another one, by the story that each cell had. */
  strangers(stories: readonly Story[]): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * The inboxes of all cells share a process, which took more than a second to respond on a machine with six busy ones:
 * then the next event is the first to arrive.
 */
const ANSWER_SECONDS_MAX = "5";
/** Longest time without S3. */
const STORAGE_MS_MAX = 8_000;
/** Connections of the processes of a cell to the server, through PgBouncer. */
const POOLED_MAX = 80;

/** Starts `count` cells, each with two processes that serve and three that work. */
export async function startCells(
  dataDir: string,
  options: { count: number; isPooled: boolean; s3: S3Kind | null; doMove: boolean },
): Promise<Cells> {
  const postgres = await startExternal(dataDir);
  const schemas = Array.from({ length: options.count }, (_, i) => `cell_${String.fromCodePoint(97 + i)}`);
  const stops: (() => Promise<unknown>)[] = [() => postgres.stop()];
  const stop = async () => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    const pooler = options.isPooled ? await startPoolerOf(postgres.url, schemas) : null;
    if (pooler) stops.push(() => pooler.stop());
    const s3 = options.s3 && (await startS3(options.s3));
    if (s3) stops.push(() => s3.stop());
    const shared: Partial<Record<SharedFault, Strike>> = {
      postgres: () => postgres.crash(),
      ...(pooler && { pooler: () => restarted(pooler) }),
      ...(s3 && { storage: (random: () => number) => withoutStorage(s3, random) }),
    };
    const strikeShared = inTurn(shared);
    const started: (Topology<CellFault> & Station)[] = [];
    for (const schema of schemas) {
      const env = {
        DATABASE_SCHEMA: schema,
        DATABASE_URL: pooler?.urlOf(schema) ?? postgres.url,
        ...(pooler && { DATABASE_SESSION_URL: postgres.url, DATABASE_NAMED_STATEMENTS: String(isPoolerNamed()) }),
        WEBHOOK_TIMEOUT_SECONDS: ANSWER_SECONDS_MAX,
        // Each cell has a folder of its own in the bucket.
        ...s3?.settings,
      };
      // Applications move between cells of one installation.
      if (options.doMove && started.length > 0) await started[0]!.cli("cell", "create", "--schema", schema);
      const split = await startSplit(join(dataDir, "files"), env);
      stops.push(() => split.stop());
      const topology = withShared(split, strikeShared, Object.keys(shared) as SharedFault[]);
      started.push({ ...topology, schema, topology, command: split.command });
    }
    const topologies = options.doMove ? started.map((_, i) => withMoves(started, i)) : started;
    const about = `PostgreSQL ${postgres.version}${pooler ? " behind PgBouncer" : ""}${s3 ? `, S3 (${options.s3})` : ""}: ${schemas.join(", ")}`;
    const strangers = async (stories: readonly Story[]) => [
      ...(await strangersIn(schemas, stories, { url: postgres.url, dataDir, topologies })),
      ...strangeObjects(s3 && (await s3.objects()), schemas),
    ];
    return { about, topologies, strangers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startPoolerOf(url: string, schemas: readonly string[]): Promise<Pooler> {
  return startPooler(
    url,
    Object.fromEntries(schemas.map((schema) => [schema, `SET search_path TO ${schema}`])),
    POOLED_MAX,
  );
}

async function restarted(pooler: Pooler): Promise<void> {
  await pooler.kill();
  await pooler.start();
}

async function withoutStorage(s3: S3Server, random: () => number): Promise<void> {
  await s3.leave();
  await sleep(random() * STORAGE_MS_MAX);
  await s3.comeBack();
}

/** Each cell has images in the bucket, and no other place has any. */
function strangeObjects(objects: readonly string[] | null, schemas: readonly string[]): string[] {
  if (objects === null) return [];
  const images = objects.filter((name) => name.endsWith(".jpg"));
  const isOf = (schema: string) => (name: string) => name.startsWith(`${schema}/`);
  return [
    ...schemas.filter((schema) => !images.some(isOf(schema))).map((schema) => `no image in the bucket is of ${schema}`),
    ...images.filter((name) => !schemas.some((schema) => isOf(schema)(name))).map((name) => `${name} is of no cell`),
  ];
}

type Strike = (random: () => number) => Promise<void>;

/** Two stories may strike the same thing: one after the other. */
function inTurn<Fault extends string>(
  strikes: Partial<Record<Fault, Strike>>,
): (fault: Fault, random: () => number) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (fault, random) => {
    const struck = last.then(() => strikes[fault]!(random));
    last = struck.catch(() => {});
    return struck;
  };
}

function withShared(
  split: Topology<SplitFault>,
  strikeShared: (fault: SharedFault, random: () => number) => Promise<void>,
  shared: readonly SharedFault[],
): Topology<CellFault> {
  const isShared = (fault: string): fault is SharedFault => shared.some((each) => each === fault);
  return {
    ...split,
    faults: [...split.faults, ...shared],
    strike: (fault, random) =>
      isShared(fault) ? strikeShared(fault, random) : split.strike(fault as SplitFault, random),
  };
}

/** A cell whose story has an application that moves, as a fault, between all of them. */
function withMoves(cells: readonly (Topology<CellFault> & Station)[], start: number): Topology<CellFault> {
  const own = cells[start]!.topology as Topology<CellFault>;
  const traveller = createTraveller(cells, start);
  return {
    ...own,
    faults: [...own.faults, "move"],
    traveller,
    follow: (address) => cells.find((cell) => cell.urls().includes(address))?.urls() ?? [address],
    strike: (fault, random) => (fault === "move" ? traveller.move(random) : own.strike(fault, random)),
  };
}

/**
 * Searches the rows, the files and a back-up of each cell for what names the stories of the others. A cell's own traces
 * must be there: otherwise the search would find nothing anywhere.
 */
async function strangersIn(
  schemas: readonly string[],
  stories: readonly Story[],
  parts: { url: string; dataDir: string; topologies: readonly Topology[] },
): Promise<string[]> {
  const found: string[] = [];
  const doMove = parts.topologies.some(({ traveller }) => traveller !== undefined);
  // Of an application that moves, the audit log, the note and some jobs stay where it was.
  const traces = stories.map(({ traces: all, movable }) =>
    doMove ? all.filter((trace) => !movable.includes(trace) && !/^(ref-|app_)/.test(trace)) : all,
  );
  if (doMove) found.push(...(await misplaced(schemas, stories, parts)));
  for (const [i, schema] of schemas.entries()) {
    const own = traces[i]!;
    const foreign = traces.flatMap((each, n) => (n === i ? [] : each));
    const database = openDatabase({
      connection: { connectionString: parts.url },
      schema,
      connectionsMax: 2,
      onError: () => {},
    });
    const backup = join(parts.dataDir, `backup-of-${schema}`);
    try {
      const { rows } = await leftoversOf(database, foreign);
      for (const [table, count] of Object.entries(rows)) found.push(`${schema}.${table} has ${count} rows of others`);
      if (Object.keys((await leftoversOf(database, own)).rows).length < 5)
        found.push(`${schema} has no traces of its own`);
      await parts.topologies[i]!.cli("backup", "create", "--to", backup);
      const text = textOf(backup);
      found.push(
        ...foreign.filter((trace) => text.includes(trace)).map((trace) => `a back-up of ${schema} has ${trace}`),
      );
      if (!own.every((trace) => text.includes(trace)))
        found.push(`the back-up of ${schema} does not have all of its own`);
    } finally {
      await database.close();
      rmSync(backup, { recursive: true, force: true });
    }
  }
  return found;
}

/** What stays in a cell that an application has left: the log, which is append-only, and jobs, which are hints. */
const LOGS = /^(changes|change_outcomes|audit_entries|audit_outcomes)$|_jobs\./;

/** Users of an application that has moved who are in another cell than it, or not in its own. */
async function misplaced(
  schemas: readonly string[],
  stories: readonly Story[],
  { url, topologies }: { url: string; topologies: readonly Topology[] },
): Promise<string[]> {
  const found: string[] = [];
  for (const schema of schemas) {
    const connection = { connectionString: url };
    const database = openDatabase({ connection, schema, connectionsMax: 2, onError: () => {} });
    try {
      for (const [i, { movable }] of stories.entries()) {
        const { rows } = await leftoversOf(database, movable);
        const tables = Object.keys(rows).filter((table) => !LOGS.test(table));
        const isHome = topologies[i]!.traveller?.schema() === schema;
        if (isHome && tables.length < 5) found.push(`${schema} has not the users of story ${i + 1}`);
        if (!isHome && tables.length > 0) found.push(`${schema} has users of story ${i + 1} in ${tables.join(", ")}`);
      }
    } finally {
      await database.close();
    }
  }
  return found;
}

/** All that the tables of a back-up say. */
function textOf(backup: string): string {
  const files = readdirSync(backup, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".gz"));
  return execFileSync("gzip", ["-dc", ...files.map((name) => join(backup, name))], {
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
}

/** Lets all that call it go on at once, when the last of `count` has called; or when one of them has failed. */
export function createBarrier(count: number): { arrive: () => Promise<void>; abandon: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    arrive: () => {
      if (++waiting >= count) resolve();
      return promise;
    },
    abandon: resolve,
  };
}
