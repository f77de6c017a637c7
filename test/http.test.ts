import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, test } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { PROBLEMS } from "../src/problems.ts";
import { nameOf, startService } from "./service.ts";
import type { Client, TestService } from "./service.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService();
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

const JSON_TYPE = "application/json";

/** Sends exactly these bytes, with credentials. */
function send(path: string, payload: string | Buffer, contentType = JSON_TYPE, more: Record<string, string> = {}) {
  const headers = { ...client.headers, "content-type": contentType, ...more };
  return service.app.server.inject({ method: "POST", url: `${path}?api-version=1.0`, headers, payload });
}

function ask(url: string, method: InjectOptions["method"] = "GET", headers: Record<string, string> = client.headers) {
  return service.app.server.inject({ method, url, headers });
}

function meal(over: object = {}): Record<string, unknown> {
  return {
    userId,
    transactionId: `meal-${meal.count++}`,
    mealName: "Banana",
    imageUrl: "https://example.org/banana.jpg",
    loggedAt: new Date().toISOString(),
    mealType: "snack",
    ...over,
  };
}
meal.count = 0;

/** Checks that an answer is a whole problem document of the catalogue, and gives it. */
function problemIn(answer: LightMyRequestResponse, ...statuses: number[]) {
  assert.ok(statuses.includes(answer.statusCode), `${answer.statusCode} ${answer.body.slice(0, 300)}`);
  assert.match(String(answer.headers["content-type"]), /^application\/problem\+json/);
  const problem = answer.json<Record<string, unknown> & { errors?: Record<string, string[]> }>();
  const entry = Object.values(PROBLEMS).find(({ code }) => code === problem["code"]);
  assert.ok(entry, `${String(problem["code"])} is in the catalogue`);
  assert.deepEqual(
    [problem["type"], problem["title"], problem["status"]],
    [`http://rewards.test/problems/${entry.slug}`, entry.title, answer.statusCode],
  );
  for (const member of ["detail", "instance", "requestId"]) assert.equal(typeof problem[member], "string", member);
  assert.equal(answer.headers["x-request-id"], problem["requestId"]);
  assert.doesNotMatch(answer.body, /\bat .*\.[jt]s:\d|SELECT|INSERT|FST_|ajv/i, "no stack, SQL or library shows");
  return problem;
}

async function intakeCount(): Promise<number> {
  const [row] = await service.database.query<{ count: number }>({
    name: "test.intakes",
    text: "SELECT count(*)::float8 AS count FROM intakes",
  });
  return row!.count;
}

/** Runs `work` and proves that it stored no intake. */
async function storingNothing(work: () => Promise<void>): Promise<void> {
  const before = await intakeCount();
  await work();
  assert.equal(await intakeCount(), before, "nothing was stored");
}

describe("a body", () => {
  const broken: Record<string, string | Buffer> = {
    "that is empty": "",
    "that is cut": JSON.stringify({ a: 1 }).slice(0, -1),
    "that is no JSON": "userId=1",
    "with a trailing comma": '{"a":1,}',
    "of two documents": "{}{}",
    "with comments": '{/* no */"a":1}',
    "with NaN": '{"weight":NaN}',
    "with invalid UTF-8": Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    "with a raw NUL": '{"a":"\0"}',
    "of 100,000 brackets": "[".repeat(100_000),
    "of 100,000 brackets, closed": "[".repeat(100_000) + "]".repeat(100_000),
    "with __proto__": '{"__proto__":{"isAdmin":true}}',
    "with __proto__ in disguise": '{"metadata":{"\\u005f_proto__":{}}}',
    "with constructor.prototype": '{"metadata":{"constructor":{"prototype":{}}}}',
  };
  for (const [name, body] of Object.entries(broken)) {
    test(`${name} is malformed, quickly`, () =>
      storingNothing(async () => {
        const start = performance.now();
        for (const path of ["/track/meals", "/track/food", "/users/enroll"]) {
          assert.equal(problemIn(await send(path, body), 400)["code"], "MalformedBody");
        }
        assert.ok(performance.now() - start < 5_000);
      }));
  }

  test("that is JSON but no object is refused", async () => {
    for (const body of ["[]", "null", "5", '"x"', "true"]) {
      for (const path of ["/track/meals", "/track/food", "/users/enroll", "/users/enroll/session"]) {
        problemIn(await send(path, body), 400);
      }
    }
  });

  test("without content or type is refused", async () => {
    const url = "/track/meals?api-version=1.0";
    problemIn(await service.app.server.inject({ method: "POST", url, headers: client.headers }), 400, 415);
  });

  test("of another type, charset or coding is unsupported", async () => {
    const body = JSON.stringify(meal());
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"]) {
      problemIn(await send("/track/meals", body, type), 415);
    }
    problemIn(await send("/track/meals", Buffer.from(body, "utf16le"), `${JSON_TYPE}; charset=utf-16`), 415);
    problemIn(await send("/track/meals", gzipSync(body), JSON_TYPE, { "content-encoding": "gzip" }), 415);
    assert.equal((await send("/track/meals", body, `${JSON_TYPE}; charset="UTF-8"`)).statusCode, 202);
  });

  test("over 1 MiB is too large", () =>
    storingNothing(async () => {
      problemIn(await send("/track/meals", JSON.stringify(meal({ x: "a".repeat(1024 * 1024) }))), 413);
    }));

  test("of very many values gets a short answer", async () => {
    const bomb = `{"ingredients":[${Array(340_000).fill("{}").join(",")}]}`;
    const start = performance.now();
    const answer = await send("/track/meals", bomb);
    problemIn(answer, 413);
    assert.ok(answer.body.length < 1_000);
    assert.ok(performance.now() - start < 2_000);
  });

  test("with NUL or half a surrogate pair is refused at the member that holds it", async () => {
    const at = async (over: object) =>
      Object.keys(problemIn(await client.call("POST", "/track/meals", meal(over)), 400).errors!);
    assert.deepEqual(await at({ mealName: "a\0b" }), ["mealName"]);
    assert.deepEqual(await at({ location: "\ud800" }), ["location"]);
    assert.deepEqual(await at({ metadata: { note: "\udc00x" } }), ["metadata.note"]);
    assert.deepEqual(await at({ metadata: { "k\0": 1 } }), ["metadata"]);
    assert.deepEqual(await at({ ingredients: [{ foodId: "1", name: "a\0" }] }), ["ingredients[0].name"]);
  });

  test("keeps metadata of 32 levels and 16 KiB, and no more", async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
    const status = async (metadata: object) =>
      (await client.call("POST", "/track/meals", meal({ metadata }))).statusCode;
    assert.deepEqual([await status(nested(32)), await status(nested(33))], [202, 400]);
    assert.deepEqual([await status({ a: "x".repeat(16_376) }), await status({ a: "x".repeat(16_377) })], [202, 400]);
    problemIn(
      await send(
        "/track/meals",
        JSON.stringify(meal()).slice(0, -1) + `,"metadata":${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}}`,
      ),
      400,
    );
  });
});

describe("a member", () => {
  const faultsOf = async (path: string, body: object) => problemIn(await client.call("POST", path, body), 400).errors!;

  test("that is missing, blank or of the wrong type is named, with all others at once", async () => {
    const errors = await faultsOf("/track/meals", {
      userId: 5,
      mealName: "  ",
      mealType: "brunch",
      ingredients: [{ name: "" }],
    });
    assert.deepEqual(Object.keys(errors).sort(), [
      "imageUrl",
      "ingredients[0].foodId",
      "ingredients[0].name",
      "loggedAt",
      "mealName",
      "mealType",
      "userId",
    ]);
    assert.deepEqual(Object.keys(await faultsOf("/track/food", {})).sort(), [
      "foodId",
      "imageUrl",
      "merchant",
      "name",
      "nutrition",
      "unit",
      "userId",
      "weight",
    ]);
    assert.deepEqual(Object.keys(await faultsOf("/users/enroll", { email: "nobody" })).sort(), [
      "email",
      "firstName",
      "lastName",
    ]);
  });

  test("that is too long or too many is named", async () => {
    const long = "x".repeat(100_000);
    const item = { foodId: "1", name: "Apple" };
    assert.deepEqual(
      Object.keys(await faultsOf("/track/meals", meal({ mealName: long, transactionId: long }))).sort(),
      ["mealName", "transactionId"],
    );
    assert.deepEqual(
      Object.keys(await faultsOf("/track/meals", meal({ ingredients: Array.from({ length: 101 }, () => item) }))),
      ["ingredients"],
    );
    problemIn(
      await client.call("POST", "/track/meals", meal({ ingredients: Array.from({ length: 10_000 }, () => item) })),
      400,
      413,
    );
    assert.deepEqual(
      Object.keys(await faultsOf("/track/meals", meal({ imageUrl: `https://e.org/${"x".repeat(2_048)}` }))),
      ["imageUrl"],
    );
    assert.equal((await client.call("POST", "/track/meals", meal({ mealName: "é".repeat(255) }))).statusCode, 202);
  });

  test("that is a number is finite and of a size that food has", async () => {
    const fault = async (json: string) =>
      problemIn(await send("/track/meals", JSON.stringify(meal({ ingredients: ["#"] })).replace('"#"', json)), 400)
        .errors!;
    const item = (member: string) => `{"foodId":"1","name":"Apple","unit":"g","currency":"GBP",${member}}`;
    for (const number of ["1e400", "-1", "1e15", "1e-320", '"5"', "null", "true"]) {
      assert.deepEqual(Object.keys(await fault(item(`"weight":${number}`))), ["ingredients[0].weight"], number);
      assert.deepEqual(Object.keys(await fault(item(`"quantity":${number}`))), ["ingredients[0].quantity"], number);
    }
    for (const number of ["1e400", "-0.01", "9223372036854775808"]) {
      assert.deepEqual(Object.keys(await fault(item(`"amount":${number}`))), ["ingredients[0].amount"], number);
      const nutrition = item(`"nutrition":{"energyKcal":${number}}`);
      assert.deepEqual(Object.keys(await fault(nutrition)), ["ingredients[0].nutrition.energyKcal"], number);
    }
    await fault(item('"weight":1e6,"quantity":10000'));
  });

  test("of metadata that no number can hold is refused instead of changed", async () => {
    const body = JSON.stringify(meal({ metadata: { big: "#" } })).replace('"#"', "1e400");
    assert.deepEqual(Object.keys(problemIn(await send("/track/meals", body), 400).errors!), ["metadata"]);
  });

  test("that is unknown is ignored and applied to nothing", async () => {
    const extra = {
      lifetimePoints: 1e6,
      userID: "x",
      tenantId: "y",
      totalPoints: 9,
      availablePoints: 7,
      role: "admin",
    };
    const answer = await client.call("POST", "/users/enroll", {
      email: "extra@example.org",
      firstName: "A",
      lastName: "B",
      ...extra,
    });
    const { user } = answer.json();
    assert.deepEqual([user.lifetimePoints, user.availablePoints, user.userID === "x"], [0, 0, false]);
    const accepted = await client.call(
      "POST",
      "/track/meals",
      meal({ ...extra, ingredients: [{ foodId: "1", name: "Apple", totalPoints: 99 }] }),
    );
    const status = (await client.call("GET", `/track/meals/${accepted.json().trackId}/status`)).json();
    assert.doesNotMatch(JSON.stringify(status.submission), /lifetimePoints|tenantId|totalPoints/);
  });

  test("that is the reference may have either name, but not two values", async () => {
    const { transactionId, ...bare } = meal();
    const status = async (over: object) => (await client.call("POST", "/track/meals", { ...bare, ...over })).statusCode;
    assert.deepEqual(
      [await status({ logId: "l" }), await status({ transactionId }), await status({ logId: "s", transactionId: "s" })],
      [202, 202, 202],
    );
    assert.deepEqual(Object.keys(await faultsOf("/track/meals", { ...bare, logId: "a", transactionId: "b" })).sort(), [
      "logId",
      "transactionId",
    ]);
    assert.deepEqual(Object.keys(await faultsOf("/track/meals", bare)), ["transactionId"]);
  });

  test("that is a currency is checked, and a meal has one", async () => {
    const item = (currency: string) => ({ foodId: "1", name: "Apple", amount: 1, currency });
    const errors = await faultsOf("/track/meals", meal({ ingredients: [item("EUR"), item("GBP"), item("eur")] }));
    assert.deepEqual(Object.keys(errors), ["ingredients[1].currency"]);
    assert.deepEqual(Object.keys(await faultsOf("/track/meals", meal({ ingredients: [item("euro")] }))), [
      "ingredients[0].currency",
    ]);
  });

  test("that is a time has a zone and exists, and lies at most a day ahead", async () => {
    const day = 86_400_000;
    const wrong = [
      "2025-02-29T12:00:00Z",
      "2025-13-01T12:00:00Z",
      "2025-01-01T12:00:00",
      "yesterday",
      "2025-01-01",
      "",
    ];
    for (const loggedAt of [...wrong, new Date(Date.now() + day + 60_000).toISOString()]) {
      assert.deepEqual(Object.keys(await faultsOf("/track/meals", meal({ loggedAt }))), ["loggedAt"], loggedAt);
    }
    assert.equal(
      (await client.call("POST", "/track/meals", meal({ loggedAt: new Date(Date.now() + day - 60_000).toISOString() })))
        .statusCode,
      202,
    );
    const leap = await client.call(
      "POST",
      "/track/meals",
      meal({ transactionId: "leap", loggedAt: "2024-02-29T23:59:59+05:30" }),
    );
    assert.equal(leap.statusCode, 202);
    const told = await client.until((all) => all.some((event) => event["transactionId"] === "leap"));
    assert.equal(told.find((event) => event["transactionId"] === "leap")!["loggedAt"], "2024-02-29T18:29:59.000Z");
  });

  test("that names no enrolled user is a fault of userId, and nothing is stored", () =>
    storingNothing(async () => {
      for (const id of ["nobody", "__proto__", "' OR '1'='1", "01890000-0000-7000-8000-000000000000"]) {
        assert.deepEqual(Object.keys(await faultsOf("/track/meals", meal({ userId: id }))), ["userId"]);
        assert.deepEqual(Object.keys(await faultsOf("/track/receipts/session", { userId: id })), ["userId"]);
      }
    }));

  test("holds any text byte for byte, also SQL", async () => {
    const texts = [
      "🍏 emoji 👩‍🍳",
      "\u202Egnp.exe",
      "e\u0301 and é",
      "漢字",
      "'; DROP TABLE users; --",
      'a\\b"c\u2028',
      "${7*7}{{7*7}}",
    ];
    for (const [i, text] of texts.entries()) {
      const ingredients = [
        { foodId: text, name: text, merchant: { name: text } },
        { foodId: "1", name: "Apple" },
      ];
      const over = {
        transactionId: `text-${i}${text}`,
        mealName: text,
        location: text,
        country: text,
        metadata: { [text]: text },
      };
      const answer = await client.call("POST", "/track/meals", meal({ ...over, ingredients }));
      const { submission } = (await client.call("GET", `/track/meals/${answer.json().trackId}/status`)).json();
      assert.deepEqual(
        [submission.reference, submission.name, submission.location, submission.country, submission.metadata],
        [over.transactionId, text, text, text, { [text]: text }],
      );
      assert.deepEqual([submission.ingredients[0].foodId, submission.ingredients[0].name], [text, text]);
    }
    const isDone = (i: number) => (all: Record<string, unknown>[]) =>
      all.some((event) => event["transactionId"] === `text-${i}${texts[i]}` && nameOf(event) === "intake.scored");
    const last = texts.length - 1;
    const scored = (await client.until(isDone(last))).find(
      (event) => nameOf(event) === "intake.scored" && event["name"] === texts[last],
    );
    assert.ok(scored);
  });
});

describe("absurd but valid amounts", () => {
  test("earn no more than the cap of a record, and every number shown is one", async () => {
    const item = {
      foodId: "1",
      name: "Lentils",
      weight: 1e6,
      unit: "kg",
      quantity: 1_000,
      amount: 1e9,
      currency: "EUR",
    };
    const small = { foodId: "2", name: "Apple", weight: 1e-6, unit: "g", quantity: 1e-3, amount: 1e9, currency: "EUR" };
    await client.call(
      "POST",
      "/track/meals",
      meal({ transactionId: "absurd", ingredients: [...Array.from({ length: 99 }, () => item), small] }),
    );
    const isEnd = (event: Record<string, unknown>) =>
      event["transactionId"] === "absurd" && /completed|failed/.test(nameOf(event));
    const end = (await client.until((all) => all.some(isEnd))).find(isEnd)!;
    assert.equal(nameOf(end), "intake.completed");
    assert.ok(Number(end["totalPoints"]) <= 100, `${String(end["totalPoints"])} points`);
    const list = (await client.call("GET", `/users/${userId}/transactions?First=true`)).body;
    assert.doesNotMatch(list, /"(qty|pricePerUnit|totalCO2e|totalAmount)":null/);
  });
});

describe("the api-version", () => {
  const codeOf = async (query: string, headers = client.headers) => {
    const answer = await service.app.server.inject({ method: "GET", url: `/users/${userId}/summary${query}`, headers });
    assert.equal(answer.headers["api-supported-versions"], "1.0");
    return answer.statusCode === 200 ? "ok" : problemIn(answer, 400)["code"];
  };

  test("is 1.0, once, in the query, and nothing else", async () => {
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
    assert.equal(await codeOf("", { ...client.headers, "api-version": "1.0" }), "ApiVersionUnspecified");
  });

  test("comes before credentials, credentials before the body", async () => {
    assert.equal(problemIn(await ask(`/users/${userId}/summary`, "GET", {}), 400)["code"], "ApiVersionUnspecified");
    const url = "/track/meals?api-version=1.0";
    const headers = { "content-type": JSON_TYPE };
    problemIn(await service.app.server.inject({ method: "POST", url, headers, payload: "{" }), 401);
  });

  test("in the path is no such path", async () => {
    for (const path of ["/1.0/users/x/summary", "/v1/track/meals"]) problemIn(await ask(path), 404);
  });
});

describe("a path", () => {
  test("with an id that cannot be ours names nothing", async () => {
    const ids = [
      "'%20OR%20'1'='1",
      "%00",
      "..%2f",
      "%ff%fe",
      "%",
      "{{7*7}}",
      "__proto__",
      "toString",
      "x".repeat(3_000),
    ];
    for (const id of ids) {
      for (const path of [
        `/users/${id}/summary`,
        `/users/${id}/transactions`,
        `/track/receipts/${id}/status`,
        `/track/meals/${id}/status`,
      ]) {
        problemIn(await ask(`${path}?api-version=1.0`), 404);
      }
      problemIn(await ask(`/users/${userId}/transactions/${id}?api-version=1.0`), 404);
    }
  });

  test("answers at /issuers too", async () => {
    assert.equal((await client.call("GET", `/issuers/users/${userId}/summary`)).statusCode, 200);
    assert.equal((await client.call("POST", "/issuers/track/meals", meal())).statusCode, 202);
  });

  test("that exists says which methods it takes", async () => {
    const url = `/users/${userId}/summary?api-version=1.0`;
    for (const method of ["PUT", "DELETE", "PATCH", "POST"] as const) {
      const answer = await ask(url, method);
      problemIn(answer, 405);
      assert.equal(answer.headers.allow, "GET, HEAD, OPTIONS");
    }
    assert.equal((await ask("/track/meals?api-version=1.0")).headers.allow, "POST, OPTIONS");
    problemIn(await ask("/nowhere", "POST"), 404);
  });

  test("answers HEAD like GET without its body, and OPTIONS with its methods", async () => {
    const head = await ask(`/users/${userId}/summary?api-version=1.0`, "HEAD");
    assert.deepEqual([head.statusCode, head.body], [200, ""]);
    assert.equal((await ask(`/users/${userId}/summary?api-version=1.0`, "HEAD", {})).statusCode, 401);
    assert.equal((await ask("/health/live", "HEAD")).statusCode, 200);
    const options = await ask("/track/meals", "OPTIONS");
    assert.deepEqual([options.statusCode, options.headers.allow, options.body], [204, "POST, OPTIONS", ""]);
  });
});

describe("every answer", () => {
  test("repeats a well-formed request id, and has one of its own for any other", async () => {
    const idFor = async (given: string) =>
      (await ask(`/users/${userId}/summary?api-version=1.0`, "GET", { ...client.headers, "x-request-id": given }))
        .headers["x-request-id"];
    assert.equal(await idFor("order-17:a.b_c"), "order-17:a.b_c");
    for (const given of ["", "a b", "x".repeat(101), "<script>", "ünï"])
      assert.match(String(await idFor(given)), /^[0-9a-f-]{36}$/);
  });

  test("is for the caller alone: not cached, not sniffed, not for pages of other origins", async () => {
    const origin = { ...client.headers, origin: "https://evil.example" };
    const preflight = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const answers = [
      await ask(`/users/${userId}/summary?api-version=1.0`, "GET", origin),
      await ask("/users/x/summary?api-version=1.0", "GET", origin),
      await ask(`/users/${userId}/summary`, "GET", origin),
      await ask(`/users/${userId}/summary?api-version=1.0`, "GET", { origin: "https://evil.example" }),
      await ask("/nowhere", "GET", origin),
    ];
    for (const { headers } of answers) {
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["x-content-type-options"], "nosniff");
    }
    for (const { headers } of [...answers, await ask("/track/meals", "OPTIONS", preflight)]) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith("access-control")),
        [],
      );
      assert.equal(headers["x-powered-by"] ?? headers["server"], undefined);
    }
  });

  test("of a refusal repeats no value that was sent", async () => {
    const marker = "zq81marker";
    const body = meal({
      mealName: { [marker]: 1 },
      mealType: marker,
      loggedAt: marker,
      userId: marker,
      ingredients: [{ currency: marker }],
    });
    const { detail, errors } = problemIn(await client.call("POST", "/track/meals", body), 400);
    assert.doesNotMatch(JSON.stringify([detail, errors]), new RegExp(marker));
    const query = problemIn(
      await client.call("GET", `/users/${userId}/transactions?timeframe=${marker}&page=${marker}`),
      400,
    );
    assert.doesNotMatch(JSON.stringify([query["detail"], query.errors]), new RegExp(marker));
    assert.equal(
      problemIn(await ask(`/users/${userId}/summary?secret=${marker}`), 400)["instance"],
      `/users/${userId}/summary`,
    );
  });
});

describe("more work than may wait", () => {
  test("is refused with the time to wait, and none of it is stored", async () => {
    const small = await startService({ env: { INTAKES_WAITING_MAX: "1" }, isWorking: false });
    try {
      const crowded = await small.newClient();
      const user = await crowded.enrol();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => crowded.call("POST", "/track/meals", meal({ userId: user }))),
      );
      const refused = answers.filter((answer) => answer.statusCode !== 202);
      assert.ok(refused.length > 0 && refused.length < 20);
      for (const answer of refused) {
        assert.equal(problemIn(answer, 503)["code"], "Unavailable");
        assert.match(String(answer.headers["retry-after"]), /^\d+$/);
      }
      const count = { name: "test.intakes", text: "SELECT count(*)::float8 AS count FROM intakes" };
      assert.deepEqual(await small.database.query(count), [{ count: 20 - refused.length }]);
    } finally {
      await small.close();
    }
  });
});
