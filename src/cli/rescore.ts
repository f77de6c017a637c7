import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { findApplication } from "../applications/store.ts";
import { csvLine } from "../csv/csv.ts";
import { foodGroupsOf } from "../foods/catalogue/groups.ts";
import { readCatalogue } from "../foods/catalogue/store.ts";
import type { RaterFor } from "../foods/lookup/item-rater.ts";
import { createResolver } from "../foods/lookup/resolve.ts";
import { lookUp } from "../foods/lookup/store.ts";
import { uuidv7Of } from "../ids.ts";
import { POINTS_1 } from "../points/award.ts";
import type { PointsRule } from "../points/award.ts";
import { pointsOf } from "../points/rescore/difference.ts";
import { createReport, foodOf } from "../points/rescore/report.ts";
import type { RescoreReport } from "../points/rescore/report.ts";
import { rescore } from "../points/rescore/rescore.task.ts";
import type { Rescored } from "../points/rescore/rescore.ts";
import { ruleOf } from "../points/rescore/rule.ts";
import { createTerms } from "../programs/terms.task.ts";
import { createTierKeeper } from "../points/tiers/keeper.store.ts";
import type { Database } from "../postgres/postgres.ts";
import { createRandomDigits } from "../random.ts";
import { DAY_MS } from "../time.ts";
import { createOutbox } from "../webhooks/outbox.task.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, UsageError, command, flag, optional, required } from "./command.ts";
import { atTimes } from "./report-times.ts";
import { spreadsheetText } from "./spreadsheet-text.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";

const FOODS_SHOWN = 20;
const FOODS_PRINTED = 1_000;
const RULE_BYTES_MAX = 100_000;

/** `rescore` */
export const RESCORE = command({
  name: "rescore",
  summary: "score past awards again, under another rule or the foods of now; report the differences, or book them",
  details:
    "Days are UTC days on which submissions arrived; --until is not included, and is today unless given. Without --book nothing is " +
    "changed. Items with nutrition that was sent keep their ratings. What was reversed or corrected stays as it is.",
  options: {
    since: required("DATE", "the first day, as in 2026-10-01"),
    until: optional("DATE", "the day after the last one"),
    clientId: optional("ID", "only awards of this application"),
    rule: optional("ID|FILE", `each award's own (default), ${POINTS_1.id}, or a JSON file with another rule`),
    catalogue: optional("current|recorded", "rate by the foods of now (default), or keep the recorded ratings"),
    csv: optional("FILE", "write one line for each item that differs"),
    book: flag("book each difference, once"),
    reason: optional("TEXT", "with --book: why, for people to read later"),
    sendEvents: flag("with --book: send points.adjusted for each record"),
  },
  examples: [
    "rescore --since 2026-10-01 --csv differences.csv",
    'rescore --since 2026-10-01 --until 2026-11-01 --client-id app_… --book --reason "Oat drink was rated as milk"',
  ],
  run: async ({ database, config, now, options, print, report: progress, stopped }) => {
    const { clientId, csv, book, sendEvents } = options;
    const today = now.getTime() - (now.getTime() % DAY_MS);
    const fromMs = dayOf("--since", options.since);
    const untilMs = options.until === undefined ? today : dayOf("--until", options.until);
    // Today's limits still count what is booked today: what is scored again must be past.
    if (untilMs > today) throw new Refusal("--until is today at the latest: the day that still goes on is left out");
    if (fromMs >= untilMs) throw new Refusal("--since must be before --until");
    const rule = ruleGiven(options.rule);
    const applicationId = clientId === undefined ? null : (await applicationOf(database, clientId)).id;
    const { raterFor, catalogueVersion } = ratingOf(database, options.catalogue);
    const randomDigits = createRandomDigits();
    const newId = () => uuidv7Of(Date.now(), randomDigits(20));
    const outbox = createOutbox({ scheduleSeconds: config.webhookScheduleSeconds, hint: async () => {}, newId });
    const publish = sendEvents ? outbox.append : null;
    const { groupOf } = foodGroupsOf(readCatalogue());
    const { termsByRule } = createTerms({ database, groupOf, now: () => now });
    const { tiersNow } = createTerms({ database, groupOf, now: () => new Date() });
    const tiers = createTierKeeper({ tiersNow, publishAll: sendEvents ? outbox.publishAll : null });
    const deps = { database, raterFor, termsByRule, tiers, stopped, publish, now: () => new Date(), newId };
    const bookReason = book
      ? (options.reason ?? `Scored again: ${rule?.id ?? "own rules"}, ${catalogueVersion}`)
      : null;
    const report = createReport();
    const file = csv === undefined ? null : await open(csv, "w", 0o600);
    const reportLine = atTimes(progress);
    let [users, booked] = [0, 0];
    try {
      await file?.writeFile(`${csvLine(CSV_COLUMNS)}\n`);
      for await (const step of rescore(deps, { applicationId, fromMs, untilMs, rule, catalogueVersion, bookReason })) {
        users += step.users;
        booked += step.booked;
        report.add(step.rescored, step.users > 0);
        await file?.writeFile(step.rescored.map(csvLines).join(""));
        reportLine(`${users} users, ${report.total.awards} awards, ${report.total.differing} differ, ${booked} booked`);
      }
    } finally {
      await file?.close();
    }
    const names = await applicationNames(database, report);
    const ruleName = rule?.id ?? "own rules";
    print(printed(report, { rule: ruleName, catalogueVersion, users, booked, names }), [
      `${ruleName}, ${catalogueVersion}: ${report.total.awards} awards of ${users} users`,
      ...linesOf(report, names),
      book ? `${booked} records booked` : "nothing was booked (--book)",
    ]);
  },
});

function dayOf(option: string, text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) {
    throw new UsageError(`${option} must be a day, as in 2026-10-01`);
  }
  return ms;
}

function ruleGiven(given: string | undefined): PointsRule | null {
  if (given === undefined) return null;
  if (given === POINTS_1.id) return POINTS_1;
  let json: string;
  try {
    json = readFileSync(given, "utf8").slice(0, RULE_BYTES_MAX);
  } catch {
    throw new Refusal("there is no rule of this id, and no such file");
  }
  const rule = ruleOf(json);
  if (typeof rule === "string") throw new Refusal(`the rule is not valid: ${rule}`);
  return rule;
}

function ratingOf(database: Database, given = "current"): { raterFor: RaterFor | null; catalogueVersion: string } {
  if (given === "recorded") return { raterFor: null, catalogueVersion: "recorded" };
  if (given !== "current") throw new UsageError("--catalogue must be current or recorded");
  const catalogue = readCatalogue();
  const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));
  return {
    catalogueVersion: catalogue.version,
    raterFor: async (items) => {
      const found = await lookUp(database, items);
      return (applicationId) => resolver.raterFor(found, applicationId);
    },
  };
}

const CSV_COLUMNS = [
  "applicationId",
  "userID",
  "transactionID",
  "item",
  "food",
  "pointsBefore",
  "pointsAfter",
  "difference",
];

function csvLines({ award, changes }: Rescored): string {
  if (typeof changes === "string") return "";
  const { applicationId, userId, id } = award;
  const lines = changes.map((change) => {
    const { before, after } = pointsOf([change]);
    const texts = [(change.after ?? change.before)!.name, foodOf(change)].map(spreadsheetText);
    return csvLine([applicationId, userId, id, ...texts, String(before), String(after), String(after - before)]);
  });
  return lines.map((line) => `${line}\n`).join("");
}

async function applicationNames(database: Database, report: RescoreReport): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const id of report.byApplication.keys()) {
    names.set(id, (await findApplication(database, id))?.name ?? "");
  }
  return names;
}

function foodsOf({ byFood }: RescoreReport, max: number) {
  return [...byFood]
    .map(([food, sum]) => ({ food, ...sum, difference: sum.after - sum.before }))
    .toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || (a.food < b.food ? -1 : 1))
    .slice(0, max);
}

function printed(
  report: RescoreReport,
  about: { rule: string; catalogueVersion: string; users: number; booked: number; names: ReadonlyMap<string, string> },
) {
  const { names, users, ...rest } = about;
  return {
    ...rest,
    total: { ...report.total, difference: report.total.after - report.total.before },
    applications: [...report.byApplication].map(([id, sum]) => ({
      applicationId: id,
      name: names.get(id),
      ...sum,
      difference: sum.after - sum.before,
    })),
    users: { scored: users, ...report.users },
    foods: foodsOf(report, FOODS_PRINTED),
    skipped: Object.fromEntries(report.skipped),
  };
}

function linesOf(report: RescoreReport, names: ReadonlyMap<string, string>): string[] {
  const { total, byApplication, users, skipped } = report;
  const points = (sum: { before: number; after: number }) =>
    `${sum.before} → ${sum.after} (${signed(sum.after - sum.before)})`;
  return [
    `  ${total.differing} differ; their changed items have ${points(total)} points`,
    `  ${users.rise} users have more, ${users.fall} less`,
    ...[...skipped].map(([reason, count]) => `  ${count} stay: ${reason}`),
    ...[...byApplication].map(
      ([id, sum]) => `  ${names.get(id)} (${id}): ${sum.differing} of ${sum.awards} differ, ${points(sum)}`,
    ),
    ...foodsOf(report, FOODS_SHOWN).map(({ food, items, ...sum }) => `    ${food}: ${items} items, ${points(sum)}`),
  ];
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}
