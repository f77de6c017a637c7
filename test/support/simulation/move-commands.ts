// Commands that move points outside of submissions. A new kind (a redemption, an expiry, a correction) is a method of
// `Moves` (moves.ts), a command here, its event in EVENTS and its rules in ledger-invariants.ts.
import * as fc from "fast-check";
import { DEFAULT_POINTS_SETTINGS } from "../../../src/points/settings/settings.ts";
import { setPointsSettings } from "../../../src/points/settings/store.ts";
import { recordsBetween } from "../../../src/points/store.ts";
import { command, crashAfter } from "./command.ts";
import type { Command } from "./command.ts";
import { USERS, survived } from "./world.ts";

/** Number of references that adjustments share. */
const REFERENCES = 8;
const HIGHEST = 2 ** 31;

interface Adjusted {
  readonly user: number;
  readonly reference: number;
  readonly points: number;
  readonly countsAsEarned: boolean;
}

/** Adjustments at once, each in a process of its own: of one user and reference, or of several. */
function adjustAtOnce(batch: readonly Adjusted[], crash: number): Command {
  return command(`adjust ${JSON.stringify(batch)} at once, crash after ${crash}`, async (world) => {
    const each = batch.map(({ user, reference, points, countsAsEarned }, i) =>
      survived(
        world
          .moves(i === 0 ? crash : Number.MAX_SAFE_INTEGER)
          .adjust(world.userIds[user]!, `adjustment-${reference}`, points, countsAsEarned),
      ),
    );
    await Promise.all(each);
  });
}

interface Returned {
  readonly user: number;
  /** Which of the user's records, from the newest. */
  readonly pick: number;
  /** Which of its items; null: the whole. */
  readonly item: number | null;
}

/** Reversals at once, often of one record. */
function reverseAtOnce(batch: readonly Returned[], crash: number): Command {
  return command(`reverse ${JSON.stringify(batch)} at once, crash after ${crash}`, async (world) => {
    const each = batch.map(async ({ user, pick, item }, i) => {
      const userId = world.userIds[user]!;
      const records = await recordsBetween(world.database, userId, 1, HIGHEST);
      const record = records[pick % Math.max(1, records.length)];
      if (!record) return;
      const { items } = record.body;
      const itemId = item === null ? undefined : items[item % Math.max(1, items.length)]?.id;
      const moves = world.moves(i === 0 ? crash : Number.MAX_SAFE_INTEGER);
      await survived(moves.reverse(userId, record.id, itemId === undefined ? null : [itemId]));
    });
    await Promise.all(each);
  });
}

/** The application decides whether a reversal makes a balance negative. */
function setOverdraws(reversalOverdraws: boolean): Command {
  return command(`reversals ${reversalOverdraws ? "overdraw" : "take what is there"}`, async (world) => {
    const { database, applicationId } = world;
    const settings = { ...DEFAULT_POINTS_SETTINGS, reversalOverdraws };
    await database.tx((tx) => setPointsSettings(tx, applicationId, settings, new Date(world.clockMs)));
  });
}

const user = fc.nat(USERS - 1);
const adjusted = fc.record({
  user,
  reference: fc.nat(REFERENCES - 1),
  // A submission earns 30 to 40: some of these are more than there is, and most of what is earned is spent.
  points: fc.constantFrom(-100, -30, -20, -10, -5, 1, 60),
  countsAsEarned: fc.boolean(),
});
const returned = fc.record({ user, pick: fc.nat(6), item: fc.option(fc.nat(1)) });

/** At once, by the same user: the same record or the same points are wanted twice. */
function crowd<Each extends { readonly user: number }>(each: fc.Arbitrary<Each>): fc.Arbitrary<readonly Each[]> {
  const same = fc
    .tuple(each, fc.integer({ min: 2, max: 3 }))
    .map(([one, times]) => Array.from({ length: times }, () => one));
  return fc.oneof(fc.array(each, { minLength: 1, maxLength: 3 }), same);
}

/** Commands that move points, for `fc.commands`. */
export const MOVES: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(crowd(adjusted), crashAfter).map(([batch, crash]) => adjustAtOnce(batch, crash)),
  fc.tuple(crowd(returned), crashAfter).map(([batch, crash]) => reverseAtOnce(batch, crash)),
  fc.boolean().map(setOverdraws),
];
