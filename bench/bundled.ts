import { statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { SERVICE, readPassword } from "../src/postgres/embedded/access.ts";
import { SOCKET_PORT, findSocketDir } from "../src/postgres/embedded/socket.ts";

/** Runs `work` with a connection to the bundled server of a service that runs on `dataDir`, of any release. */
export async function withBundled<Result>(dataDir: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const host = findSocketDir(dataDir, statSync(join(dataDir, "postgres")).uid);
  if (host === undefined) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  // Before release 0.3 there was no password.
  const password = readPassword(dataDir);
  const client = new Client({
    host,
    port: SOCKET_PORT,
    user: SERVICE,
    database: SERVICE,
    ...(password === undefined ? {} : { password }),
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
