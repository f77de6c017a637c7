// A correction of a receipt that was misread. Pure: the lines so far and the changes in, the lines of the corrected
// receipt out.
import type { Language } from "../../foods/catalogue/catalogue.ts";
import type { ItemRater } from "../../foods/lookup/item-rater.ts";
import { toMinor } from "../../points/money.ts";
import type { RecordItem } from "../../points/record.ts";
import { firstId } from "../../points/rescore/rescore.ts";
import { scoredLine } from "../../points/scored-line.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import type { Errors } from "../../problems.ts";
import type { ReceiptErrorCode } from "../../webhooks/event.ts";

/** Failures that a wrong reading may have caused. */
const CORRECTABLE_ERRORS: readonly (string | null)[] = [
  "MERCHANT_NAME_NOT_FOUND",
  "NO_VALID_FOOD_ITEMS",
  "NOT_AUTHENTIC",
] satisfies ReceiptErrorCode[];

/** Whether a correction could change what a receipt earns: it was read, and is credited or failed by that. */
export function isCorrectable(stage: string, errorCode: string | null, reading: object | undefined): boolean {
  return reading !== undefined && (stage === "Completed" || CORRECTABLE_ERRORS.includes(errorCode));
}

/** Of a receipt, as it is read (`LINES_MAX` of ocr/read-page.ts). Each correction stores all lines. */
export const LINES_MAX = 500;

export const LINE_UNITS = ["piece", "kg", "l"] as const;
type LineUnit = (typeof LINE_UNITS)[number];

/** What becomes of one line. Members that are absent stay as they are. */
export interface LineChange {
  /** An existing line; absent: a new one. */
  readonly id?: string;
  readonly remove?: boolean;
  readonly notFood?: boolean;
  /** The food in words. */
  readonly name?: string;
  readonly foodId?: string;
  readonly quantity?: number;
  /** Of the quantity. */
  readonly unit?: LineUnit;
  /** Price of the line, in major units. */
  readonly totalPrice?: number;
}

/** A correction as the integrator sends it. */
export interface Correction {
  readonly reason: string;
  readonly merchantName?: string;
  readonly transactionTimestamp?: string;
  readonly totalAmount?: number;
  readonly items?: readonly LineChange[];
  /** Open disputes of the receipt that this correction accepts. */
  readonly disputeIds?: readonly string[];
}

export interface ChangeContext {
  readonly currency: string;
  /** Names of the merchant, best first. */
  readonly merchants: readonly string[];
  /** What the shop's goods are named in, where the receipt says so. */
  readonly language?: Language | null;
  readonly rate: ItemRater["rate"];
  /** Id of the correction: those of changed lines begin with it. */
  readonly correctionId: string;
}

/** Checks what a schema cannot: which members of a change go together. Returns the errors by path. */
export function correctionErrors(correction: Correction): Errors {
  const errors: Errors = {};
  const { merchantName, transactionTimestamp, totalAmount, items } = correction;
  if ([merchantName, transactionTimestamp, totalAmount, items].every((member) => member === undefined)) {
    errors["body"] = ["has nothing to correct: merchantName, transactionTimestamp, totalAmount or items"];
  }
  const seen = new Set<string>();
  for (const [index, change] of (items ?? []).entries()) {
    const message = changeError(change, seen);
    if (message !== null) errors[`items[${index}]`] = [message];
  }
  return errors;
}

function changeError(change: LineChange, seen: Set<string>): string | null {
  const { id, remove = false, notFood = false, ...facts } = change;
  const hasFacts = Object.values(facts).some((fact) => fact !== undefined);
  if (id === undefined) {
    if (remove) return "a new line cannot be removed";
    return facts.name === undefined || facts.quantity === undefined || facts.totalPrice === undefined
      ? "a new line needs name, quantity and totalPrice"
      : null;
  }
  if (seen.has(id)) return "names a line twice";
  seen.add(id);
  if (remove && (notFood || hasFacts)) return "a line that is removed has no other changes";
  if (notFood && (facts.name !== undefined || facts.foodId !== undefined)) return "is either a food or not a food";
  return remove || notFood || hasFacts ? null : "changes nothing";
}

/** The items to look up before the lines are changed. */
export function namesToLookUp(lines: readonly ScoredLine[], { items = [] }: Correction) {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return items.map(({ id, name, foodId }) => {
    // An award that was scored again has its items under the ids of their versions.
    const line = id === undefined ? undefined : (byId.get(id) ?? byId.get(firstId(id)));
    return { name: name ?? line?.name ?? "", foodId: foodId ?? (name === undefined ? foodIdOf(line) : null) };
  });
}

/** Applies the changes to the lines. Returns an error for each change that names no line, or if there are too many. */
export function changedLines(
  lines: readonly ScoredLine[],
  changes: readonly LineChange[],
  context: ChangeContext,
): { readonly lines: ScoredLine[] } | { readonly errors: Errors } {
  const known = new Set(lines.map(({ id }) => id));
  const errors: Errors = {};
  for (const [index, { id }] of changes.entries()) {
    if (id !== undefined && !known.has(id)) errors[`items[${index}].id`] = ["names no line of this receipt"];
  }
  if (Object.keys(errors).length > 0) return { errors };
  const byId = new Map(changes.map((change, index) => [change.id, { change, index }]));
  const kept = lines.flatMap((line) => {
    const found = byId.get(line.id);
    if (!found) return [line];
    return found.change.remove ? [] : [changedLine(line, found.change, newItemId(context, found.index), context)];
  });
  const added = changes.flatMap((change, index) =>
    change.id === undefined ? [changedLine(null, change, newItemId(context, index), context)] : [],
  );
  if (kept.length + added.length > Math.max(LINES_MAX, lines.length)) {
    return { errors: { items: [`leave the receipt with more than ${LINES_MAX} lines`] } };
  }
  return { lines: [...kept, ...added] };
}

function newItemId({ correctionId }: Pick<ChangeContext, "correctionId">, index: number): string {
  return `${correctionId}-${index + 1}`;
}

/** Rates a line again after a change, or for the first time. */
function changedLine(line: ScoredLine | null, change: LineChange, id: string, context: ChangeContext): ScoredLine {
  const unit = change.unit ?? unitOf(line);
  const soldByWeight = unit !== "piece";
  const quantity = change.quantity ?? line?.quantity ?? 1;
  const name = change.name ?? line?.name ?? "";
  const facts = {
    id,
    externalId: change.foodId ?? line?.externalId ?? "",
    name,
    cleanedName: change.name ?? line?.cleanedName ?? name,
    imageUrl: line?.imageUrl ?? "",
    quantity,
    amountMinor:
      change.totalPrice === undefined ? (line?.amountMinor ?? 0) : toMinor(change.totalPrice, context.currency),
    soldByWeight,
  };
  const excluded = { ...facts, matchedName: "", massMg: null };
  if (change.notFood) return { ...excluded, exclusionReason: "NON_FOOD" };
  if (facts.amountMinor < 0) return { ...excluded, exclusionReason: "REFUND" };
  const foodId = change.foodId ?? (change.name === undefined ? foodIdOf(line) : null);
  const sold = soldByWeight ? { weight: quantity, unit, quantity: 1 } : { weight: null, unit: null, quantity };
  const { merchants, language = null, rate } = context;
  const rating = rate({ foodId, name, ...sold, nutrition: null, merchants, language }, "receipt");
  if (rating.kind !== "incomplete") return scoredLine(facts, rating);
  return { ...excluded, exclusionReason: "NO_MATCH", ...(rating.basis && { basis: rating.basis }) };
}

/** The food that an earlier correction has given the line; null: it was found by its name. */
function foodIdOf(line: ScoredLine | null | undefined): string | null {
  return line?.externalId ? line.externalId : null;
}

/** The unit of a line's quantity. */
export function unitOf(line: ScoredLine | null): LineUnit {
  if (!line?.soldByWeight) return "piece";
  const unit = line.basis?.input.unit ?? "kg";
  return unit === "l" || unit === "ml" ? "l" : "kg";
}

/** The members that make an item another one: they decide what it is worth, or what it is. */
const ITEM_MEMBERS = [
  "healthPoints",
  "carbonPoints",
  "bonusPoints",
  "co2eMg",
  "healthRating",
  "carbonRating",
  "quantity",
  "amountMinor",
  "matchedName",
] as const satisfies readonly (keyof RecordItem)[];

/** What a record of a correction takes back and adds. */
export interface ItemDifference {
  readonly removed: readonly RecordItem[];
  /** The ids of items that have changed without being corrected: their points depend on the others'. */
  readonly changedIds: readonly string[];
  readonly added: readonly RecordItem[];
}

/** Compares the items that are credited with those that should be. */
export function itemDifference(credited: readonly RecordItem[], wanted: readonly RecordItem[]): ItemDifference {
  const wantedById = new Map(wanted.map((item) => [item.id, item]));
  const isKept = (item: RecordItem) => {
    const other = wantedById.get(item.id);
    return other !== undefined && ITEM_MEMBERS.every((member) => item[member] === other[member]);
  };
  const kept = new Set(credited.filter(isKept).map(({ id }) => id));
  const creditedIds = new Set(credited.map(({ id }) => id));
  const added = wanted.filter(({ id }) => !kept.has(id));
  return {
    removed: credited.filter(({ id }) => !kept.has(id)),
    changedIds: added.filter(({ id }) => creditedIds.has(id)).map(({ id }) => id),
    added,
  };
}
