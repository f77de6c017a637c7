import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { finished } from "node:stream/promises";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { pino } from "pino";
import { acceptForms, readForm } from "../src/http/form.ts";
import { healthRoutes } from "../src/http/health-routes.ts";
import { createHttpServer } from "../src/http/pipelining.ts";
import { createServer } from "../src/http/server.ts";
import type { Server } from "../src/http/server.ts";

// What never becomes a request, or takes its time, over a real socket; time-outs are cut to a fraction of a second.
const TIMEOUTS = { requestMs: 500, headersMs: 300, idleMs: 2_000, checkMs: 50 };

const PENDING_MAX = 60;

let server: Server;
let port: number;
let requests = 0;
let handled = 0;
let checks = 0;
/** What a request for /later waits for. */
let later = Promise.withResolvers<void>();
before(async () => {
  server = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: () => `made-${++requests}`,
    timeouts: TIMEOUTS,
    pendingMax: PENDING_MAX,
  });
  server.get("/here", async () => ({ ok: true }));
  server.get("/soon", async () => {
    handled++;
    await sleep(20);
    return { ok: true };
  });
  server.get("/later", async () => {
    await later.promise;
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

type Part = string | { waitMs: number } | { responses: number };

/** Opens a connection, writes, and gives everything that came until the server closed it, at most after 5 s. */
function converse(...parts: Part[]): Promise<{ text: string; tookMs: number }> {
  return converseWith(connect(port, "127.0.0.1"), parts);
}

async function converseWith(socket: Socket, parts: readonly Part[]): Promise<{ text: string; tookMs: number }> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // The server may close while we still write; what counts is what it said before.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => {
    for (const event of ["end", "close"]) socket.once(event, resolve);
  });
  const start = performance.now();
  for (const part of parts) {
    if (typeof part === "string") socket.write(part);
    else if ("waitMs" in part) await sleep(part.waitMs);
    else while (!socket.destroyed && countResponses(chunks) < part.responses) await sleep(5);
  }
  await Promise.race([closed, sleep(5_000, undefined, { ref: false }).then(() => socket.destroy())]);
  return { text: Buffer.concat(chunks).toString(), tookMs: performance.now() - start };
}

function countResponses(chunks: readonly Buffer[]): number {
  return (
    Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1\.1 \d/g)?.length ?? 0
  );
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

test("two Host headers are refused, and the connection closed", async () => {
  const { text } = await converse(
    "GET /here HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\nGET /here HTTP/1.1\r\nhost: x\r\n\r\n",
  );
  assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length, 1, text);
  assert.match(text, /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i);
  assert.match(text, /"code":"MalformedRequest"/);
});

test("a target may be a whole address, or is refused: never a 500", async () => {
  const get = async (target: string, method = "GET") =>
    (await converse(`${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).text.slice(9, 12);
  assert.equal(await get("http://other.example/here"), "200");
  assert.equal(await get("https://other.example:443/here?a=1"), "200");
  for (const target of ["http://other.example", "ftp://x/here", "*", "//here", "/%", "?a"]) {
    assert.match(await get(target), /^(400|404)$/, target);
    assert.match(await get(target, "OPTIONS"), /^(400|404|204)$/, target);
  }
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

/** Runs a server whose bodies must bring 1 kB in each 400 ms, and that reads `/late` only after two such windows. */
async function withLeastRate(run: (portOfRate: number, rated: Server) => Promise<void>): Promise<void> {
  const rated = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: () => "rated",
    timeouts: {
      requestMs: 60_000,
      headersMs: 60_000,
      idleMs: 60_000,
      checkMs: 50,
      leastRate: { bytesPerSecond: 2_500, windowMs: 400 },
    },
  });
  rated.post("/here", async () => ({ ok: true }));
  rated.post("/late", { preParsing: async () => await sleep(900) }, async () => ({ ok: true }));
  await rated.register(async (scope) => {
    await acceptForms(scope, 1);
    const skip = { names: ["file"], receive: async (stream: Readable) => await finished(stream.resume()) };
    scope.post("/form", async (request) => readForm(request, { ...skip, discard: async () => {} }));
  });
  await rated.listen({ host: "127.0.0.1", port: 0 });
  try {
    await run((rated.server.address() as AddressInfo).port, rated);
  } finally {
    await rated.close();
  }
}

test("a body below the least rate is ended, JSON, chunks or form, also if its client never closes", () =>
  withLeastRate(async (portOfRate, rated) => {
    const drip = Array.from({ length: 15 }, () => [{ waitMs: 100 }, " "]).flat();
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
    const fields = Array.from({ length: 15 }, (_, i) => [
      { waitMs: 100 },
      `--b\r\ncontent-disposition: form-data; name="${i}"\r\n\r\nx\r\n`,
    ]).flat();
    const form = "POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n";
    const slow: Part[][] = [
      [`${POST}content-length: 1000\r\n\r\n`, ...drip],
      [`${POST}transfer-encoding: chunked\r\n\r\n`, ...drip.map((each) => (each === " " ? "1\r\n \r\n" : each))],
      [`${form}content-length: 100000\r\n\r\n${part}`, ...drip],
      [`${form}content-length: 100000\r\n\r\n`, ...fields],
      [`${form}content-length: 100000\r\n\r\n`],
    ];
    await Promise.all(
      slow.map(async (parts) => {
        const socket = connect({ port: portOfRate, host: "127.0.0.1", allowHalfOpen: true });
        const problem = onlyProblem(await converseWith(socket, parts), 408);
        assert.equal(problem["code"], "RequestTimeout");
      }),
    );
    const open = promisify(rated.server.getConnections.bind(rated.server));
    for (let waited = 0; (await open()) > 0; waited++) {
      assert.ok(waited < 200, "the server's side of each connection is closed too");
      await sleep(20);
    }
  }));

test("a body above the least rate goes on, and so does one that the service itself does not read yet", () =>
  withLeastRate(async (portOfRate) => {
    const body = JSON.stringify({ text: "x".repeat(90_000) });
    const send = (path: string, parts: Part[]) =>
      converseWith(connect(portOfRate, "127.0.0.1"), [
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n`,
        `content-length: ${body.length}\r\n\r\n`,
        ...parts,
      ]);
    const pieces = Array.from({ length: 10 }, (_, i) => [body.slice(i * 10_000, (i + 1) * 10_000), { waitMs: 100 }]);
    assert.match((await send("/here", pieces.flat())).text, /^HTTP\/1\.1 200 /);
    assert.match(
      (await send("/late", [body.slice(0, 10), { waitMs: 1_000 }, body.slice(10)])).text,
      /^HTTP\/1\.1 200 /,
    );
  }));

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

test("a path of a configured address that is one of the service's own stops the start with a reason", () => {
  const options = { log: pino({ level: "silent" }), publicUrl: "http://a.example/here", newRequestId: () => "1" };
  const taken = createServer({ ...options, hostedPagesUrl: "http://b.example/pages" });
  assert.throws(() => taken.get("/here/:id", async () => ({})), /must not have the path \/here/);
  taken.get("/there", async () => ({}));
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
    { responses: 20 },
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

test("of hundreds of requests behind a closed connection's last one none is even parsed", async () => {
  let parsed = 0;
  const refuse = () => ({ body: "", headers: {} });
  const counting = createHttpServer((_request, response) => void setTimeout(() => response.end(), 20), {}, refuse);
  counting.on("connection", (socket: Socket & { parser?: { onIncoming: (...all: unknown[]) => number } }) => {
    const { parser } = socket;
    const onIncoming = parser!.onIncoming;
    parser!.onIncoming = (...all) => onIncoming(...all, parsed++);
  });
  await once(counting.listen(0, "127.0.0.1"), "listening");
  const socket = connect((counting.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {}).write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(1_400));
  await once(socket, "close");
  counting.close();
  assert.ok(parsed >= 32 && parsed < 50, `${parsed} were parsed`);
});

test("while too many requests are pending in all, others get 503 with Retry-After at once; probes get theirs", async () => {
  const url = `http://127.0.0.1:${port}`;
  later = Promise.withResolvers();
  const refused: Response[] = [];
  const pending = Array.from({ length: 3 * PENDING_MAX }, async () => {
    const response = await fetch(`${url}/later`);
    if (response.status === 503) refused.push(response);
    return response.status;
  });
  const live = fetch(`${url}/health/live`);
  for (let waited = 0; refused.length < 2 * PENDING_MAX && waited < 1_000; waited++) await sleep(20);
  later.resolve();
  const statuses = await Promise.all(pending);
  const admitted = statuses.filter((status) => status === 200).length;
  assert.equal(admitted, statuses.length - refused.length);
  // The probe may have had a place when the last ones came.
  assert.ok(admitted === PENDING_MAX || admitted === PENDING_MAX - 1, `${admitted} were admitted`);
  assert.equal(refused[0]!.headers.get("retry-after"), "1");
  assert.equal(((await refused[0]!.json()) as { code: string }).code, "Unavailable");
  assert.equal((await live).status, 200);
  assert.equal((await fetch(`${url}/here`)).status, 200, "afterwards there is room");
});

test("requests for readiness that come together share one check", async () => {
  checks = 0;
  const all = await Promise.all(Array.from({ length: 200 }, () => server.inject("/health/ready")));
  assert.ok(all.every(({ statusCode }) => statusCode === 200));
  assert.ok(checks <= 5, `${checks} checks`);
});
