const REPORT_INTERVAL_MS = 2_000;

/** Reports at most every few seconds. */
export function atTimes(report: (line: string) => void): (line: string) => void {
  let reportedAt = -Infinity;
  return (line) => {
    if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    report(line);
  };
}
