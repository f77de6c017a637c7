import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordItem } from "../record.ts";
import { createReport } from "./report.ts";
import type { Rescored } from "./rescore.ts";

const item = (healthPoints: number) =>
  ({ id: "a", matchedName: "oats", healthPoints, carbonPoints: 0, bonusPoints: 0, co2eMg: 0 }) as RecordItem;
const rescored = (userId: string, before: number, after: number) =>
  ({
    award: { applicationId: "app", userId },
    changes: [{ before: item(before), after: item(after) }],
  }) as unknown as Rescored;

test("a user is counted once, by the difference of all their days, though they are added in steps", () => {
  const report = createReport();
  report.add([rescored("one", 4, 5), rescored("two", 4, 5), rescored("three", 4, 6)], true);
  report.add([rescored("one", 4, 5), rescored("two", 9, 1), rescored("three", 4, 2)], false);
  assert.deepEqual(report.users, { rise: 1, fall: 1 });
  report.add([rescored("four", 1, 2)], true);
  assert.deepEqual(report.users, { rise: 2, fall: 1 });
  const { awards, differing, before, after } = report.total;
  assert.deepEqual([awards, differing, before, after], [7, 7, 30, 26]);
});
