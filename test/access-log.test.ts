import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { createServer } from "../src/http/server.ts";
import { ADA, startPages } from "./support/pages-under-test.ts";
import type { PagesUnderTest } from "./support/pages-under-test.ts";

let pages: PagesUnderTest;
let port: number;
before(async () => {
  pages = await startPages();
  port = Number(new URL(await pages.server.listen({ port: 0, host: "127.0.0.1" })).port);
});
after(() => pages.stop());

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reqId: string;
  readonly route: string | null;
  readonly method: string | null;
  readonly status: number;
  readonly [member: string]: unknown;
}

const INFO = 30;

/** Runs `requests` and returns the lines of requests written meanwhile, at info and above, with their text. */
async function linesOf(requests: () => Promise<unknown>): Promise<{ lines: Line[]; text: string }> {
  const from = pages.logLines().length;
  await requests();
  // The line follows the response.
  await sleep(50);
  const texts = pages.logLines().slice(from);
  const lines = texts
    .map((text) => JSON.parse(text) as Line)
    .filter(({ msg, level }) => msg === "request" && level >= INFO);
  return { lines, text: texts.join("") };
}

test("each request has one line with its id, whatever its status; probes have none", async () => {
  const ids = ["first-1", "second-2", "third-3", "fourth-4"];
  const { lines } = await linesOf(async () => {
    await pages.call(`/users/${pages.userId}/summary`, undefined, { "x-request-id": ids[0]! });
    await pages.call("/users/none/summary", undefined, { "x-request-id": ids[1]! });
    await pages.call("/users/none/summary", undefined, { "x-request-id": ids[2]!, "x-client-secret": "wrong" });
    await pages.server.inject({ url: "/no/such/path", headers: { "x-request-id": ids[3]! } });
    await pages.server.inject({ url: "/health/live" });
    await pages.server.inject({ url: "/health/ready" });
  });
  assert.deepEqual(
    lines.map(({ reqId, method, route, status }) => [reqId, method, route, status]),
    [
      [ids[0], "GET", "/users/:id/summary", 200],
      [ids[1], "GET", "/users/:id/summary", 404],
      [ids[2], "GET", "/users/:id/summary", 401],
      [ids[3], "GET", null, 404],
    ],
  );
  const [first, , unauthenticated] = lines;
  assert.equal(typeof first!["applicationId"], "string");
  assert.ok(Number(first!["bytes"]) > 0 && Number(first!["durationMs"]) >= 0);
  assert.equal(unauthenticated!["applicationId"], null);
});

test("no line has a secret, an address of a person, an id in a path or a query", async () => {
  const email = "log.reader@example.org";
  let secrets: string[] = [];
  const { lines, text } = await linesOf(async () => {
    const opened = await pages.call("/users/enroll/session", { ...ADA, email });
    const { redirectUrl, id } = opened.json<{ redirectUrl: string; id: string }>();
    const { pathname, search, searchParams } = new URL(redirectUrl);
    secrets = [searchParams.get("sessionId")!, id, email, "Lovelace", pages.userId, "hidden-in-query", "%E0%A4%A"];
    await pages.server.inject({ url: pathname + search });
    await pages.server.inject({
      method: "POST",
      url: pathname + search,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "decision=accept",
    });
    await pages.call(`/sessions/${id}`);
    await pages.call(`/users/${pages.userId}/transactions`);
    await pages.call(`/users?email=${email}`);
    await pages.server.inject({ url: "/users/x/summary?api-version=1.0&hidden-in-query=1" });
    await pages.server.inject({ url: `/%E0%A4%A` });
    await pages.server.inject({ url: `/users/${"y".repeat(600)}/summary?api-version=1.0` });
  });
  assert.equal(lines.length, 9);
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  for (const line of lines) assert.ok(JSON.stringify(line).length < 500, JSON.stringify(line));
});

test("what the HTTP parser refuses has a line, too", async () => {
  const { lines } = await linesOf(async () => {
    const broken = connect(port, "127.0.0.1");
    broken.end("NO HTTP AT ALL\r\n\r\n");
    broken.resume();
    await once(broken, "close");
  });
  assert.deepEqual(
    lines.map(({ method, route, status }) => [method, route, status]),
    [[null, null, 400]],
  );
});

test("of requests that succeed only some have a line where that is asked for, which says so; of others all", async () => {
  for (const [requestsPerLine, expected] of [
    [3, ["200 3", "200 3", "404"]],
    [0, ["404"]],
  ] as const) {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const server = createServer({ log, publicUrl: "http://rewards.test", newRequestId: () => "id", requestsPerLine });
    server.get("/ok", async () => ({}));
    for (let n = 0; n < 7; n++) await server.inject({ url: "/ok" });
    await server.inject({ url: "/none" });
    const written = lines.map((line) => JSON.parse(line) as { status: number; oneIn?: number });
    assert.deepEqual(
      written.map(({ status, oneIn }) => (oneIn === undefined ? `${status}` : `${status} ${oneIn}`)),
      expected,
    );
    await server.close();
  }
});
