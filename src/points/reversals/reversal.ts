// A reversal takes back what a record moved, whole or by item. Pure: records in, the entry out.
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_RULE, bodyWithoutItems } from "../entry.ts";
import type { Entry } from "../entry.ts";
import { amountsMoved, itemsLeft, itemsMoved } from "../item-changes.ts";
import type { Coverage } from "../waived.ts";
import type { RecordItem } from "../record.ts";
import type { RecordRow } from "../transaction.ts";
import { waivedBy } from "../waived.ts";

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
export interface ReversalState extends Coverage {
  readonly record: RecordRow;
  /** The records that reversed or corrected it so far, in order. */
  readonly later: readonly Pick<RecordRow, "body" | "operation" | "otherPoints">[];
}

/** Composes the entry of a reversal. `id` (UUIDv7) is its own. */
export function reversing(state: ReversalState, reversal: Reversal, id: string): ReversalOutcome {
  const { record, later } = state;
  const { operation, status } = record;
  if (operation !== OPERATION.earn && operation !== OPERATION.adjust) return { kind: "not reversible" };
  // A correction is reversed with its award, or by another correction: its items are counted there.
  if (record.relatedId !== null) return { kind: "not reversible" };
  if (status === RECORD_STATUS.reversed) return { kind: "already reversed" };
  const left = itemsLeft([record, ...later]);
  const known = new Set([record, ...later].flatMap(({ body }) => body.items.map((item) => item.id)));
  const chosen = chosenItems(known, left, reversal.itemIds);
  if (chosen.kind !== "items") return chosen;
  const isWhole = chosen.items.length === left.length;
  const change = { taken: chosen.items, given: [] };
  const bonus = isWhole ? record.body.bonus : undefined;
  // Points without items go with the whole: those of an adjustment or a bonus, and what corrections have waived.
  const { amounts, waivedPoints } = amountsMoved(change, state, {
    bonusPoints: 0 - (bonus?.points ?? 0),
    otherPoints: isWhole ? 0 - (record.otherPoints + waivedBy(later)) : 0,
  });
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
    amounts,
    body: {
      ...bodyWithoutItems(reference, new Date(timestamp)),
      brand,
      logo,
      location,
      partnerType,
      currency,
      totalAmountMinor: -chosen.items.reduce((sum, item) => sum + (item.amountMinor ?? 0), 0),
      items: itemsMoved(change),
      ...(bonus && { bonus: { ...bonus, points: 0 - bonus.points } }),
      reason: reversal.reason,
    },
    ruleUse: NO_RULE,
    mayOverdraw: state.overdraws,
  };
  return { kind: "entry", entry, isWhole, waivedPoints };
}

type Chosen =
  | { readonly kind: "items"; readonly items: readonly RecordItem[] }
  | { readonly kind: "already reversed" }
  | { readonly kind: "unknown items"; readonly indexes: readonly number[] };

function chosenItems(known: ReadonlySet<string>, left: readonly RecordItem[], itemIds: Reversal["itemIds"]): Chosen {
  if (itemIds === null) return { kind: "items", items: left };
  const indexes = itemIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (indexes.length > 0) return { kind: "unknown items", indexes };
  const wanted = new Set(itemIds);
  const items = left.filter(({ id }) => wanted.has(id));
  return items.length < wanted.size ? { kind: "already reversed" } : { kind: "items", items };
}
