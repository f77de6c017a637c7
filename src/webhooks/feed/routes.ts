import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { Holders } from "../../holders.ts";
import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { filtersOf } from "../../lists/filters.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { feedPage, newestEventIds } from "./store.ts";
import type { FeedEvent } from "./store.ts";
import { NEWEST_MAX, cursorOf, parseCursor, placeAfter, placeAt, placeAfterNewest } from "./cursor.ts";
import type { FeedPlace } from "./cursor.ts";
import { FEED_EVENTS_MAX, WAITING_PER_APPLICATION_MAX, WAIT_SECONDS_MAX, listEvents } from "./operations.ts";

const PAGE_BYTES_MAX = 1024 * 1024;
/** Each waiting call reads once in this time, and holds no connection in between. */
const POLL_MS = 1_000;
/** Waiting calls of one process: each is a query a second. */
const WAITING_MAX = 100;

export interface FeedRouteDeps {
  readonly database: Database;
  /** The calls that wait for events in this process. */
  readonly waiting: Holders;
}

/** Adds the events of an application, to poll with waiting calls. */
export function feedRoutes(server: Server, { database, waiting }: FeedRouteDeps): void {
  const ended = new AbortController();
  server.addHook("preClose", async () => ended.abort());

  server.get(listEvents.path, routeOf(listEvents), async (request, reply) => {
    const { id: applicationId } = request.application;
    const { place, waitSeconds } = readFeedQuery(knownValues(request));
    const from = place ?? placeAfterNewest(await newestEventIds(database, applicationId, NEWEST_MAX));
    const read = () =>
      feedPage(database, applicationId, from, { eventsMax: FEED_EVENTS_MAX, bytesMax: PAGE_BYTES_MAX });
    let events = await read();
    // Without a place there is nothing to wait for: the client needs the place.
    if (events.length > 0 || waitSeconds === 0 || place === null) return sendPage(reply, from, events);

    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const signal = AbortSignal.any([ended.signal, gone.signal]);
    const release = takePlace(waiting, applicationId);
    try {
      const endsAtMs = performance.now() + waitSeconds * 1_000;
      while (events.length === 0 && performance.now() < endsAtMs && !signal.aborted) {
        await sleep(Math.min(POLL_MS, endsAtMs - performance.now()), undefined, { signal }).catch(() => {});
        if (gone.signal.aborted) break;
        // The application may be suspended meanwhile, or its secret replaced.
        await request.authenticateAgain();
        events = await read();
      }
    } finally {
      release();
    }
    // Otherwise the stop would wait until the client closes its connection.
    if (ended.signal.aborted) reply.header("connection", "close");
    return sendPage(reply, from, events);
  });
}

/** Counts a waiting call; returns the function that ends it. Throws where the application, or all, have enough. */
function takePlace(waiting: Holders, applicationId: string): () => void {
  if (waiting.of(applicationId) >= WAITING_PER_APPLICATION_MAX) {
    throw new Problem("tooManyRequests", { retryAfterSeconds: 1 });
  }
  if (waiting.of("all") >= WAITING_MAX) throw new Problem("unavailable", { retryAfterSeconds: 5 });
  return waiting.take("all", applicationId);
}

/** Sends a page. The bodies are JSON already: they are neither parsed nor written again. */
function sendPage(reply: FastifyReply, from: FeedPlace, events: readonly FeedEvent[]): FastifyReply {
  const next = cursorOf(
    placeAfter(
      from,
      events.map(({ id }) => id),
    ),
  );
  const texts = events.map(({ id, type, subject, position, createdAt, body }) => {
    const head = JSON.stringify({ id, event: type, subjectId: subject, sequence: position, createdAt });
    return `${head.slice(0, -1)},"payload":${body}}`;
  });
  return reply
    .type("application/json; charset=utf-8")
    .send(`{"events":[${texts.join(",")}],"next":${JSON.stringify(next)}}`);
}

/** Reads the query; `place` is null without one. Throws for wrong parameters. */
function readFeedQuery(query: URLSearchParams): { place: FeedPlace | null; waitSeconds: number } {
  const { errors, read, time } = filtersOf(query);
  const wait = query.get("wait") ?? "0";
  const cursor = read("after", parseCursor, "must be `next` of an earlier response");
  const since = time("since");
  if (query.has("after") && query.has("since")) errors["since"] = ["must not be given beside after"];
  const waitSeconds = /^\d{1,2}$/.test(wait) ? Number(wait) : Number.NaN;
  if (!(waitSeconds <= WAIT_SECONDS_MAX)) {
    errors["wait"] = [`must be a whole number of seconds from 0 to ${WAIT_SECONDS_MAX}`];
  }
  if (Object.keys(errors).length > 0) throw new Problem("validation", { errors });
  return { place: cursor ?? (since && placeAt(since)), waitSeconds };
}
