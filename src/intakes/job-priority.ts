/** Time over which the intakes of an application are counted. */
const WINDOW_MS = 10_000;
/** Intakes of an application within a window, from where on its jobs come after those of others. */
const LEVELS = [500, 5_000];

/**
 * Returns the priority of the job of an application's next intake: 0 for one that has sent few lately, -1 and -2 for
 * those that have sent many. So a backlog of one application delays the others' meals by the jobs in progress only.
 * The levels are few, so that two applications with much to do share the workers in the order of arrival.
 */
export function createJobPriorities(nowMs: () => number): (applicationId: string) => number {
  let windowStartMs = nowMs();
  let counts = new Map<string, number>();
  let earlier = new Map<string, number>();
  return (applicationId) => {
    const passedMs = nowMs() - windowStartMs;
    if (passedMs >= WINDOW_MS) {
      earlier = passedMs < 2 * WINDOW_MS ? counts : new Map();
      counts = new Map();
      windowStartMs = nowMs();
    }
    const count = (counts.get(applicationId) ?? 0) + 1;
    counts.set(applicationId, count);
    const recent = count + (earlier.get(applicationId) ?? 0);
    return 0 - LEVELS.filter((level) => recent > level).length;
  };
}
