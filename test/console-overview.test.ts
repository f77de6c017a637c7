import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { DAY_MS } from "../src/time.ts";
import { WITH_CONSOLE, signIn } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'`;
const ESCAPED = "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;";

/** Points for a user, as the API gives them. */
async function give(client: Client, userId: string, points: number): Promise<void> {
  const body = { points, reason: "Gift", reference: randomUUID(), countsAsEarned: true };
  assert.equal((await client.call("POST", `/users/${userId}/adjustments`, body)).statusCode, 200);
}

async function spend(client: Client, userId: string, points: number): Promise<void> {
  const body = { points, reward: { name: "Tea" }, reference: randomUUID() };
  assert.equal((await client.call("POST", `/users/${userId}/redemptions`, body)).statusCode, 200);
}

suite("the overview of the console", () => {
  let service: TestService;
  let client: Client;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient();
    const today = service.clock.ms;
    const userId = await client.enrol();
    service.clock.ms = today - 40 * DAY_MS;
    await give(client, userId, 200);
    service.clock.ms = today;
    await give(client, userId, 150);
    await spend(client, userId, 70);
  });
  after(() => service.close());

  const overviewOf = ({ applicationId }: Client, query = "") => `/console/${applicationId}/overview${query}`;

  test("it shows the API's figures in large, as charts and as tables, with the change from before", async () => {
    const person = await signIn(service, [{ role: "viewer", applicationId: client.applicationId }]);
    const { statusCode, body } = await person.get(overviewOf(client));
    assert.equal(statusCode, 200);
    assert.match(
      body,
      /<dt>Issued<\/dt>\s*<dd class="large">150<\/dd>\s*<dd class="change">25% less than before \(200\)/,
    );
    assert.match(body, /<dt>Outstanding<\/dt>\s*<dd class="large">280<\/dd>\s*<dd class="change">40% more/);
    assert.match(body, /<dt>Match rate<\/dt>\s*<dd class="large">–<\/dd>\s*<dd class="change">not known yet/);
    assert.match(body, /150 points issued, 25% less than before \(200\)\./);
    assert.equal(
      body.match(/role="img"/g)?.length,
      6,
      "points, outstanding and webhooks, for a phone and a wide screen",
    );
    assert.match(body, /<desc id="points-wide-about">Before: lowest 0 .* Issued: lowest 0 .* highest 150/);
    assert.match(body, /No receipt ended in this timeframe/, "what has no figures says what to do");
    assert.doesNotMatch(body, /NaN|undefined|Infinity|<style/);
  });

  test("deliveries of webhooks are a chart by how they ended, with the change from before and since when all are counted", async () => {
    const app = await service.newClient();
    const { endpoints } = await app.get<{ endpoints: { id: string }[] }>("/webhooks/endpoints");
    const daysAgo = (days: number) => new Date(service.clock.ms - days * DAY_MS).toISOString().slice(0, 10);
    const add = (day: string, ends: Record<string, number>) => {
      const named = Object.entries(ends).map(([end, count]) => [`webhook.${endpoints[0]!.id}.${end}`, count]);
      const figures = JSON.stringify(Object.fromEntries(named));
      return service.database.pool.query("INSERT INTO report_deltas VALUES ($1, $2, $3)", [
        app.applicationId,
        day,
        figures,
      ]);
    };
    await add(daysAgo(40), { "first.200": 50, "later.10000": 50 });
    await add(daysAgo(2), { "first.200": 900, "first.1000": 60, "later.10000": 20, failed: 20, replayed: 7 });
    const person = await signIn(service, [{ role: "viewer", applicationId: app.applicationId }]);
    const { body } = await person.get(overviewOf(app));
    assert.match(body, /1,000 deliveries ended, 900% more than before \(100\)\./);
    assert.match(body, /At the first attempt: 96%\. Failed for good: 2%\./);
    assert.match(
      body,
      /<dt>Webhooks at first attempt<\/dt>\s*<dd class="large">96%<\/dd>\s*<dd class="change">92% more than before \(50%\)/,
    );
    assert.match(body, /<desc id="deliveries-wide-about">[^<]*Retried: lowest 0 [^<]*highest 20[^<]*Failed: lowest 0/);
    const table = /<section[^>]*aria-labelledby="deliveries"[^]*?<\/section>/.exec(body)![0];
    const cells = (row: string) => [...row.matchAll(/<td class="num">([^<]*)<\/td>/g)].map(([, text]) => text);
    const rows = [...table.matchAll(/<tr>[^]*?<\/tr>/g)]
      .map(([row]) => cells(row))
      .filter(([first]) => first === "960");
    assert.deepEqual(
      rows[0]!.filter((_, i) => i % 2 === 0),
      ["960", "20", "20", "7", "0.20", "1"],
    );
    assert.doesNotMatch(body, /All are counted since/);
    const gap = [app.applicationId, new Date(service.clock.ms - 9 * DAY_MS)];
    await service.database.pool.query("INSERT INTO delivery_figure_gaps VALUES ($1, $2)", gap);
    const later = await person.get(overviewOf(app));
    assert.match(later.body, /All are counted since/);
    assert.doesNotMatch(later.body, /are not counted yet/, "the other charts are complete");
  });

  test("each preset, and own days by day, week and month, show a page", async () => {
    const person = await signIn(service, [{ role: "operator" }]);
    for (const query of [
      "last=7d",
      "last=90d",
      "last=12m",
      "from=2026-01-01&by=day",
      "from=2024-01-01&by=month",
      "by=x",
    ]) {
      assert.equal((await person.get(overviewOf(client, `?${query}`))).statusCode, 200, query);
    }
    const wrong = await person.get(overviewOf(client, `?from=${encodeURIComponent(HOSTILE)}`));
    assert.equal(wrong.statusCode, 200);
    assert.match(wrong.body, /role="alert" id="frame-problem"/);
    assert.ok(wrong.body.includes(ESCAPED) && !wrong.body.includes("<img"));
  });

  test("the CSV behind a chart is that of the API, under a name that nobody can choose", async () => {
    const person = await signIn(service, [{ role: "viewer", applicationId: client.applicationId }]);
    const page = await person.get(overviewOf(client));
    const links = [...page.body.matchAll(/href="([^"]+)" download/g)].map(([, link]) => link!.replaceAll("&amp;", "&"));
    assert.equal(links.length, 3);
    const csv = await person.get(links[0]!);
    assert.match(String(csv.headers["content-type"]), /^text\/csv/);
    assert.match(
      String(csv.headers["content-disposition"]),
      /^attachment; filename="points-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
    );
    assert.equal(csv.headers["x-content-type-options"], "nosniff");
    const { from, till } = Object.fromEntries(new URLSearchParams(links[0]!.split("?")[1]));
    const own = await client.call("GET", `/reports/points?timeframe=${from}/${till}&by=day&format=csv`);
    assert.equal(csv.body, own.body);
    for (const report of ["items", "shops", "..%2Fusers", "constructor", "%22x"]) {
      assert.equal((await person.get(overviewOf(client, `/csv/${report}`))).statusCode, 404, report);
    }
    assert.equal((await person.get(overviewOf(client, "/csv/points?from=a%0d%0ab&till=x"))).statusCode, 404);
  });

  test("another application's figures and CSV are not found, nothing is shown without a session", async () => {
    const other = await service.newClient();
    const stranger = await signIn(service, [{ role: "operator", applicationId: other.applicationId }]);
    for (const path of ["", "?last=7d", "/csv/points"]) {
      assert.equal((await stranger.get(overviewOf(client, path))).statusCode, 404);
      const { statusCode, headers } = await service.app.server.inject(overviewOf(client, path));
      assert.equal(statusCode, 303);
      assert.match(String(headers.location), /^\/console\/sign-in\?next=/);
    }
    const empty = await stranger.get(overviewOf(other));
    assert.match(empty.body, /Nothing has happened yet/);
    assert.doesNotMatch(empty.body, /role="img"|NaN/);
    const nobody = await signIn(service, []);
    assert.notEqual((await nobody.get(overviewOf(client))).statusCode, 200);
  });

  test("a page is small, and one report is read at a time", async () => {
    const person = await signIn(service, [{ role: "operator" }]);
    const pages = await Promise.all(Array.from({ length: 6 }, () => person.get(overviewOf(client))));
    assert.deepEqual(new Set(pages.map(({ statusCode }) => statusCode)), new Set([200]));
    assert.ok(pages[0]!.body.length < 400_000, `${pages[0]!.body.length} bytes`);
  });
});

suite("the first page of the console", () => {
  let service: TestService;
  let client: Client;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient({ isSandbox: true });
  });
  after(() => service.close());

  test("it says what the service is, in what state it is, and what waits in each application", async () => {
    const { body } = await (await signIn(service, [{ role: "operator" }])).get("/console");
    assert.match(body, /Welcome, Ada/);
    assert.match(body, /<dt>Database and work<\/dt>\s*<dd><span class="badge good">ready/);
    assert.match(body, /<dt>Receipts waiting<\/dt>\s*<dd>0<\/dd>/);
    assert.match(body, /<dt>Ledger<\/dt>\s*<dd>not verified yet/);
    assert.match(body, /<dt>Held for review<\/dt>\s*<dd>0<\/dd>/);
    assert.match(body, new RegExp(`href="/console/${client.applicationId}/overview"`));
  });

  test("who has a role in one application sees neither the state of all together nor the figures of others", async () => {
    const other = await service.newClient();
    const person = await signIn(service, [{ role: "operator", applicationId: other.applicationId }]);
    const { body } = await person.get("/console");
    assert.ok(body.includes(other.applicationId) && !body.includes(client.applicationId));
    assert.match(body, /Database and work/);
    assert.doesNotMatch(body, /Receipts waiting|Ledger/);
  });

  test("names of applications are text on every page, and figures are read for the first eight alone", async () => {
    const named = await service.newClient();
    const rename = { name: "t-rename", text: "UPDATE applications SET name = $1 WHERE id = $2" };
    await service.database.query(rename, [HOSTILE, named.applicationId]);
    for (let i = 0; i < 8; i += 1) await service.newClient();
    const person = await signIn(service, [{ role: "viewer" }]);
    for (const path of ["/console", `/console/${named.applicationId}/overview`]) {
      const { body } = await person.get(path);
      assert.ok(body.includes(ESCAPED) && !body.includes("<img"), path);
    }
    const { body } = await person.get("/console");
    assert.equal(body.match(/<dt>Held for review/g)?.length, 8);
    assert.match(body, /the first applications alone/);
  });
});
