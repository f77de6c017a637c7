import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startEmbedded, urlOf } from "../src/postgres/embedded/embedded.ts";
import { NO_LOG } from "../src/log.ts";
import { descendants, freePort, postmasterPid, runCli, startProcess } from "../test/support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "../test/support/processes.ts";
import { callerOf } from "./call.ts";
import type { Call } from "./call.ts";
import { cpuMsBelow, cpuMsOfTree } from "./cpu.ts";
import type { Load, Sent } from "./generator.ts";
import type { Photo } from "./receipts.ts";
import type { Tally } from "./receiver.ts";
import { food } from "./submissions.ts";
import { withSurroundings } from "./surroundings.ts";
import type { Surroundings } from "./surroundings.ts";

/** An application and its users. */
export interface Customers {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userIds: readonly string[];
}

/** The measured service, on an empty folder, with its customers. */
export interface Subject extends Customers {
  readonly url: string;
  /** For another connection than the service's; null when the service has its own, bundled server. */
  readonly databaseUrl: string | null;
  /** Folder of its data: the bundled server's and the images. */
  readonly dataDir: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Creates another application, without an endpoint, with options of `app create`. Returns its headers. */
  newApplication(name: string, ...options: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Runs a command of the command line, with --json. */
  cli<Output>(...args: readonly string[]): Promise<Output>;
  /** Lets the generator send submissions to the service, or to `url`. */
  send(load: Pick<Load, "kind" | "connections"> & Partial<Load>): Promise<Sent>;
  /** Submits one food, of the first user unless another is named. Returns its id. */
  track(reference: string, userId?: string): Promise<string>;
  /** Uploads the photo of a sample. Returns the receipt's id. */
  upload(photo: Photo, userId?: string): Promise<string>;
  /** Number of accepted submissions whose last event has not arrived. */
  inFlight(): Promise<number>;
  /** What the receiver has so far. */
  tally(): Promise<Tally>;
  /** Waits until every webhook of all accepted submissions has arrived. */
  settled(): Promise<Tally>;
  /** Waits for the last event of one submission. */
  endOf(id: string): Promise<NonNullable<Tally["end"]>>;
  /** Stops the service, and starts it again on the same data. */
  restart(start: (settings: ProcessSettings) => Promise<ServiceProcess>): Promise<ServiceProcess>;
  /** Processor time so far in ms, for each group of processes. */
  cpu(): Cpu;
  close(): Promise<void>;
}

export interface Cpu {
  /** The service's process with those that read receipts. */
  readonly nodeMs: number;
  /** Of it the processes that read receipts. */
  readonly readingMs: number;
  readonly postgresMs: number;
  readonly receiverMs: number;
}

const USERS = 200;
const SETTLE_MS_MAX = 180_000;
const LOAD_MS_MAX = 120_000;
const POLL_MS = 20;
/**
 * Polling interval for the end of one submission. Its time is taken by the receiver, so this only delays the next
 * step.
 */
const POLL_ONE_MS = 5;

/** Processes that read receipts: of this tree, and of those before src/ocr. */
const OCR_PROGRAM = /\/src\/(?:ocr\/child|adapters\/ocr-process)\.ts/;

/**
 * Starts the service, its webhook receiver and the generator. `close` ends them and removes what they stored. "start"
 * does everything in one process, as `npm start`; "serve" accepts, and no process does the background work. With
 * `isDatabaseApart` the bench starts the database server, and the measurement may use it as well. `root`: that of
 * another tree, whose service is measured. `endpoints` of the application: one without it; all at the same receiver,
 * which counts an event once. `isSandbox`: it may have sample receipts. `keptDir`: a folder that stays, with the
 * customers of an `earlier` run if there was one.
 */
export async function startSubject(
  role: "start" | "serve",
  options: {
    isDatabaseApart?: boolean;
    root?: string;
    env?: Readonly<Record<string, string>>;
    endpoints?: number;
    isSandbox?: boolean;
    keptDir?: string | undefined;
    earlier?: Customers | undefined;
  } = {},
): Promise<Subject> {
  const { isDatabaseApart = role === "serve", root, env = {}, keptDir, earlier } = options;
  const start = async ({ dataDir, receiver, generator, closers, close }: Surroundings): Promise<Subject> => {
    const settings: ProcessSettings = {
      role,
      dataDir,
      port: await freePort(),
      env,
      ...(root === undefined ? {} : { root }),
    };
    let databaseUrl: string | null = null;
    if (isDatabaseApart) {
      const postgres = await startEmbedded({ dataDir, log: NO_LOG });
      closers.push(postgres.stop);
      databaseUrl = urlOf(postgres.connection);
      settings.env = { ...env, DATABASE_URL: databaseUrl };
    }
    const { url: hook } = await receiver.ask({});
    if (earlier) await sendWebhooksTo(databaseUrl!, earlier.clientId, hook);
    let service = await startProcess(settings);
    closers.push(() => service.stop());
    const { clientId, clientSecret } = earlier ?? (await measuredApplication(settings, hook, options));
    const headers = headersOf({ clientId, clientSecret });
    const call = callerOf(service.url, headers);
    const userIds = earlier?.userIds ?? (await enrolUsers(call));
    return {
      url: service.url,
      databaseUrl,
      dataDir,
      clientId,
      clientSecret,
      headers,
      userIds,
      cli: (...args) => runCli(settings, ...args),
      newApplication: async (name, ...more) => headersOf(await createApplication(settings, name, ...more)),
      ...submissionsOf({ url: service.url, headers, userIds, call, generator, receiver }),
      restart: async (start) => {
        await service.stop();
        return (service = await start(settings));
      },
      cpu: () => cpuNow(dataDir, service.child.pid!, receiver.pid),
      close,
    };
  };
  return withSurroundings("rewards-bench-", start, keptDir);
}

/** The receiver has another port in each run. */
async function sendWebhooksTo(databaseUrl: string, clientId: string, hook: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `UPDATE endpoints SET url = $2, disabled_at = NULL, disabled_reason = NULL
     WHERE application_id = (SELECT id FROM applications WHERE client_id = $1)`,
    [clientId, hook],
  );
  await client.end();
}

function cpuNow(dataDir: string, servicePid: number, receiverPid: number): Cpu {
  const postmaster = postmasterPid(dataDir)!;
  return {
    nodeMs: cpuMsOfTree(servicePid, [postmaster, ...descendants(postmaster)]),
    readingMs: cpuMsBelow(servicePid, OCR_PROGRAM),
    postgresMs: cpuMsOfTree(postmaster),
    receiverMs: cpuMsOfTree(receiverPid),
  };
}

async function enrolUsers(call: Call): Promise<string[]> {
  const userIds: string[] = [];
  for (let i = 0; i < USERS; i++) {
    const person = { email: `${randomBytes(6).toString("hex")}@example.org`, firstName: "Ada", lastName: "Lovelace" };
    const { user } = await call<{ user: { userID: string } }>("POST", "/users/enroll", person);
    userIds.push(user.userID);
  }
  return userIds;
}

/** Sends submissions, counts those that were accepted, and waits for their webhooks. */
export function submissionsOf(parts: {
  url: string;
  headers: Record<string, string>;
  userIds: readonly string[];
  call: Call;
  generator: Surroundings["generator"];
  receiver: Surroundings["receiver"];
}): Pick<Subject, "send" | "track" | "upload" | "inFlight" | "tally" | "settled" | "endOf"> {
  const { url, headers, userIds, call, generator, receiver } = parts;
  let accepted = 0;
  let loads = 0;
  // A folder that is kept has the references of earlier runs.
  const run = randomBytes(3).toString("hex");

  const until = async (isThere: (tally: Tally) => boolean, subject?: string): Promise<Tally> => {
    for (const deadline = Date.now() + SETTLE_MS_MAX; ; await sleep(subject === undefined ? POLL_MS : POLL_ONE_MS)) {
      const tally = await receiver.ask(subject === undefined ? {} : { subject });
      if (isThere(tally)) return tally;
      if (Date.now() > deadline)
        throw new Error(`webhooks did not come: ${accepted} accepted, ${JSON.stringify(tally)}`);
    }
  };
  return {
    send: async (load) => {
      const prefix = `load-${run}-${loads++}`;
      const bounds = { durationMs: LOAD_MS_MAX, requestsMax: Number.MAX_SAFE_INTEGER, isKeyed: false };
      const sent = await generator.ask({ url, headers, userIds, prefix, ...bounds, ...load });
      if (sent.refused > 0) throw new Error(`${sent.refused} of ${sent.accepted + sent.refused} were refused`);
      if (load.url === undefined) accepted += sent.accepted;
      return sent;
    },
    track: async (reference, userId = userIds[0]!) => {
      const body = food(userId, `${run}-${reference}`, accepted);
      const { id } = await call<{ id: string }>("POST", "/track/food", body);
      accepted++;
      return id;
    },
    upload: async ({ image, soldAt, totalMinor }, userId = userIds[0]!) => {
      const form = new FormData();
      form.set("userId", userId);
      form.set("transactionId", `receipt-${accepted}-${soldAt.getTime()}`);
      form.set("amount", (totalMinor / 100).toFixed(2));
      form.set("merchantName", "Larkmeadow Market");
      form.set("transactionTimestamp", soldAt.toISOString());
      form.set("receiptImage", new Blob([Uint8Array.from(image)], { type: "image/jpeg" }), "receipt.jpg");
      const { receiptID } = await call<{ receiptID: string }>("POST", "/track/receipts", form);
      accepted++;
      return receiptID;
    },
    inFlight: async () => accepted - (await receiver.ask({})).ended,
    tally: () => receiver.ask({}),
    settled: () => until(({ ended, awardsOwed }) => ended === accepted && awardsOwed === 0),
    endOf: async (id) => (await until(({ end }) => end !== null, id)).end!,
  };
}

async function measuredApplication(
  settings: ProcessSettings,
  hook: string,
  { endpoints = 1, isSandbox = false }: { endpoints?: number; isSandbox?: boolean },
): Promise<Credentials> {
  const [addresses, kind] = [endpoints > 0 ? ["--webhook-url", hook] : [], isSandbox ? ["--sandbox"] : []];
  const credentials = await createApplication(settings, "Bench", ...addresses, ...kind);
  for (let n = 1; n < endpoints; n++) {
    await runCli(settings, "webhook", "add", "--client-id", credentials.clientId, "--url", `${hook}/${n}`);
  }
  return credentials;
}

function createApplication(settings: ProcessSettings, name: string, ...more: readonly string[]): Promise<Credentials> {
  return runCli<Credentials>(settings, "app", "create", "--name", name, ...more);
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function headersOf({ clientId, clientSecret }: Credentials): Record<string, string> {
  return { "x-client-id": clientId, "x-client-secret": clientSecret };
}

/** Processor time between two moments. */
export function cpuBetween(before: Cpu, after: Cpu): Cpu {
  return {
    nodeMs: after.nodeMs - before.nodeMs,
    readingMs: after.readingMs - before.readingMs,
    postgresMs: after.postgresMs - before.postgresMs,
    receiverMs: after.receiverMs - before.receiverMs,
  };
}
