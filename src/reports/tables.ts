// The reports by period as tables, from the sums of their figures. Pure.
import type { GroupOf } from "../programs/eligibility.ts";
import { SECOND_MS } from "../time.ts";
import { stepWithin, sumDeliveries } from "./figures/deliveries.ts";
import { SHOP_FIGURE, knownShopOnly } from "./figures/shops.ts";
import type { Span } from "./periods.ts";
import type { DailyReport, Row } from "./report.ts";

/** The sum of a figure in a period, by its first day. */
export interface PeriodFigure {
  readonly start: string;
  readonly figure: string;
  readonly amount: number;
}

export interface TableInputs {
  readonly span: Span;
  readonly figures: readonly PeriodFigure[];
  /** Points that users could spend before the first period. */
  readonly outstandingBefore: number;
  readonly groupOf: GroupOf;
  /** Names of shops that are counted by name. */
  readonly shops: ReadonlySet<string>;
  /** What is known of campaigns now, by id. */
  readonly campaigns: ReadonlyMap<string, CampaignNow>;
}

/** What a campaign has given in all, and its bounds in the programme in force; null: no bound, or not in force. */
export interface CampaignNow {
  readonly pointsInAll: number;
  readonly users: number;
  readonly budget: number | null;
  readonly firstUsers: number | null;
}

const MG_PER_KG = 1_000_000;
const GRADES = ["", "A", "B", "C", "D", "E"];
/** Shops of a period: the rest is less green. */
const SHOPS_MAX = 50;

/** The rows of a report. */
export function rowsOf(report: DailyReport, inputs: TableInputs): Row[] {
  return TABLES[report](inputs);
}

const TABLES: Readonly<Record<DailyReport, (inputs: TableInputs) => Row[]>> = {
  users: (inputs) =>
    eachPeriod(inputs, (of) => ({
      enrolled: of("users.enrolled"),
      erased: of("users.erased"),
      active: of(`active.${inputs.span.by}`),
    })),
  submissions,
  matching,
  items,
  points,
  impact: (inputs) =>
    eachPeriod(inputs, (of, sum) => ({
      awards: sum("award."),
      co2eKg: of("impact.co2e") / MG_PER_KG,
      greenProducts: of("impact.green"),
      healthyProducts: of("impact.healthy"),
    })),
  shops,
  campaigns: campaignRows,
  deliveries,
};

type Of = (figure: string) => number;

/** A row for each period, also where nothing happened. `sum` adds up all figures whose names begin so. */
function eachPeriod({ span, figures }: TableInputs, cells: (of: Of, sum: Of) => Row): Row[] {
  const byStart = Map.groupBy(figures, ({ start }) => start);
  return span.starts.map((from) => {
    const own = byStart.get(from) ?? [];
    const sums = new Map(own.map(({ figure, amount }) => [figure, amount]));
    const sum: Of = (prefix) =>
      own.reduce((all, { figure, amount }) => all + (figure.startsWith(prefix) ? amount : 0), 0);
    return { from, ...cells((figure) => sums.get(figure) ?? 0, sum) };
  });
}

/** Adds up amounts by keys of texts. A key has no null character: it is made of names. */
class Groups<Sums extends Record<string, number>> {
  private readonly byKey = new Map<string, { readonly key: readonly string[]; readonly sums: Sums }>();
  private readonly zero: Sums;

  constructor(zero: Sums) {
    this.zero = zero;
  }

  add(key: readonly string[], member: keyof Sums, amount: number): void {
    const name = key.join("\0");
    let group = this.byKey.get(name);
    if (!group) this.byKey.set(name, (group = { key, sums: { ...this.zero } }));
    (group.sums as Record<keyof Sums, number>)[member] += amount;
  }

  /** In the order of the keys. */
  all(): { readonly key: readonly string[]; readonly sums: Sums }[] {
    return [...this.byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  }
}

function submissions({ figures }: TableInputs): Row[] {
  const groups = new Groups({ count: 0 });
  for (const { start, figure, amount } of figures) {
    const [kind, source = "", errorCode = ""] = figure.split(".");
    groups.add([start, source, kind === "award" ? "completed" : "failed", errorCode], "count", amount);
  }
  return groups.all().flatMap(({ key: [from, source, outcome, errorCode], sums: { count } }) => {
    const row = { from: from!, source: source!, outcome: outcome!, errorCode: errorCode || null, submissions: count };
    return count === 0 ? [] : [row];
  });
}

/** What was found, and does not earn or was not sure enough. */
const UNMATCHED = "NO_MATCH";
const ABSTAINED = "LOW_CONFIDENCE";
const NOT_ELIGIBLE = "NOT_ELIGIBLE";

function matching({ figures }: TableInputs): Row[] {
  const groups = new Groups({ matched: 0, unmatched: 0, abstained: 0, excluded: 0 });
  for (const { start, figure, amount } of figures) {
    const [kind, source = "", reason = ""] = figure.split(".");
    const isMatched = kind === "rated" || reason === NOT_ELIGIBLE;
    const left = reason === UNMATCHED ? "unmatched" : reason === ABSTAINED ? "abstained" : "excluded";
    groups.add([start, source], isMatched ? "matched" : left, amount);
  }
  return groups.all().map(({ key: [from, source], sums }) => {
    const { matched, unmatched, abstained, excluded } = sums;
    const asked = matched + unmatched + abstained;
    const matchRate = asked === 0 ? null : rounded(matched / asked);
    return { from: from!, source: source!, items: asked + excluded, ...sums, matchRate };
  });
}

function items({ figures, groupOf }: TableInputs): Row[] {
  const groups = new Groups({ count: 0 });
  for (const { start, figure, amount } of figures) {
    const [, food = "", grades = ""] = figure.split(".");
    groups.add([start, (food && groupOf(food)) || "", grades], "count", amount);
  }
  return groups.all().map(({ key: [from, foodGroup, grades], sums: { count } }) => ({
    from: from!,
    foodGroup: foodGroup || null,
    healthGrade: GRADES[Number(grades![0])]!,
    climateGrade: GRADES[Number(grades![1])]!,
    items: count,
  }));
}

function points(inputs: TableInputs): Row[] {
  let outstanding = inputs.outstandingBefore;
  return eachPeriod(inputs, (of, sum) => {
    const change = sum("points.");
    outstanding += change;
    return {
      health: sum("points.health."),
      climate: sum("points.climate."),
      extra: sum("points.extra."),
      referralBonus: of("points.bonus.referral"),
      welcomeBonus: of("points.bonus.welcome"),
      streakBonus: of("points.bonus.streak"),
      campaignBonus: of("points.bonus.campaign"),
      otherBonus: of("points.bonus.manual") + of("points.bonus.none") + of("points.bonus.unknown"),
      opening: of("points.opening"),
      adjusted: of("points.adjusted"),
      corrected: of("points.corrected"),
      reversed: of("points.reversed"),
      redeemed: of("points.redeemed"),
      refunded: of("points.refunded"),
      expired: of("points.expired"),
      forfeited: of("points.forfeited"),
      change,
      outstanding,
    };
  });
}

function shops({ figures, shops: known }: TableInputs): Row[] {
  const groups = new Groups({ receipts: 0, items: 0, green: 0, co2e: 0 });
  for (const { start, figure, amount } of figures) {
    const [, head = "", shop = ""] = SHOP_FIGURE.exec(knownShopOnly(figure, known)) ?? [];
    groups.add([start, shop], head.split(".")[1] as "receipts", amount);
  }
  const rows = groups.all().map(({ key: [from, shop], sums: { receipts, items: all, green, co2e } }) => ({
    from: from!,
    shop: shop || null,
    receipts,
    items: all,
    greenItems: green,
    greenShare: all === 0 ? null : rounded(green / all),
    co2eKgPerItem: all === 0 ? null : rounded(co2e / all / MG_PER_KG),
  }));
  // The others together come last: they are no shop.
  return [...Map.groupBy(rows, ({ from }) => from).values()].flatMap((period) => [
    ...period
      .filter(({ shop }) => shop !== null)
      .toSorted((a, b) => (b.greenShare ?? -1) - (a.greenShare ?? -1) || b.receipts - a.receipts)
      .slice(0, SHOPS_MAX),
    ...period.filter(({ shop }) => shop === null),
  ]);
}

const CAMPAIGN_FIGURE = /^campaign\.(awards|points)\.(.*)$/s;

function campaignRows({ figures, campaigns }: TableInputs): Row[] {
  const groups = new Groups({ awards: 0, points: 0 });
  for (const { start, figure, amount } of figures) {
    const [, kind, campaign = ""] = CAMPAIGN_FIGURE.exec(figure) ?? [];
    groups.add([start, campaign], kind as "awards" | "points", amount);
  }
  return groups.all().map(({ key: [from, campaign], sums }) => {
    const { pointsInAll = null, users = null, budget = null, firstUsers = null } = campaigns.get(campaign!) ?? {};
    return { from: from!, campaign: campaign!, ...sums, pointsInAll, budget, users, firstUsers };
  });
}

function deliveries({ span, figures }: TableInputs): Row[] {
  const byStart = Map.groupBy(figures, ({ start }) => start);
  return span.starts.map((from) => {
    const { ends, byStep } = sumDeliveries(byStart.get(from) ?? []);
    const seconds = (share: number): number | null => {
      const step = stepWithin(byStep, share);
      return step === null ? null : step / SECOND_MS;
    };
    const { first: firstAttempt, later: afterRetries, replayed, failed } = ends;
    return {
      from,
      firstAttempt,
      afterRetries,
      replayed,
      failed,
      medianSeconds: seconds(0.5),
      p95Seconds: seconds(0.95),
    };
  });
}

/** Four digits: shares are of counts, and more would be noise. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
