import { RETRY_SCHEDULE_SECONDS } from "./webhooks/retry.ts";

/**
 * One setting: its default as text, and a sentence for the README's table. Its name is that of the environment
 * variable.
 */
interface Setting {
  readonly fallback: string;
  readonly about: string;
}

/** All settings. The README's table is this list; a test compares them. */
export const SETTINGS = {
  HOST: { fallback: "127.0.0.1", about: "Address the service listens on" },
  PORT: { fallback: "8080", about: "Port it listens on; 0 takes a free one" },
  PUBLIC_URL: { fallback: "", about: "Address at which integrators reach the API; default `http://127.0.0.1:PORT`" },
  HOSTED_PAGES_URL: { fallback: "", about: "Address at which people reach the hosted pages; default `PUBLIC_URL`" },
  DATABASE_URL: {
    fallback: "",
    about: "PostgreSQL 15 or newer; if empty, the service runs its own below `DATA_DIR`",
  },
  DATABASE_SESSION_URL: {
    fallback: "",
    about:
      "The same database without the PgBouncer that `DATABASE_URL` leads to: for notices and migrations; if empty, there is none",
  },
  DATABASE_SCHEMA: {
    fallback: "public",
    about:
      "Schema of the tables: several services share a database, each in its own; images are in a folder of its name",
  },
  DATABASE_POOL_MAX: { fallback: "10", about: "Database connections of one process" },
  DATABASE_BACKGROUND_POOL_MAX: {
    fallback: "3",
    about:
      "Further connections for long work (replays, deletion of old events, metrics), which requests don't wait for",
  },
  DATABASE_STATEMENT_TIMEOUT_SECONDS: {
    fallback: "15",
    about:
      "A statement that takes longer is cancelled, its request gets 503; four times as long for long work; 0 = no limit",
  },
  DATABASE_NAMED_STATEMENTS: {
    fallback: "true",
    about: "`false` behind a PgBouncer that cannot hold named statements",
  },
  DATA_DIR: { fallback: "./data", about: "Folder of the bundled PostgreSQL and of the images" },
  LOG_LEVEL: { fallback: "info", about: "`debug`, `info`, `warn`, `error` or `silent`" },
  LOG_REQUESTS_PER_LINE: {
    fallback: "1",
    about:
      "Of requests with a status below 400, one in this number has a line in the log; the others have one each; 0 = none",
  },
  AUTH_FAILURES_PER_MINUTE: {
    fallback: "600",
    about:
      "Wrong credentials, or unknown links to hosted pages, that one address may send in a minute before it gets 429; 0 = no limit",
  },
  RATE_LIMIT_PER_MINUTE: {
    fallback: "0",
    about:
      "Calls that an application may make in a minute, at all processes together, before it gets 429, unless it has its own limit; 0 = no limit",
  },
  CORS_ALLOWED_ORIGINS: {
    fallback: "",
    about: "Origins whose pages may read responses (CORS), e.g. `https://shop.example`, comma-separated; empty = none",
  },
  SESSION_TTL_SECONDS: { fallback: "1800", about: "Lifetime of a hosted page's session: 10 s to 24 h" },
  SAMPLE_PAGES: {
    fallback: "auto",
    about:
      "`true`: anyone who reaches the landing page may open sample sessions of a sandbox application; `auto`: only where `HOST`, `PUBLIC_URL` and `HOSTED_PAGES_URL` are addresses of this machine",
  },
  CONSOLE: {
    fallback: "false",
    about: "`true`: people who were added by `console user add` can sign in at `PUBLIC_URL/console`",
  },
  CONSOLE_OIDC_ISSUER: {
    fallback: "",
    about:
      "Provider of OpenID Connect that people of the console can sign in with, e.g. `https://login.example.org`; if empty, none",
  },
  CONSOLE_OIDC_CLIENT_ID: { fallback: "", about: "The console's id at that provider" },
  CONSOLE_OIDC_CLIENT_SECRET: { fallback: "", about: "The console's secret at that provider" },
  CONSOLE_OIDC_NAME: { fallback: "single sign-on", about: "The provider's name on the button" },
  MEAL_WINDOW_DAYS: { fallback: "14", about: "A meal logged longer ago fails as OLD_MEAL_LOG" },
  INTAKES_WAITING_MAX: {
    fallback: "5000",
    about: "Meals and foods that wait in one process to be stored; more get 503",
  },
  RECEIPTS_WAITING_MAX: {
    fallback: "10000",
    about: "Unfinished receipts of all processes together; at this number uploads get 503",
  },
  RECEIPTS_WAITING_PER_APPLICATION: {
    fallback: "2500",
    about: "Unfinished receipts of one application; at this number its uploads get 503, those of others don't",
  },
  RECEIPTS_WAITING_PER_USER: {
    fallback: "500",
    about: "Unfinished receipts of one user; at this number the user's uploads get 503",
  },
  RECEIPTS_PER_USER_PER_DAY: {
    fallback: "0",
    about: "Receipts of one user within 24 hours; more fail as NOT_AUTHENTIC; 0 = no limit",
  },
  RECEIPT_MAX_AGE_DAYS: {
    fallback: "0",
    about: "A receipt of an older purchase fails as NOT_AUTHENTIC; 0 = no limit",
  },
  RECEIPT_TEXT_DAYS: {
    fallback: "365",
    about:
      "Time that the text of a rewarded receipt, with its places, is kept to recognise another photo of it; 0 = for good",
  },
  ERASED_RECEIPT_DAYS: {
    fallback: "365",
    about:
      "Time that nameless hashes of rewarded receipts are kept after their user is erased, so that they earn nothing again, and of their welcome; 0 = not kept",
  },
  IMAGE_BYTES_MAX: {
    fallback: "10485760",
    about: "Largest receipt image in bytes; several photos of a receipt together",
  },
  IMAGE_PIXELS_MAX: { fallback: "50000000", about: "Largest receipt image in pixels" },
  IMAGES_STORE: {
    fallback: "auto",
    about:
      "Where new images are stored: `folder` (below `DATA_DIR`), `s3`, or `auto`: `s3` if there is a bucket. With a bucket those of both are read",
  },
  IMAGES_S3_BUCKET: {
    fallback: "",
    about:
      "Bucket of the images. Credentials are those that the AWS SDK finds, e.g. `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
  },
  IMAGES_S3_ENDPOINT: {
    fallback: "",
    about: "Address of an S3 service other than AWS, e.g. `https://s3.example.org`; the bucket is then in the path",
  },
  IMAGES_S3_LINK_ENDPOINT: {
    fallback: "",
    about: "Address at which clients reach the same service, for the links to images; default `IMAGES_S3_ENDPOINT`",
  },
  IMAGES_S3_REGION: { fallback: "us-east-1", about: "Region of the bucket" },
  IMAGES_S3_PREFIX: {
    fallback: "",
    about:
      "Beginning of the names of all images in the bucket, e.g. `rewards/`, for this installation alone; a `DATABASE_SCHEMA` is added",
  },
  OCR_PROCESSES: { fallback: "0", about: "Processes that read receipts; 0 = one for each core" },
  OCR_TIMEOUT_SECONDS: {
    fallback: "60",
    about: "Time limit of one receipt; after it the process is replaced and the receipt retried once",
  },
  OCR_MEMORY_MB: { fallback: "1500", about: "Memory limit of one OCR process; above it the process is replaced" },
  METRICS_TOKEN: {
    fallback: "",
    about:
      "Bearer token for `GET /metrics` (Prometheus format) of `serve` and `start`; if empty, that path does not exist",
  },
  METRICS_PORT: {
    fallback: "0",
    about:
      "Another port of `HOST` that only serves `GET /metrics`, also of `work`; with `METRICS_TOKEN` if that is set; 0 = none",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: "",
    about:
      "Collector that gets traces by OTLP over HTTP, as JSON, e.g. `http://127.0.0.1:4318`; if empty, nothing is traced",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    fallback: "",
    about: "Headers for the collector, e.g. `authorization=Bearer%20TOKEN`, comma-separated, values percent-encoded",
  },
  OTEL_SERVICE_NAME: { fallback: "rewards-service", about: "Name of the service in traces" },
  OTEL_TRACES_SAMPLER_ARG: {
    fallback: "1",
    about: "Share of traces that are recorded, from 0 to 1, unless a caller has begun them: then the caller decides",
  },
  TEST_BLOB_HOSTS: {
    fallback: "",
    about: "Hosts that a sandbox may fetch `testBlobUri=https://…` from, comma-separated",
  },
  WEBHOOK_RETRY_SCHEDULE: {
    fallback: RETRY_SCHEDULE_SECONDS.join(","),
    about: "Seconds to wait before each delivery attempt",
  },
  WEBHOOK_TIMEOUT_SECONDS: { fallback: "15", about: "Time an endpoint has to respond" },
  WEBHOOK_DISABLE_AFTER_DAYS: {
    fallback: "5",
    about: "An endpoint without a successful delivery for this time is disabled; 0 = never",
  },
  WEBHOOK_RETENTION_DAYS: {
    fallback: "30",
    about: "Time that events and the log of their deliveries are kept. They are removed within another quarter of it",
  },
  WEBHOOK_OLD_SECRET_HOURS: { fallback: "24", about: "Time that the old signing secret stays valid after a rotation" },
  WEBHOOK_ALLOW_NETS: {
    fallback: "",
    about: "Private networks that webhooks may reach, e.g. `127.0.0.0/8,10.1.0.0/16`",
  },
} as const satisfies Record<string, Setting>;

/** The settings as text. */
export type Env = Record<keyof typeof SETTINGS, string>;
