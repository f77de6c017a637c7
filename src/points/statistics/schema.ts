import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, points, text } from "../../http/schema-members.ts";

const bonuses = Type.Object(
  {
    referral: points("For a user who was invited, or by whom one was."),
    welcome: points("For the enrolment."),
    streak: points("For purchases on days or weeks in a row."),
    campaign: points("Of a campaign, given as a bonus of its own."),
    manual: points("Given by your staff or programs."),
  },
  { title: "BonusPoints", description: "Points of bonuses by type, less those that were reversed." },
);

const pointsBySource = Type.Object(
  {
    receipts: points("From receipts, with what campaigns and tiers added, less corrections and reversals."),
    meals: points("From meals, likewise."),
    foods: points("From foods, likewise."),
    bonuses,
    adjustments: points("That you gave or took, opening balances among them, less reversals."),
    redemptions: points("Spent on rewards, or reserved for them: 0 or less."),
    refunds: points("That went back from redemptions."),
    expired: points("That were not spent in time: 0 or less."),
  },
  {
    title: "PointsBySource",
    description:
      "`balanceChange` by what the points came from or went to. What takes back a record counts as its source.",
  },
);

/** A reversal or correction takes back what an earlier period has: any figure can be negative. */
const figures = {
  earnedPoints: points("What was added to `lifetimePoints`."),
  balanceChange: points("What was added to `availablePoints`; negative if more was spent or taken."),
  numOfTransactions: count("Receipts, meals and foods that were credited."),
  totalHealthPoints: points("Points for health ratings."),
  totalCarbonScore: points("Points for carbon ratings."),
  totalBonusPoints: points("Points of bonuses, and what campaigns and tiers added to receipts, meals and foods."),
  totalGreenProducts: Type.Integer({ description: "Credited items with carbon rating 1 or 2 (A or B)." }),
  totalHealthyProducts: Type.Integer({ description: "Credited items with health rating 1 or 2 (A or B)." }),
  totalCO2e: Type.Number({ description: "CO2e of the credited items. Kilograms of CO2-equivalent." }),
  pointsBySource,
};
const Figures = Type.Object(figures);
export type Figures = Static<typeof Figures>;

const period = {
  from: instant("Start of the period."),
  before: instant("End of the period, which does not belong to it."),
  ...figures,
};
const PeriodFigures = Type.Object(period, {
  title: "StatisticsPeriod",
  description: "What the records of a period add up to. A record belongs to the period in which it was booked.",
});
export type PeriodFigures = Static<typeof PeriodFigures>;

const Month = Type.Object(
  {
    month: Type.String({ description: "The calendar month (UTC).", examples: ["2026-11"] }),
    ...period,
    previous: PeriodFigures,
  },
  {
    title: "StatisticsMonth",
    description:
      "A month, or the part of it within the timeframe. `previous` is the month before; of a part, the same part of it.",
  },
);

/** The response of the statistics. */
export const StatisticsResponse = Type.Object(
  {
    statistics: Type.Object(
      {
        userID: text("The user's id."),
        ...period,
        previous: PeriodFigures,
        months: Type.Array(Month, {
          description: "Each month of the timeframe, in order, also without records. They add up to it.",
        }),
      },
      {
        title: "UserStatistics",
        description: "The figures of a timeframe, of the period of the same length before it, and by month.",
      },
    ),
  },
  { title: "StatisticsResponse", description: "A user's statistics." },
);
export type UserStatistics = Static<typeof StatisticsResponse>["statistics"];
