import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, statSync } from "node:fs";
import { isErrno } from "../../errno.ts";
import { EmbeddedError } from "./error.ts";

/**
 * How a program is started: `argv` precedes its command line, `spawnAs` is for the call that starts it. `uid` and `gid`
 * own its files. `isOther`: it is not the user of this process, and may not pass the folders above its own.
 */
export interface Launcher {
  readonly argv: readonly string[];
  readonly spawnAs?: { readonly uid: number; readonly gid: number };
  readonly uid: number;
  readonly gid: number;
  readonly isOther: boolean;
}

/** The launcher of the server, and that of the program that creates its data, which must be a user with an account. */
export interface Launchers {
  readonly server: Launcher;
  readonly creator: Launcher;
}

// The programs get neither our settings nor PG… variables, which would change their behaviour.
export const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

// 65534 is "nobody" everywhere. Other programs run as it, so nothing is left in its hands.
const NOBODY = 65534;
// systemd's table of ids leaves 1879048192 to 2147352575 unused; containers map 65,536 users, in which 61184 to 65519
// are for services without an account (systemd.io/UIDS-GIDS).
const FREE_IDS = { first: 0x7000_0000, count: 0x0ffd_0000 };
const FREE_IDS_SMALL = { first: 61_184, count: 4_336 };

const NO_PRIVILEGES = ["--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs", "--pdeathsig=INT"];

/**
 * Chooses how to start PostgreSQL, which refuses to run as root. An ordinary user runs it directly. Root starts it as a
 * user of its own without any capability. With setpriv the server is also stopped (fast, cleanly) when this process is
 * killed. A user namespace is the last choice: outside of it the server is root without capabilities.
 */
export function chooseLaunchers(dataDir: string, clusterDir: string): Launchers {
  const uid = process.geteuid?.() ?? 0;
  const gid = process.getegid?.() ?? 0;
  if (uid !== 0) {
    const cluster = lstatSync(clusterDir, { throwIfNoEntry: false });
    if (cluster && cluster.uid !== uid) {
      throw new EmbeddedError(
        `${clusterDir} belongs to user ${cluster.uid}, and this is user ${uid}: run as that user or as root, or set another DATA_DIR.`,
      );
    }
    const launcher = { argv: ordinaryArgv(), uid, gid, isOther: false };
    return { server: launcher, creator: launcher };
  }
  const owner = chooseOwner(dataDir);
  const server = process.platform === "linux" ? launcherAs(owner.uid, owner.gid) : undefined;
  if (server) {
    // initdb wants a user with an account. The group of its own keeps other processes of that user out: they can
    // neither trace it nor open its folders through /proc, since for that all ids must be equal.
    const creator = owner.hasAccount ? server : launcherAs(NOBODY, owner.gid);
    if (creator) return { server, creator };
  }
  const unshare = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  if (process.platform !== "linux" || !canRun(unshare)) {
    throw new EmbeddedError(
      "PostgreSQL refuses to run as root, and this process may not start it as another user: run the service as an ordinary user, or set DATABASE_URL.",
    );
  }
  const launcher = { argv: unshare, uid: 0, gid: 0, isOther: false };
  return { server: launcher, creator: launcher };
}

function ordinaryArgv(): readonly string[] {
  if (process.platform !== "linux") return [];
  return (
    [
      ["setpriv", ...NO_PRIVILEGES],
      ["setpriv", "--pdeathsig=INT"],
    ].find((argv) => canRun(argv)) ?? []
  );
}

function launcherAs(uid: number, gid: number): Launcher | undefined {
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const launcher = { uid, gid, isOther: true };
  for (const argv of [
    ["setpriv", ...ids, "--bounding-set=-all", ...NO_PRIVILEGES],
    ["setpriv", ...ids, ...NO_PRIVILEGES], // without CAP_SETPCAP
  ]) {
    if (canRun(argv)) return { argv, ...launcher };
  }
  return canRun(["true"], { uid, gid }) ? { argv: [], spawnAs: { uid, gid }, ...launcher } : undefined;
}

function canRun(argv: readonly string[], spawnAs: { uid?: number; gid?: number } = {}): boolean {
  const [command = "", ...args] = argv;
  return spawnSync(command, [...args, "true"], { env: { PATH }, stdio: "ignore", ...spawnAs }).status === 0;
}

/**
 * Returns the user that root starts the server as: the owner of a DATA_DIR that an ordinary user has made (who could
 * replace all that is in it anyway, and may start the service the next time), else an id derived from its path. It is
 * nobody else's id: neither an account's nor that of another DATA_DIR.
 */
function chooseOwner(dataDir: string): { uid: number; gid: number; hasAccount: boolean } {
  const { uid, gid } = statSync(dataDir);
  const accounts = readIds("/etc/passwd", 2);
  if (accounts.has(uid) && uid !== 0 && uid !== NOBODY) return { uid, gid, hasAccount: true };
  const isMapped = (id: number) =>
    [readMap("/proc/self/uid_map"), readMap("/proc/self/gid_map")].every((map) => map(id));
  const { first, count } = isMapped(FREE_IDS.first) ? FREE_IDS : FREE_IDS_SMALL;
  const groups = readIds("/etc/group", 2);
  const start = createHash("sha256").update(dataDir).digest().readUInt32BE() % count;
  for (let step = 0; step < count; step++) {
    const id = first + ((start + step) % count);
    if (!accounts.has(id) && !groups.has(id)) return { uid: id, gid: id, hasAccount: false };
  }
  throw new EmbeddedError(
    "No user id is free for PostgreSQL: run the service as an ordinary user, or set DATABASE_URL.",
  );
}

function readIds(file: string, column: number): ReadonlySet<number> {
  return new Set(readLines(file).map((line) => Number(line.split(":")[column])));
}

/** Returns whether an id exists in the user namespace of this process (lines: first id, first id outside, count). */
function readMap(file: string): (id: number) => boolean {
  const ranges = readLines(file).map((line) => line.trim().split(/ +/).map(Number));
  return (id) => ranges.some(([first = 0, , count = 0]) => id >= first && id < first + count);
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
