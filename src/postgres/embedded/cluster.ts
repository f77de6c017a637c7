import { once } from "node:events";
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { EmbeddedError, isErrno, startProgram } from "./program.ts";
import type { Launcher, Programs } from "./program.ts";

const MAJOR = "18";
const UNFINISHED = ".new-"; // suffix of the folder while a cluster is created

/** Creates a cluster, under another name first: a folder called `postgres` is always complete. */
export async function createCluster(
  clusterDir: string,
  programs: Programs,
  launcher: Launcher,
  names: { user: string; database: string },
): Promise<void> {
  removeUnfinished(clusterDir);
  const newDir = mkdtempSync(`${clusterDir}${UNFINISHED}`);
  if (process.geteuid?.() === 0) chownSync(newDir, launcher.uid, launcher.gid);
  // The built-in locale needs no locale of the system and sorts the same everywhere.
  const locale = ["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const access = [`--username=${names.user}`, "--auth-local=trust", "--auth-host=reject"];
  await runProgram("initdb", ["-D", newDir, ...access, ...locale]);
  await runProgram("postgres", ["--single", "-D", newDir, "template1"], `CREATE DATABASE ${names.database};\n`);
  renameSync(newDir, clusterDir);
  const parent = openSync(dirname(clusterDir), "r");
  fsyncSync(parent);
  closeSync(parent);

  async function runProgram(program: "initdb" | "postgres", args: string[], stdin?: string): Promise<void> {
    const { child, lines } = startProgram(programs, launcher, program, args, stdin === undefined ? {} : { stdin });
    const [code] = (await once(child, "close")) as [number | null];
    // The single-user server exits with 0 even if its statement failed.
    if (code !== 0 || lines.some((line) => line.includes("ERROR:")))
      throw new EmbeddedError(`PostgreSQL cannot make ${clusterDir}: ${lines.join("\n")}`);
  }
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
