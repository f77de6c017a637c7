import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { createShares } from "../../shares.ts";
import { userInPath } from "../../users/store.ts";
import { cutsOf, figuresOf } from "./figures.ts";
import { getUserStatistics } from "./operations.ts";
import { statisticsPeriods } from "./periods.ts";
import type { Period } from "./periods.ts";
import { sumsBetween } from "./store.ts";

export interface StatisticsRouteDeps {
  readonly database: Database;
  readonly now: () => Date;
}

/** Statistics of all applications, and of one, at a time; and the longest wait. 100,000 records take half a second. */
const AT_ONCE = { max: 2, perHolder: 1, waitMsMax: 10_000 };
const TIMEFRAME_ERROR =
  "must be all, today, yesterday, week, month, year, like 30d, 4w, 6m, 1y, or an ISO 8601 duration or interval, like " +
  "P30D or 2026-01-01/2026-01-31, of at most two years";

/** Adds the statistics of a user. */
export function statisticsRoutes(server: Server, { database, now }: StatisticsRouteDeps): void {
  const shares = createShares(AT_ONCE);
  server.get(getUserStatistics.path, routeOf(getUserStatistics), async (request) => {
    const applicationId = request.application.id;
    const user = await userInPath(database, applicationId, request.params.id);
    const timeframe =
      [...knownValues(request, true)].find(([name]) => name.toLowerCase() === "timeframe")?.[1] ?? "all";
    // The user's own time: a test clock is ahead of the service's.
    const time = Math.max(now().getTime(), user.updatedAt.getTime() + 1);
    const periods = statisticsPeriods(timeframe, new Date(time), user.createdAt);
    if (!periods) throw new Problem("validation", { errors: { timeframe: [TIMEFRAME_ERROR] } });
    const { months } = periods;
    const cuts = cutsOf([periods, periods.previous, ...months, ...months.map(({ previous }) => previous)]);
    const end = cuts.length > 1 ? await shares.take(applicationId) : () => {};
    if (!end) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    try {
      const sums = cuts.length > 1 ? await sumsBetween(database, user.id, cuts) : [];
      const of = (period: Period) => figuresOf(period, cuts, sums);
      return {
        statistics: {
          userID: user.id,
          ...of(periods),
          previous: of(periods.previous),
          months: months.map((each) => ({
            month: each.from.toISOString().slice(0, 7),
            ...of(each),
            previous: of(each.previous),
          })),
        },
      };
    } finally {
      end();
    }
  });
}
