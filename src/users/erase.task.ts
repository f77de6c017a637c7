import type { FileStore } from "../files.ts";
import type { Log } from "../log.ts";
import { numberedKeys } from "../numbered-keys.ts";
import type { Database } from "../postgres/postgres.ts";
import { removeImages } from "../remove-images.task.ts";
import { StorageUnavailable } from "../storage-failures.ts";
import { DAY_MS } from "../time.ts";
import { countAllRemoved } from "../unknown-names/sums/fold.task.ts";
import { dropErasedReceipts, keepErasedBonuses, keepErasedReceipts } from "./erased-receipts.store.ts";
import * as store from "./erasure.store.ts";

export interface ErasureDeps {
  readonly database: Database;
  readonly files: Pick<FileStore, "remove">;
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
  /** False: the time was over, or the store of images is away. The person is gone, not all that they sent. */
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
    images += removed.images;
    if (removed.isStoreAway || deps.isTimeOver?.()) return { ...marked, images, isFinished: false };
    if (removed.rows === 0) {
      await store.finishErasure(database, userId);
      return { ...marked, images, isFinished: true };
    }
  }
  throw new Error("something is still being stored for this user: is a process of an older release running?");
}

/** Removes all that is there now, each chunk in a tx of its own: parents, then children, events last. */
async function removeAll(deps: ErasureDeps, userId: string, now: Date): Promise<Removed> {
  const { database, isTimeOver } = deps;
  const { images, isStoreAway } = await removeReceipts(deps, userId, now);
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
  return { rows, images, isStoreAway };
}

interface Removed {
  readonly rows: number;
  readonly images: number;
  /** Receipts are left, since their images are. */
  readonly isStoreAway: boolean;
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

/**
 * Removes images, then their receipts: while the store of images is away the rows stay, and with them the knowledge
 * what is still to be removed.
 */
async function removeReceipts(deps: ErasureDeps, userId: string, now: Date): Promise<Omit<Removed, "rows">> {
  const { database, files, erasedReceiptDays } = deps;
  let images = 0;
  const onRemoved = () => void images++;
  const removeSome = async (): Promise<number> => {
    const found = await database.tx((tx) => store.lockReceiptsOf(tx, userId));
    const keys = found.flatMap(({ imageKey, moreImages }) => numberedKeys(imageKey, 1 + moreImages.length));
    await removeImages(files, keys, { onRemoved, isTimeOver: deps.isTimeOver });
    if (deps.isTimeOver?.()) return 0;
    const withoutImages = new Set(found.map(({ id }) => id));
    const removed = await database.tx(async (tx) => {
      const receipts = await store.lockReceiptsOf(tx, userId);
      const ids = receipts.map(({ id }) => id).filter((id) => withoutImages.has(id));
      if (erasedReceiptDays > 0) await keepErasedReceipts(tx, userId, ids, now);
      else await store.deletePurchases(tx, userId, ids);
      await store.deleteReceipts(tx, userId, ids);
      return ids.length;
    });
    return removed;
  };
  try {
    await untilNone(deps, removeSome);
    return { images, isStoreAway: false };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    return { images, isStoreAway: true };
  }
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
