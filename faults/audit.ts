import { setTimeout as sleep } from "node:timers/promises";
import {
  MOVES,
  expiryFaults,
  haveMovesArrived,
  isAward,
  moveEventFaults,
  moveFaults,
  rewardFaults,
} from "./audit-moves.ts";
import type { Transaction } from "./audit-moves.ts";
import { ENDS, storyFaults } from "./audit-stories.ts";
import type { Customer } from "./customer.ts";
import type { Inbox } from "./inbox.ts";

const DUPLICATES = /^(DUPLICATE_MEAL|ALREADY_EXISTS)$/;
const DRAIN_MS = 240_000;
const EARNED_MS = 60_000;
/** Strikes that may end a submission as INTERNAL_ERROR: it cannot be distinguished from the cause of the end. */
const ATTEMPTS_MAX = 5;

/** The result of an audit, for the report. */
export interface Audit {
  readonly accepted: number;
  readonly records: number;
  /** Records among them that are no awards. */
  readonly moved: number;
  /** Redemptions among these, users whose points expired, and vouchers that were used. */
  readonly redeemed: number;
  readonly expired: number;
  readonly used: number;
  readonly points: number;
  /** Images of receipts that were fetched whole. */
  readonly images: number;
  readonly events: number;
  readonly attempts: number;
  /** Attempts of events that had got a 2xx before. */
  readonly duplicates: number;
  /**
   * Submissions in progress at five strikes that ended as INTERNAL_ERROR, like rows that seem to kill their process.
   */
  readonly givenUp: number;
  /** Every broken promise; empty when all were kept. */
  readonly faults: readonly string[];
}

/**
 * Waits until all submissions have ended and all events have arrived, then compares the stored state with the
 * submissions: each ended once, each reference earned once; each adjustment, reversal, redemption, refund and
 * correction that got a 200 is booked once and no other; no code is given twice and no stock is exceeded; sums are
 * those of the records; each event arrived at each inbox under one id with one body, those of a submission in order.
 * `pointsOf` has the points of each reference, `sandbox` the users whose points expire.
 */
export async function audit(options: {
  customer: Customer;
  userIds: readonly string[];
  inboxes: readonly Inbox[];
  pointsOf: ReadonlyMap<string, number>;
  sandbox: { readonly customer: Customer; readonly inbox: Inbox };
  /** Number of strikes. */
  strikes: number;
}): Promise<Audit> {
  const { customer, userIds, inboxes, pointsOf, sandbox, strikes } = options;
  const faults = [...customer.faults, ...inboxes.flatMap((inbox) => inbox.faults)];

  const transactions: Transaction[] = [];
  let points = 0;
  await allArrived(customer, inboxes, sandbox);
  await allEarned(customer, userIds);
  const ends = await endsOf(customer, strikes);
  const { givenUp } = ends;
  faults.push(...ends.faults);
  for (const userId of userIds) {
    const own = await transactionsOf(customer, userId);
    const summary = (await customer.get(`/users/${userId}/summary`)).body as Summary;
    faults.push(...balanceFaults(summary, own));
    transactions.push(...own);
    points += sumOf(own);
  }

  const earned = new Map<string, number>();
  for (const { transaction, totalPoints } of transactions.filter(isAward)) {
    const reference = transaction.externalTransactionID;
    earned.set(reference, (earned.get(reference) ?? 0) + 1);
    if (pointsOf.get(reference) !== totalPoints) {
      faults.push(`${reference} earned ${totalPoints} points instead of ${pointsOf.get(reference)}`);
    }
  }
  for (const key of new Set(customer.accepted.map((accepted) => accepted.key))) {
    if (earned.get(key) !== 1 && !givenUp.has(key)) faults.push(`${key} earned ${earned.get(key) ?? 0} times`);
  }
  const moves = transactions.filter((transaction) => !isAward(transaction));
  faults.push(...moveFaults(customer.moved, moves));
  const recordPoints = new Map(transactions.filter(isAward).map(({ id, totalPoints }) => [id, totalPoints]));
  for (const inbox of inboxes) {
    faults.push(...(await storyFaults(inbox, recordPoints, customer)));
    faults.push(...moveEventFaults(inbox, moves, customer.moved));
  }
  faults.push(...(await rewardFaults(customer, moves)));
  faults.push(...(await expiryFaults(sandbox.customer, sandbox.inbox, (id) => transactionsOf(sandbox.customer, id))));
  const seen = inboxes.flatMap((inbox) => [...inbox.seen.values()]);
  return {
    accepted: customer.accepted.length,
    records: transactions.length,
    moved: moves.length,
    redeemed: moves.filter(({ operation }) => operation === 2).length,
    expired: sandbox.customer.expired.length,
    used: new Set(customer.moved.used.map(({ code }) => code)).size,
    points,
    images: ends.images,
    events: seen.length,
    duplicates: inboxes.reduce((sum, inbox) => sum + inbox.duplicates, 0),
    attempts: seen.reduce((sum, { attempts }) => sum + attempts, 0),
    givenUp: givenUp.size,
    faults,
  };
}

/** How each accepted submission has ended, and whether its image is there. */
async function endsOf(
  customer: Customer,
  strikes: number,
): Promise<{ faults: string[]; givenUp: ReadonlySet<string>; images: number }> {
  const faults: string[] = [];
  const givenUp = new Set<string>();
  let images = 0;
  for (const { id, source, key } of customer.accepted) {
    const path = source === "meal" ? "meals" : source === "food" ? "food" : "receipts";
    const { status, body } = await customer.get(`/track/${path}/${id}/status`);
    const end = body as { status?: string; errorType?: string; errorCode?: string };
    const error = end.errorType ?? end.errorCode ?? "";
    if (error === "INTERNAL_ERROR" && strikes >= ATTEMPTS_MAX) givenUp.add(key);
    else if (status !== 200 || !(DUPLICATES.test(error) || /completed/i.test(end.status ?? ""))) {
      faults.push(`${source} ${key} ended as ${status} ${end.status} ${error}`);
    }
    const image = source === "receipt" ? await imageOf(customer, body) : "none";
    if (image === "lost") faults.push(`the image of ${key} is lost`);
    if (image === "there") images++;
  }
  return { faults, givenUp, images };
}

function sumOf(transactions: readonly Transaction[]): number {
  return transactions.reduce((total, { totalPoints }) => total + totalPoints, 0);
}

interface Summary {
  readonly user: {
    readonly numOfTransactions: number;
    readonly lifetimePoints: number;
    readonly availablePoints: number;
  };
}

/** The image of a receipt: there as long as it has a link, which one that was completed has. */
async function imageOf(customer: Customer, body: unknown): Promise<"there" | "lost" | "none"> {
  const { status, receiptStatusDoc } = body as {
    status: string;
    receiptStatusDoc?: { uploadStateData: { blobUrl: string | null } };
  };
  const url = receiptStatusDoc?.uploadStateData.blobUrl ?? null;
  if (url === null) return status === "Completed" ? "lost" : "none";
  return (await customer.hasJpeg(url)) ? "there" : "lost";
}

/** A user's balance is that of their records. */
function balanceFaults({ user }: Summary, own: readonly Transaction[]): string[] {
  const faults: string[] = [];
  const sum = sumOf(own);
  const awards = own.filter(isAward);
  const awardIds = new Set(awards.map(({ id }) => id));
  const takenBack = own.filter(({ relatedTransactionID = "" }) => awardIds.has(relatedTransactionID));
  const lifetime = sumOf(awards) + sumOf(takenBack);
  if (user.numOfTransactions !== awards.length) {
    faults.push(`a user has ${user.numOfTransactions}, lists ${awards.length}`);
  }
  if (user.lifetimePoints !== lifetime) faults.push(`a user has ${user.lifetimePoints} points, earned ${lifetime}`);
  if (user.availablePoints !== sum) faults.push(`a user can spend ${user.availablePoints} points, listed are ${sum}`);
  return faults;
}

/**
 * Waits until every inbox has the last event of each accepted submission, one award for each completed one, and the
 * events of all moves; and until no reservation waits any more.
 */
async function allArrived(
  customer: Customer,
  inboxes: readonly Inbox[],
  sandbox: { readonly customer: Customer; readonly inbox: Inbox },
): Promise<void> {
  for (const deadline = Date.now() + DRAIN_MS; Date.now() < deadline; await sleep(200)) {
    const haveArrived = inboxes.every((inbox) => {
      const seen = [...inbox.seen.values()].filter(({ type }) => !MOVES.test(type));
      const ended = new Set(seen.filter(({ type }) => ENDS.test(type)).map(({ subject }) => subject));
      const completed = seen.filter(({ type }) => type.endsWith("completed")).length;
      const awarded = seen.filter(({ type }) => type === "rewards.awarded").length;
      // Submissions whose response was lost are known only by their first event.
      const isOpen = seen.some(({ subject, points }) => points === null && !ended.has(subject));
      return !isOpen && completed === awarded && customer.accepted.every(({ id }) => ended.has(id));
    });
    const haveMoved = inboxes.every((inbox) => haveMovesArrived(customer, inbox) && !hasReservations(inbox));
    if (haveArrived && haveMoved && haveMovesArrived(sandbox.customer, sandbox.inbox)) return;
  }
}

/**
 * Waits until each reference has an award, for a while. A submission whose response was lost is known to nobody until
 * it is scored, which the sweep does after 15 s if its job was lost, too; the one that was sent again is its duplicate.
 */
async function allEarned(customer: Customer, userIds: readonly string[]): Promise<void> {
  for (const deadline = Date.now() + EARNED_MS; Date.now() < deadline; await sleep(500)) {
    const awards = (await Promise.all(userIds.map((userId) => transactionsOf(customer, userId))))
      .flat()
      .filter(isAward);
    const earned = new Set(awards.map(({ transaction }) => transaction.externalTransactionID));
    if (customer.accepted.every(({ key }) => earned.has(key))) return;
  }
}

/** Whether a reservation was neither confirmed nor given back. */
function hasReservations({ seen }: Inbox): boolean {
  const events = [...seen.values()];
  const ended = new Set(
    events.flatMap(({ type, subject, related }) =>
      type === "redemption.confirmed" ? [subject] : type === "points.refunded" ? [related] : [],
    ),
  );
  return events.some(({ subject, isReserved }) => isReserved && !ended.has(subject));
}

async function transactionsOf(customer: Customer, userId: string): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (let page = 1; ; page++) {
    const { body } = await customer.get(`/users/${userId}/transactions?pageSize=100&page=${page}`);
    const { transactions } = body as { transactions: Transaction[] };
    all.push(...transactions);
    if (transactions.length < 100) return all;
  }
}
