// A ledger of any number of records: copies of the histories of some users, by INSERT … SELECT.
import type { Database } from "../src/postgres/postgres.ts";
import { copyStatement } from "./copying.ts";
import type { Model } from "./ledger-models.ts";
import type { Progress } from "./progress.ts";

const STEP_USERS = 20_000;

/** What a copy has in place of its model's value, by table and column. `copies` has the new user's id and number. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: { id: "copies.user_id", email: "'copy-' || copies.number || '@example.org'" },
  balances: {},
  records: {
    // What names the record elsewhere is the copy's own: its reference, and the code of its reward.
    // That of an award is copied as it is stored, compressed.
    body: `CASE WHEN source.operation = 1 THEN source.body
                WHEN source.body -> 'reward' ->> 'code' <> '' THEN
                  jsonb_set(source.body, '{reward,code}', to_jsonb(source.body -> 'reward' ->> 'code' || '-' || copies.number))
                  || jsonb_build_object('reference', source.body ->> 'reference' || '-' || copies.number)
                ELSE source.body || jsonb_build_object('reference', source.body ->> 'reference' || '-' || copies.number) END`,
  },
  record_changes: {},
  receipts: { reference: "source.reference || '-' || copies.number" },
  receipt_corrections: {},
  record_references: { reference: "source.reference || '-' || copies.number" },
  redemptions: { code: "source.code || '-' || copies.number" },
  voucher_codes: { code: "source.code || '-' || copies.number", place: "DEFAULT" },
};

/** Adds copies with about `count` records; `first` is the number of the first copy. Returns the number of copies. */
export async function copyLedger(
  database: Database,
  models: readonly Model[],
  { first, count, progress }: { readonly first: number; readonly count: number; readonly progress: Progress },
): Promise<number> {
  const run = async (text: string, values: readonly unknown[] = []) => {
    await database.pool.query(text, [...values]);
  };
  await run("DROP TABLE IF EXISTS copies");
  await run("CREATE UNLOGGED TABLE copies (number bigint PRIMARY KEY, model_id uuid, user_id uuid)");
  const hundred = models.flatMap(({ userId, share }) => Array.from({ length: share }, () => userId));
  // Users of each history are mixed, as are their records in the table: a user's are far from each other.
  await run(
    `WITH kinds AS (SELECT n - 1 AS n, id FROM unnest($1::uuid[]) WITH ORDINALITY AS kinds (id, n)),
          sizes AS (SELECT sum(records) AS records FROM kinds JOIN balances ON balances.user_id = kinds.id)
     INSERT INTO copies
     SELECT number, (SELECT id FROM kinds WHERE n = (number * 37) % 100),
            ('019a' || lpad(to_hex(number / 4096), 4, '0') || '-0000-7000-8000-' || substr(md5(number::text), 1, 12))::uuid
     FROM generate_series($3::int, $3 - 1 + (SELECT round($2::numeric * 100 / records) FROM sizes)::int) AS number`,
    [hundred, count, first],
  );
  const { rows } = await database.pool.query<{ users: number; longest: number }>(
    "SELECT count(*)::int AS users, max(records)::int AS longest FROM copies JOIN balances ON balances.user_id = model_id",
  );
  const { users, longest } = rows[0]!;
  const inSteps = async (table: string, of: string) => {
    for (let from = first; from < first + users; from += STEP_USERS) {
      progress(`verify: ${table}, ${(from - first).toLocaleString("en")} of ${users.toLocaleString("en")} users`);
      const where = `${of} AND copies.number >= ${from} AND copies.number < ${from + STEP_USERS}`;
      const own = { user_id: "copies.user_id", ...OWN[table] };
      const rows = `copies JOIN ${table} AS source ON ${where} ORDER BY md5(copies.number::text)`;
      await run(await copyStatement(database.pool, table, { own, from: rows }));
    }
  };
  await inSteps("users", "source.id = copies.model_id");
  await inSteps("balances", "source.user_id = copies.model_id");
  for (let sequence = 1; sequence <= longest; sequence++) {
    await inSteps("records", `source.user_id = copies.model_id AND source.sequence = ${sequence}`);
  }
  for (const table of [
    "receipts",
    "receipt_corrections",
    "record_changes",
    "record_references",
    "redemptions",
    "voucher_codes",
  ]) {
    await inSteps(table, "source.user_id = copies.model_id");
  }
  await run(`UPDATE rewards SET loaded_codes = (SELECT count(*) FROM voucher_codes WHERE reward_id = rewards.id),
                                free_codes = (SELECT count(*) FROM voucher_codes WHERE reward_id = rewards.id AND is_free),
      supply = coalesce(stock, 0) + (SELECT count(*) FROM redemptions
               WHERE reward_id = rewards.id AND took_stock AND state IN ('pending', 'completed'))`);
  await run("DROP TABLE copies");
  for (const table of Object.keys(OWN)) {
    progress(`verify: VACUUM ANALYZE ${table}`);
    await run(`VACUUM (ANALYZE) ${table}`);
  }
  return users;
}
