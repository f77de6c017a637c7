import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { healthRoutes } from "../src/http/health-routes.ts";
import { createServer } from "../src/http/server.ts";
import type { Server } from "../src/http/server.ts";

// What never becomes a request, or takes its time, over a real socket; time-outs are cut to a fraction of a second.
const TIMEOUTS = { requestMs: 500, headersMs: 300, idleMs: 2_000, checkMs: 50 };

let server: Server;
let port: number;
let requests = 0;
let handled = 0;
let checks = 0;
before(async () => {
  server = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: () => `made-${++requests}`,
    timeouts: TIMEOUTS,
  });
  server.get("/here", async () => ({ ok: true }));
  server.get("/soon", async () => {
    handled++;
    await sleep(20);
    return { ok: true };
  });
  healthRoutes(server, async () => {
    checks++;
    await sleep(20);
    return true;
  });
  server.post("/here", async (request) => ({ got: request.body }));
  await server.listen({ host: "127.0.0.1", port: 0 });
  port = (server.server.address() as AddressInfo).port;
});
after(() => server.close());

/** Opens a connection, writes, and gives everything that came until the server closed it, at most after 5 s. */
async function converse(...parts: (string | { waitMs: number })[]): Promise<{ text: string; tookMs: number }> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // The server may close while we still write; what counts is what it said before.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  const start = performance.now();
  for (const part of parts) {
    if (typeof part === "string") socket.write(part);
    else await sleep(part.waitMs);
  }
  await Promise.race([closed, sleep(5_000, undefined, { ref: false }).then(() => socket.destroy())]);
  return { text: Buffer.concat(chunks).toString(), tookMs: performance.now() - start };
}

/** Checks that exactly one response came, a problem document of this status, and that the connection was closed. */
function onlyProblem({ text, tookMs }: { text: string; tookMs: number }, status: number): Record<string, unknown> {
  assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length, 1, text);
  assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(text, /\r\ncontent-type: application\/problem\+json/i);
  assert.match(text, /\r\nconnection: close\r\n/i);
  assert.match(text, /\r\napi-supported-versions: 1\.0\r\n/i);
  assert.ok(tookMs < 4_500, `the line was closed after ${tookMs} ms`);
  const problem = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
  assert.equal(problem["status"], status);
  assert.match(String(problem["type"]), /^http:\/\/rewards\.test\/problems\//);
  return problem;
}

async function answersAtOnce(): Promise<void> {
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/here`);
  assert.equal(response.status, 200);
  await response.arrayBuffer();
  assert.ok(performance.now() - start < 3_000);
}

const POST = "POST /here HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";

test("a body of two lengths is refused once, and the line closed: nothing can be smuggled behind it", async () => {
  const smuggled = "GET /here HTTP/1.1\r\nhost: x\r\n\r\n";
  onlyProblem(
    await converse(`${POST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`),
    400,
  );
  onlyProblem(await converse(`${POST}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x${smuggled}`), 400);
  onlyProblem(await converse(`${POST}content-length: -1\r\n\r\n{}`), 400);
});

test("a header of 64 KiB is too large", async () => {
  const problem = onlyProblem(
    await converse(`GET /here HTTP/1.1\r\nhost: x\r\nx-big: ${"x".repeat(65_536)}\r\n\r\n`),
    431,
  );
  assert.equal(problem["code"], "HeadersTooLarge");
});

test("what is no HTTP is refused", async () => {
  for (const text of [
    "hello\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01",
    "GET /he\0re HTTP/1.1\r\nhost: x\r\n\r\n",
    "GET /here HTTP/9.9\r\n\r\n",
  ]) {
    onlyProblem(await converse(text), 400);
  }
  onlyProblem(await converse("GET /here HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n"), 400);
});

test("a request that names no host is refused; HTTP/1.0 needs none", async () => {
  const { text } = await converse("GET /here HTTP/1.1\r\nconnection: close\r\n\r\n");
  assert.match(text, /^HTTP\/1\.1 400 [^]*\r\ncontent-type: application\/problem\+json/i);
  assert.match(text, /"code":"MalformedRequest"/);
  assert.match((await converse("GET /here HTTP/1.0\r\n\r\n")).text, /^HTTP\/1\.1 200 /);
});

test("TRACE is not allowed and gives nothing of the request back", async () => {
  const { text } = await converse("TRACE /here HTTP/1.1\r\nhost: x\r\nx-secret: s3cr3t\r\nconnection: close\r\n\r\n");
  assert.match(text, /^HTTP\/1\.1 405 /);
  assert.doesNotMatch(text, /s3cr3t/);
});

test("headers that drip are cut off", async () => {
  const drip = Array.from({ length: 8 }, (_, i) => [{ waitMs: 100 }, `x-${i}: 1\r\n`]).flat();
  const response = await converse("GET /here HTTP/1.1\r\nhost: x\r\n", ...drip);
  assert.equal(onlyProblem(response, 408)["code"], "RequestTimeout");
});

test("a body that arrives slowly or never completely is aborted with one response", async () => {
  const drip = Array.from({ length: 8 }, () => [{ waitMs: 100 }, " "]).flat();
  onlyProblem(await converse(`${POST}content-length: 1000\r\n\r\n`, ...drip), 408);
  onlyProblem(await converse(`${POST}content-length: 10\r\n\r\n{}`), 408);
});

test("a body that breaks off does no harm", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${POST}content-length: 1000\r\n\r\n{"a":`);
  await sleep(20);
  socket.resetAndDestroy();
  await answersAtOnce();
});

test("sixty half-open connections hold up nobody", async () => {
  const sockets: Socket[] = Array.from({ length: 60 }, () => connect(port, "127.0.0.1"));
  for (const [i, socket] of sockets.entries()) {
    socket.on("error", () => {});
    if (i % 2) socket.write("POST /here HTTP/1.1\r\nhost:");
  }
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await answersAtOnce();
  for (const socket of sockets) socket.destroy();
});

test("a connection on which nothing ever comes is ended", async () => {
  const { text, tookMs } = await converse();
  assert.ok(tookMs < 4_500, `${tookMs} ms`);
  assert.doesNotMatch(text, /200 OK/);
});

test("pipelined requests get their responses in order", async () => {
  const { text } = await converse(
    "GET /here HTTP/1.1\r\nhost: x\r\n\r\nGET /missing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  );
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 404"]);
});

test("the usual time-outs end every request within 60 seconds", () => {
  const usual = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: () => "1",
  });
  const { requestTimeout, headersTimeout, timeout } = usual.server;
  for (const ms of [requestTimeout, headersTimeout, timeout]) assert.ok(ms > 0 && ms <= 55_000, `${ms} ms`);
});

test("a few requests sent at once on one connection all get their response", async () => {
  const request = "GET /soon HTTP/1.1\r\nhost: a\r\n\r\n";
  const { text } = await converse(
    request.repeat(20),
    { waitMs: 200 },
    request.repeat(19),
    "GET /soon HTTP/1.0\r\n\r\n",
  );
  assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 40);
});

test("hundreds of requests sent at once on one connection close it, and few of them are carried out", async () => {
  handled = 0;
  const { tookMs } = await converse("GET /soon HTTP/1.1\r\nhost: a\r\n\r\n".repeat(1_400));
  assert.ok(handled <= 32, `${handled} were carried out`);
  assert.ok(tookMs < 4_500, `the line was closed after ${tookMs} ms`);
  assert.equal((await fetch(`http://127.0.0.1:${port}/here`)).status, 200);
});

test("requests for readiness that come together share one check", async () => {
  checks = 0;
  const all = await Promise.all(Array.from({ length: 200 }, () => server.inject("/health/ready")));
  assert.ok(all.every(({ statusCode }) => statusCode === 200));
  assert.ok(checks <= 5, `${checks} checks`);
});
