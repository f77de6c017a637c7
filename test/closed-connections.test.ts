import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpSender } from "../src/outgoing/http-sender.ts";
import type { HttpOutcome } from "../src/outgoing/http-sender.ts";
import { openWorld, story } from "./support/webhooks-under-test.ts";

// Receivers that close connections, without HTTP of their own: what arrives, and when a connection ends, is in the hand
// of each test.

/** A POST as it arrived, and its numbers: of its connection, and among the POSTs of that, from 1. */
interface Arrived {
  readonly text: string;
  readonly connection: number;
  readonly nth: number;
}

interface Receiver {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Number of connections that were opened. */
  readonly connections: number;
  stop(): Promise<void>;
}

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

async function receive(respond: (socket: Socket, post: Arrived) => void): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    let nth = 0;
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk.toString();
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      const post = { text, connection, nth: ++nth };
      text = "";
      arrived.push(post);
      respond(socket, post);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  closers.push(stop);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrived,
    get connections() {
      return connections;
    },
    stop,
  };
}

const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers) await close();
});

function openSender() {
  let checks = 0;
  const isAllowedAddress = (address: string) => {
    checks += 1;
    return address === "127.0.0.1";
  };
  const sender = createHttpSender({ isAllowedAddress, now: () => new Date() });
  closers.push(() => sender.close());
  const never = new AbortController().signal;
  const post = async (url: string, { timeoutMs = 5_000, signal = never } = {}): Promise<HttpOutcome> => {
    const outcome = await sender.post({ url, headers: { "webhook-id": "evt_1" }, body: '{"a":1}', timeoutMs, signal });
    // A connection is idle, and the next POST may have it, a turn of the loop after its response.
    await sleep(20);
    return outcome;
  };
  return { post, checks: () => checks };
}

const WAYS: readonly { name: string; close: (socket: Socket) => void }[] = [
  { name: "closes in order", close: (socket) => socket.end() },
  { name: "resets", close: (socket) => socket.resetAndDestroy() },
];

for (const { name, close } of WAYS) {
  test(`a receiver that ${name} its idle connection at the moment of the send gets the same POST on a new one`, async () => {
    const receiver = await receive((socket, { connection, nth }) =>
      connection === 1 && nth === 2 ? close(socket) : socket.write(OK),
    );
    const { post } = openSender();
    assert.equal((await post(receiver.url)).kind, "responded");
    const outcome = await post(receiver.url);
    assert.equal(outcome.kind === "responded" && outcome.status, 200);
    assert.deepEqual(
      receiver.arrived.map(({ connection, nth }) => [connection, nth]),
      [
        [1, 1],
        [1, 2],
        [2, 1],
      ],
    );
    const [, lost, again] = receiver.arrived.map(({ text }) => text.replace(/^connection: .*\r\n/im, ""));
    assert.equal(again, lost);
    assert.equal((await post(receiver.url)).kind, "responded");
  });

  test(`one that ${name} without a response every time gets two connections for a POST, and the attempt fails`, async () => {
    const receiver = await receive((socket, { connection, nth }) =>
      connection === 1 && nth === 1 ? socket.write(OK) : close(socket),
    );
    const { post } = openSender();
    await post(receiver.url);
    const outcome = await post(receiver.url);
    assert.equal(outcome.kind, "network");
    assert.deepEqual([receiver.connections, receiver.arrived.length], [2, 3]);
    // On a new connection from the start there is no second attempt.
    assert.equal((await post(receiver.url)).kind, "network");
    assert.deepEqual([receiver.connections, receiver.arrived.length], [3, 4]);
  });
}

test("after a byte of the response there is no second attempt", async () => {
  const receiver = await receive((socket, { nth }) => (nth === 1 ? socket.write(OK) : socket.end("H")));
  const { post } = openSender();
  await post(receiver.url);
  assert.equal((await post(receiver.url)).kind, "network");
  assert.deepEqual([receiver.connections, receiver.arrived.length], [1, 2]);
});

test("of many POSTs whose kept-alive connections are all closed, each goes out once more, and none on one of these", async () => {
  let isClosing = false;
  const receiver = await receive((socket, { nth }) => {
    if (isClosing && nth > 1) return socket.end();
    return setTimeout(() => socket.write(OK), 20);
  });
  const { post } = openSender();
  await Promise.all(Array.from({ length: 8 }, () => post(receiver.url)));
  assert.equal(receiver.connections, 8);
  isClosing = true;
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => post(receiver.url)));
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    Array.from({ length: 8 }, () => "responded"),
  );
  assert.deepEqual([receiver.connections, receiver.arrived.length], [16, 24]);
});

test("a new connection that is refused is not tried again", async () => {
  const receiver = await receive((socket) => socket.write(OK));
  await receiver.stop();
  const { post, checks } = openSender();
  const outcome = await post(receiver.url);
  assert.ok(outcome.kind === "network" && outcome.message.startsWith("ECONNREFUSED"));
  assert.equal(checks(), 1, "each connection is checked once");
});

test("a receiver that is gone when its kept-alive connection closes is a failure like any other", async () => {
  const receiver: Receiver = await receive((socket, { nth }) => {
    if (nth === 1) socket.write(OK);
    else void receiver.stop();
  });
  const { post, checks } = openSender();
  await post(receiver.url);
  const outcome = await post(receiver.url);
  assert.ok(outcome.kind === "network" && outcome.message.startsWith("ECONNREFUSED"), JSON.stringify(outcome));
  assert.equal(checks(), 2, "the new connection was checked, too");
});

test("both together take no longer than the time-out of one, and can be aborted", async () => {
  // Of three POSTs that arrive, the first gets a response, the second the end of its connection, the third nothing.
  let arrived = 0;
  const receiver = await receive((socket) => {
    arrived += 1;
    if (arrived % 3 === 1) socket.write(OK);
    if (arrived % 3 === 2) setTimeout(() => socket.end(), 200);
  });
  const { post } = openSender();
  await post(receiver.url);
  const outcome = await post(receiver.url, { timeoutMs: 600 });
  assert.equal(outcome.kind, "timeout");
  assert.ok(outcome.durationMs >= 590, `${outcome.durationMs} ms`);
  assert.equal(arrived, 3);

  const aborter = new AbortController();
  await post(receiver.url);
  const aborted = post(receiver.url, { signal: aborter.signal });
  while (arrived < 6) await sleep(5);
  aborter.abort();
  assert.equal((await aborted).kind, "network");
  assert.equal(arrived, 6);
});

test("it is one attempt of its delivery, and the later event of the subject follows it", async (t) => {
  const receiver = await receive((socket, { connection, nth }) =>
    connection === 1 && nth === 2 ? socket.end() : socket.write(OK),
  );
  const world = await openWorld(t);
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.received", "intake.scored", "intake.completed"]));
  await world.openDelivery().deliverDue();
  const deliveries = await world.deliveries();
  assert.deepEqual(
    deliveries.map(({ state, attempts }) => [state, attempts]),
    Array.from({ length: 3 }, () => ["delivered", 1]),
  );
  const sequence = receiver.arrived.map(({ text }) => /"event":"([a-z.]+)"/.exec(text)![1]);
  // Which of them met the closed connection is a matter of milliseconds.
  assert.equal(sequence.length, 4);
  const first = sequence.filter((type, i) => type !== sequence[i - 1]);
  assert.deepEqual(first, ["intake.received", "intake.scored", "intake.completed"]);
});
