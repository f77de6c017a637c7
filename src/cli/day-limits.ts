import { setDayLimits } from "../applications/store.ts";
import type { DayLimits } from "../points/limits/limits.ts";
import { CLIENT_ID, applicationOf, found } from "./client-id.ts";
import { Refusal, command, optional } from "./command.ts";
import { flagOf } from "./parse.ts";

/** Options for a programme of consumers, as `app create` suggests them. */
export const RECOMMENDED_DAY_LIMITS = "--points-a-day 400 --meals-a-day 5 --food-points-a-day 50";

/** `app day-limits` */
export const DAY_LIMITS_COMMAND = command({
  name: "app day-limits",
  summary: "set what each of its users may earn in a day; options not given stay, without options it shows the limits",
  details:
    "A day is the UTC day on which a submission was accepted. Items beyond a limit are rated and shown but earn nothing; their " +
    "explanation says so. Points already awarded stay. Recommended for consumer programmes: 400 points, 5 meals, 50 points from foods.",
  options: {
    clientId: CLIENT_ID,
    pointsADay: optional("N|off", "points from all submissions together"),
    mealsADay: optional("N|off", "meals that earn points"),
    foodPointsADay: optional("N|off", "points from tracked foods"),
  },
  examples: [
    `app day-limits --client-id app_… ${RECOMMENDED_DAY_LIMITS}`,
    "app day-limits --client-id app_… --meals-a-day off",
    "app day-limits --client-id app_…",
  ],
  run: async ({ database, now, options: { clientId, ...given }, print }) => {
    const limits = await database.tx(async (tx) => {
      const set = dayLimitsOf(await applicationOf(tx, clientId));
      if (Object.values(given).every((value) => value === undefined)) return set;
      const wanted = {
        pointsADay: limitOf("pointsADay", given.pointsADay, set),
        mealsADay: limitOf("mealsADay", given.mealsADay, set),
        foodPointsADay: limitOf("foodPointsADay", given.foodPointsADay, set),
      };
      return dayLimitsOf(found(await setDayLimits(tx, clientId, wanted, now)));
    });
    const line = (max: number | null, what: string) => (max === null ? `any number of ${what}` : `${max} ${what}`);
    print({ clientId, ...limits }, [
      `each user may earn in a day: ${line(limits.pointsADay, "points")}, with ${line(limits.mealsADay, "meals")}, ` +
        line(limits.foodPointsADay, "points from foods"),
    ]);
  },
});

/** Returns the limits of an application. */
export function dayLimitsOf({ pointsADay, mealsADay, foodPointsADay }: DayLimits): DayLimits {
  return { pointsADay, mealsADay, foodPointsADay };
}

function limitOf(name: keyof DayLimits, given: string | undefined, set: DayLimits): number | null {
  if (given === undefined) return set[name];
  if (given === "off") return null;
  if (!/^\d{1,7}$/.test(given)) throw new Refusal(`${flagOf(name)} must be a whole number from 0 to 9999999, or off`);
  return Number(given);
}
