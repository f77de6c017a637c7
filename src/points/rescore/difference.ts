// The record that books the difference of an award that was scored again.
import { bodyWithoutItems } from "../entry.ts";
import type { Entry } from "../entry.ts";
import { storedSettled } from "../extras.ts";
import { correcting } from "../item-changes.ts";
import type { Coverage } from "../waived.ts";
import { recordTotals } from "../record.ts";
import type { ComposedRecord, RecordItem } from "../record.ts";
import type { ItemChange, PastAward } from "./rescore.ts";

/** Points of the changed items before and after. */
export function pointsOf(changes: readonly ItemChange[]): { readonly before: number; readonly after: number } {
  return {
    before: recordTotals({ items: olds(changes) }).points,
    after: recordTotals({ items: news(changes) }).points,
  };
}

/** Composes the entry: each changed item is taken back under its id and credited under its new one. */
export function differing(
  award: PastAward,
  changes: readonly ItemChange[],
  about: Coverage & {
    readonly id: string;
    readonly record: ComposedRecord;
    readonly catalogueVersion: string;
    readonly reason: string;
    /** Points that earlier corrections of the award have waived. */
    readonly earlierWaived: number;
  },
): Entry {
  const { reason, ...rest } = about;
  const { reference, timestamp, brand, logo, location, partnerType, currency } = award.body;
  const purchase = { brand, logo, location, partnerType, currency };
  const body = { ...bodyWithoutItems(reference, new Date(timestamp)), ...purchase, reason };
  const evidence = about.record.settled ? { settled: storedSettled(about.record.settled) } : {};
  return correcting(award, { ...rest, taken: olds(changes), given: news(changes), body, evidence }).entry;
}

function olds(changes: readonly ItemChange[]): RecordItem[] {
  return changes.flatMap(({ before }) => before ?? []);
}

function news(changes: readonly ItemChange[]): RecordItem[] {
  return changes.flatMap(({ after }) => after ?? []);
}
