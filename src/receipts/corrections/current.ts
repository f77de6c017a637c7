// A receipt as it is after its corrections. Pure.
import type { RecordBody } from "../../points/record.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import type { Findings } from "../findings.ts";
import type { Corrected } from "./corrected-record.ts";
import type { StoredCorrection } from "./store.ts";

/** The lines of a receipt as they are now; none if they were never matched. */
export function currentLines(findings: Findings, earlier: readonly StoredCorrection[]): readonly ScoredLine[] {
  return lastCorrected(earlier)?.lines ?? findings.Enriched?.data.lines ?? [];
}

/** The record of a credited receipt as it is now. */
export function currentRecord(findings: Findings, earlier: readonly StoredCorrection[]): RecordBody | undefined {
  return lastCorrected(earlier)?.record.body ?? findings.Scored?.data.body;
}

/** The last correction of a credited receipt. */
export function lastCorrected(earlier: readonly StoredCorrection[]): Corrected | undefined {
  return earlier.findLast(({ after }) => after !== null)?.after ?? undefined;
}
