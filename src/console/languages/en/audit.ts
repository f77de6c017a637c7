/** The words of the audit log. */
export const audit = {
  title: "Audit log",
  lead: "What was done in the console and on the command line, the newest first. Nothing can be changed here.",
  columns: { at: "When", who: "Who", application: "Application", action: "What", subject: "About", status: "Outcome" },
  commandLine: "command line",
  removed: "removed",
  noApplication: "none",
  outcomes: { done: "done", refused: "refused", failed: "failed", interrupted: "interrupted" },
  none: "Nothing was done yet.",
  filter: { application: "Application", any: "Any" },
};
