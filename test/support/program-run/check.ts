// Compares what the API shows after a run with what the model says: the points of each item of each record, every
// bonus, every tier, and every balance.
import assert from "node:assert/strict";
import type { Submission } from "./acts.ts";
import { compareBonus, compareExplanation, compareRecord } from "./compare.ts";
import { readUser } from "./ledger.ts";
import type { ShownRecord, UserLedger } from "./ledger.ts";
import { Model } from "./model.ts";
import { sum } from "./points.ts";
import { countedItems, submittedOf, versionAt } from "./shown.ts";
import type { Run } from "./simulate.ts";

/** What was compared. */
export interface Checked {
  records: number;
  awards: number;
  corrections: number;
  reversals: number;
  bonuses: number;
  /** Awards that a limit, or the minimum of a receipt, has cut. */
  cut: number;
  /** Awards with points of the tier or of campaigns, and those that a campaign could give less than it offers. */
  extended: number;
  scarce: number;
  points: number;
}

interface Placed extends ShownRecord {
  readonly userId: string;
  /** The submission that it was booked with, and its place among the user's records. */
  readonly anchor: string;
  readonly place: number;
}

/** Reads everything back and compares it. */
export async function check(run: Run): Promise<Checked> {
  const submissions = new Map(run.world.submissions.map((each) => [each.reference, each]));
  const ledgers = await readAll(run);
  const model = new Model(run.erased);
  for (const { userId, referrerId, enrolledMs } of run.people) {
    model.enrol(userId, referrerId, versionAt(run.versions, enrolledMs).definition);
  }
  const checker = new Checker(run, model, submissions);
  for (const placed of inOrder(ledgers, submissions)) checker.check(placed);
  assert.equal(checker.checked.awards, submissions.size, "every submission has its record");
  assert.deepEqual(bookedBonuses(ledgers), model.expectedBonuses());
  for (const ledger of ledgers) {
    const { userId, records, summary, atMs } = ledger;
    const available = sum(records.map(({ record }) => record.totalPoints));
    const { lifetime } = model.users.get(userId)!;
    assert.deepEqual([summary.availablePoints, summary.lifetimePoints], [available, lifetime], userId);
    assert.equal(summary.tier?.name ?? "", model.tierOf(userId, versionAt(run.versions, atMs).definition), userId);
    compareStatistics(ledger);
  }
  return checker.checked;
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

/** Type and points of every bonus that was booked, by user. */
function bookedBonuses(ledgers: readonly UserLedger[]): string[] {
  const booked = ledgers.flatMap(({ userId, records }) =>
    records
      .filter(({ record }) => record.operation === 1 && record.bonus.type !== 0)
      .map(({ record }) => `${userId} ${record.bonus.type} ${record.totalPoints}`),
  );
  return booked.sort();
}

/** The statistics of the whole time are the sums of all records. */
function compareStatistics({ userId, records, summary, statistics }: UserLedger): void {
  const { months, pointsBySource } = statistics;
  assert.equal(sum(months.map(({ earnedPoints }) => earnedPoints)), summary.lifetimePoints, userId);
  assert.equal(sum(months.map(({ balanceChange }) => balanceChange)), summary.availablePoints, userId);
  const bonusesOf = (type: number) =>
    sum(records.filter(({ record }) => record.bonus.type === type).map(({ record }) => record.totalPoints));
  const { referral, welcome, streak } = pointsBySource.bonuses;
  assert.deepEqual([referral, welcome, streak], [bonusesOf(1), bonusesOf(2), bonusesOf(3)], userId);
}

/** What the checks so far know of a record. */
interface Known {
  readonly placed: Placed;
  readonly submission: Submission | null;
  readonly countsAsEarned: boolean;
  /** The items of it that are left, with their points; of an award. */
  readonly left: Map<string, number>;
  /** An award and its corrections. */
  readonly all: Placed[];
}

class Checker {
  readonly checked: Checked = {
    records: 0,
    awards: 0,
    corrections: 0,
    reversals: 0,
    bonuses: 0,
    cut: 0,
    extended: 0,
    scarce: 0,
    points: 0,
  };
  readonly #known = new Map<string, Known>();
  readonly #run: Run;
  readonly #model: Model;
  readonly #submissions: ReadonlyMap<string, Submission>;

  constructor(run: Run, model: Model, submissions: ReadonlyMap<string, Submission>) {
    this.#run = run;
    this.#model = model;
    this.#submissions = submissions;
  }

  check(placed: Placed): void {
    const { record, userId } = placed;
    const { operation, totalPoints, transaction } = record;
    const related = this.#known.get(record.relatedTransactionID ?? "");
    const submission = operation === 1 ? this.#submissions.get(transaction.externalTransactionID) : undefined;
    if (submission) this.#award(placed, submission);
    else if (operation === 1) this.#bonus(placed);
    else if (operation === 3 && related) this.#correction(placed, related);
    else if (operation === 6) this.#reversal(placed, related!);
    else if (operation === 4) assert.equal(totalPoints, 0 - related!.placed.record.totalPoints);
    else assert.equal(totalPoints, this.#run.moved.get(transaction.externalTransactionID));
    const countsAsEarned =
      operation === 6
        ? related!.countsAsEarned
        : operation === 1 || related !== undefined || record.reason === "Earned";
    const isEarned = operation !== 2 && operation !== 4 && countsAsEarned;
    const left = new Map(transaction.items.map((item) => [item.id, item.totalServicePoints]));
    this.#known.set(record.id, {
      placed,
      submission: submission ?? null,
      countsAsEarned: isEarned,
      left,
      all: [placed],
    });
    if (isEarned) this.#model.earned(userId, totalPoints);
    this.checked.records += 1;
    this.checked.points += totalPoints;
  }

  #award({ record, explanation }: Placed, submission: Submission): void {
    assert.ok(explanation, "an award is explained");
    const { versions } = this.#run;
    assert.equal(explanation.rule, versionAt(versions, submission.acceptedMs).rule);
    const submitted = submittedOf(submission, record, explanation, versions);
    const expected = this.#model.award(record.id, submitted);
    compareExplanation(explanation, submitted.items, expected);
    compareRecord(record, submitted.items, expected);
    const { dayCut, spendCut } = explanation.arithmetic;
    this.checked.awards += 1;
    this.checked.cut += Number(dayCut !== undefined || spendCut !== undefined);
    this.checked.extended += Number(record.transaction.totalBonusPoints > 0);
    const isScarce = (explanation.extras ?? []).some(({ cutBy }) => cutBy === "budget" || cutBy === "users");
    this.checked.scarce += Number(isScarce);
  }

  #bonus({ record, explanation }: Placed): void {
    compareBonus(record, explanation);
    this.checked.bonuses += 1;
  }

  /** A correction books the difference to what the receipt would have earned if it had been read so. */
  #correction(placed: Placed, award: Known): void {
    const { record, explanation, userId } = placed;
    assert.ok(explanation?.correction, "a correction is explained");
    award.all.push(placed);
    const items = countedItems(
      explanation,
      award.all.map((each) => each.record),
    );
    const totalMinor = Math.round(explanation.correction.after.totalAmount * 100);
    const before = sum([...award.left.values()]);
    const expected = this.#model.correct(award.placed.record.id, userId, { items, totalMinor });
    compareExplanation(explanation, items, expected);
    assert.equal(record.totalPoints, expected.total - before, record.id);
    for (const item of record.transaction.items) {
      if (!award.left.delete(item.id)) award.left.set(item.id, item.totalServicePoints);
    }
    assert.equal(sum([...award.left.values()]), expected.total, record.id);
    this.checked.corrections += 1;
  }

  /** A reversal takes back what is left of a record, or of some of its items. */
  #reversal({ record }: Placed, of: Known): void {
    let taken = of.submission ? 0 : of.placed.record.totalPoints;
    for (const { id } of record.transaction.items) {
      taken += of.left.get(id)!;
      of.left.delete(id);
    }
    assert.equal(record.totalPoints, 0 - taken, record.id);
    this.checked.reversals += 1;
  }
}
