import type { ClaimedDelivery } from "./delivery.ts";
import { createLanes } from "./lanes.ts";
import type { LaneLimits, Lanes } from "./lanes.ts";

// A claim fills a lane with several rounds of work: claiming 64 rows costs little more than claiming one.
export const HEALTHY_LIMITS: LaneLimits = {
  runningMax: 128,
  runningPerLaneMax: 16,
  heldPerLaneMax: 64,
  heldMax: 1_024,
  fullLaneHeld: 16_384,
};
// An attempt that times out occupies its place for 15 s. In lanes apart, with few places, failing endpoints delay
// only one another.
const FAILING_LIMITS: LaneLimits = {
  runningMax: 64,
  runningPerLaneMax: 4,
  heldPerLaneMax: 16,
  heldMax: 512,
  fullLaneHeld: 16,
};

/** The deliveries that this process has claimed and that have no outcome yet. */
export interface Backlog {
  readonly healthy: Lanes<ClaimedDelivery>;
  /** Deliveries to endpoints whose last attempt failed. */
  readonly failing: Lanes<ClaimedDelivery>;
}

export function createBacklog(healthyLimits: LaneLimits): Backlog {
  return { healthy: createLanes(healthyLimits), failing: createLanes(FAILING_LIMITS) };
}

/** Number of chains that are being sent. */
export function runningIn({ healthy, failing }: Backlog): number {
  return healthy.running + failing.running;
}

export function isEmpty({ healthy, failing }: Backlog): boolean {
  return healthy.held + failing.held === 0;
}

/** Removes and returns the deliveries that are not being sent yet: those of one endpoint, or all. */
export function takeWaiting({ healthy, failing }: Backlog, endpointId?: string): ClaimedDelivery[] {
  return [healthy, failing].flatMap((lanes) => lanes.clear(endpointId).flat());
}
