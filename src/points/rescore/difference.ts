// The record that books the difference of an award that was scored again.
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_AMOUNTS, bodyWithoutItems, totalPoints } from "../entry.ts";
import type { Amounts, Entry } from "../entry.ts";
import { recordTotals } from "../record.ts";
import type { ComposedRecord, RecordItem } from "../record.ts";
import { negated } from "../reversals/reversal.ts";
import { waivedOrKept } from "../reversals/waived.ts";
import type { ItemChange, PastAward } from "./rescore.ts";

/** Points of the changed items before and after. */
export function pointsOf(changes: readonly ItemChange[]): { readonly before: number; readonly after: number } {
  return {
    before: recordTotals({ items: olds(changes) }).points,
    after: recordTotals({ items: news(changes) }).points,
  };
}

/**
 * Composes the entry: each changed item is taken back under its id and credited under its new one. Points that are
 * spent already are taken into the negative, or not taken, as the application set for reversals: those that were not
 * taken before are not given again.
 */
export function differing(
  award: PastAward,
  changes: readonly ItemChange[],
  about: {
    readonly id: string;
    readonly record: ComposedRecord;
    readonly catalogueVersion: string;
    readonly reason: string;
    readonly availablePoints: number;
    readonly overdraws: boolean;
    /** Points that earlier corrections of the award have waived. */
    readonly earlierWaived: number;
  },
): Entry {
  const { id, record, catalogueVersion, reason, earlierWaived, overdraws } = about;
  const [before, after] = [recordTotals({ items: olds(changes) }), recordTotals({ items: news(changes) })];
  const amounts: Amounts = {
    ...NO_AMOUNTS,
    healthPoints: after.healthPoints - before.healthPoints,
    carbonPoints: after.carbonPoints - before.carbonPoints,
    bonusPoints: after.bonusPoints - before.bonusPoints,
    greenProducts: after.greenProducts - before.greenProducts,
    healthyProducts: after.healthyProducts - before.healthyProducts,
    co2eMg: after.co2eMg - before.co2eMg,
  };
  const otherPoints = waivedOrKept(totalPoints(amounts), earlierWaived, about);
  const { reference, timestamp, brand, logo, location, partnerType, currency } = award.body;
  const { awardItems, award: awarded, bases } = record;
  return {
    applicationId: award.applicationId,
    userId: award.userId,
    operation: OPERATION.adjust,
    status: RECORD_STATUS.completed,
    source: "manual",
    submissionId: id,
    relatedId: award.id,
    isLifetime: true,
    amounts: { ...amounts, otherPoints },
    body: {
      ...bodyWithoutItems(reference, new Date(timestamp)),
      brand,
      logo,
      location,
      partnerType,
      currency,
      items: [...olds(changes).map(negated), ...news(changes)],
      reason,
    },
    ruleUse: {
      rule: awarded.rule,
      inputs: JSON.stringify({ items: awardItems, award: awarded, bases }),
      catalogueVersion,
    },
    mayOverdraw: overdraws,
  };
}

function olds(changes: readonly ItemChange[]): RecordItem[] {
  return changes.flatMap(({ before }) => before ?? []);
}

function news(changes: readonly ItemChange[]): RecordItem[] {
  return changes.flatMap(({ after }) => after ?? []);
}
