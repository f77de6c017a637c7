import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, readEnv, readTargetEnv, toConfig } from "./config.ts";

const configOf = (env: Record<string, string> = {}) => toConfig(readEnv(env));

/** The names of the settings that a faulty environment's message speaks of. */
function faultyNames(env: Record<string, string>): string[] {
  try {
    configOf(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(" ", 1)[0]!);
  }
}

test("without settings the service runs on loopback with its own database", () => {
  const config = configOf();
  assert.deepEqual([config.host, config.port, config.publicUrl], ["127.0.0.1", 8080, null]);
  assert.deepEqual(config.database, { kind: "embedded" });
  assert.deepEqual(
    [config.sessionTtlSeconds, config.mealWindowDays, config.imageBytesMax],
    [1_800, 14, 10 * 1024 * 1024],
  );
  assert.deepEqual(config.webhookScheduleSeconds, [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
  assert.equal(config.authFailuresPerMinute, 600);
});

test("an empty or blank setting has its default, and other variables are not read", () => {
  assert.deepEqual(configOf({ PORT: "", HOST: "  ", SECRET_OF_ANOTHER: "x" }), configOf());
});

test("images are in the folder, or in a bucket with all that belongs to it", () => {
  assert.deepEqual(configOf().images, { first: "folder", s3: null });
  const bucket = { IMAGES_S3_BUCKET: "images", IMAGES_S3_ENDPOINT: "https://s3.example/", IMAGES_S3_PREFIX: "a/b" };
  const s3 = { bucket: "images", endpoint: "https://s3.example", linkEndpoint: null, region: "us-east-1" };
  assert.deepEqual(configOf(bucket).images, { first: "s3", s3: { ...s3, prefix: "a/b/" } });
  assert.equal(configOf({ ...bucket, IMAGES_STORE: "folder" }).images.first, "folder");
  assert.deepEqual(faultyNames({ IMAGES_STORE: "s3" }), ["IMAGES_STORE=s3"]);
  assert.deepEqual(faultyNames({ IMAGES_S3_PREFIX: "a" }), ["IMAGES_S3_PREFIX"]);
  for (const [name, value] of [
    ["IMAGES_STORE", "disk"],
    ["IMAGES_S3_BUCKET", "a/../b"],
    ["IMAGES_S3_BUCKET", "https://s3.example/b"],
    ["IMAGES_S3_ENDPOINT", "s3.example"],
    ["IMAGES_S3_LINK_ENDPOINT", "ftp://s3.example"],
    ["IMAGES_S3_REGION", "eu west"],
    ["IMAGES_S3_PREFIX", "../a"],
    ["IMAGES_S3_PREFIX", "a/../b"],
    ["IMAGES_S3_PREFIX", "/a"],
    ["IMAGES_S3_PREFIX", "a//b"],
  ] as const) {
    assert.deepEqual(faultyNames({ ...bucket, [name]: value }), [name], value);
  }
});

test("every setting is used by the service", () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
    (file) => !/(?:^config|\.test)\.ts$/.test(file),
  );
  const code = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")).join("\n");
  // `config.port`, `{ dataDir }: Config`, `const { port } = config`.
  const isUsed = (member: string): boolean =>
    new RegExp(
      String.raw`\bconfig\.${member}\b|\{[^{}]*\b${member}\b[^{}]*\}(?:: Config\b| = (?:\w+\.)*config\b)`,
    ).test(code);
  const members = Object.keys(configOf());
  assert.ok(members.length > 25);
  assert.deepEqual(
    members.filter((member) => !isUsed(member)),
    [],
  );
});

test("settings are read by their types", () => {
  const config = configOf({
    PORT: "0",
    PUBLIC_URL: "https://api.example.org/rewards/",
    DATABASE_URL: "postgres://u:p@db/rewards",
    DATABASE_NAMED_STATEMENTS: "false",
    TEST_BLOB_HOSTS: " a.example , b.example,",
    WEBHOOK_RETRY_SCHEDULE: "0, 1.5,10",
    OCR_TIMEOUT_SECONDS: "2",
  });
  assert.equal(config.publicUrl, "https://api.example.org/rewards");
  assert.deepEqual(config.database, { kind: "external", url: "postgres://u:p@db/rewards", sessionUrl: null });
  assert.equal(config.databaseNamedStatements, false);
  assert.deepEqual(config.testBlobHosts, ["a.example", "b.example"]);
  assert.deepEqual([config.webhookScheduleSeconds, config.ocrTimeoutMs, config.port], [[0, 1.5, 10], 2_000, 0]);
});

test("a service in a schema of its own has its own folder, and needs a database that others can reach", () => {
  const external = { DATABASE_URL: "postgres://u:p@db/rewards", DATA_DIR: "/data" };
  assert.equal(configOf({ ...external, DATABASE_SCHEMA: "north" }).dataDir, join("/data", "north"));
  assert.equal(configOf(external).dataDir, "/data");
  assert.throws(() => configOf({ ...external, DATABASE_SCHEMA: "pg_north" }), /DATABASE_SCHEMA must be/);
  assert.throws(() => configOf({ DATABASE_SCHEMA: "north" }), /DATABASE_SCHEMA needs a DATABASE_URL/);
  const session = { ...external, DATABASE_SESSION_URL: "mysql://db" };
  assert.throws(() => configOf(session), /DATABASE_SESSION_URL must start with postgres/);
});

test("every error is reported at once, and none repeats a value", () => {
  const env = {
    PORT: "65536",
    PUBLIC_URL: "ftp://s3cr3t.example",
    DATABASE_URL: "mysql://root:s3cr3t@db",
    LOG_LEVEL: "s3cr3t",
    SESSION_TTL_SECONDS: "9",
    WEBHOOK_RETRY_SCHEDULE: "0,soon",
    WEBHOOK_ALLOW_NETS: "10.0.0.0/64",
  };
  assert.deepEqual(faultyNames(env).sort(), Object.keys(env).sort());
  assert.throws(
    () => configOf(env),
    (error) => error instanceof ConfigError && !error.message.includes("s3cr3t"),
  );
});

test("numbers are whole, without signs or exponents, and within their bounds", () => {
  for (const PORT of ["-1", "1.5", "1e3", "0x10", "８０８０", "ten", "99999999999999999999"]) {
    assert.deepEqual(faultyNames({ PORT }), ["PORT"], PORT);
  }
  assert.deepEqual(faultyNames({ RECEIPT_TEXT_DAYS: "3651" }), ["RECEIPT_TEXT_DAYS"]);
  for (const WEBHOOK_RETRY_SCHEDULE of ["-1", "2592001", "Infinity", ","]) {
    assert.deepEqual(faultyNames({ WEBHOOK_RETRY_SCHEDULE }), ["WEBHOOK_RETRY_SCHEDULE"], WEBHOOK_RETRY_SCHEDULE);
  }
  for (const PUBLIC_URL of ["example.org", "https://e.org/?a=1", "https://e.org/#a", "javascript:alert(1)"]) {
    assert.deepEqual(faultyNames({ PUBLIC_URL }), ["PUBLIC_URL"], PUBLIC_URL);
  }
});

test("samples are open only on the operator's own machine, unless the operator sets otherwise", () => {
  const isAllowed = (env: Record<string, string>) => configOf(env).areSamplesAllowed;
  assert.equal(isAllowed({}), true);
  assert.equal(isAllowed({ HOST: "::1", PUBLIC_URL: "http://localhost:8080" }), true);
  assert.equal(isAllowed({ HOST: "0.0.0.0" }), false);
  assert.equal(isAllowed({ HOST: "::" }), false);
  assert.equal(isAllowed({ PUBLIC_URL: "https://rewards.example.org" }), false);
  assert.equal(isAllowed({ HOSTED_PAGES_URL: "https://pages.example.org" }), false);
  assert.equal(isAllowed({ PUBLIC_URL: "http://127.0.0.1.evil.example" }), false);
  assert.equal(isAllowed({ HOST: "0.0.0.0", SAMPLE_PAGES: "true" }), true);
  assert.equal(isAllowed({ SAMPLE_PAGES: "false" }), false);
});

test("traces are off without a collector, and their settings are checked", () => {
  assert.equal(configOf().tracing, null);
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318/";
  const OTEL_EXPORTER_OTLP_HEADERS = "Authorization=Bearer%20a%2Cb, x-tenant=t=1";
  assert.deepEqual(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).tracing, {
    endpoint: "http://127.0.0.1:4318",
    headers: { authorization: "Bearer a,b", "x-tenant": "t=1" },
    serviceName: "rewards-service",
    share: 1,
  });
  for (const [name, value] of [
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "token"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%0a"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%ff"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["OTEL_TRACES_SAMPLER_ARG", "all"],
    ["METRICS_PORT", "65536"],
    ["LOG_REQUESTS_PER_LINE", "-1"],
  ] as const) {
    assert.deepEqual(faultyNames({ [name]: value }), [name]);
  }
});

test("where another cell has its images: as this one, or all settings with TARGET_ in front", () => {
  const own = { IMAGES_S3_BUCKET: "images", IMAGES_S3_REGION: "eu-west-1", IMAGES_S3_PREFIX: "a" };
  const placeOf = (env: Record<string, string>, schema = "south") => {
    const { first, s3 } = readTargetEnv({ ...own, ...env }).images(schema);
    return [first, s3?.bucket, s3?.region, s3?.prefix];
  };
  assert.deepEqual(placeOf({}), ["s3", "images", "eu-west-1", "a/south/"]);
  assert.deepEqual(placeOf({}, "public"), ["s3", "images", "eu-west-1", "a/"]);
  assert.deepEqual(placeOf({ TARGET_IMAGES_S3_BUCKET: " " }), ["s3", "images", "eu-west-1", "a/south/"]);
  // Nothing of this one is mixed in.
  assert.deepEqual(placeOf({ TARGET_IMAGES_S3_BUCKET: "other" }), ["s3", "other", "us-east-1", "south/"]);
  assert.deepEqual(placeOf({ TARGET_IMAGES_STORE: "folder" }), ["folder", undefined, undefined, undefined]);
  for (const wrong of [{ TARGET_IMAGES_S3_PREFIX: "b" }, { TARGET_IMAGES_STORE: "s3" }]) {
    assert.throws(
      () => placeOf(wrong),
      (error) => error instanceof ConfigError && /TARGET_IMAGES_S3_BUCKET/.test(error.message),
    );
  }
});
