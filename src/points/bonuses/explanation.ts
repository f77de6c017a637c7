// Explains a bonus that a programme gave, by what is stored with its record.
import type { Explanation } from "../explanation-schema.ts";
import type { RecordRow } from "../transaction.ts";
import type { BonusCause } from "./granting.ts";
import { bonusText } from "./text.ts";

/** Explains the record of a bonus. */
export function explainBonus(row: RecordRow & { readonly rule: string }, cause: BonusCause): Explanation {
  const { rule, bonusPoints } = row;
  return {
    transactionId: row.id,
    source: "manual",
    createdAt: row.createdAt.toISOString(),
    rule,
    catalogueVersion: "",
    totalPoints: bonusPoints,
    totalHealthPoints: 0,
    totalCarbonPoints: 0,
    totalBonusPoints: bonusPoints,
    arithmetic: {
      sumOfCells: "0",
      divisor: "1",
      earned: "0",
      pointsMax: bonusPoints,
      capped: false,
      text: `A bonus of ${bonusPoints} points, which no item has earned.`,
    },
    items: [],
    bonus: shown(cause),
    text: bonusText(cause, rule, bonusPoints),
  };
}

function shown(cause: BonusCause): NonNullable<Explanation["bonus"]> {
  const submission = "submissionId" in cause ? { submissionId: cause.submissionId } : {};
  if (cause.kind !== "streak") return { kind: cause.kind, ...submission };
  const { kind, submissionId, ...streak } = cause;
  return { kind, submissionId, streak };
}
