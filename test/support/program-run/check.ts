// Compares what the API shows after a run with what the model says: the points of each item of each record, every bonus,
// every tier, and that explanations add up.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Explanation, Step } from "../../../src/points/explanation-schema.ts";
import type { Submission } from "./acts.ts";
import type { ModelItem } from "./extras.ts";
import { readUser } from "./ledger.ts";
import type { ShownRecord, UserLedger } from "./ledger.ts";
import { Model } from "./model.ts";
import type { Expected, Submitted } from "./model.ts";
import { sum } from "./points.ts";
import type { Run, Version } from "./simulate.ts";

/** What was compared. */
export interface Checked {
  readonly records: number;
  readonly awards: number;
  readonly corrections: number;
  readonly reversals: number;
  readonly bonuses: number;
  /** Records that a limit or a campaign's end has cut, and those with extra points. */
  readonly cut: number;
  readonly withExtras: number;
  readonly points: number;
}

interface Placed extends ShownRecord {
  readonly userId: string;
  /** Where it was booked among records of the same moment: the submission that it belongs to, and its place after it. */
  readonly anchor: string;
  readonly place: number;
}

const CATALOGUE = join(import.meta.dirname, "../../../reference/foods.csv");
const groups = new Map(
  readFileSync(CATALOGUE, "utf8")
    .split("\n")
    .slice(1)
    .map((line) => [line.split(",")[0]!, groupIn(line)] as const),
);

/** The group of a food's row: its eighth cell. Cells before it may be quoted. */
function groupIn(line: string): string {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)][7]?.[1] ?? "";
}

/** Reads everything back and compares it. */
export async function check(run: Run): Promise<Checked> {
  const submissions = new Map(run.world.submissions.map((each) => [each.reference, each]));
  const ledgers = await readAll(run);
  const model = new Model();
  const enrolled = (ms: number) => versionAt(run.versions, ms).definition;
  for (const { userId, referrerId, enrolledMs } of run.people) model.enrol(userId, referrerId, enrolled(enrolledMs));
  const tally = { records: 0, awards: 0, corrections: 0, reversals: 0, bonuses: 0, cut: 0, withExtras: 0, points: 0 };
  const checker = createChecker(run, model, submissions, tally);
  for (const placed of inOrder(ledgers, submissions)) checker(placed);
  assert.equal(tally.awards, submissions.size, "every submission has its record");
  compareBonuses(model, ledgers);
  for (const { userId, records, summary, atMs } of ledgers) {
    const available = sum(records.map(({ record }) => record.totalPoints));
    const { lifetime } = model.users.get(userId)!;
    assert.deepEqual([summary.availablePoints, summary.lifetimePoints], [available, lifetime], userId);
    assert.equal(summary.tier?.name ?? "", model.tierOf(userId, versionAt(run.versions, atMs).definition), userId);
  }
  return tally;
}

async function readAll({ world, people, erased }: Run): Promise<UserLedger[]> {
  const ledgers: UserLedger[] = [];
  for (const { userId } of people) {
    ledgers.push(userId === erased?.userId ? erased : await readUser(world, userId));
  }
  return ledgers;
}

/** All records in the order of their booking. Those of one tx follow the order of its submissions. */
function inOrder(ledgers: readonly UserLedger[], submissions: ReadonlyMap<string, Submission>): Placed[] {
  const placed = ledgers.flatMap(({ userId, records }) => {
    let anchor = "";
    let last = "";
    return records.map((shown, place): Placed => {
      const { createdAt, transaction, operation } = shown.record;
      const own = operation === 1 ? submissions.get(transaction.externalTransactionID)?.id : undefined;
      if (own !== undefined || createdAt !== last) anchor = own ?? "";
      last = createdAt;
      return { ...shown, userId, anchor, place };
    });
  });
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  return placed.sort(
    (a, b) => compare(a.record.createdAt, b.record.createdAt) || compare(a.anchor, b.anchor) || a.place - b.place,
  );
}

function createChecker(
  run: Run,
  model: Model,
  submissions: ReadonlyMap<string, Submission>,
  tally: { -readonly [Name in keyof Checked]: number },
): (placed: Placed) => void {
  /** Items that are left of each award, by their ids, with their points; and whether a record counts as earned. */
  const left = new Map<string, Map<string, number>>();
  const isEarned = new Map<string, boolean>();
  const byId = new Map<string, Placed>();
  const isCorrected = new Map<string, Expected>();

  const award = (placed: Placed, submission: Submission): void => {
    const { record, explanation } = placed;
    assert.ok(explanation, "an award is explained");
    const submitted = submittedFrom(submission, placed, run.versions);
    assert.equal(explanation.rule, versionAt(run.versions, submission.acceptedMs).rule);
    const expected = model.award(record.id, submitted);
    compareItems(placed, explanation, submitted, expected);
    assert.equal(record.totalPoints, expected.total);
    left.set(record.id, new Map(record.transaction.items.map((item) => [item.id, item.totalServicePoints])));
    tally.awards += 1;
    tally.cut += Number(explanation.arithmetic.dayCut !== undefined || explanation.arithmetic.spendCut !== undefined);
    tally.withExtras += Number(record.transaction.totalBonusPoints > 0);
  };

  const correction = (placed: Placed): void => {
    const { record, explanation, userId } = placed;
    assert.ok(explanation?.correction, "a correction is explained");
    const awardId = record.relatedTransactionID!;
    const { submission, items } = { submission: submissions.get(byId.get(awardId)!.record.transaction.externalTransactionID)!, items: itemsFrom(explanation, ratingsOf([...earlier(awardId), placed])) }; // prettier-ignore
    const totalMinor = Math.round(explanation.correction.after.totalAmount * 100);
    const before = sum([...left.get(awardId)!.values()]);
    const expected = model.correct(awardId, userId, { items: items.counted, totalMinor });
    compareItems(placed, explanation, { source: submission.source, items: items.counted }, expected);
    assert.equal(record.totalPoints, expected.total - before, "a correction books the difference");
    const items_ = left.get(awardId)!;
    for (const item of record.transaction.items) {
      if (!items_.delete(item.id)) items_.set(item.id, item.totalServicePoints);
    }
    assert.equal(sum([...items_.values()]), expected.total);
    isCorrected.set(awardId, expected);
    tally.corrections += 1;
  };

  const earlier = (awardId: string): Placed[] =>
    [...byId.values()].filter(({ record }) => record.id === awardId || record.relatedTransactionID === awardId);

  const reversal = ({ record }: Placed): void => {
    const of = byId.get(record.relatedTransactionID!)!;
    const items = left.get(of.record.id);
    const taken = items
      ? sum(
          record.transaction.items.map(({ id }) => {
            const points = items.get(id)!;
            items.delete(id);
            return points;
          }),
        )
      : of.record.totalPoints;
    assert.equal(record.totalPoints, 0 - taken, "a reversal takes back what was given");
    tally.reversals += 1;
  };

  return (placed) => {
    const { record } = placed;
    const { operation, totalPoints, transaction, relatedTransactionID: related } = record;
    const submission = operation === 1 ? submissions.get(transaction.externalTransactionID) : undefined;
    if (submission) award(placed, submission);
    else if (operation === 1) tally.bonuses += 1;
    else if (operation === 3 && related !== undefined) correction(placed);
    else if (operation === 6) reversal(placed);
    else if (operation !== 4) assert.equal(totalPoints, run.moved.get(transaction.externalTransactionID));
    byId.set(record.id, placed);
    const earned =
      operation === 6
        ? isEarned.get(related!)!
        : operation === 1 || (operation === 3 && (related !== undefined || record.reason === "Earned"));
    isEarned.set(record.id, earned);
    if (earned) model.earned(placed.userId, totalPoints);
    tally.records += 1;
    tally.points += totalPoints;
  };
}

/** Every bonus that the model expects was booked once, and no other one. */
function compareBonuses(model: Model, ledgers: readonly UserLedger[]): void {
  const booked = ledgers.flatMap(({ userId, records }) =>
    records
      .filter(({ record }) => record.operation === 1 && record.bonus.type !== 0)
      .map(({ record }) => `${userId} ${record.bonus.type} ${record.totalPoints}`),
  );
  const expected = model.bonuses
    .filter(({ points }) => points > 0)
    .map(({ userId, type, points }) => `${userId} ${type} ${points}`);
  assert.deepEqual(booked.sort(), expected.sort());
}

function versionAt(versions: readonly Version[], ms: number): Version {
  return versions.findLast(({ fromMs }) => fromMs <= ms)!;
}

interface Rated {
  readonly health: number;
  readonly climate: number;
  readonly pieces: number;
}

function ratingsOf(placed: readonly Pick<Placed, "record">[]): ReadonlyMap<string, Rated> {
  const items = placed.flatMap(({ record }) => record.transaction.items);
  return new Map(
    items.map(({ id, healthImpactRating, carbonImpactRating, qty }) => [
      id,
      { health: healthImpactRating, climate: carbonImpactRating, pieces: qty },
    ]),
  );
}

function stepOf<Name extends Step["step"]>(item: Explanation["items"][number], name: Name) {
  return item.steps.find((each): each is Extract<Step, { step: Name }> => each.step === name);
}

/** The items that count, as the explanation has them. Whether each should count is checked by `submittedFrom`. */
function itemsFrom(explanation: Explanation, rated: ReadonlyMap<string, Rated>) {
  const counted = explanation.items.flatMap((item): ModelItem[] => {
    if (!item.counted) return [];
    const { food, confidence = 0 } = stepOf(item, "match")!;
    const foodId = food?.id ?? "";
    const group = groups.get(foodId) ?? "";
    return [{ id: item.id, ...rated.get(item.id)!, confidence, massMg: 0, foodId, group }];
  });
  return { counted };
}

/** What was submitted, with ratings and matches of the record. Amounts of meals and foods are those that were sent. */
function submittedFrom(submission: Submission, placed: Placed, versions: readonly Version[]): Submitted {
  const { id, userId, source, acceptedMs: atMs, sent, printed } = submission;
  const { definition } = versionAt(versions, atMs);
  const { counted } = itemsFrom(placed.explanation!, ratingsOf([placed]));
  let strangersMg = 0;
  const items = placed.explanation!.items.flatMap((item, i): ModelItem[] => {
    const own = counted.find((each) => each.id === item.id);
    const of = sent[i];
    const massMg = of ? Math.round(of.weight * of.quantity * 1_000) : 0;
    const foodId = stepOf(item, "match")?.food?.id ?? "";
    const isKnown = foodId !== "" && !NO_FOOD.has(groups.get(foodId)!);
    const isEligible = !(definition.eligible?.foodGroups?.except ?? []).includes(groups.get(foodId) ?? "");
    assert.equal(item.counted, isKnown && isEligible, `${item.name} counts if it is a food that is eligible`);
    if (of && !isKnown) strangersMg += massMg;
    return own ? [{ ...own, massMg, pieces: of?.quantity ?? own.pieces }] : [];
  });
  const merchant = printed?.merchantName ?? "Larkmeadow Market";
  const totalMinor = printed ? Math.round(Number(printed.total) * 100) : 0;
  return { id, userId, source, merchant, atMs, items, strangersMg, totalMinor, definition };
}

const NO_FOOD = new Set(["bag", "deposit", "household", "alcohol"]);

/** The points of each item, in the record and in its explanation, and that they add up. */
function compareItems(
  { record }: Placed,
  explanation: Explanation,
  { items }: Pick<Submitted, "items" | "source">,
  expected: Expected,
): void {
  if (
    (process.env["DEBUG_RUN"] && explanation.totalPoints !== expected.total) ||
    explanation.items.some((item) => {
      const i = items.findIndex((e) => e.id === item.id);
      const e = expected.items[i];
      return item.totalPoints !== (e ? e.health + e.climate + e.bonus : 0);
    })
  )
    console.log(
      JSON.stringify(
        {
          items,
          expected,
          sub: arguments[2] as any,
          shares: 0,
          record: record.transaction,
          arithmetic: explanation.arithmetic,
          ex: explanation.items.map((i) => [i.name, i.totalPoints, i.steps.at(-1)]),
        },
        (_k, v) => (typeof v === "bigint" ? String(v) : v),
        1,
      ),
    );
  const points = new Map(expected.items.map((each, i) => [items[i]!.id, each]));
  for (const item of explanation.items) {
    const { health, climate, bonus } = points.get(item.id) ?? { health: 0, climate: 0, bonus: 0 };
    assert.equal(item.totalPoints, health + climate + bonus, `${record.id} ${item.name}`);
    const step = stepOf(item, "points");
    if (step) assert.deepEqual([step.healthPoints, step.carbonPoints], [health, climate], `${record.id} ${item.name}`);
  }
  assert.equal(sum(explanation.items.map(({ totalPoints }) => totalPoints)), explanation.totalPoints);
  assert.equal(explanation.totalPoints, expected.total, record.id);
}
