// Receipts of erased users that earned points, and bonuses that a person gets once. Without them anyone could be
// erased, enrol again, and earn the same again. A row is a hash under the installation's key and a day: it names no
// person, and rows of one person cannot be recognised as such. Hashes are computed in SQL, so that the key does not
// leave the database.
import type { Tx } from "../postgres/postgres.ts";
import { bool, statement } from "../postgres/statement.ts";

/** A hash under the installation's key. Each part has a fixed length, or is the last one. */
const keyed = (...parts: string[]): string => `sha256(${["installation.key", ...parts].join(" || ")})`;
const label = (text: string): string => `convert_to(${text}, 'UTF8')`;

/** The hash of the address $email in an application. A purchase is kept with it: others may buy the same there. */
export const personKey = (applicationId: string, email: string): string =>
  keyed(label(`'person ' || ${applicationId} || ' ' || ${email}`));
const imageDigest = (applicationId: string, sha256: string): string =>
  keyed(label(`'image ' || ${applicationId}`), sha256);
const purchaseDigest = (person: string, fingerprint: string): string =>
  keyed(label("'purchase '"), person, fingerprint);

/** Bonuses that a person gets once: the programme's welcome, and that of being referred. */
const ONCE_A_PERSON = ["welcome", "referred"] as const;
const bonusDigest = (person: string, kind: string): string => keyed(label(`'bonus ' || ${kind}`), person);

/** The key of the person of a row of `users`, in a statement that joins `installation`. */
export const PERSON_KEY = personKey("users.application_id", "users.email");
/**
 * Whether a bonus of an erased person is kept, in a statement with that person's key in `of_user.person`.
 */
export function isKeptOf(kind: (typeof ONCE_A_PERSON)[number]): string {
  return `EXISTS (SELECT 1 FROM erased_receipts AS kept WHERE kept.application_id = users.application_id
            AND kept.digest = ${bonusDigest("of_user.person", `'${kind}'`)})`;
}

const KEEP_BONUSES = statement(
  "erased-receipts.keep-bonuses",
  {},
  `INSERT INTO erased_receipts (application_id, digest, erased_on)
         SELECT users.application_id, ${bonusDigest("erasure_key", "kind")}, $2::date
         FROM users JOIN granted_bonuses ON granted_bonuses.user_id = users.id CROSS JOIN installation
         WHERE users.id = $1 AND erasure_key IS NOT NULL
           AND kind IN (${ONCE_A_PERSON.map((kind) => `'${kind}'`).join(", ")}) ORDER BY 2
         ON CONFLICT (application_id, digest) DO UPDATE SET erased_on = excluded.erased_on`,
);
const KEEP = statement(
  "erased-receipts.keep",
  {},
  `WITH credited AS (
           SELECT receipts.user_id, receipts.id, receipts.application_id, image_sha256, more_images, erasure_key
           FROM receipts JOIN users ON users.id = receipts.user_id
           WHERE receipts.user_id = $1 AND receipts.id = ANY ($2) AND stage = 'Completed' AND NOT is_sample
         ), kept AS MATERIALIZED (
           SELECT application_id, ${imageDigest("application_id", "image_sha256")} AS digest
           FROM credited CROSS JOIN installation
           UNION
           SELECT application_id, ${imageDigest("application_id", "decode(more, 'hex')")}
           FROM credited CROSS JOIN installation CROSS JOIN unnest(more_images) AS more
           UNION
           SELECT application_id, ${purchaseDigest("erasure_key", "fingerprint")}
           FROM credited JOIN receipt_facts ON (receipt_facts.user_id, receipt_id) = (credited.user_id, credited.id)
           CROSS JOIN installation
           WHERE erasure_key IS NOT NULL
         )
         INSERT INTO erased_receipts (application_id, digest, erased_on)
         SELECT application_id, digest, $3::date FROM kept ORDER BY digest
         ON CONFLICT (application_id, digest) DO UPDATE SET erased_on = excluded.erased_on`,
);
const HAS_IMAGE = statement(
  "erased-receipts.has-image",
  { isKept: bool },
  `SELECT EXISTS (SELECT 1 FROM installation CROSS JOIN unnest($2::bytea[]) AS image (bytes)
                          JOIN erased_receipts ON application_id = $1
                            AND digest = ${imageDigest("$1::uuid", "image.bytes")}) AS "isKept"`,
);
const HAS_PURCHASE = statement(
  "erased-receipts.has-purchase",
  { isKept: bool },
  `SELECT EXISTS (SELECT 1 FROM users CROSS JOIN installation JOIN erased_receipts USING (application_id)
                        WHERE users.id = $1
                          AND digest = ${purchaseDigest(personKey("users.application_id", "users.email"), "$2::bytea")}
                 ) AS "isKept"`,
);
const DROP = statement("erased-receipts.drop", {}, "DELETE FROM erased_receipts WHERE erased_on <= $1::date");
const DROP_PURCHASES = statement(
  "erased-receipts.drop-purchases",
  {},
  "DELETE FROM receipt_purchases WHERE erased_on <= $1::date",
);

/** Keeps the credited ones of the locked receipts of a user who is being erased; `on` is the day of the erasure. */
export async function keepErasedReceipts(
  tx: Tx,
  userId: string,
  receiptIds: readonly string[],
  on: Date,
): Promise<void> {
  await tx.query(KEEP, [userId, receiptIds, dayOf(on)]);
}

/** Keeps the bonuses of a user who is being erased that a person gets once; `on` is the day of the erasure. */
export async function keepErasedBonuses(tx: Tx, userId: string, on: Date): Promise<void> {
  await tx.query(KEEP_BONUSES, [userId, dayOf(on)]);
}

/** Whether an erased user of the application has earned with an image of one of these bytes. */
export async function isImageOfErased(tx: Tx, applicationId: string, images: readonly Buffer[]): Promise<boolean> {
  return (await tx.query(HAS_IMAGE, [applicationId, images]))[0]!.isKept;
}

/** Whether the person with the address of this user has earned with this purchase before an erasure. */
export async function isPurchaseOfErased(tx: Tx, userId: string, fingerprint: Buffer): Promise<boolean> {
  return (await tx.query(HAS_PURCHASE, [userId, fingerprint]))[0]!.isKept;
}

/** Deletes what was kept on the day of `until` or earlier. */
export async function dropErasedReceipts(tx: Tx, until: Date): Promise<void> {
  await tx.query(DROP, [dayOf(until)]);
  await tx.query(DROP_PURCHASES, [dayOf(until)]);
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
