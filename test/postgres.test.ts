import assert from "node:assert/strict";
import { test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
import { int4, statement } from "../src/postgres/statement.ts";
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

const COUNT_TEXTS = statement("test.count-texts", { count: int4 }, "SELECT count(*)::int AS count FROM consent_texts");
const INSERT_TEXT = statement(
  "test.insert-text",
  {},
  `INSERT INTO consent_texts (digest, text_version, language, text, first_shown_at)
         VALUES (sha256('x'), '1', 'en', 'x', now())`,
);

test("a tx whose work returns a rollback undoes its statements and returns the value", async (t) => {
  const { database, drop } = await createTestDatabase();
  t.after(drop);
  const result = await database.tx<string>(async (tx) => {
    await tx.query(INSERT_TEXT);
    return rollback("undone");
  });
  assert.equal(result, "undone");
  assert.deepEqual(await database.query(COUNT_TEXTS), [{ count: 0 }]);
  const kept = await database.tx<string>(async (tx) => {
    await tx.query(INSERT_TEXT);
    return "kept";
  });
  assert.equal(kept, "kept");
  assert.deepEqual(await database.query(COUNT_TEXTS), [{ count: 1 }]);
});
