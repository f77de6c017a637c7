import { randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { rollback } from "../postgres/rollback.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { IV_BYTES, keyError, keyedRequest, seal, unseal } from "../idempotency/key.ts";
import type { KeyedRequest } from "../idempotency/key.ts";
import type { StoredResponse, NewStoredResponse } from "../idempotency/store.ts";
import { Problem } from "../problems.ts";

const IDEMPOTENCY_KEY_HEADER = "idempotency-key";
const REPLAYED_HEADER = "idempotency-replayed";

/** Where answers are kept; see `idempotency/store.ts`. */
export interface StoredResponses {
  find(tx: Tx, keyed: KeyedRequest): Promise<StoredResponse | null>;
  keep(tx: Tx, kept: NewStoredResponse): Promise<boolean>;
}

/** What a piece of work gives: its answer, and of which user that tells. */
export interface Done<Answer> {
  readonly response: Answer;
  readonly userId: string | null;
}

/** Does what a POST asks for once for each Idempotency-Key. */
export interface Idempotency {
  /** The request as its key names it; null without one. `content` stands for the body where that is no JSON. */
  keyed(request: FastifyRequest, content?: string): KeyedRequest | null;
  /** The stored answer, with its status and header set on the reply; null: the key is free. Throws for another body. */
  replay<Answer>(keyed: KeyedRequest, reply: FastifyReply): Promise<Answer | null>;
  /** The same where the key was found taken, so that there is an answer. */
  replayTaken<Answer>(keyed: KeyedRequest, reply: FastifyReply): Promise<Answer>;
  /** An answer that holds no secret and nothing about a person, in the form that is stored. */
  kept(keyed: KeyedRequest, status: number, response: object): StoredResponse;
  /** Stores such a response in the tx of its effect. False: another request took the key, and the tx must be undone. */
  keep(tx: Tx, keyed: KeyedRequest, status: number, done: Done<object>): Promise<boolean>;
  /**
   * Answers with what `work` gives, a 200, and does that in one tx. With a key: together with the stored answer, or not at
   * all and the stored one instead. `work` does nothing but SQL through its `tx`.
   */
  once<Answer extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx) => Promise<Done<Answer>>,
  ): Promise<Answer>;
}

/** Makes it of where answers are kept. */
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

  const replay = async <Answer>(keyed: KeyedRequest, reply: FastifyReply): Promise<Answer | null> => {
    const found = await storedResponses.find(database, keyed);
    if (!found) return null;
    if (!timingSafeEqual(found.fingerprint, keyed.fingerprint)) throw new Problem("idempotencyKeyReused");
    const response = found.isSealed ? unseal(found.response, keyed.secret) : found.response.toString("utf8");
    if (response === null) throw new Problem("idempotencyAnswerLost");
    reply.code(found.status).header(REPLAYED_HEADER, "true");
    return JSON.parse(response) as Answer;
  };

  const replayTaken = async <Answer>(keyed: KeyedRequest, reply: FastifyReply): Promise<Answer> => {
    const response = await replay<Answer>(keyed, reply);
    // Swept, or its user erased, in this very moment.
    if (response === null) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    return response;
  };

  const once: Idempotency["once"] = async <Answer extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx) => Promise<Done<Answer>>,
  ): Promise<Answer> => {
    const keyed = keyedBy(request);
    if (!keyed) return (await database.tx(work)).response;
    const before = await replay<Answer>(keyed, reply);
    if (before !== null) return before;
    const response = await database.tx<Answer | null>(async (tx) => {
      const done = await work(tx);
      const isStored = await store(tx, keyed, sealed(keyed, 200, done.response), done.userId);
      return isStored ? done.response : rollback(null);
    });
    return response ?? replayTaken<Answer>(keyed, reply);
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
  const fault = keyError(String(key));
  if (fault !== null) throw new Problem("validation", { errors: { "Idempotency-Key": [fault] } });
  return keyedRequest({
    applicationId: request.application.id,
    clientSecret: String(request.headers["x-client-secret"]),
    key: String(key),
    target: request.url.replace(/^\/issuers\//, "/"),
    content: content ?? JSON.stringify(request.body ?? null),
  });
}
