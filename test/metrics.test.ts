import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { verifyLedgerAndReport } from "../src/metrics/verify-ledger.task.ts";
import { silent } from "./support/database.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const TOKEN = "metrics-token";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService({ env: { METRICS_TOKEN: TOKEN } });
  client = await service.newClient();
});
after(() => service.close());

async function gauges(): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await service.app.server.inject({ method: "GET", url: "/metrics", headers });
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  const lines = response.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]));
}

test("only a client with the token reads the gauges", async () => {
  const found = await gauges();
  assert.equal(found["rewards_intakes_waiting"], 0);
  assert.equal(found["rewards_deliveries_failed"], 0);
  for (const [name, value] of Object.entries(found)) assert.ok(Number.isFinite(value), name);
  for (const headers of [{}, { authorization: "Bearer other" }, client.headers]) {
    assert.equal((await service.app.server.inject({ method: "GET", url: "/metrics", headers })).statusCode, 404);
  }
});

test("a balance that differs from its records sets the gauge and logs an error; the verification of the next day clears it", async () => {
  const userId = await client.enrol();
  const alarms: object[] = [];
  const log = { ...silent, error: (fields: object) => alarms.push(fields) };
  const verify = () =>
    verifyLedgerAndReport({ database: service.database, log, now: () => new Date(service.clock.ms) });
  await verify();
  assert.equal((await gauges())["rewards_ledger_differences"], 0);
  const shift = (points: number) =>
    service.database.pool.query("UPDATE balances SET lifetime_points = lifetime_points + $2 WHERE user_id = $1", [
      userId,
      points,
    ]);
  await shift(1);
  await verify();
  assert.equal((await gauges())["rewards_ledger_differences"], 1);
  assert.match(JSON.stringify(alarms), new RegExp(`${userId}.*lifetimePoints`));
  await shift(-1);
  service.clock.ms += 86_400_000;
  await verify();
  const found = await gauges();
  assert.equal(found["rewards_ledger_differences"], 0);
  assert.equal(found["rewards_ledger_verified_timestamp_seconds"], Math.trunc(service.clock.ms) / 1_000);
});
