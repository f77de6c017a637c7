import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { createTestDatabase } from "./support/database.ts";
import { startService } from "./support/service.ts";

test("a start that fails half-way leaves no connection open", async () => {
  const database = await createTestDatabase({ connectionsMax: 2 });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  // What the service reads after it has opened its queues.
  await client.query("ALTER TABLE installation RENAME TO elsewhere");

  await assert.rejects(startService({ database }), /relation "installation" does not exist/);

  const others = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> $1";
  const pid = (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;
  // The server notices the end of a connection a moment later.
  for (const deadline = Date.now() + 5_000; ;) {
    const { count } = (await client.query<{ count: number }>(others, [pid])).rows[0]!;
    const unowned = count - database.database.pool.totalCount;
    if (unowned === 0) break;
    assert.ok(Date.now() < deadline, `${unowned} connections are open that nobody will close`);
  }
  await client.end();
  await database.drop();
});
