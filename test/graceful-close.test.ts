import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { pino } from "pino";
import { gracefulClose } from "../src/http/graceful-close.ts";
import { createServer } from "../src/http/server.ts";

/** A server with a route that responds when `respond` is called. */
async function slowServer() {
  const publicUrl = "http://127.0.0.1";
  const server = createServer({ log: pino({ level: "silent" }), publicUrl, newRequestId: () => "r" });
  const close = gracefulClose(server);
  const arrived = Promise.withResolvers<void>();
  const response = Promise.withResolvers<object>();
  server.post("/slow", () => ({}));
  server.get("/slow", () => (arrived.resolve(), response.promise));
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { port, close, arrived: arrived.promise, respond: () => response.resolve({ ok: true }) };
}

test("a request in progress gets its response, and the connection that its client keeps does not delay the close", async () => {
  const { port, close, arrived, respond } = await slowServer();
  const agent = new Agent({ keepAlive: true });
  const request = get({ port, host: "127.0.0.1", path: "/slow", agent });
  await arrived;
  const since = Date.now();
  const closed = close(60_000);
  await sleep(100);
  respond();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await closed;
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers.connection, "close");
  assert.ok(Date.now() - since < 20_000, "the grace period is not waited for");
  agent.destroy();
});

test("a client that goes on for longer than the grace period is cut off", async () => {
  const { port, close } = await slowServer();
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  socket.on("error", () => {}).resume();
  socket.write("POST /slow HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\nx");
  await sleep(100);
  const ended = once(socket, "close");
  await close(200);
  await ended;
});
