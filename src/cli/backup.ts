import { existsSync } from "node:fs";
import { copyFile, cp, lstat, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { FileKey, FileStore } from "../files.ts";
import { IMAGES_FOLDER } from "../images/open-images.ts";
import { NO_LOG } from "../log.ts";
import { countRows, dumpTables, loadTables } from "../postgres/dump.ts";
import type { DumpedTable, Progress } from "../postgres/dump.ts";
import { appliedMigrations } from "../postgres/migrations.ts";
import { asFirstRelease } from "../postgres/pre-release.ts";
import { migrateAll, migrateTo } from "../database.ts";
import { verifyLedger } from "../points/verification.store.ts";
import { differenceText } from "../points/verification/check.ts";
import { RECEIPT_IMAGES } from "../receipts/receipt.ts";
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
}

const MANIFEST = "manifest.json";
/** The folder of images in a back-up. */
const FILES = "files";
const TEMPORARY = "tmp";
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
    options: { from: required("DIR", "a folder that backup create wrote") },
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
  const files = join(config.dataDir, IMAGES_FOLDER);
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
  const images = hasImages ? await saveImages({ database, config, report }, files, join(partial, FILES)) : 0;
  const manifest: Manifest = {
    format: 1,
    release: packageJson.version,
    createdAt: now.toISOString(),
    migrations,
    tables,
    ...(!hasImages && { hasImages }),
  };
  await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, dir);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  print({ dir, rows, images }, [`${rows} rows of ${tables.length} tables and ${images} images are in ${dir}`]);
}

async function restore({ database, config, options, print, report }: Context<{ from: string }>): Promise<void> {
  const dir = resolve(options.from);
  const manifest = await readManifest(dir);
  const files = join(config.dataDir, IMAGES_FOLDER);
  const hasImages = manifest.hasImages ?? true;
  if (hasImages && existsSync(files) && (await countImages(files)) > 0) {
    throw new Refusal(`${files} has images already`);
  }
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
  print({ ok: differences.length === 0, users, records, images, differences }, [
    ...differences.map(differenceText),
    `${users} users, ${records} records and ${images} images of ${manifest.createdAt} are restored; ${differences.length} differences in the ledger`,
  ]);
}

async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), "utf8").catch(() => {
    throw new Refusal(`${dir} is no backup: it has no ${MANIFEST}`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new Refusal(`${dir} has a format that this release does not know`);
  return asFirstRelease(manifest);
}

/** Copies the images of both places: first those of the place that they may be moved from meanwhile. */
async function saveImages(
  { database, config, report }: Pick<Context, "database" | "config" | "report">,
  files: string,
  to: string,
): Promise<number> {
  return withImages({ database, config }, async ({ bucket }) => {
    if (config.images.first === "s3") await copyImages(files, to);
    if (bucket) await copyBucket(bucket, to, progress(report, "images written"));
    if (config.images.first === "folder") await copyImages(files, to);
    return countImages(to);
  });
}

async function copyBucket(bucket: FileStore, to: string, report: Progress): Promise<void> {
  let saved = 0;
  const save = async (key: FileKey): Promise<void> => {
    await using image = await bucket.borrow(key);
    await mkdir(dirname(join(to, key)), { recursive: true, mode: 0o700 });
    // Removed since it was listed, as with its user.
    if (existsSync(image.path)) await copyFile(image.path, join(to, key));
    report("the bucket", ++saved);
  };
  for await (const keys of bucket.keysIn(RECEIPT_IMAGES)) for (const key of keys) await save(key);
}

/**
 * Copies the images below a folder, without temporary files. Returns their number. No symbolic link is copied: the
 * service makes none, and one in a manipulated backup would show any file of the machine as an image.
 */
async function copyImages(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return 0;
  for (const folder of await readdir(from)) {
    if (folder !== TEMPORARY) await cp(join(from, folder), join(to, folder), { recursive: true, filter: isNoLink });
  }
  return countImages(to);
}

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink();
}

async function countImages(dir: string): Promise<number> {
  return (await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".jpg")).length;
}

/** Reports the progress of a table. */
function progress(report: (line: string) => void, what: string): Progress {
  const reportLine = atTimes(report);
  return (table, rows) => reportLine(`${table}: ${rows} ${what}`);
}
