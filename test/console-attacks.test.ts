import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, suite, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { findApplication } from "../src/applications/store.ts";
import type { Right, Role } from "../src/console/roles.ts";
import { deleteConsoleUser, revokeAllRoles } from "../src/console/users.store.ts";
import { callAs } from "../src/http/call-as.ts";
import { foldAllCounts } from "../src/unknown-names/sums/fold.task.ts";
import { WITH_CONSOLE, formTokenIn, signIn } from "./support/console.ts";
import { collectRoutes, formOf, hasId, pathOf } from "./support/console-routes.ts";
import type { ConsoleRoute } from "./support/console-routes.ts";
import { furnish, readerOf } from "./support/console-things.ts";
import type { Things } from "./support/console-things.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import type { WebhookReceiver } from "./support/webhook-receiver.ts";

const OUR_NAME = "Our text";
/** In every text of the other application, and on no page of our application. */
const THEIR_NAME = "traceoftheirs";
/** Lines of a receipt that `readerOf` reads. */
const GROCERIES_LINES = 4;
/** Sessions, the audit log, and what the service derives or counts by itself. */
const DERIVED =
  /^(?:console_sessions|audit_|delivery_leases|reading_turns|report_|ledger_verifications|credential_uses|changes$|change_outcomes)/;
const FORM = "application/x-www-form-urlencoded";

/** Who sends a request: the cookie of a session, and the token that its forms have. */
interface Sender {
  readonly cookie: string;
  readonly formToken: string;
}
const NOBODY: Sender = { cookie: "", formToken: "" };

/** Roles that have less than a right, in one application. */
const TOO_SMALL: Readonly<Record<Right, readonly Role[]>> = {
  see: [],
  review: ["viewer", "developer"],
  manage: ["viewer", "reviewer", "developer"],
  develop: ["viewer", "reviewer", "manager"],
  operate: ["viewer", "reviewer", "manager", "developer", "operator"],
};

suite("attacks on the console", () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let ours: Things;
  let theirs: Things;
  let operator: Sender & { id: string };
  /** Who may do everything in our application, and nothing in another. */
  let own: Sender;
  let routes: ConsoleRoute[];

  before(async () => {
    const collected = collectRoutes();
    service = await startService({ env: WITH_CONSOLE, ocr: readerOf(OUR_NAME) });
    collected.stop();
    routes = collected.of(service.app.server);
    receiver = await startWebhookReceiver();
    const webhookUrl = receiver.url;
    [ours, theirs] = await Promise.all([
      furnish(service, { text: OUR_NAME, email: "ours@example.org", webhookUrl }),
      furnish(service, { text: THEIR_NAME, email: `${THEIR_NAME}@example.org`, webhookUrl }),
    ]);
    operator = await sender([{ role: "operator" }]);
    own = await sender([{ role: "operator", applicationId: ours.client.applicationId }]);
    await quiet();
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  /** Signs somebody in, who then has a form open. */
  async function sender(roles: Parameters<typeof signIn>[1]) {
    const person = await signIn(service, roles);
    return {
      id: person.id,
      email: person.email,
      cookie: person.cookie,
      formToken: formTokenIn(await person.get("/console")),
    };
  }

  /** Sends a request, and checks what each response must have, whatever it is. */
  async function send(
    method: string,
    url: string,
    from: Sender,
    more: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<LightMyRequestResponse> {
    const response = await service.app.server.inject({
      method: method as "GET",
      url,
      headers: {
        ...(from.cookie && { cookie: from.cookie }),
        ...(more.body !== undefined && { "content-type": FORM }),
        ...more.headers,
      },
      ...(more.body !== undefined && { payload: more.body }),
    });
    checkHeaders(response, `${method} ${url}`);
    return response;
  }

  /** A form as the page of the sender sends it. */
  function sendForm(url: string, from: Sender, fields: Readonly<Record<string, string>>, headers = {}) {
    const body = new URLSearchParams({ formToken: from.formToken, ...fields }).toString();
    return send("POST", url, from, { body, headers });
  }

  /** Sends what a route takes, as its page does. */
  function use(route: ConsoleRoute, from: Sender, things = ours, person = operator.id) {
    const path =
      pathOf(route.url, things, person) + (route.url.endsWith("/names/:id/preview") ? "?means=not-food" : "");
    return route.method === "POST" ? sendForm(path, from, formOf(route.url, things)) : send(route.method, path, from);
  }

  /** A digest of all that is stored but sessions, the audit log, and what is counted at each call. */
  async function digest(): Promise<string> {
    // The service does so every 30 seconds, which may be between two digests.
    await foldAllCounts(service.database, new AbortController().signal);
    const listed = await service.database.query<{ name: string }>({
      name: "test.tables",
      text: `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
    });
    const parts = listed
      .map(({ name }) => name)
      .filter((name) => !DERIVED.test(name))
      .map(
        (name) =>
          `SELECT '${name} ' || coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') AS part FROM ${name} t`,
      );
    const text = parts.join(" UNION ALL ");
    const rows = await service.database.query<{ part: string }>({ name: "test.digest", text });
    return rows
      .map(({ part }) => part)
      .toSorted()
      .join("\n");
  }

  /** Waits until the background work has ended: nothing has changed for half a second. */
  async function quiet(): Promise<void> {
    for (let [last, same] = ["", 0]; same < 3; await sleep(150)) {
      const now = await digest();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  }

  async function changesNothing(work: () => Promise<void>): Promise<void> {
    const before = new Set((await digest()).split("\n"));
    await work();
    const changed = (await digest()).split("\n").filter((part) => !before.has(part));
    assert.deepEqual(changed, []);
  }

  const changing = () => routes.filter(({ method }) => method !== "GET" && method !== "HEAD");
  const closed = () => routes.filter(({ needs }) => needs !== "open");

  test("every route declares what it needs, and serves who has it", async () => {
    assert.ok(routes.length > 90, `${routes.length} routes`);
    for (const route of routes.filter(({ method }) => method === "GET" || method === "HEAD")) {
      if (route.url.endsWith("/stream")) continue;
      const isOurs = route.url.includes(":application");
      const { statusCode, body } = await use(route, isOurs ? own : operator);
      const where = `${route.method} ${route.url}`;
      if (route.url === "/console/link") assert.equal(statusCode, 404, where);
      else assert.ok(statusCode === 200 || statusCode === 303, `${where}: ${statusCode}`);
      assert.ok(!isOurs || !body.includes(THEIR_NAME), where);
    }
  });

  test("without a session, and with one that has ended, no page is shown and nothing changes", async () => {
    const fresh = await sender([{ role: "operator" }]);
    const stale = await Promise.all([1, 2, 3].map(() => sender([{ role: "operator" }])));
    const [expired, idle, removed] = stale as [typeof fresh, typeof fresh, typeof fresh];
    const set = (column: string, { id }: { id: string }) =>
      service.database.query(
        {
          name: `test.${column}`,
          text: `UPDATE console_sessions SET ${column} = now() - interval '3 hours' WHERE console_user_id = $1`,
        },
        [id],
      );
    await set("expires_at", expired);
    await set("seen_at", idle);
    await deleteConsoleUser(service.database, removed.email);
    const senders: Record<string, Sender> = {
      nobody: NOBODY,
      expired,
      idle,
      removed,
      unknown: { ...fresh, cookie: `console=${randomBytes(32).toString("base64url")}` },
      twice: { ...fresh, cookie: `${fresh.cookie}; ${operator.cookie}` },
      long: { ...fresh, cookie: `console=${"A".repeat(8_000)}` },
      other: { ...fresh, cookie: fresh.cookie.replace("console=", "__Host-console=") },
    };
    await changesNothing(async () => {
      for (const [kind, from] of Object.entries(senders)) {
        for (const route of closed()) {
          const { statusCode, headers, body } = await use(route, from);
          const where = `${kind}: ${route.method} ${route.url}`;
          if (route.method === "POST") assert.equal(statusCode, 403, where);
          else assert.match(`${statusCode} ${String(headers.location)}`, /^303 \/console\/sign-in(?:\?next=|$)/, where);
          assert.ok(!body.includes(OUR_NAME), where);
        }
      }
    });
  });

  test("with a role of another application everything is as if there were none; a smaller role does nothing", async () => {
    const { applicationId } = ours.client;
    const stranger = await sender([{ role: "operator", applicationId: theirs.client.applicationId }]);
    const revoked = await sender([{ role: "operator" }]);
    await revokeAllRoles(service.database, revoked.id);
    const smaller = new Map<Role, Sender>();
    for (const role of TOO_SMALL.operate) smaller.set(role, await sender([{ role, applicationId }]));
    await changesNothing(async () => {
      for (const route of closed().filter(({ needs }) => needs !== "signed-in")) {
        const where = `${route.method} ${route.url}`;
        const isOurs = route.url.includes(":application");
        for (const from of [stranger, revoked]) {
          const response = await use(route, from);
          assert.equal(response.statusCode, isOurs ? 404 : 403, where);
          if (!isOurs) continue;
          const unknown = { ...ours, client: { ...ours.client, applicationId: randomUUID() } };
          assert.equal(response.body, (await use(route, from, unknown)).body, where);
        }
        for (const role of TOO_SMALL[route.needs as Right]) {
          assert.equal((await use(route, smaller.get(role)!)).statusCode, 403, `${where} ${role}`);
        }
      }
    });
  });

  test("ids of another application in a path, a field or a query are those of nothing", async () => {
    const withIds = routes.filter(({ url }) => hasId(url));
    const mixed = { ...theirs, client: ours.client, version: theirs.version + 50, scheduled: theirs.version + 51 };
    const someone = { ...mixed, userId: ours.userId };
    const nothing = Object.fromEntries(
      Object.entries(mixed).map(([name, value]) => [name, name.endsWith("Id") ? randomUUID() : value]),
    ) as unknown as Things;
    const withoutIds = (body: string) => body.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
    const rights = { deliveryId: `${randomUUID()}.${randomUUID()}` };
    await changesNothing(async () => {
      for (const from of [own, operator]) {
        for (const route of withIds) {
          const where = `${route.method} ${route.url}`;
          const unknown = await use(route, from, { ...nothing, ...rights });
          for (const things of [mixed, someone]) {
            if (things === someone && !route.url.includes("/people/:id/records/")) continue;
            const { statusCode, body } = await use(route, from, things);
            assert.equal(statusCode, unknown.statusCode, where);
            if (route.url.endsWith("/apply")) assert.equal(statusCode, 303, where);
            else assert.equal(statusCode, 404, where);
            if (from === own) assert.ok(!body.includes(THEIR_NAME), where);
            assert.equal(withoutIds(body), withoutIds(unknown.body), where);
          }
        }
      }
    });
  });

  test("a form of another site, or without the token of its session, changes nothing", async () => {
    const other = await sender([{ role: "operator" }]);
    const evil = "https://evil.example";
    const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
    const token = operator.formToken;
    const attempts: Record<string, (fields: Record<string, string>) => Parameters<typeof send>[3]> = {
      "cross-site": (f) => ({ body: encoded({ formToken: token, ...f }), headers: { "sec-fetch-site": "cross-site" } }),
      "same-site": (f) => ({ body: encoded({ formToken: token, ...f }), headers: { "sec-fetch-site": "same-site" } }),
      "an origin": (f) => ({ body: encoded({ formToken: token, ...f }), headers: { origin: evil } }),
      "no token": (f) => ({ body: encoded(f) }),
      "an empty token": (f) => ({ body: encoded({ formToken: "", ...f }) }),
      "another's token": (f) => ({ body: encoded({ formToken: other.formToken, ...f }) }),
      "a wrong token first": (f) => ({ body: `formToken=x&${encoded({ formToken: token, ...f })}` }),
      "a token in a header": (f) => ({ body: encoded(f), headers: { "x-csrf-token": token, formtoken: token } }),
      "no form": () => ({ body: "" }),
      JSON: (f) => ({
        body: JSON.stringify({ formToken: token, ...f }),
        headers: { "content-type": "application/json" },
      }),
      text: (f) => ({ body: encoded({ formToken: token, ...f }), headers: { "content-type": "text/plain" } }),
      multipart: (f) => ({
        body: multipart({ formToken: token, ...f }),
        headers: { "content-type": "multipart/form-data; boundary=x" },
      }),
      "no type": (f) => ({ body: encoded({ formToken: token, ...f }), headers: { "content-type": "" } }),
    };
    await changesNothing(async () => {
      for (const route of changing().filter(({ needs }) => needs !== "open")) {
        const path = pathOf(route.url, ours, operator.id);
        const fields = formOf(route.url, ours);
        for (const [kind, attempt] of Object.entries(attempts)) {
          const { statusCode } = await send("POST", path, operator, attempt(fields));
          assert.ok([400, 403, 415].includes(statusCode), `${kind}: ${route.url} ${statusCode}`);
        }
        const inQuery = await send("POST", `${path}?formToken=${token}`, operator, { body: encoded(fields) });
        assert.equal(inQuery.statusCode, 403, `a token in the query: ${route.url}`);
      }
      for (const route of changing().filter(({ needs }) => needs === "open")) {
        for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: evil }]) {
          assert.equal((await send("POST", route.url, NOBODY, { body: "x=1", headers })).statusCode, 403, route.url);
        }
      }
    });
  });

  test("methods that a path does not have change nothing", async () => {
    await changesNothing(async () => {
      const paths = new Set(routes.map(({ url }) => pathOf(url, ours, operator.id)));
      for (const path of paths) {
        for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
          const { statusCode } = await send(method, path, operator);
          assert.ok([204, 404, 405].includes(statusCode), `${method} ${path}: ${statusCode}`);
        }
      }
    });
  });

  test("a body over the bound, or of too many fields, is refused before it is read", async () => {
    for (const route of changing()) {
      const path = pathOf(route.url, ours, operator.id);
      const large = await send("POST", path, operator, {
        body: `formToken=${operator.formToken}&x=${"x".repeat(512 * 1024)}`,
      });
      assert.equal(large.statusCode, 413, route.url);
      const many = await send("POST", path, operator, {
        body: `formToken=${operator.formToken}${"&a".repeat(200_000)}`,
      });
      assert.equal(many.statusCode, 413, route.url);
    }
  });

  /** Values that mean something to a program, wherever a text is read. */
  const ODD = ["__proto__", "constructor", "\0\u{202E}", "9".repeat(15), "A".repeat(5_000)];
  const QUERY = [
    "done",
    "page",
    "before",
    "state",
    "event",
    "endpointId",
    "timeframe",
    "spendIn",
    "from",
    "till",
    "by",
    "use",
    "name",
    "q",
    "means",
    "merchantName",
    "application",
    "token",
    "next",
    "errorCode",
    "check",
    "merchant",
    "userId",
    "transactionId",
    "until",
    "compare",
    "frame",
    "days",
  ];

  test("names of prototypes, odd and long values in a query are wrong values, and nothing else", async () => {
    await changesNothing(async () => {
      for (const route of routes.filter(
        ({ method, url }) => method === "GET" && !/\/stream$|\.(?:css|js)$/.test(url),
      )) {
        const path = pathOf(route.url, ours, operator.id);
        for (const value of ODD) {
          const query = QUERY.map((name) => `${name}=${encodeURIComponent(value)}`).join("&");
          const twice = `&__proto__=x&constructor[prototype]=y&done[a]=x&${query}`;
          const { statusCode, headers, body } = await send(
            "GET",
            `${path}?${query.slice(0, 7_000)}${twice.slice(0, 7_000)}`,
            operator,
          );
          const where = `${route.url} ${value.slice(0, 20)}`;
          assert.ok(statusCode < 500, `${where}: ${statusCode}`);
          assert.match(headers.location ?? "/", /^\/(?!\/)/, where);
          assert.doesNotMatch(body, /\[native code\]|\[object Object\]/, where);
        }
      }
    });
  });

  test("odd ids in a path are those of nothing", async () => {
    await changesNothing(async () => {
      const odd = ["__proto__", "%00", "..%2fwebhooks", "%F0%9F%98%80", "%C3%28", "'%20OR%201=1", "A".repeat(400)];
      for (const route of routes.filter(({ url }) => url.includes(":"))) {
        const segments = pathOf(route.url, ours, operator.id).split("/");
        const parts = route.url.split("/");
        for (const [at, part] of parts.entries()) {
          if (!part.startsWith(":")) continue;
          for (const id of odd) {
            const path = segments.with(at, id).join("/");
            const form = { formToken: operator.formToken, ...formOf(route.url, ours) };
            const response = await send(
              route.method,
              path,
              operator,
              route.method === "POST" ? { body: new URLSearchParams(form).toString() } : {},
            );
            const where = `${route.method} ${path}`;
            assert.ok([303, 400, 404].includes(response.statusCode), `${where}: ${response.statusCode}`);
          }
        }
      }
    });
  });

  test("odd values in the fields of a form are wrong values, and lead to no other site", async () => {
    const places = [
      "//evil.example",
      "https:evil.example",
      "\\\\evil.example",
      "/\\evil.example",
      "/console/..//evil.example",
    ];
    // In the other application: what is done by them must not be missing below.
    const victim = await sender([{ role: "viewer" }]);
    for (const route of changing()) {
      if (route.url.endsWith("/sign-out")) continue;
      const path = pathOf(route.url, theirs, victim.id);
      const form = {
        next: "",
        application: "",
        email: "",
        password: "",
        token: "",
        response: "",
        ...formOf(route.url, theirs),
      };
      const leads = /language|sign-in|decide/.test(route.url) ? places : [];
      for (const value of ["__proto__", "\0", "A".repeat(5_000), ours.userId, ...leads]) {
        const body = new URLSearchParams({ formToken: operator.formToken, __proto__: value });
        for (const name of Object.keys(form)) body.append(name, value);
        for (const name of Object.keys(form)) body.append(name, "twice");
        const { statusCode, headers } = await send("POST", path, operator, { body: body.toString() });
        const where = `${route.url} ${value.slice(0, 30)}`;
        assert.ok(statusCode < 500, `${where}: ${statusCode}`);
        assert.doesNotMatch(new URL(headers.location ?? "/", "http://rewards.test").host, /evil/, where);
      }
    }
    for (const next of places) {
      const { body } = await send("GET", `/console/sign-in?next=${encodeURIComponent(next)}`, NOBODY);
      assert.ok(!/name="next" value="[^"]*evil/.test(body) || next.startsWith("/console/"), next);
    }
  });

  test("a draft of a programme is no larger a page than its form may be, however deep or long it is", async () => {
    const path = pathOf("/console/:application/programme/draft", ours);
    const shown = (json: string, more: Readonly<Record<string, string>> = {}) =>
      sendForm(path, operator, { do: "read", json, ...more });
    const longest = await shown(JSON.stringify({ campaigns: Array.from({ length: 50 }, () => ({})) }));
    assert.ok(longest.body.includes("campaigns[49]"));
    const long = await shown(JSON.stringify({ campaigns: Array.from({ length: 9_000 }, () => ({})) }));
    assert.equal(long.statusCode, 200);
    assert.ok(!long.body.includes("campaigns[0]") && long.body.length < longest.body.length, `${long.body.length}`);
    for (const json of [
      `{"a":${"[".repeat(60)}${"]".repeat(60)}}`,
      `{"a":${"[".repeat(40_000)}${"]".repeat(40_000)}}`,
      `{"a":[${"0,".repeat(60_000)}0]}`,
    ]) {
      const { statusCode, body } = await shown(json);
      assert.equal(statusCode, json.length < 200 ? 200 : 400);
      assert.ok(body.length < 2 * json.length + 100_000, `${body.length} of ${json.length}`);
    }
    const call = pathOf("/console/:application/developers/call", ours);
    const body = `{"a":${"[".repeat(40_000)}${"]".repeat(40_000)}}`;
    assert.equal((await sendForm(call, operator, { method: "POST", path: "/users/enroll", body })).statusCode, 400);
  });

  test("a code or a path with steps calls nothing else than it says", async () => {
    const record = await send("GET", `${ours.base}/people/${ours.userId}/records/${ours.ownCodeId}`, operator);
    assert.equal(record.statusCode, 200);
    const call = pathOf("/console/:application/developers/call", ours);
    for (const path of ["/users/%2e%2e", "/webhooks/endpoints/%2E%2e", "/webhooks/deliveries/./retry"]) {
      assert.equal((await sendForm(call, operator, { method: "GET", path, body: "" })).statusCode, 400, path);
    }
    const application = (await findApplication(service.database, ours.client.applicationId))!;
    for (const path of ["/users/../console", "/users/%2e%2E/x", "/users/.", "/rewards?page=2", "/x\\..\\metrics"]) {
      const { status, body } = await callAs(service.app.server, application, { method: "GET", path }, "test");
      assert.deepEqual([status, body], [404, null], path);
    }
  });

  test("one person has four streams at once; one address checks twenty passwords a minute, however many it sends", async () => {
    const url = `${ours.base}/developers/events/stream`;
    const opened = await Promise.all(
      Array.from({ length: 100 }, () =>
        service.app.server.inject({ url, headers: { cookie: own.cookie }, payloadAsStream: true }),
      ),
    );
    const streams = opened.filter(({ statusCode }) => statusCode === 200);
    assert.ok(streams.length <= 4 && opened.every(({ statusCode }) => [200, 503].includes(statusCode)));
    for (const response of streams) checkHeaders(response, url);
    for (const response of opened) {
      response.stream().destroy();
      response.raw.res.destroy();
    }
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const payload = new URLSearchParams({ email: "nobody@example.org", password: "wrong wrong wrong" }).toString();
        const headers = { "content-type": FORM };
        const remoteAddress = "198.51.100.7";
        const response = service.app.server.inject({
          method: "POST",
          url: "/console/sign-in",
          headers,
          payload,
          remoteAddress,
        });
        return (await response).statusCode;
      }),
    );
    assert.ok(statuses.filter((status) => status === 401).length <= 20);
    assert.ok(statuses.every((status) => status === 401 || status === 429));
  });

  test("one person who asks for 200 of the largest pages at once makes nobody else wait, and takes bounded memory", async () => {
    const { client, userId, disputedId } = ours;
    const longest = (i: number) => `${"W".repeat(240)} ${i}`;
    const added = Array.from({ length: 490 }, (_, i) => ({ name: longest(i), quantity: 1, totalPrice: 1 }));
    for (const change of [
      { merchantName: longest(0) },
      { items: added },
      ...[1, 2, 3].map((totalAmount) => ({ totalAmount })),
    ]) {
      const body = { reason: longest(1), ...change };
      const path = `/track/receipts/${disputedId}/corrections`;
      assert.equal((await client.call("POST", path, body)).statusCode, 200);
    }
    const receipt = `${ours.base}/receipts/${disputedId}`;
    const large = await send("GET", receipt, own);
    assert.equal([...large.body.matchAll(/<tr id="line-/g)].length, 490 + GROCERIES_LINES);
    const packed = gzipSync(large.body).length;
    assert.ok(packed < 100_000, `${packed} bytes`);
    const addresses = [
      receipt,
      `${ours.base}/review/${disputedId}`,
      `${ours.base}/overview?last=12m`,
      `${ours.base}/receipts`,
    ];
    const another = await sender([{ role: "viewer" }]);
    const flooding = await sender([{ role: "operator" }]);
    let peak = 0;
    let ended = 0;
    const flood = Array.from({ length: 200 }, async (_, i) => {
      const { statusCode } = await send("GET", addresses[i % addresses.length]!, flooding);
      ended += 1;
      peak = Math.max(peak, process.memoryUsage().rss);
      return statusCode;
    });
    const before = process.memoryUsage().rss;
    const others = await Promise.all([
      send("GET", `${theirs.base}/receipts`, another),
      send("GET", `${ours.base}/people/${userId}`, another),
      client.call("GET", `/users/${userId}/summary`),
      client.call("GET", "/track/receipts"),
      theirs.client.call("GET", `/users/${theirs.userId}/summary`),
    ]);
    const meanwhile = ended;
    assert.deepEqual(
      others.map(({ statusCode }) => statusCode),
      Array(5).fill(200),
    );
    const statuses = await Promise.all(flood);
    assert.ok(meanwhile < 60, `${meanwhile} of the flood were first`);
    assert.ok(
      statuses.every((status) => status === 200 || status === 503),
      String(statuses),
    );
    assert.ok(statuses.filter((status) => status === 200).length >= 6);
    assert.ok(peak - before < 600e6, `${Math.round((peak - before) / 1e6)} MB`);
    assert.equal((await send("GET", receipt, flooding)).statusCode, 200, "afterwards all is as before");
  });

  test("a role is for an application that there is", async () => {
    const somebody = await sender([{ role: "viewer" }]);
    for (const application of ["x", randomUUID(), "__proto__"]) {
      const form = { role: "viewer", application };
      const { statusCode } = await sendForm(`/console/team/${somebody.id}/grant`, operator, form);
      assert.equal(statusCode, 404, application);
    }
  });

  test("the same forms do something for who has the right: what was refused above was refused for its sender", async () => {
    await quiet();
    const victim = await sender([{ role: "viewer" }]);
    const last = (url: string) => (/remove|erase/.test(url) ? 2 : /secret$|withdraw/.test(url) ? 1 : 0);
    for (const route of changing().toSorted((a, b) => last(a.url) - last(b.url))) {
      if (route.needs === "open" || /passkey|account\/password/.test(route.url)) continue;
      const before = await digest();
      const path = pathOf(route.url, ours, victim.id);
      // What a receipt was when its page was drawn.
      const page = route.url.endsWith("/decide") ? (await send("GET", path.replace("/decide", ""), operator)).body : "";
      const form = { ...correctionIn(page), ...formOf(route.url, ours) };
      const from = route.url.endsWith("/sign-out") ? await sender([{ role: "operator" }]) : operator;
      const { statusCode, body } = await sendForm(path, from, form);
      const where = `${route.url} ${statusCode} ${body.slice(0, 2_000)}`;
      assert.ok([200, 201, 303].includes(statusCode), where);
      if (!READS.test(route.url)) assert.ok((await digest()) !== before, `${where} changes nothing`);
    }
  });
});

/** Forms that only read, end a session, or set what is set already. */
const READS = /\/people$|\/export$|sign-out$|\/enable$|\/replay$/;

/** The fields of the form of a correction on a page. */
function correctionIn(page: string): Record<string, string> {
  const form = page.slice(page.indexOf('id="correction"')).split("</form>")[0]!;
  const inputs = [...form.matchAll(/<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name!, value!]));
}

function multipart(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--x--\r\n`;
}

/** What each response of the console must have: no other site frames it, reads it, or learns its address. */
function checkHeaders({ headers, statusCode }: LightMyRequestResponse, where: string): void {
  const isAsset = String(headers["cache-control"]).includes("immutable");
  assert.equal(headers["x-content-type-options"], "nosniff", where);
  assert.equal(headers["access-control-allow-origin"], undefined, where);
  if (statusCode === 204) return;
  if (!isAsset) assert.equal(headers["cache-control"], "no-store", where);
  // A path or a method that is no page.
  if (String(headers["content-type"]).startsWith("application/problem+json")) return;
  assert.match(String(headers["referrer-policy"]), /^(?:no-referrer|same-origin)$/, where);
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /default-src 'none'/, where);
  assert.match(policy, /frame-ancestors 'none'/, where);
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline|style-src [^;]*unsafe-inline/, where);
}
