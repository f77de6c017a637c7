// Computes the figures again from the records: for the time before there were any, and to check them. All is read in
// one snapshot, the figures of now with it. So the difference is exact whatever is booked meanwhile, and it is added
// like any other difference.
import { recordsToCount } from "../points/figures/counted.store.ts";
import { countRecord, isAwardOfSubmission } from "../points/figures/record-figures.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { createCollected } from "./figures/collected.ts";
import type { Collected, DayFigures, Figures } from "./figures/collected.ts";
import { addFigures } from "./figures/deltas.store.ts";
import { knownShopOnly } from "./figures/shops.ts";
import * as store from "./rebuild.store.ts";
import type { Applications } from "./rebuild.store.ts";

export interface RebuildOptions {
  readonly applications: Applications;
  /** Names of the shops that are counted by name. */
  readonly shops: ReadonlySet<string>;
  /** False: the differences are only returned. */
  readonly isStored: boolean;
  readonly signal?: AbortSignal;
  readonly progress?: (users: number, records: number) => void;
}

export type Rebuilt =
  | {
      readonly kind: "rebuilt";
      readonly users: number;
      readonly records: number;
      /** What was added to the figures, by application and day. */
      readonly differences: readonly DayFigures[];
    }
  | { readonly kind: "running" };

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const USERS = 500;
const RECORDS = 2_000;
/** Days of one statement. */
const STORED_DAYS = 200;

/** Computes the figures of applications again. "running": another rebuild is. */
export async function rebuildFigures(database: Database, options: RebuildOptions): Promise<Rebuilt> {
  return database.tx(async (tx) => {
    // Of two at once each would add the difference. The snapshot begins after the lock, so it sees what the one before
    // has added.
    if (!(await store.lockRebuild(tx))) return { kind: "running" };
    const rebuilt = await database.snapshot((snapshot) => compute(snapshot, tx, options));
    if (options.isStored) {
      const { differences } = rebuilt;
      for (let i = 0; i < differences.length; i += STORED_DAYS) {
        await addFigures(tx, differences.slice(i, i + STORED_DAYS));
      }
      await store.closeGaps(tx, options.applications);
    }
    return rebuilt;
  });
}

async function compute(
  snapshot: Tx,
  locking: Tx,
  { applications, shops, signal, progress }: RebuildOptions,
): Promise<Extract<Rebuilt, { kind: "rebuilt" }>> {
  const collected = createCollected();
  const on = (applicationId: string, at: Date): Figures => {
    const figures = collected.on(applicationId, at);
    return { add: (figure, amount) => figures.add(knownShopOnly(figure, shops), amount) };
  };
  let [users, records] = [0, 0];
  for (let after = FIRST_ID; ;) {
    signal?.throwIfAborted();
    const slice = await store.nextUsers(snapshot, after, applications, USERS);
    if (slice.length === 0) break;
    after = slice.at(-1)!.id;
    users += slice.length;
    for (const user of slice) countUser(user, on);
    const userIds = slice.map(({ id }) => id);
    for (const { applicationId, source, errorCode, day, failures } of await store.failuresOf(snapshot, userIds)) {
      on(applicationId, day).add(`failed.${source}.${errorCode}`, failures);
    }
    records += await countRecords(snapshot, slice, on, async () => {
      signal?.throwIfAborted();
      await store.stayAwake(locking);
    });
    progress?.(users, records);
  }
  for (const { applicationId, figure, day, amount } of await store.keptFigures(snapshot, applications)) {
    on(applicationId, day).add(figure, amount);
  }
  for (const { applicationId, figure, day, amount } of await store.currentFigures(snapshot, applications)) {
    on(applicationId, day).add(figure, -amount);
  }
  return { kind: "rebuilt", users, records, differences: collected.all() };
}

type User = Awaited<ReturnType<typeof store.nextUsers>>[number];

function countUser(user: User, on: Collected["on"]): void {
  const { applicationId, createdAt, erasedAt, isForfeited, availablePoints } = user;
  on(applicationId, createdAt).add("users.enrolled", 1);
  if (!erasedAt) return;
  on(applicationId, erasedAt).add("users.erased", 1);
  if (isForfeited) on(applicationId, erasedAt).add("points.forfeited", -availablePoints);
}

/** Counts all records of users, in the order of each ledger. Returns their number. */
async function countRecords(
  snapshot: Tx,
  users: readonly Pick<User, "id" | "records">[],
  on: Collected["on"],
  between: () => Promise<void>,
): Promise<number> {
  let counted = 0;
  for (const group of groupsOf(users)) {
    const userIds = group.map(({ id }) => id);
    const most = Math.max(...group.map(({ records }) => records));
    const lastAwards = new Map<string, Date>();
    // More than one page only of a user alone.
    for (let after = 0; after < most; after += RECORDS) {
      await between();
      const records = await recordsToCount(snapshot, userIds, { after, last: after + RECORDS });
      for (const record of records) {
        const { applicationId, userId, createdAt } = record;
        countRecord(on(applicationId, createdAt), record, lastAwards.get(userId) ?? null);
        if (isAwardOfSubmission(record)) lastAwards.set(userId, createdAt);
      }
      counted += records.length;
    }
  }
  return counted;
}

/** Users with records in groups, each of one user or of at most RECORDS records. */
function groupsOf(users: readonly Pick<User, "id" | "records">[]): Pick<User, "id" | "records">[][] {
  const groups: Pick<User, "id" | "records">[][] = [];
  let sum = Infinity;
  for (const user of users) {
    if (user.records === 0) continue;
    sum += user.records;
    if (sum > RECORDS) {
      groups.push([]);
      sum = user.records;
    }
    groups.at(-1)!.push(user);
  }
  return groups;
}
