/** The words of the overview. */
export const overview = {
  title: "Overview",
  frame: {
    label: "Timeframe",
    presets: { "7d": "7 days", "30d": "30 days", "90d": "90 days", "12m": "12 months" },
    own: "Other days, or by day, week or month",
    from: "From",
    till: "To",
    by: "Show by",
    periods: { day: "Day", week: "Week", month: "Month" },
    submit: "Show",
    shown: (from: string, till: string) => `${from} to ${till}`,
    compared: (from: string, till: string) => `compared with ${from} to ${till}. Days are those of UTC.`,
    coarser: {
      day: "",
      week: "Shown by week: that many days would be too small.",
      month: "Shown by month: shorter periods would be too small.",
    },
    incomplete: (day: string) => `Days before ${day} are not counted yet.`,
    errors: {
      day: "Write both days as 2026-01-31, or choose them.",
      order: "The first day must not be after the last one.",
      long: "Choose at most 1,800 days.",
    },
  },
  key: "Key figures",
  before: "Before",
  beforeOf: (name: string) => `${name} before`,
  period: { day: "Day", week: "Week from", month: "Month" },
  /** The change from the timeframe before. */
  change: {
    more: (share: string, before: string) => `${share} more than before (${before})`,
    less: (share: string, before: string) => `${share} less than before (${before})`,
    same: (before: string) => `as before (${before})`,
    fromNone: "nothing before",
    unknown: "not known yet",
  },
  chart: {
    table: "Show the numbers",
    csv: "Download as CSV",
    notDrawn: "The chart could not be drawn. Its numbers are in the table.",
    described: ({ name, min, minAt, max, maxAt, last }: Described) =>
      `${name}: lowest ${min} (${minAt}), highest ${max} (${maxAt}), last ${last}.`,
    rising: "It rises.",
    falling: "It falls.",
    level: "It stays level.",
  },
  /** How many there were, and the change. */
  sentence: (value: string, what: string, change: string) => `${value} ${what}, ${change}.`,
  empty: {
    title: "Nothing has happened yet",
    text: "This application has no figures in this timeframe or the one before. Enrol a user and submit a receipt, a meal or a food; the figures are here at once.",
    reference: "How to call the API",
    longer: "Show 12 months",
  },
  points: {
    title: "Points issued and redeemed",
    issued: "Issued",
    redeemed: "Redeemed",
    lapsed: "Expired",
    unit: "points issued",
    hint: "Issued: earned, bonuses and adjustments, less reversals. Redeemed: spent, less refunds.",
    empty: "No points were issued or redeemed in this timeframe. They come with the first receipt, meal or food.",
  },
  outstanding: {
    title: "Points outstanding",
    name: "Outstanding",
    unit: "points that users can spend",
    hint: "The sum of all balances at the end of each period.",
    empty: "Nobody has points to spend in this timeframe.",
  },
  receipts: {
    title: "Receipts by outcome",
    name: "Receipts",
    completed: "Completed",
    failed: "Failed",
    unit: "receipts ended",
    hint: "On the day on which they ended. Held ones are not in it until somebody decides.",
    failures: (list: string) => `Failed because of: ${list}.`,
    empty: "No receipt ended in this timeframe. Upload one by the API or a hosted page.",
  },
  matching: {
    title: "Match rate",
    name: "Matched",
    unit: "of the names on receipts, meals and foods were matched",
    hint: "Without lines that are no food. What nobody matched is under “Unmatched names”.",
    empty: "No name was looked up in this timeframe.",
  },
  impact: {
    title: "CO2e",
    name: "CO2e, kg",
    unit: "kg CO2e in what was bought and eaten",
    hint: "Greenhouse gases of all rated items, from farm to shop.",
    empty: "No item was rated in this timeframe.",
  },
  users: {
    title: "Active users",
    name: "Active",
    enrolled: "Enrolled",
    unit: {
      day: "users active on an average day",
      week: "users active in an average week",
      month: "users active in an average month",
    },
    hint: "Different users with a receipt, meal or food that was credited.",
    empty: "Nobody was active in this timeframe. Enrol users, and submit what they bought or ate.",
  },
  deliveries: {
    title: "Webhook deliveries",
    first: "First attempt",
    later: "Retried",
    failed: "Failed",
    replayed: "Sent again",
    median: "Half within, s",
    p95: "95% within, s",
    key: "Webhooks at first attempt",
    unit: "deliveries ended",
    shares: (first: string, failed: string) => `At the first attempt: ${first}. Failed for good: ${failed}.`,
    hint: "On the day of the last attempt. Sent again: on request, after a success or a failure. Tests are not counted.",
    since: (day: string) => `All are counted since ${day}.`,
    empty: "No delivery ended in this timeframe.",
  },
  webhooks: {
    title: "Webhooks, as of now",
    pending: "Waiting",
    failed: "Failed",
    endpoint: "Endpoint",
    state: "State",
    states: { enabled: "works", failing: "fails", disabled: "switched off" },
    allWell: (endpoints: string) => `Nothing waits and nothing failed. Endpoints: ${endpoints}.`,
    sentence: (pending: string, failed: string) =>
      `${pending} deliveries wait, ${failed} failed for good in the last 30 days.`,
    hint: "An endpoint that fails gets its deliveries later; those that failed can be sent again.",
    empty: "There is no endpoint. Add one under “Developers”, or your server hears of nothing.",
  },
  review: {
    name: "Held for review",
    since: (at: string) => `the oldest since ${at}`,
    none: "nothing waits",
    disputed: "Disputed receipts",
  },
};

interface Described {
  readonly name: string;
  readonly min: string;
  readonly minAt: string;
  readonly max: string;
  readonly maxAt: string;
  readonly last: string;
}
