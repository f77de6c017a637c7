import type { FastifyReply, FastifyRequest } from "fastify";
import { createHolders } from "../holders.ts";
import { Problem } from "../problems.ts";

/** Counts a request of an application until its response has been sent. Throws unavailable over the limit. */
export type ApplicationShare = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Most requests of one application in progress in a process. Reads wait for the database one behind another, so with
 * thousands of them another application waited for seconds. Writes are stored in batches and have bounds of their own.
 */
const IN_PROGRESS_MAX = { reads: 200, writes: 1_000 };
const RETRY_SECONDS = 1;

/** Gives each application a share of the requests in progress. */
export function createApplicationShare(max = IN_PROGRESS_MAX): ApplicationShare {
  const inProgress = { reads: createHolders(), writes: createHolders() };
  return ({ application: { id }, method }, reply) => {
    const kind = method === "GET" || method === "HEAD" ? "reads" : "writes";
    if (inProgress[kind].of(id) >= max[kind]) {
      throw new Problem("unavailable", {
        detail: `${max[kind]} ${kind} of the application are in progress.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    const end = inProgress[kind].take(id);
    // A client that has gone gets no response.
    reply.raw.once("finish", end).once("close", end);
  };
}
