import type { Tx } from "./postgres/postgres.ts";
import { bytea, statement } from "./postgres/statement.ts";

const KEY = statement("installation.key", { key: bytea }, "SELECT key FROM installation");

const SET_KEY = statement(
  "installation.set-key",
  { key: bytea },
  // Nothing may be signed with the old one.
  `UPDATE installation SET key = $1
   WHERE NOT EXISTS (SELECT 1 FROM applications) AND NOT EXISTS (SELECT 1 FROM console_users) RETURNING key`,
);

/**
 * Gives a new cell the key of another one, so that what was signed there stays valid in both. False: the cell is in
 * use. Only for a cell that no process has opened: a process reads the key once.
 */
export async function setInstallationKey(tx: Tx, key: Uint8Array): Promise<boolean> {
  return (await tx.query(SET_KEY, [key])).length > 0;
}

/** Returns the 32 random bytes of this installation. Signing keys are derived from them. */
export async function installationKey(tx: Tx): Promise<Buffer> {
  const [row] = await tx.query(KEY);
  if (!row) throw new Error("the installation has no key: its migrations did not run");
  return row.key;
}
