import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { findCallingApplication } from "../src/applications/credentials.store.ts";
import { setRateLimit } from "../src/applications/store.ts";
import { ConfigError, readEnv, toConfig } from "../src/config.ts";
import { createCallCounts } from "../src/call-limits/counts.ts";
import { createRateLimit } from "../src/http/rate-limit.ts";
import { apiScope } from "../src/http/api-scope.ts";
import { createServer } from "../src/http/server.ts";
import { routeOf } from "../src/http/operation.ts";
import { getUserSummary } from "../src/users/operations.ts";
import { callersOf } from "./support/applications.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
const SHOP = "https://shop.example";
before(async () => {
  service = await startService({
    env: { CORS_ALLOWED_ORIGINS: `${SHOP},http://localhost:3000`, RATE_LIMIT_PER_MINUTE: "1000" },
    isWorking: false,
  });
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

describe("the rate limit", () => {
  /** Creates a server with one route and a clock that the test sets; `call` calls it as an application. */
  function limited(perMinute: number) {
    const state = { nowMs: 0, own: null as number | null };
    const server = createServer({
      log: pino({ level: "silent" }),
      publicUrl: "http://r.test",
      newRequestId: () => "id",
    });
    const find = async (clientId: string) => {
      const application = await findCallingApplication(service.database, client.clientId, new Date());
      return application && { ...application, id: clientId, rateLimitPerMinute: state.own };
    };
    const addRoutes = (scope: typeof server) =>
      scope.get(getUserSummary.path, routeOf(getUserSummary), async () => ({ ok: true }));
    const limit = createRateLimit(
      perMinute,
      createCallCounts("alone", 10_000, () => state.nowMs),
    );
    apiScope(server, callersOf(find), addRoutes, undefined, limit);
    const call = (clientId = "one") =>
      server.inject({
        url: "/users/1/summary?api-version=1.0",
        headers: { "x-client-id": clientId, "x-client-secret": client.clientSecret },
      });
    return { state, call };
  }

  const limitOf = ({ statusCode, headers }: LightMyRequestResponse) => [statusCode, headers["ratelimit"]];

  test("is in the headers of every response, and calls over it are refused until the minute is over", async () => {
    const { state, call } = limited(2);
    const first = await call();
    assert.equal(first.headers["ratelimit-policy"], '"calls";q=2;w=60');
    assert.deepEqual(limitOf(first), [200, '"calls";r=1;t=60']);
    state.nowMs = 20_000;
    assert.deepEqual(limitOf(await call()), [200, '"calls";r=0;t=40']);
    const over = await call();
    assert.deepEqual(limitOf(over), [429, '"calls";r=0;t=40']);
    assert.deepEqual([over.headers["retry-after"], over.json<{ code: string }>().code], ["40", "TooManyRequests"]);
    state.nowMs = 59_999;
    assert.equal((await call()).statusCode, 429);
    state.nowMs = 60_000;
    assert.deepEqual(limitOf(await call()), [200, '"calls";r=1;t=60']);
  });

  test("is counted for each application", async () => {
    const { state, call } = limited(1);
    await call("one");
    assert.equal((await call("one")).statusCode, 429);
    assert.equal((await call("two")).statusCode, 200);
    state.own = 3;
    assert.deepEqual(limitOf(await call("three")), [200, '"calls";r=2;t=60']);
  });

  test("0 is no limit, and sends no headers", async () => {
    const { state, call } = limited(0);
    for (let i = 0; i < 50; i++) assert.deepEqual(limitOf(await call()), [200, undefined]);
    state.own = 1;
    await call();
    assert.equal((await call()).statusCode, 429);
    state.own = 0;
    assert.equal((await call()).statusCode, 200);
  });

  test("is the one of the settings, unless the application has its own", async () => {
    const policyOf = async (other: Client) => (await other.call("GET", "/users/x/summary")).headers["ratelimit-policy"];
    assert.equal(await policyOf(client), '"calls";q=1000;w=60');
    const special = await service.newClient();
    assert.equal((await setRateLimit(service.database, special.clientId, 7, new Date()))?.rateLimitPerMinute, 7);
    assert.equal(await policyOf(special), '"calls";q=7;w=60');
  });
});

describe("pages of other origins", () => {
  const corsOf = (response: LightMyRequestResponse) =>
    Object.fromEntries(Object.entries(response.headers).filter(([name]) => name.startsWith("access-control")));
  const ask = (origin: string | undefined, method: "GET" | "OPTIONS" = "GET", url = `/users/${userId}/summary`) =>
    service.app.server.inject({
      method,
      url: `${url}?api-version=1.0`,
      headers: { ...(method === "GET" && client.headers), ...(origin !== undefined && { origin }) },
    });

  test("that are allowed may send preflights, and read responses and problems", async () => {
    const preflight = await ask(SHOP, "OPTIONS", "/track/food");
    assert.equal(preflight.statusCode, 204);
    assert.equal(preflight.headers["access-control-allow-origin"], SHOP);
    assert.match(String(preflight.headers["access-control-allow-methods"]), /\bPOST\b/);
    for (const name of ["content-type", "x-client-id", "x-client-secret", "idempotency-key"]) {
      assert.match(String(preflight.headers["access-control-allow-headers"]), new RegExp(`\\b${name}\\b`));
    }
    for (const response of [
      await ask(SHOP),
      await ask(SHOP, "GET", "/users/nobody/summary"),
      await ask(SHOP, "GET", "/x"),
    ]) {
      assert.equal(response.headers["access-control-allow-origin"], SHOP);
      assert.match(String(response.headers["access-control-expose-headers"]), /x-request-id.*link.*retry-after/);
      assert.equal(response.headers["access-control-allow-credentials"], undefined);
    }
    assert.equal((await ask("http://localhost:3000")).headers["access-control-allow-origin"], "http://localhost:3000");
  });

  test("that are not allowed get no CORS headers, and caches keep responses apart", async () => {
    const strangers = ["https://evil.example", "https://shop.example.evil.example", "http://shop.example", "null", ""];
    for (const origin of [undefined, ...strangers, `${SHOP}:444`, SHOP.toUpperCase()]) {
      for (const method of ["GET", "OPTIONS"] as const) {
        const response = await ask(origin, method);
        assert.deepEqual(corsOf(response), {}, String(origin));
        assert.match(String(response.headers.vary), /^origin$/i);
      }
    }
  });

  test("must be plain origins in the settings", () => {
    const config = (value: string) => toConfig(readEnv({ CORS_ALLOWED_ORIGINS: value }));
    assert.deepEqual(config("").corsOrigins, []);
    assert.deepEqual(config("https://a.example, http://b.example:81").corsOrigins, [
      "https://a.example",
      "http://b.example:81",
    ]);
    for (const wrong of ["*", "a.example", "https://a.example/", "https://a.example/x", "null", "ftp://a.example"]) {
      assert.throws(() => config(wrong), ConfigError, wrong);
    }
  });
});

test("responses with personal data are never cached: summary, list, status, session, problem", async () => {
  const meal = { userId, transactionId: "m", mealName: "Banana", imageUrl: "https://e.org/b.jpg", mealType: "snack" };
  const accepted = await client.call("POST", "/track/meals", { ...meal, loggedAt: new Date().toISOString() });
  const responses = [
    accepted,
    await client.call("GET", `/users/${userId}/summary`),
    await client.call("GET", `/users/${userId}/transactions`),
    await client.call("GET", `/users/${userId}/transactions?All=true`),
    await client.call("GET", `/track/meals/${accepted.json<{ trackId: string }>().trackId}/status`),
    await client.call("POST", "/track/receipts/session", { userId }),
    await client.call("POST", "/users/enroll", { email: "a@example.org", firstName: "A", lastName: "B" }),
    await client.call("POST", "/users/enroll", {}),
    await client.call("GET", "/unknown"),
  ];
  for (const { headers, statusCode } of responses)
    assert.equal(headers["cache-control"], "no-store", String(statusCode));
});
