import assert from "node:assert/strict";
import { test } from "node:test";
import { binaryArray } from "../src/postgres/binary-array.ts";
import type { ElementType } from "../src/postgres/binary-array.ts";
import { isRowError, openDatabase } from "../src/postgres/postgres.ts";
import { rollback } from "../src/postgres/rollback.ts";
import { int4, json, statement, textArray } from "../src/postgres/statement.ts";
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

const ECHO = statement(
  "test.echo-arrays",
  { echo: json<unknown[][]>() },
  `SELECT jsonb_build_array($1::uuid[], $2::text[], $3::jsonb[], $4::smallint[], $5::int[], $6::bigint[], $7::boolean[],
                            (SELECT array_agg(encode(b, 'hex')) FROM unnest($8::bytea[]) AS b),
                            (SELECT array_agg((extract(epoch FROM t) * 1000)::bigint) FROM unnest($9::timestamptz[]) AS t)
          ) AS echo`,
);
const ECHO_TEXTS = statement("test.echo-texts", { texts: textArray }, "SELECT $1::text[] AS texts");

test("arrays arrive as they were sent, with their nulls", async (t) => {
  const { database, drop } = await createTestDatabase();
  t.after(drop);
  const id = "01a204ac-72af-7154-94f4-f77e2178b00f";
  const times = [0, Date.UTC(2026, 10, 22, 19, 12, 20, 184), Date.UTC(1890, 0)];
  const sent: [type: ElementType, values: unknown[], echo?: unknown[]][] = [
    ["uuid", [id, null]],
    ["text", ["", "NULL", 'a "quoted" \\ {part}, é 🥗', null]],
    ["jsonb", ['{"a": "é\\"\\n"}', "5"], [{ a: 'é"\n' }, 5]],
    ["smallint", [-32_767, 32_767]],
    ["int", [-2_147_483_647, 2_147_483_647]],
    ["bigint", [-Number.MAX_SAFE_INTEGER, -4_294_967_296, -1, 0, Number.MAX_SAFE_INTEGER]],
    ["boolean", [true, false]],
    ["bytea", [Uint8Array.of(0, 255), Uint8Array.of()], ["00ff", ""]],
    ["timestamptz", times.map((ms) => new Date(ms)), times],
  ];
  const [row] = await database.query(
    ECHO,
    sent.map(([type, values]) => binaryArray(type, values)),
  );
  assert.deepEqual(
    row?.echo,
    sent.map(([, values, echo = values]) => echo),
  );
  assert.deepEqual(await database.query(ECHO_TEXTS, [binaryArray("text", [])]), [{ texts: [] }]);
  await assert.rejects(database.query(ECHO_TEXTS, [binaryArray("text", ["a\0"])]), isRowError);
});

test("connections with another search path than the schema's, by address or database, read and write nothing", async (t) => {
  const { database, url, drop } = await createTestDatabase();
  const [{ name }] = (await database.pool.query<{ name: string }>("SELECT current_database() AS name")).rows as [
    { name: string },
  ];
  await database.pool.query("CREATE SCHEMA elsewhere");
  const plain = url.replace(/[?&]options=[^&]*/, "");
  const opened = (address: string, schema: string) => {
    const other = openDatabase({
      connection: { connectionString: address },
      schema,
      connectionsMax: 1,
      onError: () => {},
    });
    t.after(() => other.close());
    return other;
  };
  t.after(drop);
  const one = { name: "test.one", text: "SELECT current_schema() AS schema" };
  const byAddress = `${plain}${plain.includes("?") ? "&" : "?"}options=${encodeURIComponent("-c search_path=elsewhere")}`;
  const refusal = { name: "SchemaError", message: /^DATABASE_SCHEMA is public, .* search_path elsewhere: / };
  await assert.rejects(opened(byAddress, "public").query(one), refusal);
  assert.deepEqual(await opened(plain, "public").query(one), [{ schema: "public" }]);
  await database.pool.query(`ALTER DATABASE "${name}" SET search_path = elsewhere`);
  await assert.rejects(opened(plain, "public").query(one), refusal);
  assert.deepEqual(await opened(plain, "elsewhere").query(one), [{ schema: "elsewhere" }], "it is its own to set");
});
