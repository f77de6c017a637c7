import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseError } from "pg";
import type { Database } from "../postgres/postgres.ts";
import { createAcceptance } from "./accept.task.ts";

/** Accepts nothing with this error. Returns whether the lease was given up. */
async function isAbandonedAfter(error: Error): Promise<boolean> {
  let isAbandoned = false;
  const query: Database["query"] = async () => {
    throw error;
  };
  const lease = { id: "1", fullEndpointIds: [], inProgressSince: new Date(0) };
  const acceptance = createAcceptance({
    database: { query } as Database,
    sendJob: () => assert.fail("nothing was accepted"),
    outbox: {
      parameters: () => ({ firstWaitSeconds: 0, lease }),
      send: () => assert.fail("nothing was accepted"),
      abandon: () => {
        isAbandoned = true;
      },
    },
    newId: () => "",
    log: console,
  });
  await assert.rejects(acceptance.accept([]), error);
  return isAbandoned;
}

const refusal = (code: string) => Object.assign(new DatabaseError("refused", 0, "error"), { code });

test("the lease is given up when it is not known whether a batch was stored, and not when it was refused", async () => {
  // A violated constraint, a deadlock, a lock that was not free in time, a statement that took too long.
  for (const code of ["23503", "40P01", "55P03", "57014"]) assert.equal(await isAbandonedAfter(refusal(code)), false);
  // Never sent: the pool had no connection.
  assert.equal(await isAbandonedAfter(new Error("timeout exceeded when trying to connect")), false);
  // The server stops, a connection ends.
  for (const code of ["57P01", "08006"]) assert.equal(await isAbandonedAfter(refusal(code)), true, code);
  assert.equal(await isAbandonedAfter(new Error("Connection terminated unexpectedly")), true);
});
