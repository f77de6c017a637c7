import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { createAudit } from "./audit/module.ts";
import type { Callers } from "./applications/callers.ts";
import { createApplications } from "./applications/module.ts";
import type { Config } from "./config.ts";
import { createCallLimits } from "./call-limits/module.ts";
import type { CallLimits } from "./call-limits/module.ts";
import { isReachable } from "./database.ts";
import type { Files } from "./files.ts";
import { checkImages, openImages } from "./images/open-images.ts";
import { keptCatalogue } from "./foods/kept-catalogue.task.ts";
import { createFoods } from "./foods/module.ts";
import type { Foods } from "./foods/module.ts";
import { apiScope } from "./http/api-scope.ts";
import type { AuditTrail } from "./http/audit-changes.ts";
import { createAuthThrottle } from "./http/auth-throttle.ts";
import { gracefulClose } from "./http/graceful-close.ts";
import { healthRoutes } from "./http/health-routes.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { createServer } from "./http/server.ts";
import type { Server } from "./http/server.ts";
import { createIdempotencyKeys } from "./idempotency/module.ts";
import { uuidv7Of } from "./ids.ts";
import { installationKey } from "./installation.store.ts";
import { createIntakes } from "./intakes/module.ts";
import { NO_METERS } from "./meters.ts";
import type { Meters } from "./meters.ts";
import type { Exposition } from "./metrics/exposition.task.ts";
import { createMetrics } from "./metrics/module.ts";
import type { Metrics } from "./metrics/module.ts";
import type { Module, Platform } from "./module.ts";
import { createOpenApi } from "./openapi/module.ts";
import { createPages } from "./pages/module.ts";
import type { PageReceipts } from "./pages/module.ts";
import { createWelcome } from "./points/bonuses/welcome.task.ts";
import { nextExpiry } from "./points/expiry/store.ts";
import { createPoints } from "./points/module.ts";
import { createTierKeeper } from "./points/tiers/keeper.store.ts";
import { openBeside } from "./postgres/postgres.ts";
import type { Database } from "./postgres/postgres.ts";
import { createPrograms } from "./programs/module.ts";
import { openJobs } from "./queue/jobs.ts";
import type { Jobs } from "./queue/jobs.ts";
import { createPressure } from "./queue/pressure.ts";
import { createRandomDigits } from "./random.ts";
import { createReceipts, openReceiptAdapters } from "./receipts/module.ts";
import type { ReceiptAdapters } from "./receipts/module.ts";
import { createReferrals } from "./referrals/module.ts";
import { createReports } from "./reports/module.ts";
import { createRewards } from "./rewards/module.ts";
import { createSessions } from "./sessions/module.ts";
import type { EffectsOf } from "./users/enrolment.ts";
import { createUnknownNames } from "./unknown-names/module.ts";
import { STORED_FORMS } from "./stored-forms.ts";
import type { OtlpTracing } from "./tracing/otlp.ts";
import { createUsers } from "./users/module.ts";
import { createWebhooks } from "./webhooks/module.ts";

/** The assembled service on one database. Nothing runs in the background until `startWork`. */
export interface App {
  readonly server: Server;
  /** Serves the metrics on a port of its own; null: there are none. */
  readonly metrics: Metrics["server"];
  /** Starts the background work: scoring, reading receipts, delivering webhooks. */
  startWork(): Promise<void>;
  /** Accepts no new request or job, and finishes or returns the work in progress. */
  stop(graceMs: number): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly publicUrl: string;
  readonly database: Database;
  readonly log: FastifyBaseLogger;
  readonly isWorker: boolean;
  readonly now?: () => Date;
  /** Storage of images, in tests; by default it is opened by the settings. */
  readonly files?: Files;
  /** Reads receipts in place of the OCR processes, in tests. */
  readonly ocr?: ReceiptAdapters["ocr"];
  /** Time before the first nightly jobs, in tests; none by default. */
  readonly nightlyAfterSeconds?: number;
  /** Replaces parts of the receipts' module for the hosted page, in tests. */
  readonly pageReceipts?: Partial<PageReceipts>;
}

/** Time limit of the statements of long work, in that of requests. */
const LONG_WORK_FACTOR = 4;

/** Time at stop for the spans that were not sent yet. */
const TRACES_GRACE_MS = 1_500;

/**
 * Assembles the service: the platform, the modules on it, and the server with their routes. What was opened is closed
 * when it fails: it would keep the process alive.
 */
export async function createApp(options: AppOptions): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const { config, publicUrl, database, log, now = () => new Date() } = options;
  const randomDigits = createRandomDigits();
  const newId = () => uuidv7Of(now().getTime(), randomDigits(20));
  const exposition = await openExposition(config);
  const meters = exposition?.meters ?? NO_METERS;
  const tracing = await openTraces(config, log);
  opened.defer(() => tracing?.close(TRACES_GRACE_MS));
  const { background, jobs } = await openBackground(options, meters, opened);
  const keys = createIdempotencyKeys({ database, now, newId });
  const platform: Platform = {
    config,
    publicUrl,
    hostedPagesUrl: config.hostedPagesUrl ?? publicUrl,
    database,
    background,
    jobs,
    pressure: createPressure(() => now().getTime()),
    idempotency: keys.idempotency,
    log,
    meters,
    tracing,
    now,
    newId,
    installationKey: await installationKey(database),
  };
  const files = options.files ?? (await openFiles(platform, opened));
  const foods = createFoods(platform, await keptCatalogue(join(config.dataDir, "food-index")));
  const applications = createApplications(platform);
  const audit = createAudit(platform);
  const callLimits = createCallLimits(platform);
  const metrics = createMetrics(platform, exposition, files);
  const others = createModules(platform, foods, { ...options, files, ownConsole: await openConsole(platform) });
  const modules = [keys, applications, audit, metrics, ...others];
  await jobs.declare(Object.assign({}, ...modules.map(({ queues }) => queues)) as NonNullable<Module["queues"]>);
  let isStopping = false;
  const { hostedPagesUrl } = platform;
  const { corsOrigins, logRequestsPerLine: requestsPerLine } = config;
  const measuring = { ...(exposition && { meters }), ...(tracing && { tracing }) };
  const addresses = { publicUrl, hostedPagesUrl, corsOrigins };
  const server = createServer({ log, ...addresses, newRequestId: newId, requestsPerLine, ...measuring });
  const close = gracefulClose(server);
  healthRoutes(server, async () => !isStopping && (await isReachable(database)), files.isReachable);
  addRoutes(server, platform, { callers: applications.callers, trail: audit.trail, callLimits, modules });
  const closing = opened.move();
  return {
    server,
    metrics: metrics.server,
    startWork: async () => {
      for (const module of modules) await module.startWork?.(jobs);
    },
    // In this order: requests, the work that they began, jobs, the work that those began.
    stop: async (graceMs) => {
      isStopping = true;
      await close(graceMs / 2);
      await callLimits.exchange.stop();
      for (const module of modules) await module.drain?.();
      await jobs.stop(graceMs / 2);
      for (const module of modules) await module.stop?.(graceMs / 2);
      await closing.disposeAsync();
    },
  };
}

/** Opens the connections of long work, and the queues. `opened` closes them. */
async function openBackground(
  { config, database, log, isWorker, nightlyAfterSeconds = 0 }: AppOptions,
  meters: Meters,
  opened: AsyncDisposableStack,
): Promise<{ background: Database; jobs: Jobs }> {
  const background = openBeside(database, {
    connectionsMax: config.databaseBackgroundPoolMax,
    statementTimeoutMs: LONG_WORK_FACTOR * config.databaseStatementTimeoutMs,
    onError: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
  opened.defer(() => background.close());
  const jobs = openJobs({ database, isWorker, log, meters, queuedAfterSeconds: nightlyAfterSeconds });
  opened.defer(() => jobs.stop(0));
  await jobs.start();
  return { background, jobs };
}

/** Creates the metrics of this process; null where nobody can read them. */
async function openExposition({ metricsToken, metricsPort }: Config): Promise<Exposition | null> {
  if (metricsToken === "" && metricsPort === 0) return null;
  return (await import("./metrics/exposition.task.ts")).createExposition();
}

/** Opens the storage of images. `opened` closes it. Throws StorageMisconfigured. */
async function openFiles(platform: Platform, opened: AsyncDisposableStack): Promise<Files> {
  const images = await openImages(platform);
  opened.defer(images.close);
  await checkImages(images, platform.log);
  return images.files;
}

/** Opens tracing; null where it is off. */
async function openTraces({ tracing }: Config, log: FastifyBaseLogger): Promise<OtlpTracing | null> {
  return tracing && (await import("./tracing/otlp.ts")).openTracing(tracing, log);
}

/** Creates the console; nothing without the setting: its 241 files are then not loaded. */
async function openConsole(platform: Platform): Promise<Module> {
  return platform.config.hasConsole ? (await import("./console/module.ts")).createConsole(platform) : {};
}

interface ModuleParts extends Pick<AppOptions, "ocr" | "pageReceipts"> {
  readonly files: Files;
  readonly ownConsole: Module;
}

/** Creates the modules in the order in which they stop: webhooks last, since the others write events. */
function createModules(
  platform: Platform,
  foods: Foods,
  { files, ocr, pageReceipts, ownConsole }: ModuleParts,
): Module[] {
  const webhooks = createWebhooks(platform);
  const { rating, catalogue, resolver } = foods;
  const { outbox } = webhooks;
  const programs = createPrograms(platform, { foodGroups: foods.groups });
  const { terms } = programs;
  const tiers = createTierKeeper({ tiersNow: terms.tiersNow, publishAll: outbox.publishAll });
  const adapters = openReceiptAdapters(platform, files);
  const referrals = createReferrals(platform);
  const welcome = createWelcome({ ...platform, bonusesAt: terms.bonusesAt, tiers, publish: outbox.append });
  const effectsOf: EffectsOf = async (applicationId, asker) => ({
    welcome: await welcome(applicationId),
    ...referrals.codes.effectsFor(asker),
  });
  const sessions = createSessions(platform, { publish: outbox.append, isKnownCode: referrals.codes.isKnown });
  const receipts = createReceipts(platform, {
    ...adapters,
    ...(ocr && { ocr }),
    rating,
    terms,
    tiers,
    publish: outbox.append,
  });
  const pages = createPages(platform, { receipts: { ...receipts, ...pageReceipts }, sessions, effectsOf });
  return [
    createUsers(platform, { ...adapters, nextExpiry, effectsOf, tierShown: tiers.shown, storedForms: STORED_FORMS }),
    referrals,
    receipts,
    createIntakes(platform, { rating, termsFor: terms.termsFor, tiers, outbox }),
    createPoints(platform, {
      publish: outbox.publish,
      tiers,
      tierReview: { ...terms, publishAll: outbox.publishAll },
      termsByRule: terms.termsByRule,
      alternativesOf: foods.alternativesOf,
    }),
    createRewards(platform, { publish: outbox.publish, tiers }),
    programs,
    foods,
    createUnknownNames(platform, { catalogue, resolver, termsByRule: terms.termsByRule }),
    sessions,
    pages,
    ownConsole,
    createReports(platform, { groupOf: foods.groups.groupOf, shops: receipts.shops }),
    createOpenApi(platform),
    webhooks,
  ];
}

/** What the routes need beside the platform. */
interface Serving {
  readonly callers: Callers;
  readonly trail: AuditTrail;
  readonly callLimits: CallLimits;
  readonly modules: readonly Module[];
}

function addRoutes(server: Server, { config }: Platform, { callers, trail, callLimits, modules }: Serving): void {
  const authThrottle = createAuthThrottle(config.authFailuresPerMinute, Date.now);
  const limit = createRateLimit(config.rateLimitPerMinute, callLimits.counts);
  const addApiRoutes = (scope: Server) => modules.forEach((module) => module.apiRoutes?.(scope));
  apiScope(server, callers, addApiRoutes, authThrottle, limit, trail);
  for (const module of modules) module.routes?.(server);
  server.addHook("onListen", async () => callLimits.exchange.start());
}
