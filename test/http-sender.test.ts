import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createHttpSender, parseRetryAfter } from "../src/outgoing/http-sender.ts";
import type { HttpOutcome, Resolve } from "../src/outgoing/http-sender.ts";

const closers: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const close of closers) await close();
});

/** Starts a receiver on loopback and returns its port. */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function openSender(isAllowedAddress: (address: string) => boolean, resolve?: Resolve) {
  const sender = createHttpSender({ isAllowedAddress, now: () => new Date(), ...(resolve && { resolve }) });
  closers.push(() => sender.close());
  const never = new AbortController().signal;
  return (url: string, { timeoutMs = 5_000, signal = never } = {}): Promise<HttpOutcome> =>
    sender.post({ url, headers: { "content-type": "application/json" }, body: "{}", timeoutMs, signal });
}

const post = openSender((address) => address === "127.0.0.1");

test("a response is returned with its status, its first bytes and its Retry-After", async () => {
  const port = await listen((request, response) => {
    assert.equal(request.method, "POST");
    response.writeHead(503, { "retry-after": "30" }).end("x".repeat(2_000));
  });
  const outcome = await post(`http://127.0.0.1:${port}/`);
  assert.ok(outcome.kind === "responded");
  assert.deepEqual([outcome.status, outcome.retryAfterSeconds, outcome.head], [503, 30, "x".repeat(512)]);
});

test("connections are kept alive", async () => {
  const ports = new Set<number | undefined>();
  const port = await listen((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("ok");
  });
  for (let i = 0; i < 20; i++) await post(`http://127.0.0.1:${port}/`);
  assert.ok(ports.size <= 2, `${ports.size} connections for 20 posts`);
});

test("a redirect is a response like any other and is not followed", async () => {
  let requests = 0;
  const port = await listen((_, response) => {
    requests += 1;
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  const outcome = await post(`http://127.0.0.1:${port}/`);
  assert.equal(outcome.kind === "responded" && outcome.status, 307);
  assert.equal(requests, 1);
});

test("a request to an endpoint that hangs ends after the timeout", async () => {
  const port = await listen(() => {});
  const outcome = await post(`http://127.0.0.1:${port}/`, { timeoutMs: 50 });
  assert.equal(outcome.kind, "timeout");
});

test("a slow or endless response ends at the timeout, and its status counts", async () => {
  const port = await listen((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 5);
    response.on("close", () => clearInterval(timer));
  });
  const outcome = await post(`http://127.0.0.1:${port}/`, { timeoutMs: 500 });
  assert.equal(outcome.kind === "responded" && outcome.status, 200);
  assert.ok(outcome.durationMs < 10_000);
});

test("only the beginning of a huge response is read", async () => {
  let sentBytes = 0;
  const port = await listen((_, response) => {
    const chunk = Buffer.alloc(65_536);
    const send = (): void => {
      for (let more = true; more && sentBytes < 50_000_000 && !response.destroyed; sentBytes += chunk.length)
        more = response.write(chunk);
    };
    response.on("drain", send);
    send();
  });
  const outcome = await post(`http://127.0.0.1:${port}/`);
  assert.equal(outcome.kind === "responded" && outcome.status, 200);
  assert.ok(sentBytes < 20_000_000, `${sentBytes} bytes left the receiver`);
});

test("a closed port, a broken connection and a name that doesn't exist are network failures", async () => {
  const port = await listen((request) => request.socket.destroy());
  assert.equal((await post(`http://127.0.0.1:${port}/`)).kind, "network");
  assert.equal((await post("http://127.0.0.1:1/")).kind, "network");
  const unresolvable = openSender(
    () => true,
    (_, __, callback) => callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []),
  );
  const outcome = await unresolvable("http://no-such-name.example/");
  assert.ok(outcome.kind === "network" && outcome.message.includes("ENOTFOUND"));
});

test("an exchange can be aborted", async () => {
  const aborter = new AbortController();
  const port = await listen(() => aborter.abort());
  assert.equal((await post(`http://127.0.0.1:${port}/`, { signal: aborter.signal })).kind, "network");
});

test("no connection is opened to a refused address, in any spelling", async () => {
  let connections = 0;
  const port = await listen((_, response) => {
    connections += 1;
    response.end();
  });
  const refuseAll = openSender(() => false);
  for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"])
    for (const scheme of ["http", "https"])
      assert.equal((await refuseAll(`${scheme}://${host}:${port}/`)).kind, "refused_address", host);
  assert.equal(connections, 0);
});

test("a name is checked by the address of each connection (DNS rebinding)", async () => {
  const port = await listen((_, response) => {
    response.writeHead(200, { connection: "close" }).end();
  });
  let address = "127.0.0.1";
  let lookups = 0;
  const rebinding = openSender(
    (candidate) => candidate === "127.0.0.1",
    (_, __, callback) => {
      lookups += 1;
      callback(null, [{ address, family: 4 }]);
    },
  );
  assert.equal((await rebinding(`http://hooks.example.com:${port}/`)).kind, "responded");
  address = "127.0.0.2";
  assert.equal((await rebinding(`http://hooks.example.com:${port}/`)).kind, "refused_address");
  assert.equal(lookups, 2, "one lookup for each connection: nothing can change between check and use");
});

test("only the allowed addresses of a name are used", async () => {
  const port = await listen((_, response) => response.end());
  const mixed = openSender(
    (candidate) => candidate === "127.0.0.1",
    (_, __, callback) =>
      callback(null, [
        { address: "127.0.0.2", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]),
  );
  assert.equal((await mixed(`http://hooks.example.com:${port}/`)).kind, "responded");
});

test("Retry-After is read as seconds or as a date", () => {
  const now = new Date("2026-05-01T12:00:00.000Z");
  assert.equal(parseRetryAfter("120", now), 120);
  assert.equal(parseRetryAfter("Fri, 01 May 2026 12:01:30 GMT", now), 90);
  assert.equal(parseRetryAfter("Fri, 01 May 2026 11:00:00 GMT", now), 0);
  for (const value of [undefined, "", "soon", "-5", "1.5", "2026-05-01", ["1", "2"]])
    assert.equal(parseRetryAfter(value, now), null);
});
