import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

// Uploads that drip over real sockets, against the places that all applications share.
const DRIPS = 128;
/** What an uninvolved request may take on a busy machine. What drips is ended after ten seconds. */
const PATIENCE_MS = 8_000;

let service: TestService;
let origin: string;
let port: number;
let attacked: Client;
let other: Client;
before(async () => {
  service = await startService({ isWorking: false });
  origin = await service.app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (service.app.server.server.address() as AddressInfo).port;
  [attacked, other] = [await service.newClient(), await service.newClient()];
});
after(() => service.close());

/** A request that began to arrive and goes on by a byte every 300 ms. */
interface Drip {
  readonly socket: Socket;
  /** What the server has sent so far. */
  text(): string;
  end(): void;
}

const FORM_TYPE = "content-type: multipart/form-data; boundary=b\r\n";
const FILE_HEAD = '--b\r\ncontent-disposition: form-data; name="receiptImage"; filename="r.jpg"\r\n\r\n';

async function drip(path: string, headers: string, beginning: string): Promise<Drip> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}content-length: 1000000\r\n\r\n${beginning}`);
  const timer = setInterval(() => socket.write("x"), 300);
  socket.on("close", () => clearInterval(timer));
  const end = () => (clearInterval(timer), socket.destroy());
  return { socket, text: () => received, end };
}

/** Opens drips at once and waits until all have begun. */
async function drips(path: string, headers = "", beginning = `${FILE_HEAD}\xff\xd8\xff`): Promise<Drip[]> {
  const opened = await Promise.all(
    Array.from({ length: DRIPS }, () => drip(path, `${FORM_TYPE}${headers}`, beginning)),
  );
  await sleep(500);
  return opened;
}

/** Waits until most of the drips are refused with this status, and returns these. */
async function refused(opened: readonly Drip[], status: number): Promise<Drip[]> {
  const isRefused = (each: Drip) => each.text().startsWith(`HTTP/1.1 ${status}`);
  for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
    const found = opened.filter(isRefused);
    if (found.length >= DRIPS / 2) return found;
    assert.ok(Date.now() < deadline, `${found.length} of ${DRIPS} are refused`);
  }
}

async function sessionPath(client: Client): Promise<string> {
  const response = await client.call("POST", "/track/receipts/session", { userId: await client.enrol() });
  const url = new URL(response.json<{ redirectUrl: string }>().redirectUrl);
  return url.pathname + url.search;
}

let pictures = 0;
async function photo(): Promise<Blob> {
  const background = { r: ++pictures, g: 5, b: 7 };
  const png = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)]);
}

async function upload(client: Client): Promise<Response> {
  const form = new FormData();
  form.set("userId", await client.enrol());
  form.set("transactionId", `slow-${++pictures}`);
  form.set("amount", "7.40");
  form.set("merchantName", "Larkmeadow Market");
  form.set("transactionTimestamp", new Date(service.clock.ms - 3_600_000).toISOString());
  form.set("receiptImage", await photo(), "r.png");
  return fetch(`${origin}/track/receipts?api-version=1.0`, { method: "POST", headers: client.headers, body: form });
}

/** Checks that another application's upload and meal, and the check of the process, go through at once. */
async function othersPass(): Promise<void> {
  const start = performance.now();
  const alive = await fetch(`${origin}/health/live`);
  assert.equal(alive.status, 200);
  assert.ok(performance.now() - start < PATIENCE_MS, `alive after ${performance.now() - start} ms`);
  const uploaded = await upload(other);
  assert.equal(uploaded.status, 200, await uploaded.text());
  const meal = await fetch(`${origin}/track/meals?api-version=1.0`, {
    method: "POST",
    headers: { ...other.headers, "content-type": "application/json" },
    body: JSON.stringify({
      userId: await other.enrol(),
      logId: `slow-${++pictures}`,
      mealName: "Porridge",
      mealType: "breakfast",
      loggedAt: new Date(service.clock.ms - 60_000).toISOString(),
      imageUrl: "https://example.org/porridge.jpg",
      ingredients: [{ foodId: "1", name: "oats", weight: 40, unit: "g", quantity: 1 }],
    }),
  });
  assert.equal(meal.status, 202, await meal.text());
}

test("sixty-four dripping uploads on one hosted link leave every other upload its place", async () => {
  const opened = await drips(await sessionPath(attacked));
  try {
    await refused(opened, 429);
    await othersPass();
    assert.equal((await upload(attacked)).status, 200, "the application's own uploads");
  } finally {
    for (const each of opened) each.end();
  }
});

test("uploads that drip on the links of many sessions leave their application's own uploads a place", async () => {
  const paths = await Promise.all(Array.from({ length: DRIPS }, () => sessionPath(attacked)));
  const opened = await Promise.all(paths.map((path) => drip(path, FORM_TYPE, `${FILE_HEAD}\xff\xd8\xff`)));
  try {
    for (const each of await refused(opened, 503)) assert.match(each.text(), /\r\nretry-after: \d+\r\n/i);
    await othersPass();
    assert.equal((await upload(attacked)).status, 200);
  } finally {
    for (const each of opened) each.end();
  }
});

test("an application that drips by its credentials takes its share of the places, and no more", async () => {
  const headers = Object.entries(attacked.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const opened = await drips("/track/receipts?api-version=1.0", headers.join(""));
  try {
    for (const each of await refused(opened, 503)) assert.match(each.text(), /\r\nretry-after: \d+\r\n/i);
    await othersPass();
  } finally {
    for (const each of opened) each.end();
  }
});

test("an upload takes a place when bytes of its file are there: headers, fields and half-open connections take none", async () => {
  const fields = '--b\r\ncontent-disposition: form-data; name="merchantName"\r\n\r\n';
  const headers = Object.entries(attacked.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const path = "/track/receipts?api-version=1.0";
  const opened = [
    ...(await drips(path, headers.join(""), "")),
    ...(await drips(path, headers.join(""), fields)),
    ...(await drips(path, headers.join(""), FILE_HEAD.slice(0, -2))),
  ];
  const halfOpen = Array.from({ length: DRIPS }, () => connect(port, "127.0.0.1").on("error", () => {}));
  try {
    await othersPass();
    assert.equal((await upload(attacked)).status, 200);
  } finally {
    for (const each of opened) each.end();
    for (const socket of halfOpen) socket.destroy();
  }
});
