import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { openDatabase } from "../src/postgres/postgres.ts";
import { startService } from "./support/service.ts";

test("a request whose statement takes too long gets 503 with Retry-After, and its connection is usable afterwards", async (t) => {
  const service = await startService({ connection: { connectionsMax: 2, statementTimeoutMs: 500 }, isWorking: false });
  t.after(() => service.close());
  const client = await service.newClient();
  const blocker = new Client({ connectionString: service.databaseUrl });
  await blocker.connect();
  await blocker.query("BEGIN");
  await blocker.query("SELECT id FROM applications WHERE id = $1 FOR UPDATE", [client.applicationId]);
  // Registering an endpoint waits for the application's row: as slow as the holder of the row wants.
  const endpoint = { url: `${client.receiver.url}/other` };
  const slow = await Promise.all(Array.from({ length: 4 }, () => client.call("POST", "/webhooks/endpoints", endpoint)));
  for (const response of slow) {
    assert.equal(response.statusCode, 503, response.body);
    assert.equal(response.json<{ code: string }>().code, "Unavailable");
    assert.ok(Number(response.headers["retry-after"]) > 0);
  }
  await blocker.query("ROLLBACK");
  await blocker.end();
  for (let i = 0; i < 4; i++)
    assert.equal((await client.call("POST", "/webhooks/endpoints", endpoint)).statusCode, 200);
});

test("a pool without a time limit cancels nothing, and one with it only what exceeds it", async (t) => {
  const service = await startService({ isWorking: false });
  t.after(() => service.close());
  const connection = { connectionString: service.databaseUrl };
  const onError = () => {};
  const limited = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 300, onError });
  t.after(() => limited.close());
  const sleep = (seconds: number) => ({ name: `test.sleep-${seconds}`, text: `SELECT pg_sleep(${seconds})` });
  await service.database.query(sleep(0.6));
  await assert.rejects(limited.query(sleep(5)), { code: "57014" });
  await assert.rejects(
    limited.tx((tx) => tx.query(sleep(5))),
    { code: "57014" },
  );
  await limited.query(sleep(0));
});

test("a tx that is idle for four times the limit ends, with its locks, so nobody waits for a process that was lost", async (t) => {
  const service = await startService({ isWorking: false });
  t.after(() => service.close());
  const connection = { connectionString: service.databaseUrl };
  const limited = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 250, onError: () => {} });
  t.after(() => limited.close());
  const nothing = { name: "test.nothing", text: "SELECT" };
  const idle = limited.tx(async (tx) => {
    await tx.query(nothing);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await tx.query(nothing);
  });
  await assert.rejects(idle);
  await limited.query(nothing);
});
