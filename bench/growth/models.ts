// Submissions to copy, which the service itself has accepted, scored, booked and delivered.
import type { Client } from "pg";
import { callerOf } from "../call.ts";
import type { Progress } from "../progress.ts";
import { photo, readReceipts } from "../receipts.ts";
import type { Photo } from "../receipts.ts";
import type { Subject } from "../subject.ts";

const FOODS = 20;
const MEALS = 2;
/** Purchases that no other measurement draws. */
const FIRST_PHOTO = 3_500;
const RECEIPTS = 3;
const PHOTO_LONG_PX = 1_600;
/** Points of a redemption, fewer than those of the records before it. */
const REWARD_POINTS = 1;

/** The photo of one of the receipts that both services have. */
export const originalPhoto = (): Promise<Photo> => photo(FIRST_PHOTO, PHOTO_LONG_PX);

/** Books foods, meals, receipts and a redemption of the first user; an idempotency key and a session beside them. */
export async function bookOriginals(subject: Subject, progress: Progress): Promise<void> {
  const [userId, other] = subject.userIds as [string, string];
  progress("growth: booking submissions to copy");
  const one = { connections: 1, userIds: [userId] };
  await subject.send({ ...one, kind: "lean food", requestsMax: FOODS });
  await subject.send({ ...one, kind: "meal", requestsMax: MEALS });
  await subject.send({ kind: "food", connections: 1, requestsMax: 1, userIds: [other], isKeyed: true });
  const photos = [];
  for (let n = 0; n < RECEIPTS; n++) photos.push(await photo(FIRST_PHOTO + n, PHOTO_LONG_PX));
  await readReceipts(subject, photos, 1);
  await subject.settled();
  const call = callerOf(subject.url, subject.headers);
  const coffee = { name: "A free coffee", points: REWARD_POINTS };
  const { reward } = await call<{ reward: { id: string } }>("POST", "/rewards", coffee);
  await call("POST", `/users/${userId}/redemptions`, { rewardId: reward.id, reference: "coffee" });
  const person = { email: "grace@example.org", firstName: "Grace", lastName: "Hopper", redirectUri: "myapp://joined" };
  await call("POST", "/users/enroll/session", person);
}

/** What of each table is copied; the first parameter is the user of the originals. */
const ORIGINALS: Readonly<Record<string, string>> = {
  users: "id = $1",
  user_emails: "user_id = $1",
  balances: "user_id = $1",
  records: "user_id = $1",
  intakes: "user_id = $1",
  submission_references: `submission_id IN (SELECT submission_id FROM bench.original_records)`,
  receipts: "user_id = $1",
  receipt_findings: "user_id = $1",
  receipt_images: "user_id = $1",
  receipt_facts: "user_id = $1",
  receipt_prints: "user_id = $1",
  receipt_purchases: "user_id = $1",
  redemptions: "user_id = $1",
  record_references: "user_id = $1",
  events: "user_id = $1",
  deliveries: "user_id = $1",
  sessions: "$1::uuid IS NOT NULL",
  idempotency_keys: "$1::uuid IS NOT NULL",
};

/** The tables that grow. */
export const TABLES = Object.keys(ORIGINALS);

/**
 * Copies the rows of the originals to tables of their own, `bench.original_…`, so that they are found without indexes,
 * and lists the submissions with their records.
 */
export async function readOriginals(client: Client, userId: string): Promise<void> {
  for (const [table, where] of Object.entries(ORIGINALS)) {
    const of = where.replace("$1", `'${userId}'`);
    await client.query(`CREATE TABLE bench.original_${table} AS SELECT * FROM ${table} WHERE ${of}`);
    await client.query(`ANALYZE bench.original_${table}`);
  }
  await client.query(`
    CREATE TABLE bench.originals AS
    SELECT source AS kind, row_number() OVER (PARTITION BY source ORDER BY sequence) - 1 AS nth,
           count(*) OVER (PARTITION BY source) AS count, submission_id, id AS record_id, created_at AS at
    FROM bench.original_records`);
}
