import type { Tx } from "../../postgres/postgres.ts";
import { bool, int2, oneOf, orNull, statement } from "../../postgres/statement.ts";
import { DEFAULT_POINTS_SETTINGS } from "./settings.ts";
import type { PointsSettings } from "./settings.ts";

const FIND = statement(
  "points.settings",
  {
    reversalOverdraws: bool,
    expiryMonths: orNull(int2),
    expiryFrom: oneOf(["earning", "activity"]),
    expiryNoticeDays: int2,
  },
  `SELECT reversal_overdraws AS "reversalOverdraws", expiry_months AS "expiryMonths", expiry_from AS "expiryFrom",
                expiry_notice_days AS "expiryNoticeDays"
         FROM points_settings WHERE application_id = $1`,
);
const SET = statement(
  "points.set-settings",
  {},
  `INSERT INTO points_settings (application_id, reversal_overdraws, expiry_months, expiry_from, expiry_notice_days, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (application_id) DO UPDATE
         SET reversal_overdraws = excluded.reversal_overdraws, expiry_months = excluded.expiry_months,
             expiry_from = excluded.expiry_from, expiry_notice_days = excluded.expiry_notice_days,
             updated_at = excluded.updated_at`,
);

const TURN_EXPIRY_ON = statement(
  "points.turn-expiry-on",
  {},
  `INSERT INTO points_settings (application_id, expiry_months, updated_at) VALUES ($1, $2, $3)
         ON CONFLICT (application_id) DO UPDATE
         SET expiry_months = excluded.expiry_months, updated_at = excluded.updated_at
         WHERE points_settings.expiry_months IS NULL`,
);

/** Lets the points of an application expire, unless they do already. Its other settings stay. */
export async function turnExpiryOn(tx: Tx, applicationId: string, months: number, now: Date): Promise<void> {
  await tx.query(TURN_EXPIRY_ON, [applicationId, months, now]);
}

/** The settings of an application; the defaults for one that has set none. */
export async function pointsSettings(tx: Tx, applicationId: string): Promise<PointsSettings> {
  return (await tx.query(FIND, [applicationId]))[0] ?? DEFAULT_POINTS_SETTINGS;
}

/** Replaces the settings of an application. */
export async function setPointsSettings(
  tx: Tx,
  applicationId: string,
  settings: PointsSettings,
  now: Date,
): Promise<void> {
  const { reversalOverdraws, expiryMonths, expiryFrom, expiryNoticeDays } = settings;
  await tx.query(SET, [applicationId, reversalOverdraws, expiryMonths, expiryFrom, expiryNoticeDays, now]);
}
