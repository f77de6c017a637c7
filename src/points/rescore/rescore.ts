// Scores an award again: the same items under another rule, or the foods of now. Pure: stored inputs in, the difference
// out. An award never changes; its difference is a record of its own, so what is left of it counts as before.
import type { ItemInput, ItemResult } from "../../foods/lookup/item-rater.ts";
import type { Source } from "../award.ts";
import { OPERATION } from "../codes.ts";
import type { Operation } from "../codes.ts";
import type { ExplainedRow } from "../explanation.ts";
import { itemsLeft } from "../item-changes.ts";
import { cutRecord } from "../extras.ts";
import { composeRecord, recordTotals } from "../record.ts";
import type { ComposedRecord, ExcludedRecordItem, RecordBody, RecordItem } from "../record.ts";
import { scoredLine } from "../scored-line.ts";
import type { ExclusionReason, ScoredLine } from "../scored-line.ts";
import { settledAgain } from "../settlement/settle.ts";
import type { Terms } from "../terms.ts";
import { waivedBy } from "../waived.ts";

/** An award with the inputs of its rule. */
export interface PastAward {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  /** The id of its rule. */
  readonly rule: string;
  readonly body: RecordBody;
  readonly ruleInputs: ExplainedRow["ruleInputs"];
  /** What was sent of each item of a meal or food, in order; null for receipts, and where it is not stored. */
  readonly sent: readonly SentItem[] | null;
}

/** The members of a submitted item that the inputs of an award lack. */
export interface SentItem {
  readonly nutrition: ItemInput["nutrition"];
  readonly merchant: string | null;
}

/** A later record of an award: a reversal, a correction, or an earlier difference. */
export interface LaterRecord {
  readonly relatedId: string;
  readonly operation: Operation;
  readonly isReversed: boolean;
  readonly otherPoints: number;
  /** A person corrected the receipt. Also a correction that only took items away must stay. */
  readonly isCorrection: boolean;
  readonly body: RecordBody;
}

/** One item before and after; null: it earned nothing. Both have the id under which they are credited. */
export interface ItemChange {
  readonly before: RecordItem | null;
  readonly after: RecordItem | null;
}

/** Why an award stays as it is. */
export type Skipped = "reversed" | "corrected" | "without inputs";

/** An award that was scored again. `changes` is empty where nothing differs. */
export interface Rescored {
  readonly award: PastAward;
  readonly changes: readonly ItemChange[] | Skipped;
}

/**
 * The items of an award that can be rated again: looked up at that time. One with nutrition of the integrator needs the
 * submission, since the inputs have only the names of these figures.
 */
export function itemsToRateAgain({ body, ruleInputs, sent }: PastAward): ReadonlyMap<string, ItemInput> {
  const items = (ruleInputs.bases ?? []).flatMap(({ itemId, basis }): [string, ItemInput][] => {
    if (basis === null) return [];
    const { foodId, name, weight, unit, quantity } = basis.input;
    const { nutrition = null, merchant = null } = sent?.[Number(/-(\d+)$/.exec(itemId)?.[1] ?? 0) - 1] ?? {};
    if (nutrition === null && basis.input.nutrition.length > 0) return [];
    const merchants = [merchant ?? body.brand].filter((each) => each !== "");
    return [[itemId, { foodId: foodId === "" ? null : foodId, name, weight, unit, quantity, nutrition, merchants }]];
  });
  return new Map(items);
}

/**
 * Composes the record that an award would be under `terms`, without limits of time. Items without a rating in
 * `ratings` keep the stored one. Tier and campaigns are those of its booking. Null: the award has no inputs.
 */
export function scoredAgain(
  award: PastAward,
  ratings: ReadonlyMap<string, ItemResult>,
  terms: Terms,
): ComposedRecord | null {
  const lines = linesAgain(award, ratings);
  if (lines === null) return null;
  const { source, submissionId, body, ruleInputs } = award;
  const record = composeRecord(source, body, lines, terms);
  return settledAgain({ source, submissionId, record, terms }, ruleInputs.settled);
}

/**
 * The lines of an award as they were scored. Items without a rating in `ratings` keep the stored one, also where its
 * rule or programme left them out: another one may not. Null: the award has no inputs.
 */
export function linesAgain(
  { body, ruleInputs }: Pick<PastAward, "body" | "ruleInputs">,
  ratings: ReadonlyMap<string, ItemResult>,
): ScoredLine[] | null {
  const { items: awardItems, bases } = ruleInputs;
  if (!awardItems || !bases || awardItems.length !== bases.length) return null;
  const facts = new Map<string, RecordItem | ExcludedRecordItem>();
  for (const item of [...body.items, ...body.excludedItems]) facts.set(item.id, item);
  const lines: ScoredLine[] = [];
  for (const [i, { itemId, basis }] of bases.entries()) {
    const item = facts.get(itemId);
    if (!item) return null;
    const { soldByWeight, massMg, confidence, kind } = awardItems[i]!;
    const rating = ratings.get(itemId);
    const kept = { ...item, soldByWeight, massMg, ...(basis && { basis }) };
    if (rating && rating.kind !== "incomplete") lines.push(scoredLine({ ...item, soldByWeight }, rating));
    else if (!("exclusionReason" in kept)) {
      lines.push({ ...kept, exclusionReason: null, confidence, plainWater: kind === "ignored" });
    } else lines.push(ratedLine(kept) ?? kept);
  }
  return lines;
}

/** What a rule or programme leaves out though it is rated (`composeRecord`). */
const LEFT_OUT: readonly ExclusionReason[] = ["LOW_CONFIDENCE", "NOT_ELIGIBLE"];

/** An excluded line with the rating that its evidence has; null: it was not rated, or is left out by any rule. */
function ratedLine(line: Extract<ScoredLine, { exclusionReason: ExclusionReason }>): ScoredLine | null {
  const { rated = null, match = null } = line.basis ?? {};
  if (rated === null || !LEFT_OUT.includes(line.exclusionReason)) return null;
  const { carbon, health, isWater } = rated;
  return {
    ...line,
    exclusionReason: null,
    confidence: match?.confidence ?? 0,
    plainWater: isWater,
    healthRating: health.rating,
    carbonRating: carbon.rating,
    co2eMg: carbon.co2eMg,
    carbonDataSource: carbon.source,
  };
}

/**
 * Reduces a record to its day, week and month. The limits of now, which leave it `now` points, keep it from rising, and
 * the limit that reduced it at that time still does; a limit takes nothing of what was awarded.
 */
export function withinPast(award: PastAward, record: ComposedRecord, now: number): ComposedRecord {
  const { dayCut } = award.ruleInputs;
  const then = !dayCut ? Infinity : dayCut.limit.startsWith("meals_") ? 0 : Math.max(0, dayCut.max - dayCut.used);
  return cutRecord(Math.max(Math.min(now, then), recordTotals(award.body).points), record);
}

/**
 * Returns the items whose points, ratings or CO2e differ between what is left of an award and its record of now. What a
 * person took back, or corrected, stays as they decided. `later`: the records of the award, in order.
 */
export function changesOf(
  award: PastAward,
  later: readonly LaterRecord[],
  record: ComposedRecord,
): ItemChange[] | Skipped {
  const left = itemsLeft([award, ...later]);
  // By the records themselves, which the caller reads again under the user's lock.
  if (left.length === 0 && later.at(-1)?.operation === OPERATION.reverse) return "reversed";
  const own = new Set(record.bases.map(({ itemId }) => itemId));
  const isForeign = left.some(({ id }) => !own.has(firstId(id)));
  if (isForeign || later.some(({ isReversed, isCorrection }) => isReversed || isCorrection)) return "corrected";
  const before = new Map(left.map((item) => [firstId(item.id), item]));
  const after = new Map(record.body.items.map((item) => [item.id, item]));
  const takenBack = new Set(
    later
      .filter(({ operation }) => operation === OPERATION.reverse)
      .flatMap(({ body }) => body.items.map(({ id }) => firstId(id)))
      .filter((id) => !before.has(id)),
  );
  return [...own].flatMap((id): ItemChange[] => {
    const [old = null, item = null] = [before.get(id), after.get(id)];
    if (takenBack.has(id) || isSame(old, item)) return [];
    // A new id: the old one is taken back by the same record.
    const renamed = item && { ...item, id: `${id}~${later.length + 1}` };
    return [{ before: old, after: renamed }];
  });
}

/** The points that count for an award in its periods: its own, and those of the differences and corrections of it. */
export function countedPoints(award: PastAward, later: readonly LaterRecord[]): number {
  const adjusting = later.filter(({ operation }) => operation === OPERATION.adjust);
  return [award, ...adjusting].reduce((sum, { body }) => sum + recordTotals(body).points, waivedBy(later));
}

/** The id of an item in the award, without the number of its version. */
export function firstId(id: string): string {
  return id.replace(/~\d+$/, "");
}

function isSame(a: RecordItem | null, b: RecordItem | null): boolean {
  if (a === null || b === null) return a === b;
  const points = ["healthPoints", "carbonPoints", "bonusPoints"] as const;
  const members = [...points, "healthRating", "carbonRating", "co2eMg", "matchedName"] as const;
  return members.every((member) => a[member] === b[member]);
}
