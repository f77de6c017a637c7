// What the service counts and measures as it happens, for `/metrics`. The values of a label are of a closed list in
// the code (patterns of routes, names of stages and queues …), so that the number of series is bounded: never an
// application, a person or an address.

interface Measure {
  readonly help: string;
  readonly labels: readonly string[];
}

const SOURCES = ["receipt", "meal", "food"];

/**
 * Numbers that only grow, by name. Those in `from` are there from the start, with 0: Prometheus sees an increase
 * between two values only.
 */
export const COUNTERS = {
  rewards_http_requests_total: {
    help: "Requests by method, pattern of the route and class of the status. Route none: no route, or refused before one.",
    labels: ["method", "route", "status"],
  },
  rewards_submissions_total: {
    help: "Receipts, meals and foods that ended: credited, or with this error.",
    labels: ["source", "outcome"],
    from: SOURCES.map((source) => ({ source, outcome: "credited" })),
  },
  rewards_items_total: {
    help: "Items of credited submissions: rated, or left out for this reason.",
    labels: ["source", "outcome"],
    from: SOURCES.map((source) => ({ source, outcome: "rated" })),
  },
  rewards_points_issued_total: { help: "Points added to balances, by cause.", labels: ["cause"] },
  rewards_points_taken_total: { help: "Points taken from balances, by cause.", labels: ["cause"] },
  rewards_deliveries_ended_total: {
    help: "Webhook deliveries that ended: by the first attempt, later, replayed, or failed for good.",
    labels: ["end"],
    from: ["first", "later", "replayed", "failed"].map((end) => ({ end })),
  },
  rewards_processes_replaced_total: {
    help: "Processes that read or decode images and were replaced, by kind.",
    labels: ["kind"],
    from: [{ kind: "ocr" }],
  },
  rewards_jobs_failed_total: { help: "Failed attempts of jobs, by queue.", labels: ["queue"] },
} as const satisfies Record<string, Measure & { readonly from?: readonly Readonly<Record<string, string>>[] }>;

const UPTO_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Durations in seconds, by name. `upTo` are the bounds of their classes. */
export const DURATIONS = {
  rewards_http_request_duration_seconds: {
    help: "Time until the response was sent.",
    labels: ["method", "route"],
    upTo: UPTO_SECONDS,
  },
  rewards_stage_duration_seconds: {
    help: "Time of a stage of a receipt, or of scoring a batch of meals and foods.",
    labels: ["stage", "outcome"],
    upTo: [...UPTO_SECONDS, 60, 120],
  },
  rewards_ocr_duration_seconds: {
    help: "Time to read the text of one image.",
    labels: ["outcome"],
    upTo: [0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 20, 30, 60],
  },
  rewards_image_store_duration_seconds: {
    help: "Time of a call of the S3 service that stores images, with its retries; error: it was away, or refused.",
    labels: ["operation", "outcome"],
    upTo: UPTO_SECONDS,
  },
  rewards_webhook_attempt_duration_seconds: {
    help: "Time of one attempt of a webhook, by whether its endpoint's last attempt failed, and by how this one ended.",
    labels: ["endpoints", "outcome"],
    upTo: UPTO_SECONDS,
  },
  rewards_webhook_lag_seconds: {
    help: "Time from an event to its delivery, unless it was replayed.",
    labels: [],
    upTo: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400],
  },
} as const satisfies Record<string, Measure & { readonly upTo: readonly number[] }>;

export type CounterName = keyof typeof COUNTERS;
export type DurationName = keyof typeof DURATIONS;
type LabelsOf<Declared extends Measure> = Readonly<Record<Declared["labels"][number], string>>;

/** Counts and measures. What it costs is a microsecond; without metrics, nothing. */
export interface Meters {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<(typeof COUNTERS)[Name]>, amount?: number): void;
  time<Name extends DurationName>(name: Name, labels: LabelsOf<(typeof DURATIONS)[Name]>, seconds: number): void;
}

/** Measures nothing. */
export const NO_METERS: Meters = { count: () => {}, time: () => {} };
