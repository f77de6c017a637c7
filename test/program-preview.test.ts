// A preview of a programme equals what booking under that programme then gives, record for record: random programmes
// and submissions, booked for two applications through PostgreSQL. The one has the draft in force from the first day
// on; of the other, which has another programme, the preview is made.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { foodGroupsOf } from "../src/foods/catalogue/groups.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { shippedMatcherOf } from "../src/foods/matching/learned/store.ts";
import { createResolver } from "../src/foods/lookup/resolve.ts";
import { recordTotals } from "../src/points/record.ts";
import type { ComposedRecord } from "../src/points/record.ts";
import { periodOf } from "../src/points/limits/periods.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import type { Database } from "../src/postgres/postgres.ts";
import type { ProgramDefinition } from "../src/programs/definition.ts";
import { preview } from "../src/programs/preview/preview.task.ts";
import type { Replayed } from "../src/programs/preview/replay.ts";
import type { ReplayedAward } from "../src/programs/preview/replayed.store.ts";
import { readDefinition } from "../src/programs/read-definition.ts";
import { DAY_MS } from "../src/time.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { anyHistory, anyProgram } from "./support/any-program.ts";
import { createTwins } from "./support/twins.ts";
import type { Twin } from "./support/twins.ts";

const RUNS = Number(process.env["PREVIEW_RUNS"] ?? 6);
const SEED = Number(process.env["PREVIEW_SEED"] ?? randomInt(2 ** 31));
const DAYS = 12;
const NOW = Date.parse("2026-11-18T15:00:00Z");

const catalogue = readCatalogue();
const groups = foodGroupsOf(catalogue);
const known = { foodGroups: groups.names, foods: groups.foods };
const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));

let testDatabase: TestDatabase;
let database: Database;
before(async () => {
  testDatabase = await createTestDatabase({ connectionsMax: 4 });
  ({ database } = testDatabase);
});
after(() => testDatabase.drop());

async function previewOf(twin: Twin, definition: ProgramDefinition) {
  const replayed = new Map<string, unknown>();
  const deps = {
    database,
    groupOf: groups.groupOf,
    now: () => new Date(NOW),
    stopped: new AbortController().signal,
    each: (award: ReplayedAward, { record, bonuses }: Replayed) => {
      const given = bonuses.map(({ userId, points, type }) => [twin.userIds.indexOf(userId), points, type]);
      replayed.set(award.submissionId, { ...comparable(record), given });
    },
  };
  const result = await preview(deps, twin.applicationId, { version: null, definition, days: DAYS, pointValue: 0.01 });
  return { result, replayed };
}

/** A record as booked, with the bonuses that it brought. */
function bookedBy(twin: Twin, { record, bonuses }: Twin["booked"][number]) {
  const given = bonuses.map(({ entry: { userId, amounts, body } }) => {
    return [twin.userIds.indexOf(userId), amounts.bonusPoints, body.bonus?.type];
  });
  return { ...comparable(record), given };
}

/** All points of records and their bonuses. */
function pointsOf(booked: Twin["booked"]): number {
  return booked.reduce((sum, { record, bonuses }) => {
    const given = bonuses.reduce((all, { entry }) => all + entry.amounts.bonusPoints, 0);
    return sum + recordTotals(record.body).points + given;
  }, 0);
}

/** What must be equal: everything of a record but the name of its rule. */
function comparable({ body, award, awardItems, bases, ...decided }: ComposedRecord): object {
  const { rule: _rule, ...awarded } = award;
  return JSON.parse(JSON.stringify({ body, award: awarded, awardItems, bases, ...decided })) as object;
}

test("a preview equals what booking under the draft then gives, record for record", async () => {
  const property = fc.asyncProperty(
    anyHistory(DAYS),
    anyProgram(NOW),
    anyProgram(NOW),
    async (history, drafted, earlier) => {
      const { campaigns } = earlier;
      const draft = history.keepsCampaigns && campaigns ? { ...drafted, campaigns } : drafted;
      for (const definition of [draft, earlier]) {
        assert.ok(!("errors" in readDefinition(definition, known)), JSON.stringify(definition));
      }
      const zone = draft.timeZone ?? "UTC";
      const today = periodOf(NOW, "day", zone).fromMs;
      const fromMs = periodOf(today + DAY_MS / 2 - (DAYS - 1) * DAY_MS, "day", zone).fromMs;
      const twins = await createTwins(database, { resolver, groupOf: groups.groupOf, history, fromMs, untilMs: NOW });
      const [real, other] = twins;
      const start = fromMs - 60 * DAY_MS;
      for (const twin of twins) if (history.hasProgram) await twin.publish(earlier, start);
      await other.publish(draft, fromMs);
      for (const twin of twins) await twin.submit();
      const { result, replayed } = await previewOf(real, draft);
      const within = (twin: Twin) => twin.booked.filter(({ acceptedMs }) => acceptedMs >= fromMs);
      const expected = new Map(within(other).map((each) => [each.submissionId, bookedBy(other, each)]));
      assert.equal(replayed.size, expected.size);
      for (const [id, record] of expected) assert.deepEqual(replayed.get(id), record);
      const records = within(other).reduce((sum, { bonuses }) => sum + 1 + bonuses.length, 0);
      const [now, then] = [pointsOf(within(real)), pointsOf(within(other))];
      assert.deepEqual(
        [result.total.records, result.total.pointsNow, result.total.pointsDraft, result.total.costDifference],
        [records, now, then, (then - now) / 100],
      );
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
  assert.deepEqual((await verifyLedger(database)).differences, []);
});
