import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { createTestDatabase } from "./support/database.ts";
import { startService } from "./support/service.ts";

test("a start that fails half-way leaves no connection open", async (t) => {
  const database = await createTestDatabase({ connectionsMax: 2 });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database()",
  );
  // What the service reads after it has opened its queues.
  await client.query("ALTER TABLE installation RENAME TO elsewhere");

  await assert.rejects(startService({ database }), /relation "installation" does not exist/);

  await database.database.close();
  const others =
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> ALL ($1)";
  const known = rows.map(({ pid }) => pid);
  // The server notices the end of a connection a moment later; PgBouncer keeps its own for five seconds.
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    const { count } = (await client.query<{ count: number }>(others, [known])).rows[0]!;
    if (count === 0) break;
    assert.ok(Date.now() < deadline, `${count} connections are open that nobody will close`);
  }
});

test("a start that its bucket refuses leaves no connection to it open", async (t) => {
  const database = await createTestDatabase({ connectionsMax: 2 });
  const s3 = createServer({ keepAliveTimeout: 0 }, (_, response) => response.writeHead(403).end());
  await once(s3.listen(0, "127.0.0.1"), "listening");
  const credentials = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
  for (const name of credentials) process.env[name] = "any";
  t.after(async () => {
    for (const name of credentials) delete process.env[name];
    s3.close();
    s3.closeAllConnections();
    await database.drop();
  });
  const { port } = s3.address() as AddressInfo;
  const env = { IMAGES_S3_BUCKET: "images", IMAGES_S3_ENDPOINT: `http://127.0.0.1:${port}` };

  await assert.rejects(startService({ database, env }), /may not list objects/);

  const open = () => new Promise<number>((resolve) => void s3.getConnections((_, count) => resolve(count)));
  for (const deadline = Date.now() + 30_000; (await open()) > 0; await sleep(20))
    assert.ok(Date.now() < deadline, "a connection is open that nobody will close");
});
