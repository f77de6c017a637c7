import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ageCheck } from "../src/receipts/checks/age.ts";
import { CHECK_NAMES } from "../src/receipts/checks/check.ts";
import { partedPage } from "../src/receipts/parts/parted-page.ts";
import { partsChecks } from "../src/receipts/parts/parts-check.ts";
import { paceCheck } from "../src/receipts/checks/pace.ts";
import { pictureCheck, purchaseCheck } from "../src/receipts/duplicates/duplicate-checks.ts";
import { CHECK_THRESHOLDS, authenticate } from "../src/receipts/checks/authenticate.ts";
import { SIMILARITY_THRESHOLDS } from "../src/receipts/duplicates/similarity.ts";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import { GROCERIES, pageOf } from "./support/groceries.ts";

const docs = readFileSync(join(import.meta.dirname, "../docs/receipts.md"), "utf8");

/** The first cells of the rows of the table under a heading, without their marks. */
function table(heading: string): string[][] {
  const section = docs.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

test("the documented thresholds are the constants", () => {
  const constants = Object.entries({ ...CHECK_THRESHOLDS, ...SIMILARITY_THRESHOLDS });
  assert.deepEqual(
    table("Thresholds").map(([name, value]) => [name, Number(value)]),
    constants,
  );
});

test("the documented checks are those a receipt goes through", () => {
  const declared = { merchantName: null, amount: null, transactionTimestamp: null };
  const acceptedAt = new Date("2026-10-25T09:00:00Z");
  const { checks } = authenticate({
    declared,
    isSample: false,
    reading: parseReceipt(pageOf(GROCERIES), []),
    name: { isNamed: false, wordShare: null },
    isAmountPrinted: false,
    currency: "GBP",
    acceptedAt,
    traces: null,
  });
  const age = ageCheck({ declared, date: null, acceptedAt }, 0);
  const others = [pictureCheck(false, null), purchaseCheck(null), paceCheck(0, 0), age];
  const parts = partsChecks(partedPage([pageOf(GROCERIES), pageOf(GROCERIES)], []));
  const names = [...checks, ...parts, ...others].map(({ name }) => name);
  assert.deepEqual(
    table("Checks").map(([name]) => name),
    names,
  );
  assert.deepEqual(CHECK_NAMES, names);
});
