// Thousands of almost valid requests: each has at least one error, is refused with a problem document, and changes no
// table. `npm run test:fuzz -- --runs N --seed S` sends more, or repeats those of a failure.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { jobsSchema } from "../src/postgres/cell.ts";
import { callerOf, form } from "./support/fuzz-caller.ts";
import type { Caller } from "./support/fuzz-caller.ts";
import { LEDGER_BODIES, wrongTogether } from "./support/ledger-bodies.ts";
import {
  IDS_OF_NOBODY,
  WRONG_CODINGS,
  WRONG_HEADERS,
  clearable,
  currency,
  flag,
  instant,
  list,
  number,
  object,
  oneOf,
  required,
  text,
  valueOf,
  word,
  wrongBodies,
  wrongTexts,
  write,
} from "./support/near-misses.ts";
import type { Members } from "./support/near-misses.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 150);
const SEED = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 31));
const options = { numRuns: RUNS, seed: SEED };

let service: TestService;
let live: Caller;
let sandbox: Caller;
let client: Client;
let userId: string;
let image: Buffer;
before(async () => {
  service = await startService({ isWorking: false });
  image = await onePixel();
  live = await callerOf(service, await service.newClient(), image);
  sandbox = await callerOf(service, await service.newClient({ isSandbox: true }), image);
  client = live.client;
  userId = live.ids["/users/{id}"]!;
});
after(() => service.close());

async function onePixel(): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return await sharp({ create: { width: 1, height: 1, channels: 3, background: "white" } })
    .png()
    .toBuffer();
}

/** Counts the rows of all tables of the service and its queues, but for what is noted of each call of a key. */
async function rows(): Promise<Record<string, string>> {
  const { pool, schema } = service.database;
  const names = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ($1, $2) AND tablename NOT IN ('credential_uses', 'changes', 'change_outcomes')`;
  const tables = (await pool.query<{ name: string }>(names, [schema, jobsSchema(schema)])).rows.map(({ name }) => name);
  const counts = tables.map((name) => `SELECT '${name}' AS name, count(*) AS count FROM ${name}`).join(" UNION ALL ");
  const counted = await pool.query<{ name: string; count: string }>(`${counts} ORDER BY 1`);
  return Object.fromEntries(counted.rows.map(({ name, count }) => [name, count]));
}

/** Checks that a response is a valid refusal. fast-check reports the seed of a failure. */
function isRefused(response: LightMyRequestResponse, statuses: readonly number[] = [400]): void {
  assert.ok(statuses.includes(response.statusCode), `${response.statusCode}: ${response.body}`);
  assert.equal(response.headers["content-type"], "application/problem+json");
  const problem = response.json<Record<string, unknown>>();
  assert.equal(problem["status"], response.statusCode);
  for (const name of ["type", "title", "detail", "instance", "code", "requestId"]) {
    assert.equal(typeof problem[name], "string", `${name} of ${response.body}`);
  }
  if (problem["code"] === "ValidationFailed") assert.ok(Object.keys(problem["errors"] as object).length > 0);
  assert.doesNotMatch(response.body, /\bSELECT\b|\bat \w+ \(|node_modules|\.ts:\d/);
}

async function leavesAllAsItWas(work: () => Promise<void>): Promise<void> {
  const before = await rows();
  await work();
  assert.deepEqual(await rows(), before);
}

const address = (value = "https://example.org/a.jpg") => text(value, 2048);
const requiredAddress = required(word("https://example.org/a.jpg", 2048));
const nutrition = object({
  energyKcal: number(120, 0, 1e7),
  proteinG: number(1, 0, 1e7),
  saltG: number(0, 0, 1e7),
});
const merchantMembers = {
  name: text("Shop"),
  logo: address(),
  website: address(),
  domain: text("x.org"),
  country: text("GB"),
};
const measures = { quantity: number(1, 1e-3, 1e4), amount: number(1.5, 0, 1e9), currency };
const weight = number(150, 1e-6, 1e6);
const ingredient = object({
  foodId: required(word("apple")),
  name: required(word("Apple")),
  imageUrl: address(),
  merchant: object(merchantMembers),
  weight,
  unit: text("g"),
  ...measures,
  nutrition,
});
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
const metadata = {
  value: { note: "x" },
  wrong: [null, "x", 1, [], [{}], deep(40), { a: "x".repeat(17_000) }, { "\0": 1 }, { a: { b: "\ud800" } }],
};
const redirectUri = oneOf("https://app.example/back", [
  "javascript:alert(1)",
  "//host",
  "/x",
  "data:text/html,x",
  "file:///etc/passwd",
  "https://a\nb",
  "vbscript:x",
]);
const locale = oneOf("en-GB", ["x_y", "-", "en--GB", "😀", "e".repeat(65)]);
const enrolment = {
  email: required(
    oneOf("new@example.org", [
      "",
      " ",
      "a",
      "@x.org",
      "a@",
      "a@@b.org",
      "a b@c.org",
      "a@b@c",
      `${"x".repeat(250)}@x.org`,
      "a@b..c",
    ]),
  ),
  firstName: required(word("Ada")),
  lastName: required(word("Lovelace")),
  imageUrl: address(),
  country: text("GB"),
  city: text("Leeds"),
  postalCode: text("LS1"),
};
const knownUser = () =>
  required({
    value: userId,
    wrong: [...word("x").wrong, "nobody", "00000000-0000-7000-8000-000000000000", "' OR '1'='1"],
  });

const hookUrl = oneOf("https://hooks.example.org/a", [
  "",
  "x",
  "//host",
  "file:///etc/passwd",
  "https://10.0.0.1/",
  "https://2852039166/",
  "https://u:p@example.org/",
  "http://[::ffff:10.0.0.1]/",
  "https://ex ample.org/",
  "x".repeat(2_049),
]);
const hook = {
  events: {
    value: ["intake.completed"],
    wrong: [[], ["nope"], "intake.completed", {}, [null], [["intake.completed"]], 1],
  },
  description: text("mine"),
  disabled: flag(false),
};
/** All operations with a JSON body, each with a valid body. Words after a path distinguish bodies of one operation. */
const BODIES: Record<string, (caller: Caller) => Members> = {
  "POST /users/enroll": () => enrolment,
  "POST /users/enroll/session": () => ({ ...enrolment, redirectUri, locale }),
  "POST /track/receipts/session": () => ({
    userId: knownUser(),
    transactionId: word("r"),
    amount: number(1, 0.01, 1e9),
    merchantName: text("Shop"),
    transactionTimestamp: instant("2026-01-31T12:00:00Z"),
    redirectUri,
    locale,
  }),
  "POST /track/meals": () => ({
    userId: knownUser(),
    transactionId: required(word("r")),
    mealName: required(word("Stew")),
    imageUrl: requiredAddress,
    loggedAt: required(instant(new Date().toISOString())),
    mealType: required(oneOf("lunch", ["", "Lunch", "brunch", "lunch "])),
    country: text("GB"),
    location: text("home"),
    metadata,
    ingredients: list(ingredient, 100),
  }),
  "POST /track/food": () => ({
    userId: knownUser(),
    logId: required(word("r")),
    foodId: required(word("apple")),
    name: required(word("Apple")),
    imageUrl: requiredAddress,
    merchant: required(object({ ...merchantMembers, name: required(word("Shop")) })),
    weight: required(weight),
    unit: required(word("g")),
    nutrition: required(nutrition),
    ...measures,
  }),
  "POST /catalogue/aliases": () => ({
    name: required(word("LNTL STW")),
    merchantName: text("Shop"),
    foodId: required(word("dried-lentils")),
  }),
  "POST /catalogue/words": () => ({ word: required(word("stw", 64)), means: required(text("stew")) }),
  "POST /catalogue/unknown-names/{id}/alias": () => ({
    foodId: required(word("dried-lentils")),
    merchantName: text("Shop"),
  }),
  "POST /programs": () => ({
    definition: required(
      object({
        name: required(word("Own", 100)),
        timeZone: oneOf("Europe/London", ["", "europe", "+01:00", "x".repeat(65)]),
        minimumSpend: object({ GBP: number(5, 0.01, 1e6) }),
      }),
    ),
    note: text("More for climate", 1_000),
    author: word("Mia", 100),
  }),
  "POST /programs/preview": () => ({
    definition: required(object({ name: required(word("Own", 100)) })),
    days: number(30, 1, 92),
    pointValue: number(0.01, 0, 1_000),
  }),
  "POST /programs/{version}/publish": () => ({ startsAt: instant("2099-01-31T12:00:00Z"), author: word("Mia", 100) }),
  "POST /programs/{version}/withdraw": () => ({ author: word("Mia", 100) }),
  "POST /webhooks/endpoints": () => ({ url: required(hookUrl), ...hook }),
  "PATCH /users/{id}": () => ({
    ...Object.fromEntries(Object.entries(enrolment).map(([name, member]) => [name, { ...member, isRequired: false }])),
    imageUrl: clearable(address()),
    country: clearable(text("GB")),
    city: clearable(text("Leeds")),
    postalCode: clearable(text("LS1")),
  }),
  "PATCH /webhooks/endpoints/{id}": () => ({ url: hookUrl, ...hook }),
  "POST /webhooks/endpoints/{id}/replay": () => ({
    since: instant("2026-01-31T12:00:00Z"),
    only: oneOf("failed", ["", "all", "Failed"]),
  }),
  ...LEDGER_BODIES,
};

/** Only sandbox applications have a test clock. */
const callerFor = (operation: string) => (operation.includes("/test-clock") ? sandbox : live);

function send(operation: string, payload: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  const [method, path] = operation.split(" ") as ["POST" | "PATCH", string];
  const { client, ids } = callerFor(operation);
  const filled = path.replaceAll(/\/[a-z-]+\/\{\w+\}/g, (part) => part.replace(/\{.*/, ids[part]!));
  const url = `${filled}?api-version=1.0`;
  return service.app.server.inject({ method, url, headers: { ...client.headers, ...headers }, payload });
}

const JSON_TYPE = { "content-type": "application/json" };

for (const [operation, membersOf] of Object.entries(BODIES)) {
  test(`${operation} refuses every almost valid body and stores nothing`, () =>
    leavesAllAsItWas(async () => {
      const members = membersOf(callerFor(operation));
      const refusesBody = async (body: unknown) => isRefused(await send(operation, write(body)));
      await fc.assert(fc.asyncProperty(wrongBodies(members, !operation.startsWith("PATCH")), refusesBody), options);
      const refusesText = async (body: string | Buffer) => isRefused(await send(operation, body), [400, 413]);
      await fc.assert(fc.asyncProperty(wrongTexts(valueOf(members)), refusesText), { ...options, numRuns: RUNS / 3 });
      for (const headers of [...WRONG_HEADERS, ...WRONG_CODINGS]) {
        isRefused(await send(operation, write(valueOf(members)), headers), [415]);
      }
    }));
}

test("all operations with a JSON body are tested", async () => {
  interface Described {
    requestBody?: { content: Record<string, unknown> };
  }
  const { paths } = (await service.app.server.inject("/openapi.json")).json<{
    paths: Record<string, Record<string, Described>>;
  }>();
  const taking = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody && "application/json" in requestBody.content)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const tested = new Set(Object.keys(BODIES).map((operation) => operation.split(" ", 2).join(" ")));
  assert.deepEqual(taking.sort(), [...tested].sort());
});

test("members that are only wrong together are refused: two names of a reference, two currencies, weight times quantity", () =>
  leavesAllAsItWas(async () => {
    const meal = valueOf(BODIES["POST /track/meals"]!(live));
    const food = valueOf(BODIES["POST /track/food"]!(live));
    const item = ingredient.value as object;
    const wrong: [string, object][] = [
      ["/track/meals", { ...meal, logId: "another" }],
      ["/track/food", { ...food, transactionId: "another" }],
      ["/track/meals", { ...meal, ingredients: [item, { ...item, currency: "EUR" }] }],
      ["/track/meals", { ...meal, ingredients: [{ ...item, weight: 1e6, quantity: 1e4 }] }],
      ["/track/food", { ...food, weight: 1e6, quantity: 1e4 }],
      ["/track/meals", { ...meal, loggedAt: new Date(Date.now() + 2 * 86_400_000).toISOString() }],
      ["/webhooks/endpoints/{id}/replay", {}],
      ["/catalogue/aliases", { name: "x", foodId: "dried-lentils", gtin: "40084077" }],
    ];
    for (const [path, body] of wrong) isRefused(await send(`POST ${path}`, write(body)));
  }));

test("members of points, rewards and corrections that are only wrong together are refused", () =>
  leavesAllAsItWas(async () => {
    for (const [operation, body] of wrongTogether(live)) isRefused(await send(operation, write(body)));
  }));

const FORM: Record<string, { right: string; wrong: readonly string[] }> = {
  userId: {
    right: "USER",
    wrong: ["", " ", "nobody", "x".repeat(256), "__proto__", "00000000-0000-7000-8000-000000000000"],
  },
  transactionId: { right: "r", wrong: ["", " ", "x".repeat(256), "a\0b", "x".repeat(10_000)] },
  amount: {
    right: "12.50",
    wrong: [
      "",
      "0",
      "0.009",
      "-1",
      "abc",
      "1,50",
      "£5",
      "1e400",
      "NaN",
      "Infinity",
      "0x10",
      "1e10",
      "１",
      "1 2",
      "true",
      "[]",
    ],
  },
  merchantName: { right: "Shop", wrong: ["", " ", "x".repeat(256), "\0"] },
  transactionTimestamp: {
    right: "2026-01-31T12:00:00Z",
    wrong: [
      "",
      "yesterday",
      "2026-01-31",
      "2025-02-29T00:00:00Z",
      "2026-01-31T12:00:00",
      "1767225600",
      "2026-13-01T00:00:00Z",
    ],
  },
};

test("/track/receipts refuses every almost valid form and stores nothing", () =>
  leavesAllAsItWas(async () => {
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const right = () =>
      Object.entries(FORM).map(([name, field]) => [name, field.right === "USER" ? userId : field.right] as const);
    const files = [["receiptImage", image]] as const;
    type Fields = readonly (readonly [string, string])[];
    const oneOfFields = fc.constantFrom(...Object.keys(FORM));
    const miss: fc.Arbitrary<(fields: Fields) => Fields> = fc.oneof(
      oneOfFields.map((name) => (fields: Fields) => fields.filter(([each]) => each !== name)),
      oneOfFields.map((name) => (fields: Fields) => [...fields, [name, "again"] as const, [name, "again"] as const]),
      oneOfFields.chain((name) =>
        fc
          .constantFrom(...FORM[name]!.wrong)
          .map(
            (wrong) => (fields: Fields) =>
              fields.map((field) => (field[0] === name ? ([name, wrong] as const) : field)),
          ),
      ),
      fc
        .constantFrom("__proto__", "constructor", "hasOwnProperty", "receiptImage")
        .map((name) => (fields: Fields) => [...fields, [name, "x"] as const]),
    );
    const refuses = async (misses: ((fields: Fields) => Fields)[]) => {
      const fields = misses.reduce<Fields>((all, change) => change(all), right());
      isRefused(await send("POST /track/receipts", form(fields, files), type), [400, 413]);
    };
    await fc.assert(fc.asyncProperty(fc.array(miss, { minLength: 1, maxLength: 2 }), refuses), options);
    const whole = form(right(), files);
    const wrong: Buffer[] = [
      form(right(), []),
      form(right(), [...files, ...files]),
      ...["", "GIF89a", "%PDF-1.7", "<svg/>", "\x89PNG\r\n\x1a\n"].map((bytes) =>
        form(right(), [["receiptImage", Buffer.from(bytes, "latin1")]]),
      ),
      form(right(), [["receiptImage", image.subarray(0, -13)]]),
      form(right(), [["image", image]]),
      form([...right(), ...Array.from({ length: 2_000 }, (_, i) => [`x${i}`, "x"] as const)], files),
      Buffer.from(whole.toString("latin1").replaceAll("--b", "--c"), "latin1"),
    ];
    for (const body of wrong) isRefused(await send("POST /track/receipts", body, type), [400, 413]);
    const refusesCut = async (length: number) =>
      isRefused(await send("POST /track/receipts", whole.subarray(0, length), type));
    await fc.assert(fc.asyncProperty(fc.nat({ max: whole.length - 8 }), refusesCut), { ...options, numRuns: RUNS / 6 });
    for (const headers of [
      ...WRONG_HEADERS.filter((each) => !each["content-type"]!.startsWith("multipart")),
      { "content-type": "application/json" },
    ]) {
      isRefused(await send("POST /track/receipts", write({ userId }), headers), [415]);
    }
  }));

test("every almost valid URL is refused: wrong id, parameters, version or method", () =>
  leavesAllAsItWas(async () => {
    const id = fc.constantFrom(...IDS_OF_NOBODY);
    const path = fc
      .tuple(
        id,
        fc.constantFrom<(id: string) => string>(
          (wrong) => `/users/${wrong}/summary`,
          (wrong) => `/users/${wrong}/statistics`,
          (wrong) => `/users/${wrong}/referral-code`,
          (wrong) => `/users/${wrong}/transactions`,
          (wrong) => `/users/${userId}/transactions/${wrong}`,
          (wrong) => `/users/${wrong}/transactions/${userId}`,
          (wrong) => `/track/receipts/${wrong}/status`,
          (wrong) => `/track/meals/${wrong}/status`,
          (wrong) => `/issuers/track/food/${wrong}/status`,
          (wrong) => `/${wrong}`,
        ),
      )
      .map(([wrong, make]) => `${make(wrong)}?api-version=1.0`);
    const number = ["-1", "1.5", "ten", "1e2", "99999999999999999999", "2147483648", "0x1", "１", "+1", "1%00", "%20"];
    const wrongValues: Record<string, readonly string[]> = {
      page: number,
      pageSize: number,
      First: ["yes", "1", "", "tru", "null"],
      All: ["no", "0", "", "truefalse"],
      timeframe: [
        "0",
        "d",
        "-1d",
        "1.5d",
        "P",
        "PT",
        "P-1D",
        "2026-02-30/..",
        "2026-01-02/2026-01-01",
        "now",
        "7dd",
        "%00",
        "１d",
        "99999999999d",
      ],
    };
    const parameter = fc.constantFrom(
      ...Object.entries(wrongValues).flatMap(([name, values]) => [
        ...values.map((value) => `${name}=${value}`),
        `${name}=1&${name}=1`,
        `${name}[]=1`,
        `${name}[a]=1`,
      ]),
    );
    const query = parameter.map((wrong) => `/users/${userId}/transactions?api-version=1.0&${wrong}`);
    const version = fc
      .constantFrom(
        "",
        "api-version=",
        "api-version=1",
        "api-version=v1.0",
        "api-version=1.0.0",
        "api-version=１.０",
        "api-version=2.0",
        "api-version=1.0&api-version=1.0",
        "api-version[]=1.0",
        "api_version=1.0",
        "Api-Version%00=1.0",
        "api-version=1.0%00",
        "api-version=%ff",
      )
      .map((wrong) => `/users/${userId}/summary?${wrong}`);
    const refuses = async (url: string) => {
      const response = await service.app.server.inject({ method: "GET", url, headers: client.headers });
      isRefused(response, [400, 404, 414]);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(path, query, version), refuses), options);
    for (const method of ["PUT", "PATCH", "DELETE"] as const) {
      for (const url of [
        "/track/meals",
        "/track/food",
        "/track/receipts",
        "/users/enroll",
        `/users/${userId}/summary`,
      ]) {
        isRefused(
          await service.app.server.inject({ method, url: `${url}?api-version=1.0`, headers: client.headers }),
          [404, 405],
        );
      }
    }
  }));

test("almost valid headers are refused; an invalid request id is replaced", () =>
  leavesAllAsItWas(async () => {
    const { clientId, clientSecret } = client;
    const wrongSecret = fc.constantFrom(
      "",
      " ",
      clientId,
      clientSecret.slice(0, -1),
      `${clientSecret}x`,
      clientSecret.toUpperCase(),
      `"${clientSecret}"`,
      "x".repeat(5_000),
      "é",
      `Bearer ${clientSecret}`,
    );
    const enrol = (headers: Record<string, string>) =>
      service.app.server.inject({
        method: "POST",
        url: "/users/enroll?api-version=1.0",
        headers: { "content-type": "application/json", ...headers },
        payload: write(valueOf(enrolment)),
      });
    const refusesSecret = async (secret: string) =>
      isRefused(await enrol({ "x-client-id": clientId, "x-client-secret": secret }), [401]);
    await fc.assert(fc.asyncProperty(wrongSecret, refusesSecret), { ...options, numRuns: 30 });
    for (const key of ["", " ", "a b", "é", "x".repeat(300), "\t"]) {
      isRefused(await enrol({ ...client.headers, "idempotency-key": key }));
    }
    const ids = fc.oneof(
      fc.constantFrom("", "a b", "x".repeat(200), "<script>", "a\tb"),
      fc.string({ unit: "binary-ascii" }).filter((id) => /^[\x20-\x7e]*$/.test(id)),
    );
    const hasId = async (given: string) => {
      const response = await send("POST /users/enroll", "{}", {
        "content-type": "application/json",
        "x-request-id": given,
      });
      isRefused(response);
      assert.match(String(response.headers["x-request-id"]), /^[\w.:-]{1,100}$/);
    };
    await fc.assert(fc.asyncProperty(ids, hasId), { ...options, numRuns: RUNS / 3 });
  }));

// Last: it stores. Without it, a body that is wrong by mistake would make its test pass whatever the service does.
test("each valid body is accepted, or refused only for the state of what it is about", async () => {
  const refused: string[] = [];
  for (const [operation, membersOf] of Object.entries(BODIES)) {
    const { statusCode, body } = await send(operation, write(valueOf(membersOf(callerFor(operation)))));
    if (![200, 202, 409].includes(statusCode)) refused.push(`${operation}: ${statusCode} ${body}`);
  }
  assert.deepEqual(refused, []);
});
