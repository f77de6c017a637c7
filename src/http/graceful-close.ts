import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "./server.ts";

/** Interval of the check for connections whose response has ended. */
const IDLE_CHECK_MS = 50;

/**
 * Returns a function that closes a server: no new request, and `graceMs` for those in progress; then it cuts them off.
 *
 * Node closes the connections that are idle when the close begins. One whose response ends later stays open for as long
 * as its client likes (72 s), so these responses say that it closes, and it is closed.
 */
export function gracefulClose(server: Server): (graceMs: number) => Promise<void> {
  let isClosing = false;
  server.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done();
  });
  return async (graceMs) => {
    isClosing = true;
    const closed = new AbortController();
    const closing = server.close().finally(() => closed.abort());
    for (const deadline = Date.now() + graceMs; !closed.signal.aborted;) {
      if (Date.now() < deadline) server.server.closeIdleConnections();
      else server.server.closeAllConnections();
      await sleep(IDLE_CHECK_MS, undefined, { signal: closed.signal }).catch(() => {});
    }
    await closing;
  };
}
