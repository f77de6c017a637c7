import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "./support/database.ts";

test("a tx in which a statement failed is never taken for committed, also where its work went on", async (t) => {
  const { database, drop } = await createTestDatabase();
  t.after(drop);
  const swallowing = database.tx(async (tx) => {
    await tx.query({ name: "test.fails", text: "SELECT 1 / 0" }).catch(() => undefined);
    return "done";
  });
  await assert.rejects(swallowing, /was to be committed/);
  assert.equal(await database.tx(async () => "next"), "next");
});
