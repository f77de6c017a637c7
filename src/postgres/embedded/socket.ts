import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isErrno } from "../../errno.ts";
import type { Launcher } from "./launcher.ts";

const SOCKET_DIR_FILE = "postgres-socket-dir";
const SOCKET_PATH_BYTES_MAX = 103; // sun_path of macOS less its NUL (Linux: 107)

/** The port is only part of the socket's name. */
export const SOCKET_PORT = 5432;
/** While roles and rules of access are set up: a name that no other process looks for. */
export const SETUP_PORT = 5433;

/**
 * Creates a separate folder for the socket, or finds the existing one. Its mode is 700: the server owns it, and enters
 * it alone, or with root. It is in the system's temporary folder, since the path of DATA_DIR may be too long for a
 * socket; a file in DATA_DIR holds its path.
 */
export function makeSocketDir(dataDir: string, launcher: Launcher): string {
  const existing = findSocketDir(dataDir, launcher.uid);
  if (existing !== undefined) return existing;
  // mkdtemp appends six characters.
  const longest = join(tmpdir(), `rewards-${"_".repeat(6)}`, `.s.PGSQL.${SOCKET_PORT}`);
  const isFit = Buffer.byteLength(longest) <= SOCKET_PATH_BYTES_MAX && canEnter(realpathSync(tmpdir()), launcher);
  const socketDir = mkdtempSync(join(isFit ? tmpdir() : "/tmp", "rewards-"));
  if (process.geteuid?.() === 0) chownSync(socketDir, launcher.uid, launcher.gid);
  const file = join(dataDir, SOCKET_DIR_FILE);
  writeFileSync(`${file}.new`, socketDir);
  renameSync(`${file}.new`, file);
  return socketDir;
}

function canEnter(dir: string, { uid, gid, isOther }: Launcher): boolean {
  if (!isOther) return true;
  const stat = statSync(dir);
  const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
  return (stat.mode & bit) !== 0 && (dir === dirname(dir) || canEnter(dirname(dir), { argv: [], uid, gid, isOther }));
}

/** Returns the folder named in DATA_DIR, if it still belongs to that user and is closed to everyone else. */
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
