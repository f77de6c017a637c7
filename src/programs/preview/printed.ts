// A preview as a table for people, and as CSV. Pure.
import { csvLine } from "../../csv/csv.ts";
import { costOf } from "./figures.ts";
import type { PreviewResult } from "./schema.ts";

type Printed = PreviewResult["total"] & { readonly view: string; readonly key: string };

const CSV_COLUMNS = [
  "view",
  "key",
  "records",
  "pointsNow",
  "pointsDraft",
  "difference",
  "costNow",
  "costDraft",
  "costDifference",
];

/** One line for each row of each view, and for each user shown. */
export function previewCsv(result: PreviewResult): string {
  const { pointValue } = result;
  const cost = (points: number) => (pointValue === null ? "" : costOf(points, pointValue));
  const lines = rowsOf(result).map(({ view, key, records, pointsNow, pointsDraft, difference }) => {
    const points = [pointsNow, pointsDraft, difference];
    return csvLine([view, key, String(records), ...points.map(String), ...points.map(cost)]);
  });
  const { mostGained, mostLost } = result.users;
  const users = [...mostGained, ...mostLost].map(({ userID, pointsNow, pointsDraft, difference }) => {
    const points = [pointsNow, pointsDraft, difference];
    return csvLine(["user", userID, "", ...points.map(String), ...points.map(cost)]);
  });
  return [csvLine(CSV_COLUMNS), ...lines, ...users].map((line) => `${line}\n`).join("");
}

/** The table, line by line. */
export function previewLines(result: PreviewResult): string[] {
  const { name, version, from, until, pointValue, users, notReplayed, notes } = result;
  const hasCost = pointValue !== null;
  const cost = (points: number) => (pointValue === null ? [] : [costOf(points, pointValue)]);
  const header = ["", "records", "now", "draft", "difference", ...(hasCost ? ["cost now", "cost draft", "more"] : [])];
  const views = Map.groupBy(rowsOf(result), ({ view }) => view);
  const cells = [...views].flatMap(([view, rows]) => [
    [VIEWS[view]!],
    ...rows.map(({ key, records, pointsNow, pointsDraft, difference }) => [
      view === "total" ? "" : `  ${key}`,
      String(records),
      ...[pointsNow, pointsDraft].map(String),
      signed(difference),
      ...[pointsNow, pointsDraft, difference].flatMap(cost),
    ]),
  ]);
  const shown = (each: (typeof users.mostGained)[number]) =>
    `  ${each.userID}  ${each.pointsNow} → ${each.pointsDraft} (${signed(each.difference)})`;
  return [
    `${name}${version === null ? "" : ` (version ${version})`}: submissions from ${from} to ${until}`,
    ...aligned([header, ...cells]),
    `${users.count} users: ${users.winners} would have more, ${users.losers} less`,
    ...(users.mostGained.length > 0 ? ["most gained", ...users.mostGained.map(shown)] : []),
    ...(users.mostLost.length > 0 ? ["most lost", ...users.mostLost.map(shown)] : []),
    ...NOT_REPLAYED.flatMap(([member, what]) => (notReplayed[member] > 0 ? [`${notReplayed[member]} ${what}`] : [])),
    ...notes,
  ];
}

const VIEWS: Readonly<Record<string, string>> = {
  total: "all",
  day: "by day",
  source: "by source",
  "food group": "by food group",
  campaign: "by campaign",
  bonus: "by bonus",
};

const NOT_REPLAYED = [
  ["erased", "records of erased users are left out"],
  ["withoutInputs", "records without inputs are left out"],
  ["reversed", "reversed records are left out; they count for limits"],
  ["corrected", "records were corrected later, and are here as they were booked at first"],
] as const;

function rowsOf(result: PreviewResult): Printed[] {
  const { total, byDay, bySource, byFoodGroup, byCampaign, byBonus } = result;
  const named = <Row extends PreviewResult["total"]>(view: string, rows: readonly Row[], keyOf: (row: Row) => string) =>
    rows.map((row): Printed => ({ ...row, view, key: keyOf(row) }));
  return [
    { ...total, view: "total", key: "" },
    ...named("day", byDay, (row) => row.day),
    ...named("source", bySource, (row) => row.source),
    ...named("food group", byFoodGroup, (row) => row.foodGroup),
    ...named("campaign", byCampaign, (row) => row.campaign),
    ...named("bonus", byBonus, (row) => row.bonus),
  ];
}

/** The first column to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}
