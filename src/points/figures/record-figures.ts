// What a record adds to the daily figures of its application. Pure: the same for a record that is booked, one that is
// read to compute the figures again, and one whose content an erasure removes.
//
// Points are as the ledger moves them, so that all figures of points together are what users can spend. Items and shops
// are counted as they were first credited: a correction or a reversal changes points and CO2e, and not these.
import type { Figures } from "../../reports/figures/collected.ts";
import { DAY_MS } from "../../time.ts";
import { BONUS_TYPE, OPERATION } from "../codes.ts";
import type { Operation } from "../codes.ts";
import type { Amounts, RecordSource } from "../entry.ts";
import type { Extra } from "../extras.ts";
import type { ItemBasis, RecordBody } from "../record.ts";

/** What figures need of a record. */
export interface CountedRecord {
  readonly operation: Operation;
  readonly source: RecordSource;
  readonly relatedId: string | null;
  readonly createdAt: Date;
  readonly amounts: Amounts;
  /** Without members once it is erased. */
  readonly body: Partial<RecordBody>;
  /** Evidence of its items, of an award. */
  readonly bases: readonly ItemBasis[];
  /** What the tier and campaigns gave, of an award. */
  readonly extras: readonly Pick<Extra, "campaignId" | "points">[];
  /** Whether it is (a part of) an opening balance. */
  readonly isOpening: boolean;
}

const BONUS_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(BONUS_TYPE).map(([name, code]) => [code, name]),
);
/** Of a bonus whose content was erased. */
const UNKNOWN = "unknown";

/** Whether a record credits a receipt, meal or food. A bonus earns too, and does not. */
export function isAwardOfSubmission({ operation, source }: Pick<CountedRecord, "operation" | "source">): boolean {
  return operation === OPERATION.earn && source !== "manual";
}

/**
 * Adds a record to the figures of its day. `lastAwardAt` is the time of the user's award before it: of all awards of a
 * user in a day, week or month the first one counts the user.
 */
export function countRecord(figures: Figures, record: CountedRecord, lastAwardAt: Date | null): void {
  const { amounts, source, body } = record;
  const { healthPoints, carbonPoints, bonusPoints, otherPoints } = amounts;
  const points = healthPoints + carbonPoints + bonusPoints + otherPoints;
  figures.add("impact.co2e", amounts.co2eMg);
  figures.add("impact.green", amounts.greenProducts);
  figures.add("impact.healthy", amounts.healthyProducts);
  if (!isAwardOfSubmission(record)) {
    figures.add(`points.${causeOf(record)}`, points);
    return;
  }
  figures.add(`award.${source}`, 1);
  figures.add(`points.health.${source}`, healthPoints);
  figures.add(`points.climate.${source}`, carbonPoints);
  figures.add(`points.extra.${source}`, bonusPoints);
  for (const { campaignId, points: given } of record.extras) {
    if (campaignId === null || given === 0) continue;
    figures.add(`campaign.awards.${campaignId}`, 1);
    figures.add(`campaign.points.${campaignId}`, given);
  }
  countActive(figures, record.createdAt, lastAwardAt);
  countItems(figures, record);
  if (source === "receipt" && body.items) countShop(figures, body.brand ?? "", body.items);
}

const CAUSES: Readonly<Partial<Record<Operation, string>>> = {
  [OPERATION.redeem]: "redeemed",
  [OPERATION.refund]: "refunded",
  [OPERATION.expire]: "expired",
  [OPERATION.reverse]: "reversed",
};

function causeOf({ operation, relatedId, isOpening, body }: CountedRecord): string {
  if (operation === OPERATION.earn) return `bonus.${(body.bonus && BONUS_NAMES.get(body.bonus.type)) ?? UNKNOWN}`;
  const cause = CAUSES[operation];
  if (cause !== undefined) return cause;
  if (relatedId !== null) return "corrected";
  return isOpening ? "opening" : "adjusted";
}

function countActive(figures: Figures, at: Date, last: Date | null): void {
  for (const [name, startOf] of PERIODS) if (last === null || startOf(last) !== startOf(at)) figures.add(name, 1);
}

/** 1970-01-01 was a Thursday: weeks begin on Monday, three days before. */
const WEEK_SHIFT_DAYS = 3;
const dayNumber = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
const PERIODS: readonly (readonly [figure: string, startOf: (at: Date) => number])[] = [
  ["active.day", dayNumber],
  ["active.week", (at) => Math.floor((dayNumber(at) + WEEK_SHIFT_DAYS) / 7)],
  ["active.month", (at) => 12 * at.getUTCFullYear() + at.getUTCMonth()],
];

function countItems(figures: Figures, { source, body, bases }: CountedRecord): void {
  const { items = [], excludedItems = [] } = body;
  figures.add(`rated.${source}`, items.length);
  for (const { exclusionReason } of excludedItems) figures.add(`left.${source}.${exclusionReason}`, 1);
  if (items.length === 0) return;
  const foods = new Map(bases.map(({ itemId, basis }) => [itemId, foodOf(basis)]));
  for (const { id, healthRating, carbonRating } of items) {
    figures.add(`item.${foods.get(id) ?? ""}.${healthRating}${carbonRating}`, 1);
  }
}

/** The food of the catalogue that an item is, or that its product refers to; "" without one. */
function foodOf(basis: ItemBasis["basis"]): string {
  const match = basis?.match;
  return match?.reference?.id ?? (match?.product ? "" : (match?.food?.id ?? ""));
}

function countShop(figures: Figures, shop: string, items: RecordBody["items"]): void {
  figures.add(`shop.receipts.${shop}`, 1);
  figures.add(`shop.items.${shop}`, items.length);
  figures.add(`shop.green.${shop}`, items.filter(({ carbonRating }) => carbonRating <= 2).length);
  figures.add(
    `shop.co2e.${shop}`,
    items.reduce((sum, { co2eMg }) => sum + co2eMg, 0),
  );
}
