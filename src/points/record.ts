// Composes the record of one submission: scored lines in, the body of the record out, with the points of each item. The
// body has only values that cannot be derived; totals, unit prices and the shown form are computed from it.
import type { RatingEvidence } from "../foods/rating/evidence.ts";
import { award, cutTo, isAccepted } from "./award.ts";
import type { Award, AwardItem, PointsRule, Source } from "./award.ts";
import type { PartnerType } from "./codes.ts";
import type { Settled } from "./extras.ts";
import type { LimitCut } from "./limits/limits.ts";
import type { Bonus, Reward } from "./schema.ts";
import { EXCLUSION_REASONS } from "./scored-line.ts";
import type { ExclusionReason, ItemFacts, ItemRatings, ScoredLine } from "./scored-line.ts";
import { DEFAULT_TERMS } from "./terms.ts";
import type { Terms } from "./terms.ts";

/** An item that earns points. */
export interface RecordItem extends ItemFacts, ItemRatings {
  readonly healthPoints: number;
  readonly carbonPoints: number;
  readonly bonusPoints: number;
}

/** An item that earns nothing, with the reason. */
export interface ExcludedRecordItem extends ItemFacts {
  readonly exclusionReason: ExclusionReason;
}

/** The purchase or meal as a whole. */
export interface RecordHead {
  /** The integrator's reference. */
  readonly reference: string;
  /** The merchant's name, its logo's address, and the place; "" when unknown. */
  readonly brand: string;
  readonly logo: string;
  readonly location: string;
  readonly partnerType: PartnerType;
  /** When it was bought or eaten, RFC 3339 in UTC with milliseconds. */
  readonly timestamp: string;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly totalAmountMinor: number;
}

/** The stored JSON of a record: plain data, no totals. */
export interface RecordBody extends RecordHead {
  readonly items: readonly RecordItem[];
  readonly excludedItems: readonly ExcludedRecordItem[];
  /** The reward that a record redeems or refunds, as it was then. */
  readonly reward?: Reward;
  readonly bonus?: RecordBonus;
  /** Why a person or program moved points: of an adjustment, a bonus, a reversal, a correction. */
  readonly reason?: string;
}

/** The bonus of a record, or of its reversal. Names of the related user are not stored: they can be erased there. */
export interface RecordBonus {
  readonly type: Bonus["type"];
  /** The id of a user of the application; "" without one. */
  readonly profileId: string;
  /** Those of no item; negative where a reversal takes them back. */
  readonly points: number;
}

/** The evidence for the rating of one item. */
export interface ItemBasis {
  readonly itemId: string;
  /** Null when nothing was looked up. */
  readonly basis: RatingEvidence | null;
}

/** A total below the programme's minimum, in minor units: the receipt earns nothing. */
export interface SpendCut {
  readonly minimumMinor: number;
  /** Points that it would have earned. */
  readonly uncutPoints: number;
}

/** The body to store, with the inputs of the rule and its result, in the order of the lines. */
export interface ComposedRecord {
  readonly body: RecordBody;
  readonly awardItems: readonly AwardItem[];
  readonly award: Award;
  readonly bases: readonly ItemBasis[];
  /** Present when a limit of a day, week or month reduced the points. */
  readonly dayCut?: LimitCut;
  readonly spendCut?: SpendCut;
  /** Present under a programme with tiers or campaigns, once it is settled. */
  readonly settled?: Settled;
}

/**
 * Awards the lines of one submission and composes the body of its record. Both lists keep the order of the lines. A
 * rated line is excluded here if the rule does not accept its match, or the terms do not let it earn.
 */
export function composeRecord(
  source: Source,
  head: RecordHead,
  lines: readonly ScoredLine[],
  terms: Terms = DEFAULT_TERMS,
): ComposedRecord {
  const accepted = lines.map((line) => excludeIneligible(excludeUncertain(line, terms.rule), head, terms));
  const awardItems = accepted.map(awardItem);
  const uncut = award(source, awardItems, terms.rule);
  const spendCut = source === "receipt" ? spendCutOf(head, uncut, terms) : null;
  const awarded = spendCut ? cutTo(0, uncut) : uncut;
  const items: RecordItem[] = [];
  const excludedItems: ExcludedRecordItem[] = [];
  for (const [index, line] of accepted.entries()) {
    if (line.exclusionReason !== null) {
      excludedItems.push({ ...itemFacts(line), exclusionReason: line.exclusionReason });
      continue;
    }
    const { healthRating, carbonRating, co2eMg, carbonDataSource } = line;
    const { healthPoints = 0, carbonPoints = 0 } = awarded.items[index] ?? {};
    items.push({
      ...itemFacts(line),
      healthRating,
      carbonRating,
      co2eMg,
      carbonDataSource,
      healthPoints,
      carbonPoints,
      bonusPoints: 0,
    });
  }
  const bases = lines.map(({ id, basis }) => ({ itemId: id, basis: basis ?? null }));
  const body = { ...recordHead(head), items, excludedItems };
  return { body, awardItems, award: awarded, bases, ...(spendCut && { spendCut }) };
}

/** Replaces the points of a record by those of another award of the same lines. */
export function withAward(record: ComposedRecord, awarded: Award): ComposedRecord {
  const awards = new Map(record.bases.map(({ itemId }, index) => [itemId, awarded.items[index]!]));
  const items = record.body.items.map((item): RecordItem => {
    const { healthPoints, carbonPoints } = awards.get(item.id)!;
    return { ...item, healthPoints, carbonPoints };
  });
  return { ...record, body: { ...record.body, items }, award: awarded };
}

/** Sums over the items that earn points. Products are items rated A or B, whatever their number of pieces. */
export interface RecordTotals {
  readonly points: number;
  readonly healthPoints: number;
  readonly carbonPoints: number;
  readonly bonusPoints: number;
  readonly greenProducts: number;
  readonly healthyProducts: number;
  readonly co2eMg: number;
}

/** Computes the totals of a record from its items. */
export function recordTotals({ items }: Pick<RecordBody, "items">): RecordTotals {
  const healthPoints = sum(items, (item) => item.healthPoints);
  const carbonPoints = sum(items, (item) => item.carbonPoints);
  const bonusPoints = sum(items, (item) => item.bonusPoints);
  return {
    points: healthPoints + carbonPoints + bonusPoints,
    healthPoints,
    carbonPoints,
    bonusPoints,
    greenProducts: items.filter((item) => item.carbonRating <= 2).length,
    healthyProducts: items.filter((item) => item.healthRating <= 2).length,
    co2eMg: sum(items, (item) => item.co2eMg),
  };
}

function excludeUncertain(line: ScoredLine, rule: PointsRule): ScoredLine {
  if (line.exclusionReason !== null || isAccepted(line.confidence, rule)) return line;
  const { soldByWeight, massMg } = line;
  return { ...itemFacts(line), soldByWeight, massMg, exclusionReason: "LOW_CONFIDENCE" };
}

function excludeIneligible(line: ScoredLine, head: RecordHead, { isEligible }: Terms): ScoredLine {
  if (line.exclusionReason !== null || isEligible === null || isEligible(line, head)) return line;
  const { soldByWeight, massMg } = line;
  return { ...itemFacts(line), soldByWeight, massMg, exclusionReason: "NOT_ELIGIBLE" };
}

/** The cut of a receipt below the minimum of its currency; null: it reaches it, there is none, or nothing to cut. */
function spendCutOf(head: RecordHead, { totalPoints }: Award, { minimumSpend }: Terms): SpendCut | null {
  const minimumMinor = minimumSpend.get(head.currency) ?? 0;
  if (head.totalAmountMinor >= minimumMinor || totalPoints === 0) return null;
  return { minimumMinor, uncutPoints: totalPoints };
}

function awardItem(line: ScoredLine): AwardItem {
  const { quantity, soldByWeight, massMg } = line;
  const amount = { quantity, soldByWeight, massMg };
  if (line.exclusionReason !== null) {
    const kind = EXCLUSION_REASONS[line.exclusionReason];
    return { kind, healthRating: null, carbonRating: null, confidence: 0, ...amount };
  }
  const { healthRating, carbonRating, confidence } = line;
  return { kind: line.plainWater ? "ignored" : "rated", healthRating, carbonRating, confidence, ...amount };
}

// Member by member, so that no other member of a caller's object is stored.
function itemFacts(line: ItemFacts): ItemFacts {
  const { id, externalId, name, cleanedName, imageUrl, quantity, amountMinor, matchedName } = line;
  return { id, externalId, name, cleanedName, imageUrl, quantity, amountMinor, matchedName };
}

function recordHead(head: RecordHead): RecordHead {
  const { reference, brand, logo, location, partnerType, timestamp, currency, totalAmountMinor } = head;
  return { reference, brand, logo, location, partnerType, timestamp, currency, totalAmountMinor };
}

/** Exact: a line has at most 10^13 mg of CO2e (MASS_MG_MAX), and a record a few hundred lines. */
function sum<Each>(items: readonly Each[], integer: (item: Each) => number): number {
  return items.reduce((total, item) => total + integer(item), 0);
}
