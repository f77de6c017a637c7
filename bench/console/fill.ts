// What a console shows beside the ledger, by the thousands: copies of receipts that wait or have failed, unknown names,
// deliveries that fail, entries of the audit log, figures of foods and shops.
import type { Client } from "pg";
import { copyStatement, idAt } from "../copying.ts";
import type { Progress } from "../progress.ts";
import type { Models } from "./models.ts";

const HELD = 500;
const DISPUTED = 300;
const FAILED_EACH = 1_500;
const NAMES = 10_000;
/** Names that somebody has decided. */
const DECIDED = 2_000;
/** Rows of names for each record: of a million as many as the job of the night leaves. */
const NAMED_SHARE = 0.2;
const NAMED_DAYS = 90;
const ENTRIES = 100_000;
const PEOPLE = 40;
/** One of five has failed for good, the others wait for their next attempt. */
const FAILING = 25_000;
/** Figures by day that only reports of foods and shops read: they are in the same table. */
const OTHER_FIGURES = 500;
const DAYS = 400;

/** The description of an endpoint that has failed for days. */
export const FAILING_ENDPOINT = "Newsletter";

interface Filling {
  readonly applicationId: string;
  readonly records: number;
  readonly models: Models;
  /** A food of the catalogue. */
  readonly foodId: string;
  readonly progress: Progress;
}

export async function fillConsole(client: Client, filling: Filling): Promise<void> {
  const { applicationId, models, progress } = filling;
  await client.query("SET synchronous_commit = off; SET work_mem = '256MB'; SET jit = off");
  await client.query(`CREATE TEMP TABLE people AS
    SELECT user_id, row_number() OVER (ORDER BY md5(user_id::text)) AS place FROM (
      SELECT user_id FROM balances JOIN users ON users.id = user_id
      WHERE application_id = '${applicationId}' AND records BETWEEN 5 AND 200 LIMIT 5000
    ) AS chosen`);
  progress("console: receipts that are held, disputed, failed");
  await copyReceipts(client, models.heldId, { count: HELD, days: 20 });
  for (const id of models.failedIds) await copyReceipts(client, id, { count: FAILED_EACH, days: DAYS });
  await dispute(client, applicationId);
  progress("console: unknown names");
  await fillNames(client, filling);
  progress("console: deliveries that fail");
  await failDeliveries(client, applicationId);
  progress("console: audit log, people, figures");
  await fillAudit(client, applicationId);
  await client.query(
    `INSERT INTO report_days (application_id, figure, day, amount)
     SELECT $1, CASE WHEN n % 5 = 0 THEN 'shop.receipts.' ELSE 'bench.' END || md5(n::text), current_date - ago, 1 + n % 7
     FROM generate_series(1, ${OTHER_FIGURES}) AS n CROSS JOIN generate_series(1, ${DAYS}) AS ago ON CONFLICT DO NOTHING`,
    [applicationId],
  );
  await client.query(
    `INSERT INTO campaign_usage (application_id, campaign_id, points, users)
     SELECT $1, 'past-campaign-' || n, 10000, 100 FROM generate_series(1, 200) AS n ON CONFLICT DO NOTHING`,
    [applicationId],
  );
  progress("console: ANALYZE");
  await client.query("VACUUM (ANALYZE)");
}

/** Copies a receipt without a record to other users, spread over some days. */
async function copyReceipts(client: Client, id: string, { count, days }: { count: number; days: number }) {
  await client.query("DROP TABLE IF EXISTS slice");
  await client.query(`CREATE TEMP TABLE slice AS
    SELECT n, people.user_id, at, at - source.accepted_at AS later, ${idAt("at", `'${id}/' || n`)} AS receipt_id
    FROM generate_series(1, ${count}) AS n
      JOIN people ON place = 1 + n % (SELECT count(*) FROM people)
      CROSS JOIN LATERAL (SELECT now() - make_interval(secs => n * ${(days * 86_400) / count}) AS at) AS times
      JOIN receipts AS source ON source.id = '${id}'`);
  const owner = { user_id: "slice.user_id" };
  const receipts = {
    ...owner,
    id: "slice.receipt_id",
    reference: "'waiting-' || slice.n",
    image_sha256: "sha256(source.image_sha256 || convert_to(slice.n::text, 'UTF8'))",
    // Of a held one it is infinite.
    leased_until: "source.leased_until",
  };
  const of = `slice JOIN receipts AS source ON source.id = '${id}'`;
  await client.query(await copyStatement(client, "receipts", { own: receipts, from: of, later: "slice.later" }));
  const findings = { ...owner, receipt_id: "slice.receipt_id" };
  const found = `slice JOIN receipt_findings AS source ON source.receipt_id = '${id}'`;
  await client.query(
    await copyStatement(client, "receipt_findings", { own: findings, from: found, later: "slice.later" }),
  );
}

/** Users report something on credited receipts. */
async function dispute(client: Client, applicationId: string): Promise<void> {
  await client.query(
    `WITH chosen AS (
       SELECT user_id, id, row_number() OVER () AS n FROM (
         SELECT user_id, id FROM receipts WHERE application_id = $1 AND stage = 'Completed'
         ORDER BY md5(id::text) LIMIT ${DISPUTED}) AS few
     ), disputed AS (
       INSERT INTO receipt_disputes (user_id, receipt_id, number, id, kind, shown, expected, note, opened_at)
       SELECT user_id, id, 1, gen_random_uuid(), 'wrong_total', '22.68', '21.68', 'It says less on my receipt',
              now() - make_interval(hours => n::int) FROM chosen
     )
     UPDATE receipts SET open_disputes = 1 FROM chosen WHERE receipts.user_id = chosen.user_id AND receipts.id = chosen.id`,
    [applicationId],
  );
}

/** Names that submissions did not have, so that no award changes by a meaning; few of them often. */
async function fillNames(client: Client, { applicationId, records, foodId }: Filling): Promise<void> {
  const words =
    "array['HARVESTFLD', 'GRNVALLEY', 'OLDMILL', 'SUNNYBRK', 'NORTHFARM', 'MEADOWSIDE', 'KTCHN GDN', 'BAYVIEW']";
  const foods =
    "array['OAT BARS', 'VEG STEW', 'RYE LOAF', 'SPLIT PEAS', 'BLUE CHSE', 'SMKD TROUT', 'APL CRISPS', 'BEET DIP']";
  await client.query(
    `INSERT INTO unknown_names (user_id, submission_id, name_id, application_id, name, name_key, source, merchant_name,
       merchant_key, currency, amount_minor, seen_at)
     SELECT user_id, submission_id, md5('unknown ' || number)::uuid, $1, name, lower(name), source, merchant, lower(merchant),
            'GBP', 100 + number % 900, seen_at
     FROM (
       SELECT user_id, submission_id, source, created_at AS seen_at, floor(${NAMES} * power(random(), 3))::int AS number,
              'Market ' || floor(random() * 12)::int AS merchant
       FROM records WHERE application_id = $1 AND operation = 1 AND source IN ('receipt', 'meal', 'food')
         AND created_at > now() - interval '${NAMED_DAYS} days'
       LIMIT ${Math.round(records * NAMED_SHARE)}
     ) AS seen CROSS JOIN LATERAL (
       SELECT (${words})[1 + number % 8] || ' ' || upper(substr(md5(number::text), 1, 4)) || ' ' || (${foods})[1 + number / 8 % 8] AS name
     ) AS named ON CONFLICT DO NOTHING`,
    [applicationId],
  );
  await client.query(
    `INSERT INTO aliases (id, application_id, name, name_key, merchant_key, target_kind, target, author, created_at)
     SELECT gen_random_uuid(), $1, 'known ' || n, 'known ' || n, '', 'food', $2, 'api', now()
     FROM generate_series(1, ${DECIDED}) AS n`,
    [applicationId, foodId],
  );
}

/** A second endpoint has failed for days: its deliveries wait for hours, or have failed. */
async function failDeliveries(client: Client, applicationId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO endpoints (id, application_id, url, description, failing_since, created_at)
     SELECT gen_random_uuid(), $1, 'http://127.0.0.1:9/newsletter', $2, now() - interval '2 days', now() - interval '300 days'
     RETURNING id`,
    [applicationId, FAILING_ENDPOINT],
  );
  const own = {
    endpoint_id: `'${rows[0]!.id}'::uuid`,
    state: `CASE WHEN n % 5 > 0 THEN 'pending' ELSE 'failed' END`,
    attempts: "5",
    due_at: "now() + make_interval(secs => 7200 + n % 36000)",
    last_attempt_at: "source.due_at",
    last_duration_ms: "30000",
    last_status: "503",
    last_answer: "'Service Unavailable'",
    earlier_attempts: `'[]'::jsonb`,
    finished_at: `CASE WHEN n % 5 > 0 THEN NULL ELSE source.due_at END`,
  };
  const from = `(SELECT deliveries.*, row_number() OVER (ORDER BY subject DESC) AS n FROM deliveries
    JOIN users ON users.id = user_id WHERE application_id = '${applicationId}'
    ORDER BY subject DESC LIMIT ${FAILING}) AS source`;
  await client.query(await copyStatement(client, "deliveries", { own, from }));
}

async function fillAudit(client: Client, applicationId: string): Promise<void> {
  await client.query(
    `INSERT INTO console_users (id, email, name, created_at)
     SELECT gen_random_uuid(), 'person-' || n || '@example.org', 'Person ' || n, now() - interval '300 days'
     FROM generate_series(1, ${PEOPLE}) AS n`,
  );
  await client.query(
    `INSERT INTO console_grants (console_user_id, application_id, role)
     SELECT id, CASE WHEN row_number() OVER () % 2 = 0 THEN $1::uuid END, 'reviewer' FROM console_users`,
    [applicationId],
  );
  await client.query(
    `INSERT INTO audit_entries (id, at, console_user_id, application_id, action, subject)
     SELECT ${idAt("at", "n::text")}, at, (SELECT id FROM console_users WHERE email = 'person-' || 1 + n % ${PEOPLE} || '@example.org'),
            CASE WHEN n % 20 > 0 THEN $1::uuid END, (array['receipt.accept', 'receipt.reject', 'name.decide', 'points.adjust'])[1 + n % 4],
            gen_random_uuid()::text
     FROM generate_series(1, ${ENTRIES}) AS n
       CROSS JOIN LATERAL (SELECT now() - make_interval(mins => n * 4) AS at) AS times`,
    [applicationId],
  );
  await client.query(
    "INSERT INTO audit_outcomes (entry_id, status) SELECT id, 200 FROM audit_entries ON CONFLICT DO NOTHING",
  );
}
