import { once } from "node:events";
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { SUPERUSER } from "./access.ts";
import { isErrno } from "../../errno.ts";
import { EmbeddedError } from "./error.ts";
import type { Launchers } from "./launcher.ts";
import { takeOver } from "./ownership.ts";
import { startProgram } from "./program.ts";
import type { Programs } from "./program.ts";

const MAJOR = "18";
const UNFINISHED = ".new-"; // suffix of the folder while a cluster is created

/**
 * Creates a cluster, under another name first: a folder called `postgres` is never half a cluster. Its access rules and
 * the service's role come with the first start (access.ts).
 */
export async function createCluster(clusterDir: string, programs: Programs, launchers: Launchers): Promise<void> {
  const { server, creator } = launchers;
  removeUnfinished(clusterDir);
  // Its parent is closed to other processes of the creating user, whatever the mode of DATA_DIR.
  const parentDir = mkdtempSync(`${clusterDir}${UNFINISHED}`);
  const newDir = join(parentDir, "data");
  mkdirSync(newDir, { mode: 0o700 });
  if (process.geteuid?.() === 0) chownSync(newDir, creator.uid, creator.gid);
  // The built-in locale needs no locale of the system and sorts the same everywhere.
  const locale = ["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const access = [`--username=${SUPERUSER}`, "--auth=reject"];
  // Shared memory in a file of the cluster: one in /dev/shm would be open to other processes of the creating user.
  const memory = ["-c", "dynamic_shared_memory_type=mmap"];
  const site = { programs, launcher: creator, clusterDir: newDir };
  const { child, lines } = startProgram(site, "initdb", [...access, ...locale, ...memory]);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new EmbeddedError(`PostgreSQL cannot make ${clusterDir}: ${lines.join("\n")}`);
  await takeOver(newDir, server);
  renameSync(newDir, clusterDir);
  rmdirSync(parentDir);
  const parent = openSync(dirname(clusterDir), "r");
  fsyncSync(parent);
  closeSync(parent);
}

// Removes what a kill during the creation of a cluster left. If its programs still write there, the next start removes
// it.
function removeUnfinished(clusterDir: string): void {
  const prefix = basename(clusterDir) + UNFINISHED;
  for (const name of readdirSync(dirname(clusterDir)).filter((name) => name.startsWith(prefix))) {
    try {
      rmSync(join(dirname(clusterDir), name), { recursive: true, force: true });
    } catch (error) {
      if (!isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
    }
  }
}

/** Throws EmbeddedError if the bundled PostgreSQL cannot read the data. */
export function checkVersion(clusterDir: string): void {
  const version = readFileSync(join(clusterDir, "PG_VERSION"), "utf8").trim();
  if (version === MAJOR) return;
  throw new EmbeddedError(
    `${clusterDir} was made by PostgreSQL ${version}, and the bundled one is ${MAJOR}: move it away and restore a back-up that the earlier release wrote (docs/operations.md), or set DATABASE_URL.`,
  );
}
