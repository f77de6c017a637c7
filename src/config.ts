import { BlockList } from "node:net";
import { join } from "node:path";
import { IMAGE_SETTINGS, readImages } from "./image-settings.ts";
import { DEFAULT_SCHEMA, isSchemaName } from "./postgres/cell.ts";
import type { ImageSettings } from "./images/open-images.ts";
import { SETTINGS } from "./settings.ts";
import type { Env } from "./settings.ts";
import { DAY_MS, HOUR_MS } from "./time.ts";
import { parseHeaders } from "./tracing/otlp-headers.ts";
import type { TracingSettings } from "./tracing/otlp.ts";
import { readAddress } from "./address-setting.ts";
import { parseCidrs } from "./webhooks/address.ts";
import type { AllowNets } from "./webhooks/address.ts";

const DAY_SECONDS = DAY_MS / 1_000;

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** The settings as the service uses them. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. Null: not set; derived from the address and the port in use. */
  readonly publicUrl: string | null;
  /** Without a slash at the end. Null: same as `publicUrl`. */
  readonly hostedPagesUrl: string | null;
  readonly database:
    | { readonly kind: "embedded" }
    | { readonly kind: "external"; readonly url: string; readonly sessionUrl: string | null };
  readonly databaseSchema: string;
  readonly databasePoolMax: number;
  readonly databaseBackgroundPoolMax: number;
  /** 0: no limit. */
  readonly databaseStatementTimeoutMs: number;
  readonly databaseNamedStatements: boolean;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  /** Of requests with a status below 400; 0: none has a line. */
  readonly logRequestsPerLine: number;
  /** 0: no limit. */
  readonly authFailuresPerMinute: number;
  /** 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly corsOrigins: readonly string[];
  readonly sessionTtlSeconds: number;
  /** Anyone may open sample sessions from the landing page. */
  readonly areSamplesAllowed: boolean;
  /** The console is reachable. */
  readonly hasConsole: boolean;
  /** Null: people sign in to the console with what the service itself knows. */
  readonly consoleProvider: ConsoleProvider | null;
  readonly mealWindowDays: number;
  readonly intakesWaitingMax: number;
  readonly receiptsWaitingMax: number;
  readonly receiptsWaitingPerApplication: number;
  readonly receiptsWaitingPerUser: number;
  /** 0: no limit. */
  readonly receiptsPerUserPerDay: number;
  /** 0: no limit. */
  readonly receiptMaxAgeDays: number;
  /** 0: for good. */
  readonly receiptTextDays: number;
  /** 0: nothing is kept. */
  readonly erasedReceiptDays: number;
  readonly imageBytesMax: number;
  readonly imagePixelsMax: number;
  readonly images: ImageSettings;
  /** 0: one for each core. */
  readonly ocrProcesses: number;
  readonly ocrTimeoutMs: number;
  readonly ocrMemoryMb: number;
  readonly testBlobHosts: readonly string[];
  readonly webhookScheduleSeconds: readonly number[];
  readonly webhookTimeoutMs: number;
  /** Empty: no metrics on the port of the API, and metrics without a token on a port of their own. */
  readonly metricsToken: string;
  /** 0: no port of their own. */
  readonly metricsPort: number;
  /** Null: nothing is traced. */
  readonly tracing: TracingSettings | null;
  /** Infinity: never. */
  readonly webhookDisableAfterSeconds: number;
  readonly webhookRetentionMs: number;
  readonly webhookOldSecretMs: number;
  readonly webhookAllowNets: AllowNets;
}

/** A provider of OpenID Connect, and the console's credentials there. */
export interface ConsoleProvider {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The settings as text, from the process's environment or a test's own record. An empty one takes its default. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const names = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];
  return Object.fromEntries(names.map((name) => [name, source[name]?.trim() || SETTINGS[name].fallback])) as Env;
}

/**
 * The address and credentials of a program that calls the service as an integrator does, as the SDK's README names
 * them.
 */
export interface ClientEnv {
  readonly url: string;
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

/** Reads them from the process's environment or a test's own record. */
export function readClientEnv(source: Record<string, string | undefined> = process.env): ClientEnv {
  const { REWARDS_URL, REWARDS_CLIENT_ID, REWARDS_CLIENT_SECRET } = source;
  return { url: REWARDS_URL || "http://127.0.0.1:8080", id: REWARDS_CLIENT_ID, secret: REWARDS_CLIENT_SECRET };
}

/** Where another cell is, for commands that move an application there: an address may have a password in it. */
export interface TargetEnv {
  /** Undefined: in the same PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Its folder of images is below, as below DATA_DIR: the same one without TARGET_DATA_DIR. */
  readonly dataDir: string;
  /** Where the cell of a schema has its images. Throws ConfigError. */
  images(schema: string): ImageSettings;
}

/** In front of a setting of this cell, it is the one of another cell. */
const TARGET = "TARGET_";

/** Reads it from the process's environment or a test's own record. */
export function readTargetEnv(source: Record<string, string | undefined> = process.env): TargetEnv {
  const { TARGET_DATABASE_URL, TARGET_DATA_DIR } = source;
  const ofTarget = Object.fromEntries(IMAGE_SETTINGS.map((name) => [name, source[`${TARGET}${name}`]]));
  // All or none: of a mixture nobody could say that the other cell has no bucket.
  const isSet = Object.values(ofTarget).some((value) => value?.trim());
  return {
    databaseUrl: TARGET_DATABASE_URL || undefined,
    dataDir: TARGET_DATA_DIR || readEnv(source).DATA_DIR,
    images: (schema) => {
      const errors: string[] = [];
      const images = readImages(readEnv(isSet ? ofTarget : source), schema, errors);
      if (errors.length === 0) return images;
      throw new ConfigError(isSet ? errors.map((error) => error.replaceAll(/\bIMAGES_/g, `${TARGET}IMAGES_`)) : errors);
    },
  };
}

/** The folder of a cell: of all but `public` one of its own. */
export function dataDirOf(dataDir: string, schema: string): string {
  return schema === DEFAULT_SCHEMA ? dataDir : join(dataDir, schema);
}

/** Reads single settings. Collects errors, so that one message names them all. */
function createReaders(env: Env, errors: string[]) {
  return {
    integer: (name: keyof Env, min: number, max: number): number => {
      const value = /^\d+$/.test(env[name]) ? Number(env[name]) : Number.NaN;
      if (!(value >= min && value <= max)) errors.push(`${name} must be a whole number from ${min} to ${max}`);
      return value;
    },
    address: (name: keyof Env): string | null => readAddress(env[name], name, errors),
    oneOf: <Value extends string>(name: keyof Env, values: readonly Value[]): Value => {
      const value = values.find((candidate) => candidate === env[name]);
      if (value === undefined) errors.push(`${name} must be one of ${values.join(", ")}`);
      return value ?? values[0]!;
    },
    list: (name: keyof Env): string[] =>
      env[name]
        .split(",")
        .map((entry) => entry.trim())
        .filter(Boolean),
  };
}

function readAllowNets(env: Env, errors: string[]): AllowNets {
  const read = parseCidrs(env.WEBHOOK_ALLOW_NETS);
  if (read.kind === "ok") return read.nets;
  errors.push("WEBHOOK_ALLOW_NETS must be networks like 10.1.0.0/16, comma-separated");
  return new BlockList();
}

function readConsoleProvider(env: Env, errors: string[]): ConsoleProvider | null {
  const issuer = env.CONSOLE_OIDC_ISSUER;
  if (issuer === "") return null;
  // Otherwise anybody on the way could sign in as anybody.
  if (!isPrivate(issuer)) errors.push("CONSOLE_OIDC_ISSUER must be an https address");
  const [clientId, clientSecret] = [env.CONSOLE_OIDC_CLIENT_ID, env.CONSOLE_OIDC_CLIENT_SECRET];
  if (clientId === "") errors.push("CONSOLE_OIDC_CLIENT_ID must be set with CONSOLE_OIDC_ISSUER");
  if (clientSecret === "") errors.push("CONSOLE_OIDC_CLIENT_SECRET must be set with CONSOLE_OIDC_ISSUER");
  return { name: env.CONSOLE_OIDC_NAME, issuer, clientId, clientSecret };
}

function readTracing(env: Env, endpoint: string | null, errors: string[]): TracingSettings | null {
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG);
  if (!(share >= 0 && share <= 1)) errors.push("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
  const headers = parseHeaders(env.OTEL_EXPORTER_OTLP_HEADERS);
  if (!headers) errors.push("OTEL_EXPORTER_OTLP_HEADERS must be name=value, comma-separated, values percent-encoded");
  if (endpoint === null || !headers) return null;
  return { endpoint, headers, serviceName: env.OTEL_SERVICE_NAME, share };
}

function readDatabase(env: Env, errors: string[]): Config["database"] {
  if (env.DATABASE_URL === "") {
    for (const name of ["DATABASE_SESSION_URL", "DATABASE_SCHEMA"] as const) {
      if (env[name] !== SETTINGS[name].fallback) errors.push(`${name} needs a DATABASE_URL`);
    }
    return { kind: "embedded" };
  }
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL)) errors.push("DATABASE_URL must start with postgres://");
  const sessionUrl = env.DATABASE_SESSION_URL;
  if (sessionUrl !== "" && !/^postgres(ql)?:\/\//.test(sessionUrl)) {
    errors.push("DATABASE_SESSION_URL must start with postgres://");
  }
  return { kind: "external", url: env.DATABASE_URL, sessionUrl: sessionUrl === "" ? null : sessionUrl };
}

function readSchema(env: Env, errors: string[]): string {
  const schema = env.DATABASE_SCHEMA;
  if (!isSchemaName(schema)) {
    errors.push(
      "DATABASE_SCHEMA must be at most 40 lower-case letters, digits and _, begin with a letter, and not be pg_…, …_jobs, jobs or information_schema",
    );
  }
  return schema;
}

function readCorsOrigins(origins: readonly string[], errors: string[]): readonly string[] {
  if (!origins.every((origin) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin)) {
    errors.push("CORS_ALLOWED_ORIGINS must be origins like https://shop.example, comma-separated, without a path");
  }
  return origins;
}

function readSchedule(texts: readonly string[], errors: string[]): readonly number[] {
  const schedule = texts.map(Number);
  if (schedule.length === 0 || !schedule.every((seconds) => seconds >= 0 && seconds <= 30 * DAY_SECONDS)) {
    errors.push("WEBHOOK_RETRY_SCHEDULE must be seconds, comma-separated, each at most 30 days");
  }
  return schedule;
}

/** Returns the typed configuration. Throws one ConfigError that names every error. */
export function toConfig(env: Env): Config {
  const errors: string[] = [];
  const readers = createReaders(env, errors);
  const { integer, address, oneOf, list } = readers;
  const webhookAllowNets = readAllowNets(env, errors);
  const database = readDatabase(env, errors);
  const databaseSchema = readSchema(env, errors);
  const corsOrigins = readCorsOrigins(list("CORS_ALLOWED_ORIGINS"), errors);
  const webhookScheduleSeconds = readSchedule(list("WEBHOOK_RETRY_SCHEDULE"), errors);
  const samplePages = oneOf("SAMPLE_PAGES", ["auto", "true", "false"]);
  const listenAddress = `http://${env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST}`;
  const addresses = [listenAddress, env.PUBLIC_URL, env.HOSTED_PAGES_URL];
  const config: Config = {
    host: env.HOST,
    port: integer("PORT", 0, 65_535),
    publicUrl: address("PUBLIC_URL"),
    hostedPagesUrl: address("HOSTED_PAGES_URL"),
    database,
    databaseSchema,
    databasePoolMax: integer("DATABASE_POOL_MAX", 4, 1_000),
    databaseBackgroundPoolMax: integer("DATABASE_BACKGROUND_POOL_MAX", 2, 1_000),
    databaseStatementTimeoutMs: integer("DATABASE_STATEMENT_TIMEOUT_SECONDS", 0, 3_600) * 1_000,
    databaseNamedStatements: oneOf("DATABASE_NAMED_STATEMENTS", ["true", "false"]) === "true",
    // Images that no row names are removed: those of another cell must not be in the same folder.
    dataDir: dataDirOf(env.DATA_DIR, databaseSchema),
    logLevel: oneOf("LOG_LEVEL", ["debug", "info", "warn", "error", "silent"]),
    logRequestsPerLine: integer("LOG_REQUESTS_PER_LINE", 0, 1_000_000),
    authFailuresPerMinute: integer("AUTH_FAILURES_PER_MINUTE", 0, 1_000_000),
    rateLimitPerMinute: integer("RATE_LIMIT_PER_MINUTE", 0, 1_000_000),
    corsOrigins,
    sessionTtlSeconds: integer("SESSION_TTL_SECONDS", 10, DAY_SECONDS),
    areSamplesAllowed: samplePages === "auto" ? addresses.every(isOwnMachine) : samplePages === "true",
    hasConsole: oneOf("CONSOLE", ["true", "false"]) === "true",
    consoleProvider: readConsoleProvider(env, errors),
    mealWindowDays: integer("MEAL_WINDOW_DAYS", 1, 3_650),
    intakesWaitingMax: integer("INTAKES_WAITING_MAX", 1, 1_000_000),
    receiptsWaitingMax: integer("RECEIPTS_WAITING_MAX", 1, 10_000_000),
    receiptsWaitingPerApplication: integer("RECEIPTS_WAITING_PER_APPLICATION", 1, 10_000_000),
    receiptsWaitingPerUser: integer("RECEIPTS_WAITING_PER_USER", 1, 10_000_000),
    receiptsPerUserPerDay: integer("RECEIPTS_PER_USER_PER_DAY", 0, 1_000_000),
    receiptMaxAgeDays: integer("RECEIPT_MAX_AGE_DAYS", 0, 3_650),
    receiptTextDays: integer("RECEIPT_TEXT_DAYS", 0, 3_650),
    erasedReceiptDays: integer("ERASED_RECEIPT_DAYS", 0, 3_650),
    imageBytesMax: integer("IMAGE_BYTES_MAX", 1_024, 100 * 1024 * 1024),
    imagePixelsMax: integer("IMAGE_PIXELS_MAX", 1, 250_000_000),
    images: readImages(env, databaseSchema, errors),
    ocrProcesses: integer("OCR_PROCESSES", 0, 256),
    ocrTimeoutMs: integer("OCR_TIMEOUT_SECONDS", 1, 3_600) * 1_000,
    ocrMemoryMb: integer("OCR_MEMORY_MB", 300, 64_000),
    testBlobHosts: list("TEST_BLOB_HOSTS"),
    metricsToken: env.METRICS_TOKEN,
    metricsPort: integer("METRICS_PORT", 0, 65_535),
    tracing: readTracing(env, address("OTEL_EXPORTER_OTLP_ENDPOINT"), errors),
    webhookScheduleSeconds,
    webhookTimeoutMs: integer("WEBHOOK_TIMEOUT_SECONDS", 1, 300) * 1_000,
    webhookDisableAfterSeconds: integer("WEBHOOK_DISABLE_AFTER_DAYS", 0, 365) * DAY_SECONDS || Infinity,
    webhookRetentionMs: integer("WEBHOOK_RETENTION_DAYS", 1, 3_650) * DAY_MS,
    webhookOldSecretMs: integer("WEBHOOK_OLD_SECRET_HOURS", 0, 8_760) * HOUR_MS,
    webhookAllowNets,
  };
  if (errors.length > 0) throw new ConfigError(errors);
  return Object.freeze(config);
}

/** True for an address of this machine, or an empty one, whose default is such an address. */
function isOwnMachine(address: string): boolean {
  return (
    address === "" ||
    (URL.canParse(address) && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(address).hostname))
  );
}

/** Whether nobody on the way to an address can read or change what is sent: https, or http on this machine. */
export function isPrivate(address: string): boolean {
  const protocol = URL.parse(address)?.protocol;
  return protocol === "https:" || (protocol === "http:" && isOwnMachine(address));
}

/** The settings are not valid; the message names every error on a line of its own. */
export class ConfigError extends Error {
  constructor(errors: readonly string[]) {
    super(["The settings are not valid:", ...errors.map((error) => `  ${error}`)].join("\n"));
    this.name = "ConfigError";
  }
}
