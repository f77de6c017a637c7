// Audits what moved points outside of submissions: records against responses, codes and stocks against what was loaded.
import type { Customer, RewardNow } from "./customer.ts";
import type { Inbox } from "./inbox.ts";
import type { Ended, Moved } from "./mover.ts";

/** A record of the list, as far as an audit compares it. */
export interface Transaction {
  readonly id: string;
  readonly totalPoints: number;
  /** 1: an award, 2: a redemption, 3: an adjustment or correction, 4: a refund, 5: an expiry, 6: a reversal. */
  readonly operation: number;
  readonly status: number;
  readonly reason?: string;
  readonly relatedTransactionID?: string;
  readonly reward?: { readonly id: string; readonly code: string };
  readonly transaction: { readonly externalTransactionID: string };
}

/** Events of a record that belongs to no submission. */
export const MOVES = /^(points\.|redemption\.|voucher\.|receipt_corrected$)/;
/** Those of them that moved points: one for each record. */
const MOVED = /^(points\.|receipt_corrected$)/;
/** Reasons of refunds that the service gives. */
const RELEASED = "Released";
const TIMED_OUT = "Not confirmed in time";
const STATUS = { pending: 1, completed: 2, failed: 3, reversed: 4, expired: 5 } as const;

export const isAward = ({ operation }: Transaction): boolean => operation === 1;

/** The key of a request in the record that it has made; null: another request, or time, has made it. */
function keyOf({ operation, reason = "", relatedTransactionID = "", transaction }: Transaction): string | null {
  if (operation === 2 || (operation === 3 && relatedTransactionID === "")) return transaction.externalTransactionID;
  return reason === RELEASED || reason === TIMED_OUT ? null : reason;
}

/** Each request with a 200 is booked once, under all its responses, and nothing else is. */
export function moveFaults({ replies, ended }: Moved, moves: readonly Transaction[]): string[] {
  const faults: string[] = [];
  const repliesOf = Map.groupBy(replies, ({ key }) => key);
  const booked = Map.groupBy(
    moves.filter((move) => keyOf(move) !== null),
    (move) => keyOf(move)!,
  );
  for (const [key, each] of repliesOf) {
    const records = booked.get(key) ?? [];
    const confirmed = new Map(each.flatMap(({ recordId, points }) => (recordId === null ? [] : [[recordId, points]])));
    if (records.length !== confirmed.size || records.length > 1) {
      faults.push(`${key} is booked ${records.length} times, and ${confirmed.size} records were confirmed`);
    }
    for (const { id, totalPoints } of records) {
      if (confirmed.get(id) !== totalPoints) faults.push(`${key} moved ${totalPoints}, not ${confirmed.get(id)}`);
    }
    // The last one was sent when the others had their responses.
    if (records.length > 0 && each.at(-1)!.status !== 200) faults.push(`${key} was booked, and then refused`);
  }
  for (const [key] of booked) if (!repliesOf.has(key)) faults.push(`${key} was booked without a response`);
  return [...faults, ...redemptionFaults(moves, ended)];
}

/** A redemption has the state that was confirmed, and its points went back once, or not at all. */
function redemptionFaults(moves: readonly Transaction[], ended: readonly Ended[]): string[] {
  const faults: string[] = [];
  const refunds = Map.groupBy(
    moves.filter(({ operation }) => operation === 4),
    ({ relatedTransactionID = "" }) => relatedTransactionID,
  );
  const wayOf = new Map(ended.map(({ recordId, way }) => [recordId, way]));
  for (const { id, status, totalPoints } of moves.filter(({ operation }) => operation === 2)) {
    const returned = refunds.get(id) ?? [];
    const isReturned = status === STATUS.failed || status === STATUS.reversed || status === STATUS.expired;
    if (status === STATUS.pending) faults.push(`the reservation ${id} has not ended`);
    if (returned.length !== (isReturned ? 1 : 0)) faults.push(`${id} has status ${status}, ${returned.length} refunds`);
    for (const refund of returned) {
      if (refund.totalPoints !== -totalPoints) faults.push(`${id} of ${totalPoints} got back ${refund.totalPoints}`);
    }
    const way = wayOf.get(id);
    if (way === "release" && status !== STATUS.failed) faults.push(`${id} was released, and has status ${status}`);
    if (way !== "release" && status === STATUS.failed) faults.push(`${id} is released, and nobody did it`);
    if (way === "confirm" && (status === STATUS.failed || status === STATUS.expired)) {
      faults.push(`${id} was confirmed, and has status ${status}`);
    }
  }
  return faults;
}

/** Each code is free or was given once, never more was given than there is, and a code was used once, if it says so. */
export async function rewardFaults(customer: Customer, moves: readonly Transaction[]): Promise<string[]> {
  const faults: string[] = [];
  const given = moves.filter(({ operation, status }) => operation === 2 && status === STATUS.completed);
  const codes = given.flatMap(({ reward }) => (reward?.code ? [reward.code] : []));
  if (new Set(codes).size < codes.length)
    faults.push(`${codes.length} codes were given, ${new Set(codes).size} differ`);
  for (const reward of await customer.rewards()) {
    faults.push(
      ...stockFaults(
        reward,
        given.filter(({ reward: of }) => of?.id === reward.id),
      ),
    );
  }
  const usedOf = Map.groupBy(customer.moved.used, ({ code }) => code);
  for (const [code, uses] of usedOf) {
    if (new Set(uses.map(({ key }) => key)).size > 1) faults.push(`${code} was used ${uses.length} times`);
  }
  for (const code of codes) {
    const { body } = await customer.get(`/vouchers/${code}`);
    const { state } = (body as { voucher?: { state: string } }).voucher ?? {};
    const wanted = usedOf.has(code) ? "used" : "usable";
    if (state !== wanted) faults.push(`the voucher ${code} is ${state}, not ${wanted}`);
  }
  for (const code of usedOf.keys()) if (!codes.includes(code)) faults.push(`${code} was used, and went back`);
  return faults;
}

function stockFaults({ id, points, loaded, freeCodes, stock }: RewardNow, given: readonly Transaction[]): string[] {
  const faults: string[] = [];
  const foreign = given.filter(({ reward }) => loaded.codes.length > 0 && !loaded.codes.includes(reward!.code));
  if (foreign.length > 0) faults.push(`${foreign.length} codes of ${id} were never loaded`);
  if (given.some(({ totalPoints }) => totalPoints !== -points)) faults.push(`${id} was given for another price`);
  if (freeCodes !== null && freeCodes + given.length !== loaded.codes.length) {
    faults.push(`${freeCodes} of ${loaded.codes.length} codes are free, and ${given.length} were given`);
  }
  if (stock !== null && stock + given.length !== loaded.stock) {
    faults.push(`${stock} of ${loaded.stock} are left of ${id}, and ${given.length} were given`);
  }
  return faults;
}

/** Each record has one event at the inbox, with its points; each confirmation and use of a voucher has one. */
export function moveEventFaults(inbox: Inbox, moves: readonly Transaction[], { ended, used }: Moved): string[] {
  const faults: string[] = [];
  const seen = [...inbox.seen.values()];
  const moved = Map.groupBy(
    seen.filter(({ type }) => MOVED.test(type)),
    ({ subject }) => subject,
  );
  for (const { id, totalPoints } of moves) {
    const events = moved.get(id) ?? [];
    if (events.length !== 1) faults.push(`the move ${id} has ${events.length} events`);
    else if (events[0]!.points !== totalPoints) faults.push(`the move ${id} arrived with ${events[0]!.points} points`);
  }
  if (moved.size !== moves.length) faults.push(`events of ${moved.size} of ${moves.length} moves arrived`);
  const others = {
    "redemption.confirmed": new Set(ended.filter(({ way }) => way === "confirm").map(({ recordId }) => recordId)).size,
    "voucher.used": new Set(used.map(({ code }) => code)).size,
  };
  for (const [wanted, count] of Object.entries(others)) {
    const arrived = seen.filter(({ type }) => type === wanted).length;
    if (arrived !== count) faults.push(`${arrived} of ${count} events ${wanted} arrived`);
  }
  return faults;
}

/** The points of users whose time was moved have expired: each once, with one event. */
export async function expiryFaults(
  customer: Customer,
  inbox: Inbox,
  transactionsOf: (userId: string) => Promise<Transaction[]>,
): Promise<string[]> {
  const faults: string[] = [];
  const moves: Transaction[] = [];
  for (const { userId, gift, spent } of customer.expired) {
    const own = (await transactionsOf(userId)).toReversed();
    moves.push(...own);
    const booked = own.map(({ operation, totalPoints }) => `${operation}: ${totalPoints}`).join(", ");
    const wanted = `3: ${gift}, 2: ${-spent}, 5: ${spent - gift}`;
    if (booked !== wanted) faults.push(`the operations of ${userId} gave ${booked}, not ${wanted}`);
  }
  return [...faults, ...customer.faults, ...inbox.faults, ...moveEventFaults(inbox, moves, customer.moved)];
}

/** Whether all events of what was acknowledged have arrived. */
export function haveMovesArrived({ moved, expired }: Customer, inbox: Inbox): boolean {
  const seen = [...inbox.seen.values()];
  const subjects = new Set(seen.map(({ subject }) => subject));
  const count = (wanted: string) => seen.filter(({ type }) => type === wanted).length;
  const confirmed = new Set(moved.ended.filter(({ way }) => way === "confirm").map(({ recordId }) => recordId));
  return (
    moved.replies.every(({ recordId }) => recordId === null || subjects.has(recordId)) &&
    count("redemption.confirmed") >= confirmed.size &&
    count("voucher.used") >= new Set(moved.used.map(({ code }) => code)).size &&
    count("points.expired") >= expired.length
  );
}
