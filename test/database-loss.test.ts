import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as Connection } from "pg";
import { verifyLedger } from "../src/points/verification.store.ts";
import { foodOf } from "./support/keyed-requests.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, Event, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

/** Ends every connection of the service, as a restart of PostgreSQL does, from a connection of its own. */
async function endConnections(): Promise<void> {
  const connection = new Connection({ connectionString: service.databaseUrl });
  await connection.connect();
  await connection.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await connection.end();
}

test("when the database ends all connections under load, whatever was accepted is booked once, the rest refused", async () => {
  const userId = await client.enrol();
  const statuses = new Map<string, number>();
  let isOver = false;
  const sender = async (name: string) => {
    for (let i = 0; !isOver; i++) {
      const reference = `${name}-${i}`;
      const response = await client.call("POST", "/track/food", foodOf(userId, reference));
      statuses.set(reference, response.statusCode);
      if (response.statusCode !== 202) {
        assert.equal(response.statusCode, 503, response.body);
        assert.equal(response.json().code, "Unavailable");
        assert.ok(response.headers["retry-after"]);
      }
    }
  };
  const senders = Promise.all(["a", "b", "c", "d"].map(sender));
  const acceptedNow = () => [...statuses].filter(([, status]) => status === 202).map(([reference]) => reference);
  for (let i = 1; i <= 4; i++) {
    for (const deadline = Date.now() + 60_000; acceptedNow().length < 5 * i; await sleep(20))
      assert.ok(Date.now() < deadline, "nothing more is accepted");
    await sleep(100);
    await endConnections();
  }
  isOver = true;
  await senders;

  const accepted = acceptedNow();
  const isDone = (all: Event[]) => {
    const completed = new Set(
      all.filter((event) => nameOf(event) === "intake.completed").map((event) => event["transactionId"]),
    );
    return accepted.every((reference) => completed.has(reference));
  };
  // Work left by a broken connection is taken up by the sweep: for that a minute passes.
  service.clock.ms += 60_000;
  // The sweeps that do it come every five seconds, one after the other: twice ten seconds are plenty.
  await client.until(isDone).catch(() => client.until(isDone));
  const { user } = (await client.call("GET", `/users/${userId}/summary`)).json();
  // A response may have been lost after its commit: then more was booked than was accepted, never less.
  assert.ok(user.numOfTransactions >= accepted.length && user.numOfTransactions <= statuses.size);
  const { differences } = await verifyLedger(service.database);
  assert.deepEqual(differences, []);
});
