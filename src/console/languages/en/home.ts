/** The words of the first page after signing in. */
export const home = {
  welcome: (name: string) => `Welcome, ${name}`,
  about:
    "The service reads receipts, meals and foods, rates each item for health and climate, and books points for it. " +
    "Here you see what it booked and decide what it left to people.",
  title: "Your applications",
  none: "You may see no application yet. Ask the operator of the service for a role.",
  noneAtAll: "There is no application yet. Create one on the machine of the service:",
  figures: {
    held: "Held for review",
    disputed: "Disputed",
    receipts: "Receipts since yesterday",
    failed: "Failed since yesterday",
    endpoints: "Endpoints that fail",
    unknown: "Its figures are not known at the moment.",
    many: "Figures are shown for the first applications alone; the others have theirs in their overview.",
  },
  state: {
    title: "The service",
    ready: { label: "Database and work", yes: "ready", no: "not ready" },
    receipts: "Receipts waiting",
    intakes: "Meals and foods waiting",
    pending: "Webhooks waiting",
    failed: "Webhooks that failed",
    endpoints: "Endpoints that fail",
    ledger: "Ledger",
    oldest: (minutes: string) => `the oldest for ${minutes} min`,
    late: (minutes: string) => `late by ${minutes} min`,
    verified: (at: string) => `as its records, ${at}`,
    differences: (count: string, at: string) => `differences: ${count}, ${at}`,
    never: "not verified yet; it is each day",
  },
  next: {
    title: "Where to go next",
    review: (application: string) => `Decide held receipts of ${application}`,
    team: "Who may use the console",
    audit: "What was done in it",
    reference: "How to call the API",
    problems: "What the problems of the API mean",
  },
};
