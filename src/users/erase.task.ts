import type { Files } from "../files.ts";
import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import { DAY_MS } from "../time.ts";
import { countAllRemoved } from "../unknown-names/sums/fold.task.ts";
import { dropErasedReceipts, keepErasedBonuses, keepErasedReceipts } from "./erased-receipts.store.ts";
import * as store from "./erasure.store.ts";

export interface ErasureDeps {
  readonly database: Database;
  readonly files: Pick<Files, "remove">;
  /** Days that the hashes of rewarded receipts are kept; 0: none are kept. */
  readonly erasedReceiptDays: number;
  /** Whether the time is over: what is left then is removed by the nightly job. Never, unless it is given. */
  readonly isTimeOver?: () => boolean;
}

/** What an erasure removed. */
export interface Erased {
  /** Time of the first erasure. */
  readonly erasedAt: Date;
  /** Images removed by this one. */
  readonly images: number;
  /** False: the time was over. The person is gone; something that they submitted is still stored. */
  readonly isFinished: boolean;
}

/** Passes until one finds nothing. More than two mean that a process of an older release still stores something. */
const PASSES_MAX = 20;

/**
 * Erases a user: identity, submissions, images, events, sessions. The rows of the ledger stay without content, so that
 * its sums remain correct; their user id identifies nobody. Null: there is no such user. It can be repeated at any
 * time, and finishes what an interrupted erasure has left.
 */
export async function eraseUser(deps: ErasureDeps, userId: string, now: Date): Promise<Erased | null> {
  const { database } = deps;
  const marked = await database.tx((tx) => store.markErased(tx, userId, now));
  if (!marked) return null;
  let images = 0;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    await database.tx((tx) => store.waitForHolders(tx, userId));
    const removed = await removeAll(deps, userId, now);
    // Once: each tx that stores a key holds the user, so none comes after the wait. Those of a process of an older
    // release go with the sweep of the night.
    if (pass === 0) await store.deleteKeys(database, userId);
    images += removed.images;
    if (deps.isTimeOver?.()) return { ...marked, images, isFinished: false };
    if (removed.rows === 0) {
      await store.finishErasure(database, userId);
      return { ...marked, images, isFinished: true };
    }
  }
  throw new Error("something is still being stored for this user: is a process of an older release running?");
}

/** Removes all that is there now, each chunk in a tx of its own: parents, then children, events last. */
async function removeAll(deps: ErasureDeps, userId: string, now: Date): Promise<{ rows: number; images: number }> {
  const { database, isTimeOver } = deps;
  const images = await removeReceipts(deps, userId, now);
  let rows = images;
  const steps = [
    () => untilNone(deps, () => database.tx((tx) => store.deleteIntakes(tx, userId))),
    () => untilNone(deps, () => database.tx((tx) => store.deleteRedemptions(tx, userId))),
    () => removeGranted(deps, userId, now),
    () => clearRecords(deps, userId),
    () => store.deleteRest(database, userId),
    () => countAllRemoved(database).then(() => 0),
    () => untilNone(deps, () => store.deleteEvents(database, userId)),
    () => store.deleteDeliveries(database, userId),
  ];
  for (const step of steps) {
    if (isTimeOver?.()) break;
    rows += await step();
  }
  return { rows, images };
}

/** Removes the content of all records, chunk by chunk, and returns their number. */
async function clearRecords({ database, isTimeOver }: ErasureDeps, userId: string): Promise<number> {
  let cleared = 0;
  for (let last = 0; ;) {
    if (isTimeOver?.()) return cleared;
    const after = last;
    const chunk = await database.tx((tx) => store.clearRecords(tx, userId, after));
    if (chunk.length === 0) return cleared;
    cleared += chunk.length;
    last = chunk.at(-1)!;
  }
}

/** Removes receipts, and their images after the commit: a row never names a missing image. */
async function removeReceipts(deps: ErasureDeps, userId: string, now: Date): Promise<number> {
  const { database, files, erasedReceiptDays } = deps;
  return untilNone(deps, async () => {
    const removed = await database.tx(async (tx) => {
      const receipts = await store.lockReceiptsOf(tx, userId);
      const ids = receipts.map(({ id }) => id);
      if (erasedReceiptDays > 0) await keepErasedReceipts(tx, userId, ids, now);
      else await store.deletePurchases(tx, userId, ids);
      await store.deleteReceipts(tx, userId, ids);
      return receipts;
    });
    for (const { imageKey } of removed) await files.remove(imageKey);
    return removed.length;
  });
}

/** Removes what was noted of bonuses, and keeps of those that a person gets once only a hash. */
async function removeGranted({ database, erasedReceiptDays }: ErasureDeps, userId: string, now: Date): Promise<number> {
  return database.tx(async (tx) => {
    if (erasedReceiptDays > 0) await keepErasedBonuses(tx, userId, now);
    return store.deleteGranted(tx, userId);
  });
}

/** Repeats a removal until it finds nothing, or the time is over. Returns the number of all that it removed. */
async function untilNone({ isTimeOver }: ErasureDeps, remove: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    if (isTimeOver?.()) return all;
    const removed = await remove();
    if (removed === 0) return all;
    all += removed;
  }
}

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
const SWEEP_USERS = 100;

/**
 * Removes what still belongs to erased users: of erasures that were interrupted, and what a process of an older release
 * has stored behind one. Deletes hashes of receipts that were kept long enough. Returns the number of users.
 */
export async function sweepErased(
  deps: ErasureDeps & { now: () => Date; log: Log },
  signal: AbortSignal,
): Promise<number> {
  const { database, erasedReceiptDays, now, log } = deps;
  await dropErasedReceipts(database, new Date(now().getTime() - erasedReceiptDays * DAY_MS));
  await store.deleteUnindexedLeftovers(database);
  let users = 0;
  for (let last = LOWEST_ID; ;) {
    const ids = await store.erasedWithLeftovers(database, last, SWEEP_USERS);
    for (const id of ids) {
      if (signal.aborted) return users;
      await eraseUser(deps, id, now());
      users++;
    }
    if (ids.length < SWEEP_USERS) break;
    last = ids.at(-1)!;
  }
  if (users > 0) log.info({ users }, "leftovers of erased users removed");
  return users;
}
