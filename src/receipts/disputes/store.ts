import type { Tx } from "../../postgres/postgres.ts";
import { float8, int4, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { DISPUTE_KINDS } from "../../webhooks/event.ts";
import type { NewReceipt } from "../receipt.ts";
import { DISPUTE_STATES } from "./dispute.ts";
import type { Dispute } from "./dispute.ts";

const FIND = statement(
  "receipt-disputes.find",
  {
    id: uuid,
    kind: oneOf(DISPUTE_KINDS),
    lineId: orNull(text),
    shown: orNull(text),
    expected: orNull(text),
    price: orNull(float8),
    note: orNull(text),
    openedAt: timestamptz,
    state: oneOf(DISPUTE_STATES),
    decidedAt: orNull(timestamptz),
    reason: orNull(text),
    correctionId: orNull(uuid),
  },
  `SELECT id, kind, line_id AS "lineId", shown, expected, price, note, opened_at AS "openedAt", state,
                decided_at AS "decidedAt", reason, correction_id AS "correctionId"
         FROM receipt_disputes WHERE user_id = $1 AND receipt_id = $2 ORDER BY number`,
);
const FIND_DISPUTED = statement(
  "receipt-disputes.find-disputed",
  { receiptId: uuid, userId: uuid },
  `SELECT receipts.id AS "receiptId", receipts.user_id AS "userId" FROM receipt_disputes AS disputes
           JOIN receipts ON receipts.user_id = disputes.user_id AND receipts.id = disputes.receipt_id
         WHERE disputes.id = $2 AND application_id = $1`,
);
const INSERT = statement(
  "receipt-disputes.insert",
  {},
  `INSERT INTO receipt_disputes (user_id, receipt_id, number, id, kind, line_id, shown, expected, price, note, opened_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const DECIDE = statement(
  "receipt-disputes.decide",
  { one: int4 },
  `UPDATE receipt_disputes SET state = $4, decided_at = $5, reason = $6, correction_id = $7
         WHERE user_id = $1 AND receipt_id = $2 AND id = ANY ($3) AND state = 'open' RETURNING 1 AS one`,
);
const COUNT_OPEN = statement(
  "receipt-disputes.count-open",
  {},
  "UPDATE receipts SET open_disputes = open_disputes + $3 WHERE user_id = $1 AND id = $2",
);

type Owner = Pick<NewReceipt, "userId" | "id">;

/** The disputes of a receipt, in order. */
export async function disputesOf(tx: Tx, { userId, id }: Owner): Promise<Dispute[]> {
  return tx.query(FIND, [userId, id]);
}

/** The receipt of a dispute, if it is the application's. */
export async function findDisputed(
  tx: Tx,
  applicationId: string,
  disputeId: string,
): Promise<{ readonly receiptId: string; readonly userId: string } | null> {
  return (await tx.query(FIND_DISPUTED, [applicationId, disputeId]))[0] ?? null;
}

/** Stores an open dispute, the `number`-th of the locked receipt. */
export async function insertDispute(
  tx: Tx,
  { userId, id: receiptId }: Owner,
  dispute: Dispute,
  number: number,
): Promise<void> {
  const { id, kind, lineId, shown, expected, price, note, openedAt } = dispute;
  await tx.query(INSERT, [userId, receiptId, number, id, kind, lineId, shown, expected, price, note, openedAt]);
  await tx.query(COUNT_OPEN, [userId, receiptId, 1]);
}

/** Marks disputes of the locked receipt as accepted by a correction. */
export async function acceptDisputes(
  tx: Tx,
  receipt: Owner,
  ids: readonly string[],
  correctionId: string,
  now: Date,
): Promise<void> {
  await decide(tx, receipt, ids, ["accepted", now, null, correctionId]);
}

/** Marks a dispute of the locked receipt as rejected. False: it is not open. */
export async function rejectStored(tx: Tx, receipt: Owner, id: string, reason: string, now: Date): Promise<boolean> {
  return (await decide(tx, receipt, [id], ["rejected", now, reason, null])) === 1;
}

async function decide(tx: Tx, { userId, id }: Owner, ids: readonly string[], decision: unknown[]): Promise<number> {
  const { length: decided } = await tx.query(DECIDE, [userId, id, ids, ...decision]);
  if (decided > 0) await tx.query(COUNT_OPEN, [userId, id, -decided]);
  return decided;
}
