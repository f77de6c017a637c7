import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { declaredStatements } from "../src/postgres/statement.ts";
import "../src/users/erasure.store.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";

const SESSIONS = 20_000;
const KEYS = 20_000;

let own: TestDatabase;
before(async () => {
  own = await createTestDatabase();
  const { pool } = own.database;
  await pool.query(
    `INSERT INTO applications (id, client_id, secret_hash, name, is_sandbox, created_at, updated_at)
     VALUES (gen_random_uuid(), 'client', sha256('secret'), 'Own', false, now(), now())`,
  );
  // Of a busy application: nearly all have ended, and their requests are cleared.
  await pool.query(
    `INSERT INTO sessions (token_hash, application_id, page, request, created_at, expires_at, expired_at)
     SELECT sha256(convert_to(n::text, 'UTF8')), applications.id, 'enrolment',
            CASE WHEN n <= 50 THEN jsonb_build_object('email', n || '@example.org') ELSE '{}' END,
            now() - interval '2 days', now() - interval '1 day', CASE WHEN n > 50 THEN now() END
     FROM generate_series(1, $1) AS n CROSS JOIN applications`,
    [SESSIONS],
  );
  await pool.query("ANALYZE sessions");
});
after(() => own.drop());

/** The rows that a statement reads and throws away. */
async function readInVain(name: string, values: readonly unknown[]): Promise<number> {
  const declared = declaredStatements().find((each) => each.name === name)!;
  const { rows } = await own.database.pool.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${declared.text}`,
    [...values],
  );
  return removed(rows[0]!["QUERY PLAN"][0]!.Plan);
}

interface Plan {
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

function removed(plan: Plan): number {
  return (plan["Rows Removed by Filter"] ?? 0) + (plan.Plans ?? []).reduce((sum, part) => sum + removed(part), 0);
}

test("an erasure reads the open sessions only, not those of years", async () => {
  const id = "019e8f2d-0b12-7003-8c3f-1d2e3f405162";
  const statements = declaredStatements().filter(({ text }) => /DELETE FROM sessions\b.*request ->>/s.test(text));
  assert.equal(statements.length, 3);
  assert.ok((await readInVain("erasure.delete-sessions-of-person", [id, id, "ada@example.org"])) <= 50);
  const ofUser = statements.find(
    ({ name, text }) => name.startsWith("erasure.delete-rest") && text.includes("request"),
  )!;
  assert.ok((await readInVain(ofUser.name, [id])) <= 50);
});

test("an erasure reads the idempotency keys of its user only, not those of everybody's day", async () => {
  const id = "019e8f2d-0b12-7003-8c3f-1d2e3f405162";
  await own.database.pool.query(
    `INSERT INTO idempotency_keys (application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id, created_at)
     SELECT applications.id, sha256(convert_to(n::text, 'UTF8')), gen_random_uuid(), sha256('body'), 202, '{}', false,
            gen_random_uuid(), now()
     FROM generate_series(1, $1) AS n CROSS JOIN applications`,
    [KEYS],
  );
  await own.database.pool.query("ANALYZE idempotency_keys");
  const { name } = declaredStatements().find(({ text }) => /DELETE FROM idempotency_keys WHERE user_id/.test(text))!;
  assert.equal(await readInVain(name, [id]), 0);
});
