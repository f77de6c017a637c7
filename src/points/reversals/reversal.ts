// A reversal takes back what a record moved, whole or by item. Pure: records in, the entry out.
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_RULE, bodyWithoutItems, totalPoints } from "../entry.ts";
import type { Amounts, Entry } from "../entry.ts";
import { recordTotals } from "../record.ts";
import type { RecordItem } from "../record.ts";
import type { RecordRow } from "../transaction.ts";
import { waivedBy, waivedOf } from "./waived.ts";

/** The items to take back by their ids; null: all that is not taken back yet. */
export interface Reversal {
  readonly itemIds: readonly string[] | null;
  readonly reason: string;
}

export type ReversalOutcome =
  | { readonly kind: "entry"; readonly entry: Entry; readonly isWhole: boolean; readonly waivedPoints: number }
  | { readonly kind: "not reversible" }
  | { readonly kind: "already reversed" }
  | { readonly kind: "unknown items"; readonly indexes: readonly number[] };

/** The state in which a record is to be reversed. */
export interface ReversalState {
  readonly record: RecordRow;
  /** The records that reversed or corrected it so far, in order. */
  readonly later: readonly Pick<RecordRow, "body" | "operation" | "otherPoints">[];
  readonly availablePoints: number;
  /** Whether the balance may become negative. */
  readonly overdraws: boolean;
}

/** Composes the entry of a reversal. `id` (UUIDv7) is its own. */
export function reversing(state: ReversalState, reversal: Reversal, id: string): ReversalOutcome {
  const { record, later, availablePoints, overdraws } = state;
  const { operation, status } = record;
  if (operation !== OPERATION.earn && operation !== OPERATION.adjust) return { kind: "not reversible" };
  // A correction is reversed with its award, or by another correction: its items are counted there.
  if (record.relatedId !== null) return { kind: "not reversible" };
  if (status === RECORD_STATUS.reversed) return { kind: "already reversed" };
  const left = itemsLeft([record, ...later]);
  const known = new Set([record, ...later].flatMap(({ body }) => body.items.map((item) => item.id)));
  const chosen = chosenItems(known, left, reversal.itemIds);
  if (chosen.kind !== "items") return chosen;
  const items = chosen.items.map(negated);
  const isWhole = items.length === left.length;
  const totals = negatedTotals(chosen.items);
  const bonus = isWhole ? record.body.bonus : undefined;
  // Points without items go with the whole: those of an adjustment or a bonus, and what corrections have waived.
  const amounts: Amounts = {
    ...totals,
    bonusPoints: totals.bonusPoints - (bonus?.points ?? 0),
    otherPoints: isWhole ? 0 - (record.otherPoints + waivedBy(later)) : 0,
  };
  const waivedPoints = waivedOf(totalPoints(amounts), { availablePoints, overdraws });
  const { brand, logo, location, partnerType, timestamp, currency, reference } = record.body;
  const entry: Entry = {
    applicationId: record.applicationId,
    userId: record.userId,
    operation: OPERATION.reverse,
    status: RECORD_STATUS.completed,
    source: "manual",
    submissionId: id,
    relatedId: record.id,
    isLifetime: record.isLifetime,
    amounts: { ...amounts, otherPoints: amounts.otherPoints + waivedPoints },
    body: {
      ...bodyWithoutItems(reference, new Date(timestamp)),
      brand,
      logo,
      location,
      partnerType,
      currency,
      totalAmountMinor: -chosen.items.reduce((sum, item) => sum + (item.amountMinor ?? 0), 0),
      items,
      ...(bonus && { bonus: { ...bonus, points: 0 - bonus.points } }),
      reason: reversal.reason,
    },
    ruleUse: NO_RULE,
    mayOverdraw: overdraws,
  };
  return { kind: "entry", entry, isWhole, waivedPoints };
}

type Chosen =
  | { readonly kind: "items"; readonly items: readonly RecordItem[] }
  | { readonly kind: "already reversed" }
  | { readonly kind: "unknown items"; readonly indexes: readonly number[] };

/**
 * The items that a record and the records after it leave credited. A later record has an item again to take it back,
 * and items of new ids to credit them.
 */
export function itemsLeft(records: readonly Pick<RecordRow, "body">[]): RecordItem[] {
  const left = new Map<string, RecordItem>();
  for (const item of records.flatMap(({ body }) => body.items)) {
    if (!left.delete(item.id)) left.set(item.id, item);
  }
  return [...left.values()];
}

function chosenItems(known: ReadonlySet<string>, left: readonly RecordItem[], itemIds: Reversal["itemIds"]): Chosen {
  if (itemIds === null) return { kind: "items", items: left };
  const indexes = itemIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (indexes.length > 0) return { kind: "unknown items", indexes };
  const wanted = new Set(itemIds);
  const items = left.filter(({ id }) => wanted.has(id));
  return items.length < wanted.size ? { kind: "already reversed" } : { kind: "items", items };
}

function negatedTotals(items: readonly RecordItem[]): Omit<Amounts, "otherPoints"> {
  const { healthPoints, carbonPoints, bonusPoints, greenProducts, healthyProducts, co2eMg } = recordTotals({ items });
  return {
    healthPoints: 0 - healthPoints,
    carbonPoints: 0 - carbonPoints,
    bonusPoints: 0 - bonusPoints,
    greenProducts: 0 - greenProducts,
    healthyProducts: 0 - healthyProducts,
    co2eMg: 0 - co2eMg,
  };
}

/** The item with its points and CO2e taken back. Ratings, quantity and price stay as they were. */
export function negated(item: RecordItem): RecordItem {
  const { healthPoints, carbonPoints, bonusPoints, co2eMg } = item;
  return {
    ...item,
    healthPoints: 0 - healthPoints,
    carbonPoints: 0 - carbonPoints,
    bonusPoints: 0 - bonusPoints,
    co2eMg: 0 - co2eMg,
  };
}
