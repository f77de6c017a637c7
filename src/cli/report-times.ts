const REPORT_INTERVAL_MS = 2_000;

/** Reports every few seconds, from the first ones on: a command that takes less reports nothing. */
export function atTimes(report: (line: string) => void): (line: string) => void {
  let reportedAt = performance.now();
  return (line) => {
    if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    report(line);
  };
}
