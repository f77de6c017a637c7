import { NOTICE_DAYS_MAX } from "../points/expiry/sums.ts";
import { DEFAULT_POINTS_SETTINGS } from "../points/settings/settings.ts";
import type { PointsSettings } from "../points/settings/settings.ts";
import { pointsSettings, setPointsSettings } from "../points/settings/store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional } from "./command.ts";
import { flagOf } from "./parse.ts";

const MONTHS_MAX = 120;

/** `app points` */
export const POINTS_SETTINGS_COMMAND = command({
  name: "app points",
  summary: "set how its points are reversed and expire; options not given stay, without options it shows the settings",
  details:
    `A reversal of points that are spent makes the balance negative (overdraw, the default), or takes what is there ` +
    `(available). Points expire N months after they were earned, the oldest first, or all together N months after the ` +
    `last record that earned or redeemed points. Each user is announced --notice-days before (${DEFAULT_POINTS_SETTINGS.expiryNoticeDays}).`,
  options: {
    clientId: CLIENT_ID,
    reversal: optional("MODE", "overdraw or available"),
    expireMonths: optional("N|off", "months after which points expire"),
    expireFrom: optional("START", "earning or activity"),
    noticeDays: optional("N", "days before an expiry at which it is announced"),
  },
  examples: [
    "app points --client-id app_… --expire-months 12 --expire-from earning --notice-days 14",
    "app points --client-id app_… --reversal available",
    "app points --client-id app_…",
  ],
  run: async ({ database, now, options: { clientId, ...given }, print }) => {
    const settings = await database.tx(async (tx) => {
      const { id } = await applicationOf(tx, clientId);
      const set = await pointsSettings(tx, id);
      if (Object.values(given).every((value) => value === undefined)) return set;
      const wanted: PointsSettings = {
        reversalOverdraws: oneOf(
          "reversal",
          given.reversal,
          { overdraw: true, available: false },
          set.reversalOverdraws,
        ),
        expiryMonths:
          given.expireMonths === "off"
            ? null
            : numberOf("expireMonths", given.expireMonths, 1, MONTHS_MAX, set.expiryMonths),
        expiryFrom: oneOf("expireFrom", given.expireFrom, { earning: "earning", activity: "activity" }, set.expiryFrom),
        expiryNoticeDays: numberOf("noticeDays", given.noticeDays, 0, NOTICE_DAYS_MAX, set.expiryNoticeDays),
      };
      await setPointsSettings(tx, id, wanted, now);
      return wanted;
    });
    const { reversalOverdraws, expiryMonths, expiryFrom, expiryNoticeDays } = settings;
    print({ clientId, ...settings }, [
      reversalOverdraws
        ? "a reversal may make a balance negative"
        : "a reversal takes at most the points that are there",
      expiryMonths === null
        ? "points never expire"
        : `points expire ${expiryMonths} months after ${expiryFrom === "earning" ? "they were earned" : "the last activity"}, ` +
          `announced ${expiryNoticeDays} days before`,
    ]);
  },
});

function oneOf<Value>(
  name: string,
  given: string | undefined,
  values: Readonly<Record<string, Value>>,
  set: Value,
): Value {
  if (given === undefined) return set;
  if (!Object.hasOwn(values, given)) throw new Refusal(`${flagOf(name)} must be ${Object.keys(values).join(" or ")}`);
  return values[given]!;
}

function numberOf<Unset>(
  name: string,
  given: string | undefined,
  min: number,
  max: number,
  set: Unset,
): number | Unset {
  if (given === undefined) return set;
  const number = /^\d{1,4}$/.test(given) ? Number(given) : -1;
  if (number < min || number > max) throw new Refusal(`${flagOf(name)} must be a whole number from ${min} to ${max}`);
  return number;
}
