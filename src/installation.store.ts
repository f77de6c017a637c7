import type { Tx } from "./postgres/postgres.ts";
import { bytea, statement } from "./postgres/statement.ts";

const KEY = statement("installation.key", { key: bytea }, "SELECT key FROM installation");

/** Returns the 32 random bytes of this installation. Signing keys are derived from them. */
export async function installationKey(tx: Tx): Promise<Buffer> {
  const [row] = await tx.query(KEY);
  if (!row) throw new Error("the installation has no key: its migrations did not run");
  return row.key;
}
