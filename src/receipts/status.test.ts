import assert from "node:assert/strict";
import { test } from "node:test";
import type { Findings } from "./findings.ts";
import type { Receipt } from "./receipt.ts";
import { presentStatus } from "./status.ts";

test("checks that reject a receipt are shown when it has failed, not in the moment before", () => {
  const at = new Date(0);
  const receipt = { id: "r", userId: "u", stage: "Enriched", source: "api", acceptedAt: at, updatedAt: at } as Receipt;
  const findings = { Failed: { at, data: { checks: [] } } } as Partial<Findings> as Findings;
  const shown = (failure: Pick<Receipt, "errorCode" | "errorMessage">) =>
    presentStatus({ ...receipt, ...failure, review: null, duplicateOf: null }, findings, [], [], []).receiptStatusDoc;
  assert.equal("failedStateData" in shown({ errorCode: null, errorMessage: null }), false);
  const { failedStateData } = shown({ errorCode: "NOT_AUTHENTIC", errorMessage: "Not a receipt." });
  assert.deepEqual([failedStateData?.errorMessage, failedStateData?.checks], ["Not a receipt.", []]);
});
