/** The words of the audit log. */
export const audit = {
  title: "Audit log",
  lead: "What was changed in the console, on the command line and with client secrets, the newest first. Nothing can be changed here.",
  columns: { at: "When", who: "Who", application: "Application", action: "What", subject: "About", status: "Outcome" },
  commandLine: "command line",
  removed: "removed",
  noApplication: "none",
  outcomes: { done: "done", refused: "refused", failed: "failed", interrupted: "interrupted" },
  none: "Nothing was done yet.",
  filter: { application: "Application", any: "Any" },
};
