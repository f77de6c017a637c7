import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { keepPrivate } from "../html/page.ts";
import type { Server } from "./server.ts";

/** What is to be told now; `isLast` ends the stream. */
export interface Look {
  /** Equal looks are told once. */
  readonly id: string;
  readonly data: object;
  readonly isLast: boolean;
}

/** How often it is looked for news, and how long one stream lasts before its client asks anew. */
const LOOK_MS = 500;
const STREAM_MS_MAX = 120_000;
/** Proxies end what is silent for a minute; the server itself after 50 s. */
const SILENCE_MS_MAX = 15_000;
/** Of one process: each looks into the database twice a second. */
const STREAMS_MAX = 200;

/** Streams of server-sent events that end with the server. */
export interface EventStreams {
  /** Answers with what `look` sees, at once and whenever it changes; false, and no answer, when there are too many already. */
  send(reply: FastifyReply, look: () => Promise<Look>): FastifyReply | false;
}

/** Makes the streams of a server. */
export function createEventStreams(server: Server): EventStreams {
  const ended = new AbortController();
  server.addHook("preClose", async () => ended.abort());
  let open = 0;

  async function* textOf(look: () => Promise<Look>, signal: AbortSignal): AsyncGenerator<string> {
    open++;
    try {
      const endsAtMs = performance.now() + STREAM_MS_MAX;
      let [told, toldAtMs] = ["", performance.now()];
      while (!signal.aborted && performance.now() < endsAtMs) {
        const { id, data, isLast } = await look();
        if (id !== told) yield `data: ${JSON.stringify(data)}\n\n`;
        else if (performance.now() - toldAtMs > SILENCE_MS_MAX) yield ":\n\n";
        if (id !== told || performance.now() - toldAtMs > SILENCE_MS_MAX) toldAtMs = performance.now();
        told = id;
        if (isLast) return;
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      open--;
    }
  }

  return {
    send: (reply, look) => {
      if (open >= STREAMS_MAX || ended.signal.aborted) return false;
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      keepPrivate(reply);
      // Said to nginx, which would hold the events back to fill its buffer.
      reply.header("x-accel-buffering", "no").type("text/event-stream; charset=utf-8");
      return reply.send(Readable.from(textOf(look, AbortSignal.any([ended.signal, left.signal]))));
    },
  };
}
