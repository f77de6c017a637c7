import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import type { Files } from "../../src/files.ts";
import { openImages } from "../../src/images/open-images.ts";
import { NO_METERS } from "../../src/meters.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import { createApp } from "../../src/app.ts";
import type { App, AppOptions } from "../../src/app.ts";
import { insertApplication } from "../../src/applications/store.ts";
import { installationKey } from "../../src/installation.store.ts";
import { readEnv, toConfig } from "../../src/config.ts";
import type { Config } from "../../src/config.ts";
import { uuidv7 } from "../../src/ids.ts";
import { eraseUser } from "../../src/users/erase.task.ts";
import { signingSecret } from "../../src/webhooks/sign.ts";
import { addEndpoint } from "../../src/webhooks/endpoints/store.ts";
import { newApplication } from "./applications.ts";
import { checkResponsesOf, conformanceAt } from "./conformance.ts";
import { createTestDatabase } from "./database.ts";
import type { DatabaseOptions, TestDatabase } from "./database.ts";
import { newDataDir } from "./kept-files.ts";
import { keepMetrics, keepPersonal, logOfTest, tellingSettings } from "./privacy-run.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

const PUBLIC_URL = "http://rewards.test";
/**
 * Later than any test. At a start on an empty database the nightly jobs do nothing, with a fifth of Node's processor
 * time and a third of PostgreSQL's. Tests of what they do call it. Processes under test run them at once.
 */
const NIGHTLY_AFTER_SECONDS = 3_600;

/** The whole service on a private database, called without a network. Responses are held to the OpenAPI document. */
export interface TestService {
  readonly app: App;
  readonly database: Database;
  /** Address of the database, for a connection of the test's own. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The service's time. A test may change it. */
  readonly clock: { ms: number };
  /** Sets the service's time. It goes on from there. */
  setClock(ms: number): void;
  /** The service's time now. */
  now(): Date;
  /** Erases a user, as the operator's command does. */
  erase(userId: string): Promise<void>;
  newClient(options?: { isSandbox?: boolean; redirectUri?: string; logoUrl?: string }): Promise<Client>;
  close(): Promise<void>;
}

/** An application's own view of the service: its credentials, its webhooks. */
export interface Client {
  readonly applicationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly headers: Record<string, string>;
  readonly webhookSecret: string;
  /** Sends a request with credentials and api-version; `body` is sent as JSON. */
  call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    more?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** Sends a request as `call` does, asserts its status, and returns the response's body. */
  post(path: string, body: object, status?: number): ReturnType<typeof posted>;
  get<Body>(path: string): Promise<Body>;
  /** Enrols a new user and returns its id. */
  enrol(email?: string): Promise<string>;
  /** Returns the events received so far, parsed, in the order of arrival. */
  events(): Event[];
  /** Waits until `wanted` is true of the received events; fails after 60 seconds. */
  until(wanted: (events: Event[]) => boolean): Promise<Event[]>;
  readonly receiver: WebhookReceiver;
}

export type Event = Record<string, unknown> & { event?: string; eventType?: string };

/** How a service is started for a test. */
export interface ServiceOptions {
  readonly env?: Record<string, string>;
  readonly isWorking?: boolean;
  readonly files?: Files;
  readonly ocr?: AppOptions["ocr"];
  /** In place of one of its own; dropped at the end of the service. */
  readonly database?: TestDatabase;
  readonly connection?: DatabaseOptions & { connectionsMax: number };
  /** For a browser: passkeys belong to the address. */
  readonly publicUrl?: string;
}

/** Starts the service, with its background work unless `isWorking` is false. `env` adds to its settings. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { publicUrl = PUBLIC_URL } = options;
  const own = options.database ?? (await createTestDatabase(options.connection ?? { connectionsMax: 8 }));
  const { database, url: databaseUrl, drop } = own;
  const dataDir = newDataDir("rewards-service-");
  const env = {
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_NETS: "127.0.0.0/8",
    LOG_LEVEL: "silent",
    ...tellingSettings(),
    ...options.env,
  };
  const config = toConfig(readEnv(env));
  const clock = { ms: Date.now() };
  const startedAt = performance.now();
  // The test's clock keeps running: otherwise whatever waits for a future time would wait for ever.
  const now = () => new Date(clock.ms + Math.round(performance.now() - startedAt));
  const app = await createApp({
    config,
    publicUrl,
    database,
    log: logOfTest(config.logLevel),
    isWorker: true,
    now,
    nightlyAfterSeconds: NIGHTLY_AFTER_SECONDS,
    ...(options.files && { files: options.files }),
    ...(options.ocr && { ocr: options.ocr }),
  });
  await app.server.ready();
  const conformance = conformanceAt(publicUrl);
  checkResponsesOf(app.server, conformance);
  keepPersonal(app.server);
  if (options.isWorking ?? true) await app.startWork();
  const receivers: WebhookReceiver[] = [];

  return {
    app,
    database,
    databaseUrl,
    dataDir,
    clock,
    setClock: (ms) => (clock.ms = ms - (performance.now() - startedAt)),
    now,
    erase: (userId) => eraseFrom(database, config, options.files, userId),
    newClient: async (settings = {}) => {
      const receiver = await startWebhookReceiver();
      receivers.push(receiver);
      const now = new Date();
      const newId = () => uuidv7(now.getTime(), randomBytes(10));
      const { application, clientSecret } = newApplication(newId(), settings);
      const { id: applicationId, clientId } = application;
      await insertApplication(database, application, now);
      const endpointId = newId();
      const endpoint = { id: endpointId, applicationId, description: "", eventTypes: null, disabledAt: null };
      const url = `${receiver.url}/hook`;
      await database.tx((tx) => addEndpoint(tx, { ...endpoint, url, createdAt: now }));
      const webhookSecret = signingSecret(await installationKey(database), endpointId, 1);
      return client(app, { applicationId, clientId, clientSecret, webhookSecret, receiver });
    },
    close: async () => {
      await keepMetrics(app.server, config.metricsToken);
      await app.stop(5_000);
      for (const receiver of receivers) await receiver.close();
      for (const { body } of receivers.flatMap(({ received }) => received)) conformance.checkEvent(body);
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function eraseFrom(database: Database, config: Config, given: Files | undefined, userId: string): Promise<void> {
  const key = await installationKey(database);
  const images = await openImages({ config, installationKey: key, log: pino({ level: "silent" }), meters: NO_METERS });
  const { erasedReceiptDays } = config;
  await eraseUser({ database, files: given ?? images.files, erasedReceiptDays }, userId, new Date());
  images.close();
}

function client(
  app: App,
  base: Pick<Client, "applicationId" | "clientId" | "clientSecret" | "webhookSecret" | "receiver">,
): Client {
  const headers = { "x-client-id": base.clientId, "x-client-secret": base.clientSecret };
  const { received } = base.receiver;
  const parsed: Event[] = [];
  const events = () => {
    for (const { body } of received.slice(parsed.length)) parsed.push(JSON.parse(body) as Event);
    return [...parsed];
  };
  const call: Client["call"] = (method, path, body, more = {}) =>
    app.server.inject({
      method,
      url: path.includes("api-version") ? path : `${path}${path.includes("?") ? "&" : "?"}api-version=1.0`,
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { payload: body as object }),
    });
  return {
    ...base,
    headers,
    call,
    post: (path, body, status = 200) => posted(call("POST", path, body), status),
    get: async <Body>(path: string) => {
      const response = await call("GET", path);
      assert.equal(response.statusCode, 200, response.body);
      return response.json<Body>();
    },
    enrol: async (email = `${randomBytes(6).toString("hex")}@example.org`) => {
      const response = await call("POST", "/users/enroll", { email, firstName: "Ada", lastName: "Lovelace" });
      return response.json<{ user: { userID: string } }>().user.userID;
    },
    events,
    until: async (wanted) => {
      for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(10)) {
        if (wanted(events())) return events();
      }
      throw new Error(`the awaited events did not come; there are: ${JSON.stringify(events().map(nameOf))}`);
    },
  };
}

async function posted(sent: Promise<LightMyRequestResponse>, status: number) {
  const response = await sent;
  assert.equal(response.statusCode, status, response.body);
  return response.json();
}

/** Returns the name of an event, from either of the members that have it. */
export function nameOf(event: Event): string {
  return event.event ?? event.eventType ?? "";
}
