/** What an application decides about its points. */
export interface PointsSettings {
  /** Whether a reversal of points that are spent makes the balance negative; otherwise it takes what is there. */
  readonly reversalOverdraws: boolean;
  /** Months after which points expire; null: never. */
  readonly expiryMonths: number | null;
  /** `earning`: each point from its own record, first in, first out. `activity`: all, from the last activity. */
  readonly expiryFrom: "earning" | "activity";
  /** Days before an expiry at which the user's integrator is notified. */
  readonly expiryNoticeDays: number;
}

export const DEFAULT_POINTS_SETTINGS: PointsSettings = {
  reversalOverdraws: true,
  expiryMonths: null,
  expiryFrom: "earning",
  expiryNoticeDays: 14,
};
