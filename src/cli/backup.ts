import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import { IMAGES_FOLDER } from "../images/open-images.ts";
import { NO_LOG } from "../log.ts";
import { firstIdAt } from "../ids.ts";
import { countRows, dumpTables, loadTables } from "../postgres/dump.ts";
import type { DumpedTable, Progress } from "../postgres/dump.ts";
import { appliedMigrations } from "../postgres/migrations.ts";
import { asFirstRelease } from "../postgres/pre-release.ts";
import { migrateAll, migrateTo } from "../database.ts";
import { verifyLedger } from "../points/verification.store.ts";
import { differenceText } from "../points/verification/check.ts";
import type { Database } from "../postgres/postgres.ts";
import { StorageMisconfigured, StorageUnavailable } from "../storage-failures.ts";
import { MINUTE_MS } from "../time.ts";
import {
  FILES,
  copyImages,
  countImages,
  countMissing,
  findNotWhole,
  saveImages,
  savedPlace,
  writeList,
} from "./backup-images.ts";
import { Refusal, command, flag, required } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { requireImages, withImages } from "./opened-images.ts";
import { atTimes } from "./report-times.ts";

/** The description of a backup, in its `manifest.json`. */
interface Manifest {
  readonly format: 1;
  readonly release: string;
  readonly createdAt: string;
  readonly migrations: readonly string[];
  readonly tables: readonly DumpedTable[];
  /** False: the images are saved by other means. Absent: they are here. */
  readonly hasImages?: boolean;
  /** The number of images in its list. Absent: a release before 0.11 has made it, without a list. */
  readonly images?: number;
}

const MANIFEST = "manifest.json";
/** An upload that began before the command may be accepted while it runs. */
const UPLOAD_MS = 2 * MINUTE_MS;
const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** Not dumped: the manifest lists the migrations, and restoring runs them. */
const LEFT_OUT = ["migrations"];

export const BACKUP_COMMANDS: readonly Command[] = [
  command({
    name: "backup create",
    summary: "write everything the service stores to a folder, as of one moment, while it runs",
    details:
      "Saves the database and the receipt images. Anyone who has the folder can sign as the service and read what users bought: keep it as safe as the service itself. It can be restored into the bundled PostgreSQL or any other from version 15 on.",
    options: {
      to: required("DIR", "a folder that does not exist yet"),
      withoutImages: flag("leave out the images, where a bucket has versions or copies of its own"),
    },
    examples: ["backup create --to /backups/2026-11-21"],
    run: create,
  }),
  command({
    name: "backup restore",
    summary: "restore a backup into an empty database and an empty folder of files",
    details:
      "Stop the service first. A backup of an earlier release is migrated after restoring; one of a later release is refused.",
    options: {
      from: required("DIR", "a folder that backup create wrote"),
      incomplete: flag("restore what there is, though images of the backup are missing or damaged"),
    },
    examples: ["backup restore --from /backups/2026-11-21"],
    migratesItself: true,
    run: restore,
  }),
];

interface CreateOptions {
  readonly to: string;
  readonly withoutImages: boolean;
}

async function create({ database, config, now, options, print, report }: Context<CreateOptions>): Promise<void> {
  const dir = resolve(options.to);
  if (existsSync(dir)) throw new Refusal(`${dir} exists already: name a folder that does not`);
  const hasImages = !options.withoutImages;
  requireImages(config, hasImages && (await countRows(database, "receipts")) > 0);
  // Under another name until it is complete, so that half a backup is never mistaken for a whole one.
  const partial = join(dirname(dir), `.${basename(dir)}.partial`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const migrations = await appliedMigrations(database);
  const tables = await dumpTables(database, partial, LEFT_OUT, progress(report, "rows written"));
  // After the rows: an image is stored before its row, so the images of all rows are there but those of erased people.
  const images = hasImages ? await save({ database, config, report }, partial) : 0;
  const imagesMissing = hasImages
    ? await countMissing(database, [savedPlace(partial)], firstIdAt(now.getTime() - UPLOAD_MS))
    : null;
  const manifest: Manifest = {
    format: 1,
    release: packageJson.version,
    createdAt: now.toISOString(),
    migrations,
    tables,
    ...(hasImages ? { images } : { hasImages }),
  };
  await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, dir);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  print({ dir, rows, images, imagesMissing }, [
    `${rows} rows of ${tables.length} tables and ${images} images are in ${dir}`,
    ...(hasImages ? [] : ["Images are not in it: save the folder and the bucket by other means, after this"]),
    ...missingLines(imagesMissing, "were in no store, or damaged there: they are not in the backup"),
  ]);
}

/** Saves the images of both places, and writes their list. Returns their number. */
async function save(
  { database, config, report }: Pick<Context, "database" | "config" | "report">,
  to: string,
): Promise<number> {
  return withImages({ database, config }, async ({ bucket }) => {
    const from = { folder: join(config.dataDir, IMAGES_FOLDER), bucket, first: config.images.first };
    await saveImages(from, join(to, FILES), progress(report, "images written"));
    return writeList(to);
  });
}

function missingLines(images: number | null, what: string): string[] {
  return images === null || images === 0 ? [] : [`${images} images of receipts ${what}`];
}

interface RestoreOptions {
  readonly from: string;
  readonly incomplete: boolean;
}

async function restore({ database, config, options, print, report }: Context<RestoreOptions>): Promise<void> {
  const dir = resolve(options.from);
  const manifest = await readManifest(dir);
  const files = join(config.dataDir, IMAGES_FOLDER);
  const hasImages = manifest.hasImages ?? true;
  if (hasImages && existsSync(files) && (await countImages(files)) > 0) {
    throw new Refusal(`${files} has images already`);
  }
  if (hasImages && manifest.images !== undefined && !options.incomplete) await requireWhole(dir, manifest.images);
  const applied = await appliedMigrations(database);
  const foreign = applied.filter((name) => !manifest.migrations.includes(name));
  if (foreign.length > 0) {
    throw new Refusal(
      `the database has migrations that the backup has not (${foreign.join(", ")}): restore into a new one`,
    );
  }
  const missing = await migrateTo(database, manifest.migrations, NO_LOG);
  if (missing.length > 0) {
    throw new Refusal(
      `the backup is of release ${manifest.release}, later than this one: ${missing.join(", ")} is unknown`,
    );
  }
  const applications = await countRows(database, "applications");
  if (applications > 0) throw new Refusal(`the database has ${applications} applications: restore into an empty one`);
  await loadTables(database, dir, manifest.tables, LEFT_OUT, progress(report, "rows restored")).catch(
    (error: Error) => {
      throw new Refusal(`nothing was restored: ${error.message}`);
    },
  );
  const images = hasImages ? await copyImages(join(dir, FILES), files) : 0;
  await migrateAll(database, NO_LOG);
  const { users, records, differences } = await verifyLedger(database);
  const { imagesMissing, unknown } = await missingHere(database, config);
  print({ ok: differences.length === 0, users, records, images, imagesMissing, differences }, [
    ...differences.map(differenceText),
    `${users} users, ${records} records and ${images} images of ${manifest.createdAt} are restored; ${differences.length} differences in the ledger`,
    ...(images > 0 && config.images.first === "s3" ? [`The images are in ${files}: images move --to s3`] : []),
    ...missingLines(
      imagesMissing,
      config.images.s3 ? "are in neither the folder nor the bucket" : `are not in ${files}`,
    ),
    ...unknown,
  ]);
}

async function requireWhole(dir: string, images: number): Promise<void> {
  const found = await findNotWhole(dir, images);
  if (found === null) return;
  throw new Refusal(
    `the backup is not whole: ${found.images} of ${images} images are missing or damaged (${found.first}). To restore without them: --incomplete`,
  );
}

/** Counts the images of restored receipts that the service would not find. */
async function missingHere(
  database: Database,
  config: Config,
): Promise<{ imagesMissing: number | null; unknown: string[] }> {
  try {
    const imagesMissing = await withImages({ database, config }, ({ folder, bucket }) =>
      countMissing(database, bucket ? [folder, bucket] : [folder], HIGHEST_ID),
    );
    return { imagesMissing, unknown: [] };
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof StorageMisconfigured)) throw error;
    return { imagesMissing: null, unknown: [`Whether all images are there is not known: ${error.message}`] };
  }
}

async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), "utf8").catch(() => {
    throw new Refusal(`${dir} is no backup: it has no ${MANIFEST}`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new Refusal(`${dir} has a format that this release does not know`);
  return asFirstRelease(manifest);
}

/** Reports the progress of a table. */
function progress(report: (line: string) => void, what: string): Progress {
  const reportLine = atTimes(report);
  return (table, rows) => reportLine(`${table}: ${rows} ${what}`);
}
