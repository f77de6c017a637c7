import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Holds a `DATA_DIR` for this process until released, or until the process is gone, however it ended. */
export interface OwnerLock {
  release(): void;
}

/** Who holds a `DATA_DIR`: a service for its whole life, or a command for the moment it takes. */
export type OwnerRole = "service" | "command";

/** `pid` is the holder's, as it wrote it; undefined when it could not be read (it is news for people, not the lock). */
export interface Owner {
  readonly role: OwnerRole | undefined;
  readonly pid: number | undefined;
}

const LOCK_FILE = "owner.lock";
const OWNER_FILE = "owner.json";
const SQLITE_BUSY = 5;

/**
 * Takes `dataDir` for this process, or gives undefined when another one (or this one) holds it.
 * The lock is the operating system's own file lock, reached through SQLite since Node has no call for it: the kernel
 * frees it with the process, so a kill -9 leaves nothing behind, and no process id has to be judged alive or reused.
 */
export function tryOwnerLock(dataDir: string, role: OwnerRole): OwnerLock | undefined {
  const database = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    writeFileSync(join(dataDir, OWNER_FILE), JSON.stringify({ role, pid: process.pid }));
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** The last process that took `dataDir`. Only of use while `tryOwnerLock` gives undefined. */
export function readOwner(dataDir: string): Owner {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(dataDir, OWNER_FILE), "utf8"));
    const { role, pid } = owner as { role?: unknown; pid?: unknown };
    return {
      role: role === "service" || role === "command" ? role : undefined,
      pid: typeof pid === "number" ? pid : undefined,
    };
  } catch {
    return { role: undefined, pid: undefined };
  }
}
