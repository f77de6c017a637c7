import {
  chmodSync,
  chownSync,
  closeSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isErrno } from "../../errno.ts";
import { EmbeddedError } from "./error.ts";

/** The user and the group of files. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const DETACH_WAIT_MS = 15_000; // the processes of a killed server end when they notice

/**
 * Gives a stopped server's folder to `owner`, if root runs this and it is another's. Can be repeated after a kill: the
 * folder itself comes last. The former owner can change nothing meanwhile, and no link leads out of the folder.
 */
export async function takeOver(clusterDir: string, owner: Owner): Promise<void> {
  const { uid, gid } = lstatSync(clusterDir);
  if (process.geteuid?.() !== 0 || (uid === owner.uid && gid === owner.gid)) return;
  await untilDetached(clusterDir);
  chownSync(clusterDir, 0, 0);
  chmodSync(clusterDir, 0o700);
  takeEntries(clusterDir, owner);
  chownSync(clusterDir, owner.uid, owner.gid);
}

// A folder is taken before its entries are read: from then on its former owner cannot replace one by a link.
function takeEntries(dir: string, owner: Owner): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isFile() && lstatSync(path).nlink > 1) {
      throw new EmbeddedError(
        `${path} is a hard link, which PostgreSQL never makes: its other name may be anything. Remove one.`,
      );
    }
    if (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()) lchownSync(path, owner.uid, owner.gid);
    if (!entry.isDirectory()) continue;
    chmodSync(path, 0o700);
    takeEntries(path, owner);
  }
}

// PostgreSQL itself only notices left-over processes of its own user, by its segment of System V shared memory.
async function untilDetached(clusterDir: string): Promise<void> {
  const segment = readSegment(clusterDir);
  if (segment === undefined) return;
  for (const since = Date.now(); Date.now() - since < DETACH_WAIT_MS; await sleep(50)) {
    if (!isAttached(segment)) return;
  }
  throw new EmbeddedError(`Processes of the PostgreSQL that was killed on ${clusterDir} are still running: end them.`);
}

// The seventh line of postmaster.pid has the key and the id of the segment.
function readSegment(clusterDir: string): string | undefined {
  try {
    return readFileSync(join(clusterDir, "postmaster.pid"), "utf8").split("\n")[6]?.trim().split(/ +/)[1];
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

// Columns: key shmid perms size cpid lpid nattch …
function isAttached(segment: string): boolean {
  try {
    const lines = readFileSync("/proc/sysvipc/shm", "utf8").split("\n");
    return lines.some((line) => {
      const columns = line.trim().split(/ +/);
      return columns[1] === segment && Number(columns[6]) > 0;
    });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

/** Writes a file that only `owner` can read, whole or not at all. Follows no link, as the folder may be another's. */
export function writePrivate(path: string, text: string, owner: Owner): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, "wx", 0o600);
  try {
    if (process.geteuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}
