// What the API shows of a user after the run: all records, oldest first, each with its explanation.
import type { Explanation } from "../../../src/points/explanation-schema.ts";
import type { TransactionRecord } from "../../../src/points/schema.ts";
import type { UserStatistics } from "../../../src/points/statistics/schema.ts";
import { call } from "./acts.ts";
import type { World } from "./acts.ts";

export interface ShownRecord {
  readonly record: TransactionRecord;
  /** Of an award or a correction. */
  readonly explanation: Explanation | null;
}

export interface UserLedger {
  readonly userId: string;
  readonly records: readonly ShownRecord[];
  readonly summary: {
    readonly availablePoints: number;
    readonly lifetimePoints: number;
    readonly tier?: { readonly name: string } | null;
  };
  readonly statistics: UserStatistics;
  /** The service's time when it was read. */
  readonly atMs: number;
}

/** Reads all that the API shows of a user's points. */
export async function readUser(world: World, userId: string): Promise<UserLedger> {
  const list = await call<{ transactions: TransactionRecord[] }>(
    world,
    "GET",
    `/users/${userId}/transactions?All=true`,
  );
  const records: ShownRecord[] = [];
  for (const record of list.transactions.reverse()) {
    const path = `/users/${userId}/transactions/${record.id}/explanation`;
    const response = await world.client.call("GET", path);
    const explanation = response.statusCode === 200 ? response.json<{ explanation: Explanation }>().explanation : null;
    records.push({ record, explanation });
  }
  const { user } = await call<{ user: UserLedger["summary"] }>(world, "GET", `/users/${userId}/summary`);
  const { statistics } = await call<{ statistics: UserStatistics }>(world, "GET", `/users/${userId}/statistics`);
  return { userId, records, summary: user, statistics, atMs: world.now() };
}
