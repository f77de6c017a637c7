import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { IDS_OF_NOBODY } from "./support/near-misses.ts";
import { JSON_TYPE, problemIn, startRequests } from "./support/requests.ts";
import type { Requests } from "./support/requests.ts";
import { startService } from "./support/service.ts";

let requests: Requests;
before(async () => {
  requests = await startRequests();
});
after(() => requests.service.close());

describe("the api-version", () => {
  const codeOf = async (query: string, headers = requests.client.headers) => {
    const response = await requests.service.app.server.inject({
      method: "GET",
      url: `/users/${requests.userId}/summary${query}`,
      headers,
    });
    assert.equal(response.headers["api-supported-versions"], "1.0");
    return response.statusCode === 200 ? "ok" : problemIn(response, 400)["code"];
  };

  test("must be 1.0, once, in the query", async () => {
    assert.equal(await codeOf("?api-version=1.0"), "ok");
    assert.equal(await codeOf(""), "ApiVersionUnspecified");
    assert.equal(await codeOf("?api-version="), "ApiVersionUnspecified");
    for (const bad of ["1", "v1.0", "1.0.0", "%EF%BC%91.%EF%BC%90", "1.0%00", "1.0%20", "-1.0", "1,0", "99999.0"]) {
      assert.equal(await codeOf(`?api-version=${bad}`), "InvalidApiVersion", bad);
    }
    for (const other of ["2.0", "0.9", "1.1", "01.0"]) {
      assert.equal(await codeOf(`?api-version=${other}`), "UnsupportedApiVersion", other);
    }
    assert.equal(await codeOf("?api-version=1.0&api-version=1.0"), "AmbiguousApiVersion");
    assert.equal(await codeOf("", { ...requests.client.headers, "api-version": "1.0" }), "ApiVersionUnspecified");
  });

  test("is checked before the credentials, and these before the body", async () => {
    assert.equal(
      problemIn(await requests.ask(`/users/${requests.userId}/summary`, "GET", {}), 400)["code"],
      "ApiVersionUnspecified",
    );
    const url = "/track/meals?api-version=1.0";
    const headers = { "content-type": JSON_TYPE };
    problemIn(await requests.service.app.server.inject({ method: "POST", url, headers, payload: "{" }), 401);
  });

  test("in the path is a 404", async () => {
    for (const path of ["/1.0/users/x/summary", "/v1/track/meals"]) problemIn(await requests.ask(path), 404);
  });
});

describe("a path", () => {
  test("with an impossible id is a 404", async () => {
    for (const id of IDS_OF_NOBODY) {
      for (const path of [
        `/users/${id}/summary`,
        `/users/${id}/transactions`,
        `/track/receipts/${id}/status`,
        `/track/meals/${id}/status`,
      ]) {
        problemIn(await requests.ask(`${path}?api-version=1.0`), 404);
      }
      problemIn(await requests.ask(`/users/${requests.userId}/transactions/${id}?api-version=1.0`), 404);
    }
  });

  test("that does not exist is a 404 also with a slash at its end, another letter case or a version in front", async () => {
    for (const path of ["/users/enroll/", "/users/Enroll", "/v1/users/enroll", "//users/enroll", "/wp-login.php"]) {
      const { detail } = problemIn(await requests.ask(path, "POST"), 404);
      assert.equal(detail, "There is no operation at this path. /docs lists all operations.", path);
    }
  });

  test("exists below /issuers too", async () => {
    assert.equal((await requests.client.call("GET", `/issuers/users/${requests.userId}/summary`)).statusCode, 200);
    assert.equal((await requests.client.call("POST", "/issuers/track/meals", requests.meal())).statusCode, 202);
  });

  test("without a body may be called with a content type", async () => {
    const headers = { ...requests.client.headers, "content-type": JSON_TYPE, "content-length": "0" };
    for (const [method, path] of [
      ["DELETE", "/webhooks/endpoints/nobody"],
      ["POST", "/webhooks/endpoints/nobody/rotate-secret"],
    ] as const) {
      const url = `${path}?api-version=1.0`;
      problemIn(await requests.service.app.server.inject({ method, url, headers }), 404);
    }
  });

  test("that exists lists its methods in Allow", async () => {
    const url = `/users/${requests.userId}/summary?api-version=1.0`;
    for (const method of ["PUT", "DELETE", "PATCH", "POST"] as const) {
      const response = await requests.ask(url, method);
      problemIn(response, 405);
      assert.equal(response.headers.allow, "GET, HEAD, OPTIONS");
    }
    assert.equal((await requests.ask("/track/meals?api-version=1.0")).headers.allow, "POST, OPTIONS");
    assert.equal((await requests.ask("/users/enroll?api-version=1.0", "PATCH")).headers.allow, "POST, OPTIONS");
    problemIn(await requests.ask("/unknown", "POST"), 404);
  });

  test("responds to HEAD like GET without a body, and to OPTIONS with its methods", async () => {
    const head = await requests.ask(`/users/${requests.userId}/summary?api-version=1.0`, "HEAD");
    assert.deepEqual([head.statusCode, head.body], [200, ""]);
    assert.equal((await requests.ask(`/users/${requests.userId}/summary?api-version=1.0`, "HEAD", {})).statusCode, 401);
    assert.equal((await requests.ask("/health/live", "HEAD")).statusCode, 200);
    const options = await requests.ask("/track/meals", "OPTIONS");
    assert.deepEqual([options.statusCode, options.headers.allow, options.body], [204, "POST, OPTIONS", ""]);
  });
});

describe("every response", () => {
  test("repeats a well-formed request id, and replaces any other", async () => {
    const idFor = async (given: string) =>
      (
        await requests.ask(`/users/${requests.userId}/summary?api-version=1.0`, "GET", {
          ...requests.client.headers,
          "x-request-id": given,
        })
      ).headers["x-request-id"];
    assert.equal(await idFor("order-17:a.b_c"), "order-17:a.b_c");
    for (const given of ["", "a b", "x".repeat(101), "<script>", "ünï"])
      assert.match(String(await idFor(given)), /^[0-9a-f-]{36}$/);
  });

  test("is only for the caller: not cached, not sniffed, not readable by other origins", async () => {
    const origin = { ...requests.client.headers, origin: "https://evil.example" };
    const preflight = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const responses = [
      await requests.ask(`/users/${requests.userId}/summary?api-version=1.0`, "GET", origin),
      await requests.ask("/users/x/summary?api-version=1.0", "GET", origin),
      await requests.ask(`/users/${requests.userId}/summary`, "GET", origin),
      await requests.ask(`/users/${requests.userId}/summary?api-version=1.0`, "GET", {
        origin: "https://evil.example",
      }),
      await requests.ask("/unknown", "GET", origin),
    ];
    for (const { headers } of responses) {
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["x-content-type-options"], "nosniff");
    }
    for (const { headers } of [...responses, await requests.ask("/track/meals", "OPTIONS", preflight)]) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith("access-control")),
        [],
      );
      assert.equal(headers["x-powered-by"] ?? headers["server"], undefined);
    }
  });

  test("to a refused request repeats none of its values", async () => {
    const marker = "zq81marker";
    const body = requests.meal({
      mealName: { [marker]: 1 },
      mealType: marker,
      loggedAt: marker,
      userId: marker,
      ingredients: [{ currency: marker }],
    });
    const { detail, errors } = problemIn(await requests.client.call("POST", "/track/meals", body), 400);
    assert.doesNotMatch(JSON.stringify([detail, errors]), new RegExp(marker));
    const query = problemIn(
      await requests.client.call("GET", `/users/${requests.userId}/transactions?timeframe=${marker}&page=${marker}`),
      400,
    );
    assert.doesNotMatch(JSON.stringify([query["detail"], query.errors]), new RegExp(marker));
    assert.equal(
      problemIn(await requests.ask(`/users/${requests.userId}/summary?secret=${marker}`), 400)["instance"],
      `/users/${requests.userId}/summary`,
    );
  });
});

describe("more pending work than allowed", () => {
  test("is refused with Retry-After, and nothing is stored", async () => {
    const small = await startService({ env: { INTAKES_WAITING_MAX: "1" }, isWorking: false });
    try {
      const crowded = await small.newClient();
      const user = await crowded.enrol();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => crowded.call("POST", "/track/meals", requests.meal({ userId: user }))),
      );
      const refused = responses.filter((response) => response.statusCode !== 202);
      assert.ok(refused.length > 0 && refused.length < 20);
      for (const response of refused) {
        assert.equal(problemIn(response, 503)["code"], "Unavailable");
        assert.match(String(response.headers["retry-after"]), /^\d+$/);
      }
      const count = { name: "test.intakes", text: "SELECT count(*)::float8 AS count FROM intakes" };
      assert.deepEqual(await small.database.query(count), [{ count: 20 - refused.length }]);
    } finally {
      await small.close();
    }
  });
});
