import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { keepPrivate } from "../html/page.ts";
import { createPlaces } from "./places.ts";
import type { Server } from "./server.ts";

/** The current state that a stream reports; `isLast` ends the stream. */
export interface Snapshot {
  /** A snapshot with the same id as the last one is not sent again. */
  readonly id: string;
  readonly data: object;
  readonly isLast: boolean;
}

/** Interval at which the state is read. */
const POLL_MS = 500;
/** Maximum duration of a stream; its client then reconnects. */
const STREAM_MS_MAX = 120_000;
/** Proxies close connections that are silent for a minute, this server after 50 s. */
const SILENCE_MS_MAX = 15_000;
/** Maximum number of streams of one process: each queries the database twice a second. */
const STREAMS_MAX = 200;
/** Maximum number of streams of one session: a page that is reloaded leaves its old stream for a moment. */
const STREAMS_A_SESSION_MAX = 4;

/** Who a stream is for. */
export interface StreamHolder {
  readonly application: string;
  readonly session: string;
}

/** Streams of server-sent events that end with the server. */
export interface EventStreams {
  /**
   * Responds with a stream that sends the result of `read` at once and after each change, and ends when there is none.
   * Returns false, and does not respond, if there are too many streams in all, of the application or of the session.
   */
  send(reply: FastifyReply, holder: StreamHolder, read: () => Promise<Snapshot | null>): FastifyReply | false;
}

/** Creates the streams of a server. */
export function createEventStreams(server: Server): EventStreams {
  const ended = new AbortController();
  server.addHook("preClose", async () => ended.abort());
  const places = createPlaces({ max: STREAMS_MAX, perSession: STREAMS_A_SESSION_MAX });

  async function* eventsOf(read: () => Promise<Snapshot | null>, signal: AbortSignal): AsyncGenerator<string> {
    const endsAtMs = performance.now() + STREAM_MS_MAX;
    let [sentId, sentAtMs] = ["", performance.now()];
    while (!signal.aborted && performance.now() < endsAtMs) {
      const snapshot = await read();
      if (!snapshot) return;
      const { id, data, isLast } = snapshot;
      if (id !== sentId) yield `data: ${JSON.stringify(data)}\n\n`;
      else if (performance.now() - sentAtMs > SILENCE_MS_MAX) yield ":\n\n";
      if (id !== sentId || performance.now() - sentAtMs > SILENCE_MS_MAX) sentAtMs = performance.now();
      sentId = id;
      if (isLast) return;
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }

  return {
    send: (reply, holder, read) => {
      const free = ended.signal.aborted ? null : places.take(holder);
      if (!free) return false;
      const disconnected = new AbortController();
      // Also when the stream has ended, or was never read.
      reply.raw.once("close", () => {
        disconnected.abort();
        free();
      });
      keepPrivate(reply);
      // nginx would otherwise buffer the events.
      reply.header("x-accel-buffering", "no").type("text/event-stream; charset=utf-8");
      return reply.send(Readable.from(eventsOf(read, AbortSignal.any([ended.signal, disconnected.signal]))));
    },
  };
}
