import { setTimeout as sleep } from "node:timers/promises";

/** Scoring is never later than this because of it: under a load that lasts it goes on, as late as that. */
const LATE_MS = 5_000;
const CHECK_MS = 10;

/**
 * Waits while a burst of intakes is arriving, whose responses scoring would delay, but only until those accepted at
 * `acceptedAt` are late. So with `npm start`, where one process does everything, a burst gets its responses first.
 */
export async function giveWay(
  acceptedAt: Date,
  { isPressed, now }: { readonly isPressed: () => boolean; readonly now: () => Date },
): Promise<void> {
  const lateMs = acceptedAt.getTime() + LATE_MS;
  while (isPressed() && now().getTime() < lateMs) await sleep(CHECK_MS);
}
