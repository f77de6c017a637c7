// The points that decide a user's tier, as they move while records are replayed. Pure.
import { createRecent } from "../../recent.ts";
import { countedFrom } from "../../points/tiers/tier.ts";
import type { TierRules } from "../../points/tiers/tier.ts";
import { HOUR_MS } from "../../time.ts";

/** Points of a moment, in ms since 1970. */
export interface MovedPoints {
  readonly atMs: number;
  readonly points: number;
}

/** Of one user. What has taken effect is removed from the lists, which ascend by time. */
export interface TierPoints {
  /** At the start. */
  points: number;
  /** What is added beside awards, when it comes. */
  moved: MovedPoints[];
  /** What was earned at these times counts no more when twelve months have passed. */
  leaving: MovedPoints[];
}

/** The start of the last twelve months changes with a day; no day begins within a quarter of an hour. */
const QUARTER_MS = HOUR_MS / 4;
const recent = createRecent<number>(5_000);

/** What has moved the points until a moment, beside awards: added, and left the twelve months. */
export function movedUntil(user: TierPoints, { by, timeZone }: TierRules, atMs: number): number {
  let points = 0;
  while (user.moved[0] && user.moved[0].atMs <= atMs) points += user.moved.shift()!.points;
  if (by === "lifetime" || user.leaving.length === 0) return points;
  const firstMs = recent(`${Math.floor(atMs / QUARTER_MS)} ${timeZone}`, () => countedFrom(atMs, timeZone));
  while (user.leaving[0] && user.leaving[0].atMs < firstMs) points -= user.leaving.shift()!.points;
  return points;
}

/** Adds points that come at a moment, in their place. */
export function addMoved(user: TierPoints, moved: MovedPoints): void {
  const place = user.moved.findIndex(({ atMs }) => atMs > moved.atMs);
  user.moved.splice(place < 0 ? user.moved.length : place, 0, moved);
}
