import { randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { rollback } from "../postgres/rollback.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { IV_BYTES, keyError, keyedRequest, seal, unseal } from "./key.ts";
import type { KeyedRequest } from "./key.ts";
import type { StoredResponse, NewStoredResponse } from "./store.ts";
import { Problem } from "../problems.ts";

const IDEMPOTENCY_KEY_HEADER = "idempotency-key";
const REPLAYED_HEADER = "idempotency-replayed";

/** The storage of responses; see `idempotency/store.ts`. */
export interface StoredResponses {
  find(tx: Tx, keyed: KeyedRequest): Promise<StoredResponse | null>;
  keep(tx: Tx, kept: NewStoredResponse): Promise<boolean>;
}

/** The result of the work of a POST: its response, and the user whose data is in it. */
export interface Outcome<Body> {
  readonly response: Body;
  readonly userId: string | null;
}

/** Carries out a POST once for each Idempotency-Key. */
export interface Idempotency {
  /** Returns the key and fingerprint of a request; null without a key. `content` replaces a body that is not JSON. */
  keyed(request: FastifyRequest, content?: string): KeyedRequest | null;
  /** Returns the stored response and sets its status and header; null if the key is unused. Throws for another body. */
  replay<Body>(keyed: KeyedRequest, reply: FastifyReply): Promise<Body | null>;
  /** Like `replay`, for a key that another request has just used. */
  replayTaken<Body>(keyed: KeyedRequest, reply: FastifyReply): Promise<Body>;
  /** Converts a response without secrets and personal data to the stored form. */
  kept(keyed: KeyedRequest, status: number, response: object): StoredResponse;
  /** Stores such a response in the tx of its work. False: another request used the key, and the tx must roll back. */
  keep(tx: Tx, keyed: KeyedRequest, status: number, outcome: Outcome<object>): Promise<boolean>;
  /**
   * Runs `work` in a tx and returns its response, a 200. With a key, the response is stored in the same tx. If the key
   * is already used, nothing is done and the stored response is returned. `work` must only run SQL through its `tx`.
   */
  once<Body extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx) => Promise<Outcome<Body>>,
  ): Promise<Body>;
}

/** Creates the handling of Idempotency-Key on top of stored responses. */
export function createIdempotency(deps: {
  database: Database;
  storedResponses: StoredResponses;
  now: () => Date;
  newId: () => string;
}): Idempotency {
  const { database, storedResponses, now, newId } = deps;

  const store = (tx: Tx, { applicationId }: KeyedRequest, response: StoredResponse, userId: string | null) =>
    storedResponses.keep(tx, { ...response, id: newId(), applicationId, userId, createdAt: now() });

  const keep: Idempotency["keep"] = (tx, keyed, status, { response, userId }) =>
    store(tx, keyed, kept(keyed, status, response), userId);

  const replay = async <Body>(keyed: KeyedRequest, reply: FastifyReply): Promise<Body | null> => {
    const found = await storedResponses.find(database, keyed);
    if (!found) return null;
    if (!timingSafeEqual(found.fingerprint, keyed.fingerprint)) throw new Problem("idempotencyKeyReused");
    const response = found.isSealed ? unseal(found.response, keyed.secret) : found.response.toString("utf8");
    if (response === null) throw new Problem("idempotencyAnswerLost");
    reply.code(found.status).header(REPLAYED_HEADER, "true");
    return JSON.parse(response) as Body;
  };

  const replayTaken = async <Body>(keyed: KeyedRequest, reply: FastifyReply): Promise<Body> => {
    const response = await replay<Body>(keyed, reply);
    // The stored response has expired, or its user was erased, in this moment.
    if (response === null) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    return response;
  };

  const once: Idempotency["once"] = async <Body extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx) => Promise<Outcome<Body>>,
  ): Promise<Body> => {
    const keyed = keyedBy(request);
    if (!keyed) return (await database.requestTx(request.application.id, work)).response;
    const before = await replay<Body>(keyed, reply);
    if (before !== null) return before;
    const carriedOut = database.requestTx<Body | null>(keyed.applicationId, async (tx) => {
      const outcome = await work(tx);
      const isStored = await store(tx, keyed, sealed(keyed, 200, outcome.response), outcome.userId);
      return isStored ? outcome.response : rollback(null);
    });
    const response = await carriedOut.catch(async (error: unknown) => {
      // The same request, sent at once, may have been carried out meanwhile and be what this one was refused for.
      const stored = error instanceof Problem ? await replay<Body>(keyed, reply) : null;
      if (stored === null) throw error;
      return stored;
    });
    return response ?? replayTaken<Body>(keyed, reply);
  };

  return { keyed: keyedBy, replay, replayTaken, kept, keep, once };
}

function kept({ keyHash, fingerprint }: KeyedRequest, status: number, response: object): StoredResponse {
  return { keyHash, fingerprint, status, response: Buffer.from(JSON.stringify(response)), isSealed: false };
}

function sealed({ keyHash, fingerprint, secret }: KeyedRequest, status: number, response: object): StoredResponse {
  const bytes = seal(JSON.stringify(response), secret, randomBytes(IV_BYTES));
  return { keyHash, fingerprint, status, response: bytes, isSealed: true };
}

function keyedBy(request: FastifyRequest, content?: string): KeyedRequest | null {
  const key = request.headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return null;
  const error = keyError(String(key));
  if (error !== null) throw new Problem("validation", { errors: { "Idempotency-Key": [error] } });
  return keyedRequest({
    applicationId: request.application.id,
    clientSecret: String(request.headers["x-client-secret"]),
    key: String(key),
    target: request.url.replace(/^\/issuers\//, "/"),
    content: content ?? JSON.stringify(request.body ?? null),
  });
}
