// Reads records and explanations of the API as what the model is fed with: ratings and matches of items are taken from
// there, amounts from what was sent, and which items count is compared with what the programme says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCsv } from "../../../src/csv/csv.ts";
import type { Explanation, Step } from "../../../src/points/explanation-schema.ts";
import type { TransactionRecord } from "../../../src/points/schema.ts";
import type { Submission } from "./acts.ts";
import type { ModelItem } from "./extras.ts";
import type { Submitted } from "./model.ts";
import { SHOPS } from "./shop.ts";
import type { Version } from "./simulate.ts";

const CATALOGUE = join(import.meta.dirname, "../../../reference/foods.csv");
const groups = new Map(parseCsv(readFileSync(CATALOGUE, "utf8")).map((food) => [food["id"]!, food["group"]!]));
/** Groups of what is sold beside food. */
const NO_FOODS = new Set(["bag", "deposit", "household", "alcohol"]);

/** The version in force at a moment. */
export function versionAt(versions: readonly Version[], ms: number): Version {
  return versions.findLast(({ fromMs }) => fromMs <= ms)!;
}

/** The step of an item's explanation with this name. */
export function stepOf<Name extends Step["step"]>(item: Explanation["items"][number], name: Name) {
  return item.steps.find((each): each is Extract<Step, { step: Name }> => each.step === name);
}

/** The items that count, in the order of the lines. `records`: those that have them, with their ratings. */
export function countedItems(explanation: Explanation, records: readonly TransactionRecord[]): ModelItem[] {
  const rated = new Map(records.flatMap(({ transaction }) => transaction.items).map((item) => [item.id, item]));
  return explanation.items.flatMap((item): ModelItem[] => {
    if (!item.counted) return [];
    const { healthImpactRating: health, carbonImpactRating: climate, qty: pieces } = rated.get(item.id)!;
    const { food, confidence = 0 } = stepOf(item, "match")!;
    const foodId = food?.id ?? "";
    return [{ id: item.id, health, climate, pieces, confidence, massMg: 0, foodId, group: groups.get(foodId) ?? "" }];
  });
}

/** A submission as the model wants it. */
export function submittedOf(
  submission: Submission,
  record: TransactionRecord,
  explanation: Explanation,
  versions: readonly Version[],
): Submitted {
  const { id, userId, source, acceptedMs: atMs, sent, printed } = submission;
  const { definition } = versionAt(versions, atMs);
  const counted = new Map(countedItems(explanation, [record]).map((item) => [item.id, item]));
  const { except = [] } = definition.eligible?.foodGroups ?? {};
  let strangersMg = 0;
  const items = explanation.items.flatMap((item, i): ModelItem[] => {
    const { weight = 0, quantity } = sent[i] ?? {};
    const massMg = Math.round(weight * (quantity ?? 1) * 1_000);
    const group = groups.get(stepOf(item, "match")?.food?.id ?? "");
    const isFood = group !== undefined && !NO_FOODS.has(group);
    assert.equal(item.counted, isFood && !except.includes(group), `${item.name}: ${group}`);
    if (group === undefined) strangersMg += massMg;
    const own = counted.get(item.id);
    return own ? [{ ...own, massMg, pieces: quantity ?? own.pieces }] : [];
  });
  const totalMinor = printed ? Math.round(Number(printed.total) * 100) : 0;
  const merchant = printed?.merchantName ?? SHOPS[0];
  return { id, userId, source, merchant, atMs, items, strangersMg, totalMinor, definition };
}
