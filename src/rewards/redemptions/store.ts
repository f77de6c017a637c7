import { isOpen } from "../../applications/closed.ts";
import { changeStatus, lockBalances } from "../../points/ledger.store.ts";
import type { LockedBalances } from "../../points/ledger.store.ts";
import { move, moveOnce } from "../../points/move.store.ts";
import type { Moved, MoveDeps } from "../../points/moved-event.ts";
import { OPERATION, RECORD_STATUS } from "../../points/codes.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { findRecord } from "../../points/store.ts";
import { presentRecord } from "../../points/transaction.ts";
import type { RecordRow } from "../../points/transaction.ts";
import { bool, neverNull, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { isLimited, snapshot, unavailable } from "../reward.ts";
import type { Reward, RewardTerms, Unavailable } from "../reward.ts";
import { findReward, lockReward } from "../store.ts";
import { freeCode, makeCode, takeCode } from "../codes/code.store.ts";
import type { CodeHolder } from "../codes/code.store.ts";
import { REDEMPTION_STATES, WAYS_BACK, isConfirmable, redeeming, refunding, refusalOfWayBack } from "./redemption.ts";
import type { RedemptionOwner, RedemptionStatus, WayBack } from "./redemption.ts";

const FIND_REFERENCE = statement(
  "redemptions.find-reference",
  { recordId: uuid },
  `SELECT record_id AS "recordId" FROM record_references
         WHERE application_id = $1 AND kind = 'redemption' AND reference = $2`,
);
const RETURN_STOCK = statement(
  "redemptions.return-stock",
  {},
  // A stock that became unlimited meanwhile stays null: then it is not left there either.
  `UPDATE rewards SET stock = stock + $2::int, free_codes = free_codes + $3::int,
                supply = CASE WHEN stock IS NULL THEN supply - $2::int ELSE supply END WHERE id = $1`,
);
const INSERT_REDEMPTION = `INSERT INTO redemptions (user_id, id, application_id, record_id, reward_id, code, state,
                                  took_stock, hold_until, valid_till, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const INSERT = statement("redemptions.insert", {}, INSERT_REDEMPTION);
const INSERT_LIMITED = statement(
  "redemptions.insert-limited",
  {},
  // One statement: others wait for the row of the reward.
  `WITH taken AS (UPDATE rewards SET stock = stock - 1, free_codes = free_codes - $12::int WHERE id = $5)
         ${INSERT_REDEMPTION}`,
);
const LOCK = statement(
  "redemptions.lock",
  {
    id: uuid,
    rewardId: orNull(uuid),
    code: orNull(text),
    state: oneOf(REDEMPTION_STATES),
    tookStock: bool,
    holdUntil: orNull(timestamptz),
    validTill: orNull(timestamptz),
    usedAt: orNull(timestamptz),
  },
  `SELECT id, reward_id AS "rewardId", code, state, took_stock AS "tookStock", hold_until AS "holdUntil",
                valid_till AS "validTill", used_at AS "usedAt"
         FROM redemptions WHERE user_id = $1 AND id = $2 FOR UPDATE`,
);
const END = statement(
  "redemptions.end",
  {},
  `UPDATE redemptions SET state = $3, ended_at = $4 WHERE user_id = $1 AND id = $2`,
);

/** What a request wants: a reward of the catalogue, or an own one. */
export interface Wanted {
  readonly rewardId: string | null;
  readonly own: { readonly terms: RewardTerms; readonly code: string } | null;
  readonly reference: string;
  /** The tier of the user, as the integrator says. A programme with tiers knows better. */
  readonly tier: number;
  /** Null: at once. */
  readonly holdSeconds: number | null;
}

export interface RedemptionDeps extends MoveDeps {
  /** Secret random bytes of a new code. */
  readonly newCodeBytes: () => Uint8Array;
}

export type Redeemed =
  | { readonly kind: "redeemed"; readonly moved: Moved; readonly reservedUntil: Date | null }
  | { readonly kind: "points short"; readonly availablePoints: number }
  | { readonly kind: "unknown reward" | "reference used" | Unavailable };

/**
 * Redeems points in the tx, and publishes `points.redeemed`. In every other outcome the caller rolls back: a code may
 * be taken already. Locks: the balance, the row of a limited reward, a code.
 */
export async function redeem(tx: Tx, owner: RedemptionOwner, wanted: Wanted, deps: RedemptionDeps): Promise<Redeemed> {
  const { applicationId, userId } = owner;
  const locked = await lockBalances(tx, [userId], []);
  // After the lock, so that it is of now. First of all: a request that is sent again must not read that it is too late.
  const at = deps.now();
  if ((await tx.query(FIND_REFERENCE, [applicationId, wanted.reference])).length > 0) return { kind: "reference used" };
  const { lifetimePoints = 0 } = locked.balances.get(userId) ?? {};
  const ownTier = await deps.tiers.codeNow(tx, { applicationId, userId, lifetimePoints }, at);
  const to = { at, tier: ownTier ?? wanted.tier };
  const reward = wanted.rewardId === null ? null : await rewardOf(tx, applicationId, wanted.rewardId, to);
  const terms = reward ?? wanted.own?.terms;
  if (!terms) return { kind: "unknown reward" };
  const refusal = unavailable({ freeCodes: 1, ...terms }, to);
  if (refusal) return { kind: refusal };
  const { availablePoints = 0 } = locked.balances.get(userId) ?? {};
  if (availablePoints < terms.points) return { kind: "points short", availablePoints };

  const id = deps.newId();
  const code = await codeFor(tx, { ...owner, redemptionId: id }, terms, reward, deps);
  if (code === null && terms.codes !== "none") return { kind: "out of stock" };
  const shown = { id: reward?.id ?? "", voucherIdentifier: id, code: code ?? wanted.own?.code ?? "" };
  const isReserved = wanted.holdSeconds !== null;
  const holdUntil = isReserved ? new Date(at.getTime() + wanted.holdSeconds * 1_000) : null;
  const entry = redeeming(owner, { id, reward: snapshot(terms, shown), reference: wanted.reference, isReserved }, at);
  const moved = await moveOnce(tx, locked, entry, { kind: "redemption", reference: wanted.reference }, deps);
  if (!moved) return { kind: "reference used" };
  const recordId = moved.transaction.id;
  const tookStock = reward !== null && reward.stock !== null;
  const state = isReserved ? "pending" : "completed";
  const ids = [userId, id, applicationId, recordId, reward?.id ?? null];
  const values = [...ids, code, state, tookStock, holdUntil, terms.validTill, at];
  if (reward && isLimited(reward)) await tx.query(INSERT_LIMITED, [...values, reward.codes === "pool" ? 1 : 0]);
  else await tx.query(INSERT, values);
  return { kind: "redeemed", moved, reservedUntil: holdUntil };
}

/**
 * Only a limited reward is locked, since only of it too many could be given. Redemptions of the others don't wait for
 * each other; a change of such a reward counts for those that begin after it. Nor is one locked that nobody can have:
 * of 500 at once and 50 codes, most would wait in turn to read that none is left.
 */
async function rewardOf(
  tx: Tx,
  applicationId: string,
  id: string,
  to: { readonly at: Date; readonly tier: number },
): Promise<Reward | null> {
  const reward = await findReward(tx, applicationId, id);
  const isToLock = reward !== null && isLimited(reward) && unavailable(reward, to) === null;
  return isToLock ? lockReward(tx, applicationId, id) : reward;
}

async function codeFor(
  tx: Tx,
  holder: CodeHolder,
  { codes }: RewardTerms,
  reward: Reward | null,
  { newCodeBytes }: RedemptionDeps,
): Promise<string | null> {
  if (codes === "made") return makeCode(tx, holder, newCodeBytes);
  return codes === "pool" && reward ? takeCode(tx, holder, reward.id) : null;
}

/** A redemption under the locks of its balance and its row. */
interface Held {
  readonly locked: LockedBalances;
  readonly record: RecordRow;
  readonly redemption: RedemptionStatus & {
    readonly id: string;
    readonly rewardId: string | null;
    readonly code: string | null;
    readonly tookStock: boolean;
  };
}

async function hold(tx: Tx, userId: string, recordId: string): Promise<Held | null> {
  const locked = await lockBalances(tx, [userId], []);
  const record = await findRecord(tx, userId, recordId);
  if (record?.operation !== OPERATION.redeem) return null;
  const [redemption] = await tx.query(LOCK, [userId, record.submissionId]);
  return redemption ? { locked, record, redemption } : null;
}

export type Confirmed =
  | { readonly kind: "confirmed"; readonly moved: Moved }
  | { readonly kind: "unknown record" | "state" };

/** Confirms a reservation in the tx, and publishes `redemption.confirmed`. */
export async function confirm(
  tx: Tx,
  { applicationId, userId }: RedemptionOwner,
  recordId: string,
  deps: MoveDeps,
): Promise<Confirmed> {
  const held = await hold(tx, userId, recordId);
  if (!held) return { kind: "unknown record" };
  const at = deps.now();
  const { redemption, locked } = held;
  if (!isConfirmable(redemption, at)) return { kind: "state" };
  await changeStatus(tx, { userId, recordId, status: RECORD_STATUS.completed }, at);
  await tx.query(END, [userId, redemption.id, "completed", at]);
  const transaction = presentRecord((await findRecord(tx, userId, recordId))!);
  const { availablePoints, lifetimePoints } = locked.balances.get(userId)!;
  await deps.publish(
    tx,
    { applicationId, userId, subject: redemption.id },
    {
      event: "redemption.confirmed",
      userId,
      transactionID: recordId,
      externalTransactionID: transaction.transaction.externalTransactionID,
      reward: transaction.reward,
      confirmedAt: at.toISOString(),
    },
    at,
  );
  return { kind: "confirmed", moved: { transaction, balance: { availablePoints, lifetimePoints } } };
}

export type GivenBack =
  | { readonly kind: "given back"; readonly moved: Moved }
  | { readonly kind: "unknown record" | "state" | "used" | "already" };

/**
 * Returns the points of a redemption by a record of its own, with stock and code, and publishes `points.refunded`.
 * Nothing is changed in any other outcome.
 */
export async function giveBack(
  tx: Tx,
  { userId }: RedemptionOwner,
  recordId: string,
  { way, reason = WAYS_BACK[way].reason }: { readonly way: WayBack; readonly reason?: string },
  deps: MoveDeps,
): Promise<GivenBack> {
  const held = await hold(tx, userId, recordId);
  if (!held) return { kind: "unknown record" };
  const at = deps.now();
  const { redemption, locked, record } = held;
  const refusal = refusalOfWayBack(redemption, way, at);
  if (refusal) return { kind: refusal };
  const { to, status } = WAYS_BACK[way];
  await tx.query(END, [userId, redemption.id, to, at]);
  await changeStatus(tx, { userId, recordId, status }, at);
  const moved = await move(tx, locked, refunding(record, reason, deps.newId(), at), deps, redemption.id);
  const { rewardId, code, tookStock } = redemption;
  if (rewardId !== null && tookStock) await tx.query(RETURN_STOCK, [rewardId, 1, 0]);
  if (code !== null) {
    const poolOf = await freeCode(tx, record.applicationId, code);
    if (poolOf !== null) await tx.query(RETURN_STOCK, [poolOf, 0, 1]);
  }
  return { kind: "given back", moved };
}

const DUE = statement(
  "redemptions.due",
  { userId: uuid, applicationId: uuid, recordId: uuid, holdUntil: neverNull(timestamptz) },
  `SELECT user_id AS "userId", application_id AS "applicationId", record_id AS "recordId", hold_until AS "holdUntil"
         FROM redemptions WHERE state = 'pending' AND hold_until <= $1 AND hold_until >= $2 AND ${isOpen("redemptions.application_id")}
         ORDER BY hold_until LIMIT $3`,
);

/** A reservation whose time is up. */
export interface Due extends RedemptionOwner {
  readonly recordId: string;
  readonly holdUntil: Date;
}

/** Reservations whose time was up between two moments, the oldest first. */
export async function dueReservations(tx: Tx, from: Date, until: Date, limit: number): Promise<Due[]> {
  return tx.query(DUE, [until, from, limit]);
}
