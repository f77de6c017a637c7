// Replays awards one after the other, and sums up what they and their bonuses give. Pure.
import type { ReferralCounts } from "../../points/bonuses/granting.ts";
import type { ApplicationStanding, UserStanding } from "../../points/settlement/standing.ts";
import type { Terms } from "../../points/terms.ts";
import { bonusName } from "./bonus-name.ts";
import type { GivenBonus } from "./bonus-name.ts";
import { NO_POINTS, createFigures } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { acceptedMs, replayAward } from "./replay.ts";
import type { Replayed } from "./replay.ts";
import type { ReplayedAward } from "./replayed.store.ts";
import type { PreviewResult } from "./schema.ts";

export type Counts = Pick<PreviewResult["notReplayed"], "withoutInputs" | "reversed" | "corrected">;

/** Replays award by award, and sums up. */
export interface Sums {
  readonly counts: Counts;
  /** Adds what referring users had got; what they have got in the preview stays. */
  addReferrals(referrals: ReferralCounts): void;
  addBonus(given: GivenBonus, of: "now" | "draft"): void;
  /** Replays an award. Null: it has no inputs, and changes nothing. */
  add(award: ReplayedAward, user: number, standing: UserStanding, terms: Terms): Replayed | null;
  figures(): Figures;
}

interface SumsAbout {
  readonly userIds: readonly string[];
  readonly dayOf: (ms: number) => string;
  /** Called for each award with what it would be. */
  readonly each: ((award: ReplayedAward, replayed: Replayed) => void) | undefined;
}

/** Creates the sums of a preview. `start` is what was really so of the application. */
export function createSums(start: ApplicationStanding, { userIds, dayOf, each }: SumsAbout): Sums {
  const { add, figures } = createFigures();
  const ids = [...userIds];
  const numbers = new Map(ids.map((userId, number) => [userId, number]));
  const numberOf = (userId: string): number => {
    const number = numbers.get(userId) ?? ids.push(userId) - 1;
    numbers.set(userId, number);
    return number;
  };
  const addBonus: Sums["addBonus"] = ({ userId, name, points, atMs }, of) => {
    const given = { ...NO_POINTS, points, byBonus: new Map([[name, points]]) };
    const both = { now: NO_POINTS, draft: NO_POINTS, [of]: given };
    add({ user: numberOf(userId), day: dayOf(atMs), source: "bonus", ...both, isGone: of === "now" });
  };
  const counts = { withoutInputs: 0, reversed: 0, corrected: 0 };
  let application = start;
  return {
    counts,
    figures: () => figures(ids),
    addBonus,
    addReferrals: (referrals) => {
      if (referrals.size > 0)
        application = { ...application, referrals: new Map([...referrals, ...application.referrals]) };
    },
    add: (award, user, standing, terms) => {
      const replayed = replayAward({ user: standing, application }, award, terms);
      if (replayed === null) {
        counts.withoutInputs += 1;
        return null;
      }
      ({ application } = replayed.standing);
      each?.(award, replayed);
      const atMs = award.bookedAt.getTime();
      for (const { userId, points, cause } of replayed.bonuses) {
        const name = cause.kind === "streak" ? bonusName("streak", cause.id) : bonusName(cause.kind);
        addBonus({ userId, points, atMs, name }, "draft");
      }
      if (award.isReversed) counts.reversed += 1;
      else {
        if (award.isCorrected) counts.corrected += 1;
        const { now, draft } = replayed;
        add({ user, day: dayOf(acceptedMs(award)), source: award.source, now, draft });
      }
      return replayed;
    },
  };
}
