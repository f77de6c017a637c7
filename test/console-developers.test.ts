import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { parseCsv } from "../src/csv/csv.ts";
import { WITH_CONSOLE, sendForm, signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'`;

suite("the console's section for developers", () => {
  let service: TestService;
  let client: Client;
  let developer: Person;
  let base: string;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE });
    client = await service.newClient({ isSandbox: true });
    base = `/console/${client.applicationId}/developers`;
    developer = await signIn(service, [{ role: "developer", applicationId: client.applicationId }]);
  });
  after(() => service.close());

  const endpointId = async () => {
    const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
    return endpoints[0]!.id;
  };

  test("a new secret works at once, the old one for as long as it was chosen; it is shown once", async () => {
    const made = await developer.post(`${base}/secret`, { hours: "1" });
    assert.equal(made.statusCode, 200);
    const [, secret = ""] = /<pre><code>([^<]+)<\/code>/.exec(made.body) ?? [];
    const calling = (clientSecret: string) =>
      service.app.server.inject({
        url: "/webhooks/endpoints?api-version=1.0",
        headers: { "x-client-id": client.clientId, "x-client-secret": clientSecret },
      });
    assert.equal((await calling(secret)).statusCode, 200);
    assert.equal((await calling(client.clientSecret)).statusCode, 200);
    const page = await developer.get(base);
    assert.match(page.body, /previous secret is valid too until/);
    assert.ok(!page.body.includes(secret));
    assert.equal((await developer.post(`${base}/secret`, { hours: "9999" })).statusCode, 400);
  });

  test("a closed application keeps its secrets, and is shown as closed; one that has moved names its address", async () => {
    const its = await service.newClient({ isSandbox: true });
    const section = `/console/${its.applicationId}/developers`;
    const person = await signIn(service, [{ role: "developer", applicationId: its.applicationId }]);
    const stored = async () =>
      (
        await service.database.pool.query(
          `SELECT secret_hash, previous_secret_until, (SELECT count(*)::int FROM credentials WHERE application_id = $1)
           FROM applications WHERE id = $1`,
          [its.applicationId],
        )
      ).rows;
    const before = await stored();
    const close = "UPDATE applications SET closed_at = now(), suspended_at = now(), moved_to = $2 WHERE id = $1";
    for (const [movedTo, status, words] of [
      [null, 503, /The application is closed.*being removed/s],
      ["https://south.example", 410, /The application has moved.*https:\/\/south\.example/s],
    ] as const) {
      await service.database.pool.query(close, [its.applicationId, movedTo]);
      const forms = { secret: { hours: "1" }, credentials: { name: "till", scopes: "users.read", days: "0" } };
      for (const [path, fields] of Object.entries(forms)) {
        const refused = await person.post(`${section}/${path}`, fields);
        assert.equal(refused.statusCode, status);
        assert.match(refused.body, words);
        assert.match(refused.body, />Closed</);
        assert.doesNotMatch(refused.body, />Suspended</);
      }
      const page = await person.get(section);
      assert.equal(page.statusCode, status);
      assert.match(page.body, words);
    }
    assert.deepEqual(await stored(), before);
    assert.match((await person.get("/console")).body, />Closed</);
  });

  test("an endpoint is added, changed, disabled and removed, and its errors are shown", async () => {
    const refused = await developer.post(`${base}/endpoints`, { url: "http://192.168.1.1/x", description: "typed" });
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, /role="alert"/);
    assert.ok(refused.body.includes('value="typed"'));
    const url = `${client.receiver.url}/second`;
    const added = await developer.post(`${base}/endpoints`, { url, description: HOSTILE });
    assert.match(added.body, /whsec_/);
    const page = await developer.get(base);
    assert.ok(!page.body.includes("<img"));
    const list = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string; url: string }[] }>();
    const { id } = list.endpoints.find((endpoint) => endpoint.url === url)!;
    const path = `${base}/endpoints/${id}`;
    assert.equal((await developer.post(`${path}/disable`)).headers.location, `${path}?done=changed`);
    assert.match((await developer.get(`${path}?done=changed`)).body, /The endpoint is changed/);
    const change = { url, description: "second", events: "intake.completed" };
    assert.equal((await developer.post(`${path}/change`, change)).statusCode, 303);
    const read = (await client.call("GET", `/webhooks/endpoints/${id}`)).json<Record<string, unknown>>();
    assert.deepEqual(
      [read["description"], read["events"], read["disabled"], read["disabledReason"]],
      ["second", ["intake.completed"], true, "requested"],
    );
    assert.match((await developer.post(`${path}/secret`)).body, /whsec_/);
    assert.equal((await developer.post(`${path}/remove`)).headers.location, `${base}?done=removed`);
    assert.equal((await developer.get(path)).statusCode, 404);
  });

  test("an endpoint's page says how it is, what waits and what to do, with its last 30 days and their CSV", async () => {
    const status = { now: 200 };
    const receiver = await startWebhookReceiver((_, response) => response.writeHead(status.now).end());
    try {
      const { id } = (await client.call("POST", "/webhooks/endpoints", { url: `${receiver.url}/x` })).json<{
        id: string;
      }>();
      const path = `${base}/endpoints/${id}`;
      const userId = await client.enrol();
      const gift = () =>
        client.post(`/users/${userId}/adjustments`, { points: 5, reason: "Gift", reference: randomUUID() });
      const pageWith = async (wanted: RegExp): Promise<string> => {
        for (const deadline = Date.now() + 20_000; ; await new Promise((done) => setTimeout(done, 20))) {
          const { body } = await developer.get(path);
          if (wanted.test(body)) return body;
          assert.ok(Date.now() < deadline, `${String(wanted)} is not in ${body}`);
        }
      };
      assert.match(await pageWith(/It works\./), /No delivery ended in this timeframe/);
      await gift();
      const page = await pageWith(/1 deliveries ended/);
      assert.match(page, /It works\.[^]*At the first attempt: 100%\. Failed for good: 0%\./);
      assert.match(page, /role="img"[^]*<caption>/);
      const csv = await developer.get(`${path}/csv`);
      assert.match(String(csv.headers["content-disposition"]), /^attachment; filename="deliveries-[\d-]{21}\.csv"$/);
      const rows = parseCsv(csv.body);
      assert.deepEqual([rows.length, rows.at(-1)!["firstAttempt"], rows.at(-1)!["failed"]], [30, "1", "0"]);

      status.now = 500;
      await gift();
      await pageWith(/It has failed since .+ correct your server\. Waiting: 1\. The next attempt is due/);
      await developer.post(`${path}/disable`);
      const off = await pageWith(/It is switched off\./);
      assert.match(off, /Waiting: 1\./);
      assert.doesNotMatch(off, /The next attempt is due/, "nothing is sent until it is enabled");
      status.now = 410;
      await developer.post(`${path}/enable`);
      await gift();
      await pageWith(/It responded with 410, so nothing is sent/);
      await client.call("DELETE", `/webhooks/endpoints/${id}`);
      assert.equal((await developer.get(`${path}/csv`)).statusCode, 404);
    } finally {
      await receiver.close();
    }
  });

  test("a test event arrives; its delivery shows payload and attempts, and is sent again", async () => {
    const id = await endpointId();
    await developer.post(`${base}/endpoints/${id}/test`);
    await client.until((events) => events.some(({ event }) => event === "webhook.test"));
    const shown = async () => (await developer.get(`${base}/deliveries?event=webhook.test`)).body;
    while (!(await shown()).includes("delivered</span>")) await new Promise((done) => setTimeout(done, 50));
    const [, delivery = ""] = /developers\/deliveries\/([0-9a-f.-]{73})/.exec(await shown()) ?? [];
    const page = await developer.get(`${base}/deliveries/${delivery}`);
    assert.ok(page.body.includes("webhook.test") && page.body.includes("Attempts"));
    const retried = await developer.post(`${base}/deliveries/${delivery}/retry`);
    assert.equal(retried.headers.location, `${base}/deliveries/${delivery}?done=retried`);
    await client.until((events) => events.filter(({ event }) => event === "webhook.test").length === 2);
    const replay = await developer.post(`${base}/endpoints/${id}/replay`, {
      since: "2026-01-01T00:00",
      only: "failed",
    });
    assert.equal(replay.headers.location, `${base}/endpoints/${id}?done=replayed`);
  });

  test("events of the last hour are listed, with what strangers typed as text", async () => {
    const userId = await client.enrol();
    const accepted = await client.call("POST", "/track/food", {
      userId,
      foodId: "1",
      transactionId: "food 1",
      name: HOSTILE,
      imageUrl: "https://example.org/food.jpg",
      merchant: { name: HOSTILE },
      weight: 100,
      unit: "g",
      nutrition: {},
    });
    assert.equal(accepted.statusCode, 202, accepted.body);
    await client.until((events) => events.some(({ event }) => String(event).startsWith("intake.")));
    const page = await developer.get(`${base}/events`);
    assert.equal(page.statusCode, 200);
    assert.ok(!page.body.includes("<img"));
  });

  test("a sandbox's developer calls the API and sees the response; what is no operation cannot be called", async () => {
    const call = (method: string, path: string, body = "") => developer.post(`${base}/call`, { method, path, body });
    assert.match((await call("GET", "/webhooks/endpoints")).body, /&quot;endpoints&quot;/);
    const person = { email: "new@example.org", firstName: "New", lastName: "Person" };
    assert.match((await call("POST", "/users/enroll", JSON.stringify(person))).body, /badge good">200</);
    assert.match((await call("POST", "/users/enroll", "{")).body, /The body is not JSON/);
    for (const path of ["/console/team", "/metrics", "//x.example/users"]) {
      const response = await call("GET", path);
      assert.equal(response.statusCode, 400);
      assert.match(response.body, /no such operation/);
    }
    const live = await service.newClient();
    const other = await signIn(service, [{ role: "developer", applicationId: live.applicationId }]);
    const response = await other.post(`/console/${live.applicationId}/developers/call`, { method: "GET", path: "/x" });
    assert.equal(response.statusCode, 404);
  });

  test("the stream of events ends when the person signs out", async () => {
    const person = await signIn(service, [{ role: "developer", applicationId: client.applicationId }]);
    const response = await service.app.server.inject({
      url: `${base}/events/stream`,
      headers: { cookie: person.cookie },
      payloadAsStream: true,
    });
    const sent = response.stream()[Symbol.asyncIterator]();
    assert.match(String((await sent.next()).value), /^data: \{"events":\[\]\}/);
    await person.post("/console/sign-out");
    for (let { done } = await sent.next(); !done;) ({ done } = await sent.next());
  });

  test("no page and no action without the role: 404 for another application, 403 for a smaller role", async () => {
    const other = await service.newClient();
    const stranger = await signIn(service, [{ role: "operator", applicationId: other.applicationId }]);
    const viewer = await signIn(service, [{ role: "viewer", applicationId: client.applicationId }]);
    const id = await endpointId();
    const pages = ["", `/endpoints/${id}`, `/endpoints/${id}/csv`, "/deliveries", "/events", "/call"];
    for (const path of pages) assert.equal((await stranger.get(base + path)).statusCode, 404, path);
    for (const path of pages.slice(0, -1)) assert.equal((await viewer.get(base + path)).statusCode, 200, path);
    assert.ok(!(await viewer.get(base)).body.includes(`${base}/secret`));
    const names = ["change", "enable", "disable", "remove", "test", "secret", "replay"];
    const actions = ["/secret", "/endpoints", "/call", ...names.map((name) => `/endpoints/${id}/${name}`)];
    for (const path of [...actions, "/deliveries/x/retry"]) {
      assert.equal((await stranger.post(base + path)).statusCode, 404, path);
      assert.equal((await viewer.post(base + path)).statusCode, 403, path);
      assert.equal((await sendForm(service.app, base + path, {})).statusCode, 403, `${path} without a session`);
      const foreign = await developer.post(base + path, {}, { "sec-fetch-site": "cross-site" });
      assert.equal(foreign.statusCode, 403, `${path} from another site`);
    }
    assert.equal((await client.call("GET", `/webhooks/endpoints/${id}`)).statusCode, 200);
  });
});
