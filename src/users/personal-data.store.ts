// The export of a user's data (GDPR, articles 15 and 20). The erasure has its own list of tables: erasure.store.ts.
import { numberedKeys } from "../numbered-keys.ts";
import type { Tx } from "../postgres/postgres.ts";
import {
  bytea,
  float8,
  int2,
  int4,
  int8,
  json,
  orNull,
  statement,
  text,
  textArray,
  timestamptz,
  uuid,
} from "../postgres/statement.ts";
import type { Statement } from "../postgres/statement.ts";
import type { ExportPart } from "./personal-data.ts";

/** The statements of an export by the name of its part. $1: the user's id. */
const EXPORT_PARTS: Readonly<Record<ExportPart, Statement>> = {
  profile: statement(
    "privacy.export-profile",
    {
      id: uuid,
      email: text,
      first_name: text,
      last_name: text,
      image_url: orNull(text),
      country: orNull(text),
      city: orNull(text),
      postal_code: orNull(text),
      created_at: timestamptz,
      updated_at: timestamptz,
    },
    `SELECT id, email, first_name, last_name, image_url, country, city, postal_code, created_at, updated_at
            FROM users WHERE id = $1 AND erased_at IS NULL`,
  ),
  balance: statement(
    "privacy.export-balance",
    { records: int8, lifetime_points: int8, available_points: int8, carbon_points: int8, green_products: int8 },
    `SELECT records, lifetime_points, available_points, carbon_points, green_products
            FROM balances WHERE user_id = $1`,
  ),
  consents: statement(
    "privacy.export-consents",
    { text_version: text, language: text, agreed_at: timestamptz, text: orNull(text) },
    `SELECT consents.text_version, consents.language, agreed_at, text
             FROM consents LEFT JOIN consent_texts ON digest = text_digest WHERE user_id = $1 ORDER BY agreed_at, id`,
  ),
  intakes: statement(
    "privacy.export-intakes",
    {
      id: uuid,
      source: text,
      state: text,
      submission: orNull(json<unknown>()),
      packed: orNull(bytea),
      details: orNull(json<unknown>()),
      body: orNull(json<unknown>()),
      packed_body: orNull(bytea),
      error_type: orNull(text),
      error_message: orNull(text),
      accepted_at: timestamptz,
      finished_at: orNull(timestamptz),
    },
    `SELECT intakes.id, intakes.source, CASE state WHEN 'accepted' THEN 'received' ELSE state END AS state,
                   submission - 'traceparent' AS submission,
                   intakes.packed, details, body, records.packed AS packed_body,
                   error_type, error_message, accepted_at, finished_at
            FROM intakes LEFT JOIN records ON records.user_id = intakes.user_id AND records.source = intakes.source
              AND submission_id = intakes.id AND body IS DISTINCT FROM '{}'
            WHERE intakes.user_id = $1 ORDER BY intakes.id`,
  ),
  receipts: statement(
    "privacy.export-receipts",
    {
      id: uuid,
      reference: text,
      source: text,
      stage: text,
      declared: json<unknown>(),
      image_key: text,
      more_images: textArray,
      error_code: orNull(text),
      error_message: orNull(text),
      accepted_at: timestamptz,
      updated_at: timestamptz,
      review: orNull(json<unknown>()),
      findings: orNull(json<unknown>()),
      packed: orNull(bytea),
      page: orNull(bytea),
    },
    `SELECT id, reference, source, receipts.stage, declared - 'traceparent' AS declared, image_key, more_images, error_code, error_message,
                    accepted_at, updated_at, review,
                    (SELECT jsonb_object_agg(stage, found) FROM receipt_findings AS findings
                     WHERE findings.user_id = receipts.user_id AND findings.receipt_id = receipts.id) AS findings, packed.packed, packed.page
             FROM receipts LEFT JOIN receipt_findings AS packed ON packed.user_id = receipts.user_id
               AND packed.receipt_id = receipts.id AND packed.packed IS NOT NULL
             WHERE receipts.user_id = $1 ORDER BY id`,
  ),
  receiptCorrections: statement(
    "privacy.export-receipt-corrections",
    {
      id: uuid,
      receipt_id: uuid,
      reason: text,
      before: json<unknown>(),
      after: orNull(json<unknown>()),
      points: int4,
      corrected_at: timestamptz,
    },
    `SELECT id, receipt_id, reason, before, after, points, corrected_at
             FROM receipt_corrections WHERE user_id = $1 ORDER BY receipt_id, number`,
  ),
  receiptDisputes: statement(
    "privacy.export-receipt-disputes",
    {
      id: uuid,
      receipt_id: uuid,
      kind: text,
      line_id: orNull(text),
      shown: orNull(text),
      expected: orNull(text),
      price: orNull(float8),
      note: orNull(text),
      opened_at: timestamptz,
      state: text,
      decided_at: orNull(timestamptz),
      reason: orNull(text),
      correction_id: orNull(uuid),
    },
    `SELECT id, receipt_id, kind, line_id, shown, expected, price, note, opened_at, state, decided_at, reason,
                    correction_id
             FROM receipt_disputes WHERE user_id = $1 ORDER BY receipt_id, number`,
  ),
  unknownNames: statement(
    "privacy.export-unknown-names",
    {
      submission_id: uuid,
      name: text,
      source: text,
      merchant_name: orNull(text),
      currency: orNull(text),
      amount_minor: int8,
      seen_at: timestamptz,
    },
    `SELECT submission_id, name, source, merchant_name, currency, amount_minor, seen_at
             FROM unknown_names WHERE user_id = $1 ORDER BY submission_id, name_id`,
  ),
  transactions: statement(
    "privacy.export-transactions",
    {
      sequence: int8,
      id: uuid,
      source: text,
      operation: int2,
      status: int2,
      related_id: orNull(uuid),
      total_points: int4,
      health_points: int4,
      carbon_points: int4,
      bonus_points: int4,
      other_points: int4,
      co2e_mg: int8,
      submission_id: uuid,
      body: orNull(json<unknown>()),
      packed: orNull(bytea),
      rule: text,
      created_at: timestamptz,
    },
    // The latest state of a record is the highest.
    `SELECT sequence, id, source, operation,
                        coalesce((SELECT max(changes.status) FROM record_changes AS changes
                                  WHERE changes.user_id = records.user_id AND record_id = records.id), status) AS status,
                        related_id, total_points, health_points, carbon_points, bonus_points, other_points, co2e_mg,
                        submission_id, body, packed, rule, created_at
                 FROM records WHERE user_id = $1 ORDER BY sequence`,
  ),
  streaks: statement(
    "privacy.export-streaks",
    { streak: text, first_unit: int4, last_unit: int4 },
    "SELECT streak, first_unit, last_unit FROM streak_runs WHERE user_id = $1 ORDER BY streak, first_unit",
  ),
  referralCode: statement(
    "privacy.export-referral-code",
    { code: text, created_at: timestamptz },
    "SELECT code, created_at FROM referral_codes WHERE user_id = $1",
  ),
  referral: statement(
    "privacy.export-referral",
    { referrer_id: orNull(uuid), created_at: timestamptz, settled_at: orNull(timestamptz) },
    "SELECT referrer_id, created_at, settled_at FROM referrals WHERE user_id = $1",
  ),
  campaigns: statement(
    "privacy.export-campaigns",
    { campaign_id: text, created_at: timestamptz },
    "SELECT campaign_id, created_at FROM campaign_users WHERE user_id = $1 ORDER BY campaign_id",
  ),
  redemptions: statement(
    "privacy.export-redemptions",
    {
      id: uuid,
      record_id: uuid,
      reward_id: orNull(uuid),
      code: orNull(text),
      state: text,
      hold_until: orNull(timestamptz),
      valid_till: orNull(timestamptz),
      created_at: timestamptz,
      ended_at: orNull(timestamptz),
      used_at: orNull(timestamptz),
      used_till: orNull(text),
      used_reference: orNull(text),
    },
    `SELECT id, record_id, reward_id, code, state, hold_until, valid_till, created_at, ended_at, used_at, used_till,
                        used_reference
                 FROM redemptions WHERE user_id = $1 ORDER BY id`,
  ),
  expiryNotices: statement(
    "privacy.export-expiry-notices",
    { expires_at: timestamptz },
    "SELECT expires_at FROM expiry_notices WHERE user_id = $1 ORDER BY expires_at",
  ),
  expirySums: statement(
    "privacy.export-expiry-sums",
    { sequence: int8, credits: json<unknown>(), returns: json<unknown>(), active_at: orNull(timestamptz) },
    "SELECT sequence, credits, returns, active_at FROM expiry_sums WHERE user_id = $1",
  ),
  recordSums: statement(
    "privacy.export-record-sums",
    { first_sequence: int8, last_sequence: int8, sums: json<unknown>() },
    `SELECT first_sequence, last_sequence,
                        jsonb_agg(to_jsonb(record_sums) - '{user_id,first_sequence,last_sequence}'::text[]
                                  ORDER BY cause, bonus_type) AS sums
                 FROM record_sums WHERE user_id = $1 GROUP BY first_sequence, last_sequence ORDER BY last_sequence`,
  ),
  tier: statement(
    "privacy.export-tier",
    {
      tier: orNull(int2),
      since: orNull(timestamptz),
      points: orNull(int8),
      counted_from: orNull(timestamptz),
      sequence: orNull(int8),
    },
    "SELECT tier, since, points, counted_from, sequence FROM user_tiers WHERE user_id = $1",
  ),
  testClock: statement(
    "privacy.export-test-clock",
    { ahead_ms: int8 },
    "SELECT ahead_ms FROM test_clocks WHERE user_id = $1",
  ),
};

/** Rows of a part that a streamed export reads and holds at once. */
const CHUNK = 100;

/**
 * Parts that grow with every submission, by the column of their order, with its lowest value: a streamed export reads
 * them in chunks. The others are short: their tables bound them.
 */
const IN_CHUNKS: Partial<Record<ExportPart, { readonly key: string; readonly lowest: string }>> = {
  intakes: { key: "id", lowest: "00000000-0000-0000-0000-000000000000" },
  receipts: { key: "id", lowest: "00000000-0000-0000-0000-000000000000" },
  transactions: { key: "sequence", lowest: "0" },
  redemptions: { key: "id", lowest: "00000000-0000-0000-0000-000000000000" },
  recordSums: { key: "last_sequence", lowest: "0" },
};
const CHUNKS: Readonly<Record<string, Statement>> = Object.fromEntries(
  Object.entries(IN_CHUNKS).map(([part, { key }]) => {
    const { name, text: whole, columns = {} } = EXPORT_PARTS[part as ExportPart];
    const chunk = `SELECT part.* FROM (${whole}) AS part WHERE part.${key} > $2 ORDER BY part.${key} LIMIT ${CHUNK}`;
    return [part, statement(`${name}-chunk`, columns, chunk)];
  }),
);

const IMAGE_KEYS = statement(
  "privacy.image-keys",
  { imageKey: text, moreImages: textArray },
  `SELECT image_key AS "imageKey", more_images AS "moreImages" FROM receipts WHERE user_id = $1 ORDER BY id`,
);

interface StoredReceipt {
  readonly findings: object | null;
  readonly packed: Buffer | null;
  readonly page: Buffer | null;
}

/** An intake with its record, if it has one, both in one of their forms. */
export interface IntakeRow {
  readonly id: string;
  readonly submission: unknown;
  readonly packed: Buffer | null;
  readonly body: unknown;
  readonly packed_body: Buffer | null;
}

/** A record in one of its forms. */
export interface RecordRow {
  readonly submission_id: string;
  readonly body: unknown;
  readonly packed: Buffer | null;
}

/** How others store what an export shows: this folder does not know their forms. */
export interface StoredForms {
  /** An intake with what its record says. */
  readonly withRecord: (intake: IntakeRow) => object;
  /** A record with its body. */
  readonly withBody: (record: RecordRow) => object;
  /** The packed findings of a receipt, without its lines: these are the items of its transaction. */
  readonly unpackedFindings: (packed: Buffer) => object;
  /** The packed text that was read. */
  readonly unpackedPage: (packed: Buffer) => object;
}

/** A receipt as it is exported: what is packed is readable. */
function withFindings({ packed, page, findings, ...receipt }: StoredReceipt, forms: StoredForms): object {
  if (!packed) return { ...receipt, findings };
  const unpacked = { ...forms.unpackedFindings(packed), ...(page && { page: forms.unpackedPage(page) }) };
  return { ...receipt, findings: { ...findings, ...unpacked } };
}

/**
 * Reads all stored data of a user, part by part; `profile` is empty for an unknown user, and for an erased one.
 */
export async function exportUserData(tx: Tx, userId: string, forms: StoredForms): Promise<Record<string, object[]>> {
  const parts: Record<string, object[]> = {};
  for (const [part, read] of Object.entries(EXPORT_PARTS)) {
    parts[part] = readable(part, await tx.query(read, [userId]), forms);
  }
  return parts;
}

/** Returns the rows of a part as an export shows them. */
function readable(part: string, rows: object[], forms: StoredForms): object[] {
  if (part === "intakes") return (rows as IntakeRow[]).map(forms.withRecord);
  if (part === "transactions") return (rows as RecordRow[]).map(forms.withBody);
  if (part === "receipts") return (rows as StoredReceipt[]).map((receipt) => withFindings(receipt, forms));
  return rows;
}

/**
 * Reads all stored data of a user as the text of one JSON document, piece by piece: memory holds one chunk of rows, and
 * no connection while the reader is slow. Each chunk is of its own moment; what is booked meanwhile may be in it.
 */
export async function* exportDocument(
  database: Tx,
  userId: string,
  forms: StoredForms,
  exportedAt: Date,
): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(exportedAt)}`;
  for (const [part, read] of Object.entries(EXPORT_PARTS)) {
    if (part in IN_CHUNKS) continue;
    yield `,"${part}":[${textOf(readable(part, await database.query(read, [userId]), forms))}]`;
  }
  for (const [part, chunk] of Object.entries(CHUNKS)) {
    const { key, lowest } = IN_CHUNKS[part as ExportPart]!;
    yield `,"${part}":[`;
    let after = lowest;
    for (let isFirst = true; ; isFirst = false) {
      const rows: object[] = await database.query(chunk, [userId, after]);
      if (rows.length === 0) break;
      after = String((rows.at(-1) as Record<string, unknown>)[key]);
      yield (isFirst ? "" : ",") + textOf(readable(part, rows, forms));
      if (rows.length < CHUNK) break;
    }
    yield "]";
  }
  yield "}";
}

/** The rows as members of a JSON array. */
function textOf(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join(",");
}

/** Returns the file keys of the images of all receipts of a user. */
export async function userImageKeys(tx: Tx, userId: string): Promise<string[]> {
  return (await tx.query(IMAGE_KEYS, [userId])).flatMap(({ imageKey, moreImages }) =>
    numberedKeys(imageKey, 1 + moreImages.length),
  );
}
