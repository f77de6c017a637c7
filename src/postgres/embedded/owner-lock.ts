import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A lock on a `DATA_DIR`, held until it is released or the process ends in any way. */
export interface OwnerLock {
  release(): void;
}

/** Who holds a `DATA_DIR`: a service for its whole life, or a command while it runs. */
export type OwnerRole = "service" | "command";

/** The holder, as it wrote it to a file; undefined if unreadable. Only for messages: it is not the lock. */
export interface Owner {
  readonly role: OwnerRole | undefined;
  readonly pid: number | undefined;
}

const LOCK_FILE = "owner.lock";
const OWNER_FILE = "owner.json";
const SQLITE_BUSY = 5;

/**
 * Locks `dataDir` for this process; returns undefined if another process (or this one) holds the lock.
 * The lock is a file lock of the operating system, taken through SQLite since Node has no call for it. The kernel
 * releases it with the process, so a kill -9 leaves nothing behind, and no process id has to be checked.
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

/** Returns the last process that locked `dataDir`. Only meaningful while `tryOwnerLock` returns undefined. */
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
