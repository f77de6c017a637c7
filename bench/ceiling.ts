// The same server without a database: the same limits, credentials, schemas, batching and responses, but nothing is
// stored. And servers that do less than that.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { pino } from "pino";
import { createBatcher } from "../src/queue/batcher.ts";
import { openDatabase } from "../src/postgres/postgres.ts";
import { createRandomDigits } from "../src/random.ts";
import { cached } from "../src/applications/cache.task.ts";
import { createIdempotency } from "../src/idempotency/idempotency.task.ts";
import { apiScope } from "../src/http/api-scope.ts";
import { createServer } from "../src/http/server.ts";
import { uuidv7Of } from "../src/ids.ts";
import { intakeRoutes } from "../src/intakes/routes.ts";
import type { Arrival, Arrived } from "../src/intakes/store.ts";
import { newApplication } from "../test/support/applications.ts";
import { serveParent } from "./program.ts";

/**
 * `all`: everything but the database and the log. `fastify`: the framework, and the body parsed by it. `http`: Node's
 * server, which reads the body and responds.
 */
export type CeilingKind = "all" | "fastify" | "http";

/** The application that may call it. */
export interface CeilingRequest {
  readonly clientId: string;
  readonly secretHashHex: string;
  /** `all` without it. */
  readonly kind?: CeilingKind;
}

const now = () => new Date();
const randomDigits = createRandomDigits();
const newId = () => uuidv7Of(Date.now(), randomDigits(20));
const log = pino({ level: "warn" }, process.stderr);

serveParent(async ({ kind = "all", ...application }: CeilingRequest): Promise<{ url: string }> => {
  const listening = { http: listenHttp, fastify: listenFastify, all: () => listenAll(application) }[kind]();
  return { url: `http://127.0.0.1:${((await listening) as AddressInfo).port}` };
});

async function listenAll({ clientId, secretHashHex }: CeilingRequest): Promise<AddressInfo | string | null> {
  const server = createServer({ log, publicUrl: "http://127.0.0.1", newRequestId: newId });
  const { application } = newApplication(newId(), { clientId, secretHash: Buffer.from(secretHashHex, "hex") });
  const lookUp = async (given: string) => (given === clientId ? { ...application, credentials: [] } : null);
  const find = cached(lookUp, async () => [clientId], Date.now);
  const accepting = createBatcher<Arrival, Arrived>({
    flush: async (intakes) => intakes.map(() => "stored" as const),
    isPoison: () => false,
    batchMax: 200,
    waitingMax: 5_000,
  });
  // Only the status routes would use it, and they get no requests here: it never connects.
  const database = openDatabase({ connection: {}, connectionsMax: 1, onError: () => {} });
  const storedResponses = { find: async () => null, keep: async () => true };
  const idempotency = createIdempotency({ database, storedResponses, now, newId });
  const callers = { find, now, used: () => {} };
  apiScope(server, callers, (scope) => intakeRoutes(scope, { database, accepting, idempotency, now, newId }));
  await server.listen({ host: "127.0.0.1", port: 0 });
  return server.server.address();
}

async function listenFastify(): Promise<AddressInfo | string | null> {
  const server = Fastify();
  server.post("/track/food", async (_request, reply) => reply.code(202).send({ id: newId() }));
  await server.listen({ host: "127.0.0.1", port: 0 });
  return server.server.address();
}

async function listenHttp(): Promise<AddressInfo | string | null> {
  const respond: RequestListener = (request, response) => {
    request.on("data", () => {});
    request.on("end", () => {
      const body = JSON.stringify({ id: newId() });
      response.writeHead(202, { "content-type": "application/json", "content-length": body.length }).end(body);
    });
  };
  const server = createHttpServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server.address();
}
