import { chownSync, lstatSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isErrno } from "./program.ts";
import type { Launcher } from "./program.ts";

const SOCKET_DIR_FILE = "postgres-socket-dir";
const SOCKET_PATH_BYTES_MAX = 103; // sun_path of macOS less its NUL (Linux: 107)

/** Only part of the socket's name. */
export const SOCKET_PORT = 5432;

/**
 * The folder of the socket: of its own, mode 700, for whoever may enter it is let in without a password. It stands in
 * the system's temporary folder, since DATA_DIR may be too deep for a socket; DATA_DIR remembers where.
 */
export function makeSocketDir(dataDir: string, launcher: Launcher): string {
  const known = findSocketDir(dataDir, launcher.uid);
  if (known !== undefined) return known;
  // mkdtemp puts six characters behind the name.
  const longest = join(tmpdir(), `rewards-${"_".repeat(6)}`, `.s.PGSQL.${SOCKET_PORT}`);
  const isShort = Buffer.byteLength(longest) <= SOCKET_PATH_BYTES_MAX;
  const socketDir = mkdtempSync(join(isShort ? tmpdir() : "/tmp", "rewards-"));
  if (process.geteuid?.() === 0) chownSync(socketDir, launcher.uid, launcher.gid);
  const file = join(dataDir, SOCKET_DIR_FILE);
  writeFileSync(`${file}.new`, socketDir);
  renameSync(`${file}.new`, file);
  return socketDir;
}

/** The folder that DATA_DIR remembers, if it is (still) the one of that user, and closed to everyone else. */
export function findSocketDir(dataDir: string, uid: number | undefined): string | undefined {
  try {
    const socketDir = readFileSync(join(dataDir, SOCKET_DIR_FILE), "utf8");
    const stat = lstatSync(socketDir);
    return stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0 ? socketDir : undefined;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}
