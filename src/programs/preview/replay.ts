// Replays one award under a draft: scored again by its stored inputs, and settled by the same code that books. Pure.
import { timeOfId } from "../../ids.ts";
import { recordTotals, composeRecord } from "../../points/record.ts";
import type { ComposedRecord, RecordItem } from "../../points/record.ts";
import { linesAgain } from "../../points/rescore/rescore.ts";
import type { PastAward } from "../../points/rescore/rescore.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import { settle } from "../../points/settlement/settle.ts";
import type { Settlement } from "../../points/settlement/settle.ts";
import type { Standing } from "../../points/settlement/standing.ts";
import type { Terms } from "../../points/terms.ts";
import { NO_POINTS } from "./figures.ts";
import type { Points } from "./figures.ts";

/** An award under the draft. */
export interface Replayed extends Settlement {
  readonly now: Points;
  /** Without its bonuses, which are records of their own. */
  readonly draft: Points;
}

/** The group of items whose food is unknown, or has none. */
const UNKNOWN_GROUP = "unknown";

/** Replays an award. Null: it has no inputs. */
export function replayAward(standing: Standing, award: PastAward, terms: Terms): Replayed | null {
  const lines = linesAgain(award, NO_RATINGS);
  if (lines === null) return null;
  const { userId, source, submissionId, body, ruleInputs } = award;
  const record = composeRecord(source, body, lines, terms);
  const settlement = settle(standing, { userId, source, submissionId, record, terms });
  const groups = groupsOf(lines, terms);
  return {
    ...settlement,
    now: pointsOf({ body, settled: ruleInputs.settled }, groups),
    draft: pointsOf(settlement.record, groups),
  };
}

const NO_RATINGS: Parameters<typeof linesAgain>[1] = new Map();

/** The group of each item, by its id. */
function groupsOf(lines: readonly ScoredLine[], { groupOf }: Terms): ReadonlyMap<string, string> {
  return new Map(
    lines.map(({ id, basis }) => {
      const { match = null } = basis ?? {};
      const foodId = match?.reference?.id ?? match?.food?.id;
      return [id, (foodId === undefined ? null : groupOf(foodId)) ?? UNKNOWN_GROUP];
    }),
  );
}

function pointsOf(
  { body, settled }: Pick<ComposedRecord, "body"> & { readonly settled?: PastAward["ruleInputs"]["settled"] },
  groups: ReadonlyMap<string, string>,
): Points {
  const byFoodGroup = new Map<string, number>();
  for (const item of body.items) {
    const group = groups.get(item.id) ?? UNKNOWN_GROUP;
    byFoodGroup.set(group, (byFoodGroup.get(group) ?? 0) + itemPoints(item));
  }
  const extras = (settled?.extras ?? []).flatMap(({ campaignId, points }) =>
    points > 0 ? [[campaignId ?? TIER_EXTRA, points] as const] : [],
  );
  return { ...NO_POINTS, points: recordTotals(body).points, byFoodGroup, byCampaign: new Map(extras) };
}

/** The name of what a tier multiplies, among the campaigns. */
const TIER_EXTRA = "(tier)";

function itemPoints({ healthPoints, carbonPoints, bonusPoints }: RecordItem): number {
  return healthPoints + carbonPoints + bonusPoints;
}

/** The moment of the acceptance, in ms since 1970. */
export function acceptedMs({ submissionId }: Pick<PastAward, "submissionId">): number {
  return timeOfId(submissionId);
}
