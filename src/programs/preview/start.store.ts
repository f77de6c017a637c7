// What was really so at the start of the time that a preview replays: points of periods that had begun, budgets of
// campaigns that were used. Reads only.
import { firstIdAt } from "../../ids.ts";
import { NEW_USER } from "../../points/settlement/standing.ts";
import type { UserStanding } from "../../points/settlement/standing.ts";
import type { Limits } from "../../points/limits/limits.ts";
import { dayLimitsOf, talliesOf } from "../../points/limits/store.ts";
import { limitedRanges, rangeKey } from "../../points/limits/tallies.ts";
import type { RangeTally } from "../../points/limits/tallies.ts";
import type { Terms } from "../../points/terms.ts";
import type { Tx } from "../../postgres/postgres.ts";

/** What the standings of users at the start depend on. */
export interface Start {
  readonly applicationId: string;
  readonly fromMs: number;
  readonly dayLimits: Limits | null;
  readonly terms: Pick<Terms, "limits" | "campaigns" | "tiers" | "bonuses">;
}

/** The limits of a day that the application has now. */
export async function applicationDayLimits(tx: Tx, applicationId: string): Promise<Limits | null> {
  return (await dayLimitsOf(tx, [applicationId], true)).get(applicationId) ?? null;
}

/** The standings of users at the start, by id. */
export async function standingsAt(
  tx: Tx,
  userIds: readonly string[],
  start: Start,
): Promise<ReadonlyMap<string, UserStanding>> {
  const tallies = await talliesAt(tx, userIds, start);
  return new Map(
    userIds.map((userId) => [userId, { ...NEW_USER, tallies: tallies.get(userId) ?? NEW_USER.tallies }] as const),
  );
}

/** What users were awarded in the periods that had begun before. */
async function talliesAt(
  tx: Tx,
  userIds: readonly string[],
  { fromMs, dayLimits, terms }: Start,
): Promise<ReadonlyMap<string, ReadonlyMap<string, RangeTally>>> {
  const begun = limitedRanges(firstIdAt(fromMs), { ofApplication: dayLimits, ofProgram: terms.limits }).filter(
    ({ range }) => range.fromMs < fromMs,
  );
  if (begun.length === 0) return new Map();
  const before = begun.map((each) => ({ ...each, range: { ...each.range, untilMs: fromMs } }));
  const found = await talliesOf(
    tx,
    userIds.map((userId) => ({ userId, ranges: before })),
  );
  return new Map(
    [...found].map(([userId, tallies]) => [
      userId,
      new Map(
        begun.map(({ range }, i) => {
          const { tally } = tallies.get(rangeKey(before[i]!.range))!;
          return [rangeKey(range), { fromMs: range.fromMs, untilMs: range.untilMs, tally }] as const;
        }),
      ),
    ]),
  );
}
