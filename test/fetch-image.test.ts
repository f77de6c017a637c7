import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { fetchImage } from "../src/outgoing/fetch-image.ts";

const RESPONSES: Record<string, RequestListener> = {
  "/image": (_request, response) => response.end("bytes"),
  "/elsewhere": (_request, response) => response.writeHead(302, { location: "/image" }).end(),
  "/missing": (_request, response) => response.writeHead(404).end("nothing"),
  "/hangs": () => {},
  "/drips": (_request, response) => {
    const dripping = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(dripping));
  },
};
const requested: string[] = [];
const server = createServer((request, response) => {
  requested.push(request.url!);
  RESPONSES[request.url!]!(request, response);
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const { port } = server.address() as AddressInfo;
after(() => {
  server.close();
  server.closeAllConnections();
});
const fetched = (path: string, timeoutMs?: number) => fetchImage(`http://127.0.0.1:${port}${path}`, timeoutMs);

test("an image comes from the address that was given, and no redirect is followed", async () => {
  const body = await fetched("/image");
  assert.equal((await buffer(body!)).toString(), "bytes");
  requested.length = 0;
  assert.equal(await fetched("/elsewhere"), null);
  assert.deepEqual(requested, ["/elsewhere"]);
});

test("another status, no connection or a timeout return no image", async () => {
  assert.equal(await fetched("/missing"), null);
  assert.equal(await fetched("/hangs", 100), null);
  assert.equal(await fetchImage("http://127.0.0.1:1/image"), null);
});

test("an image that drips without end breaks off", async () => {
  const body = await fetched("/drips", 300);
  // On a slow machine the timeout may end before the headers arrive.
  if (body) await assert.rejects(buffer(body), { name: "TimeoutError" });
});
