import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { nameKey } from "../src/foods/aliases/alias.ts";
import { nameIdOf } from "../src/unknown-names/sightings.ts";
import { recordUnknownNames } from "../src/unknown-names/store.ts";
import { WITH_CONSOLE, signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { HOSTILE, assertHostileIsText, checkGuard } from "./support/console-guard.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

suite("unmatched names in the console", () => {
  let service: TestService;
  let client: Client;
  let userId: string;
  let reviewer: Person;
  let base: string;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient();
    userId = await client.enrol();
    reviewer = await signIn(service, [{ role: "reviewer", applicationId: client.applicationId }]);
    base = `/console/${client.applicationId}/names`;
  });
  after(() => service.close());

  let submissions = 0;
  /** Notes a name as a submission does. Returns its id. */
  async function sight(name: string, times = 1): Promise<string> {
    const { applicationId } = client;
    for (let count = 0; count < times; count += 1) {
      const submissionId = `019b0000-0000-7000-8000-${String((submissions += 1)).padStart(12, "0")}`;
      const items = [{ name, merchantName: HOSTILE, paid: { currency: "EUR", amountMinor: 250 } }];
      const sighted = { applicationId, userId, submissionId, source: "receipt" as const, items };
      await service.database.tx((tx) => recordUnknownNames(tx, [sighted], new Date()));
    }
    return nameIdOf(applicationId, nameKey(name));
  }
  const aliases = async () =>
    (await client.call("GET", "/catalogue/aliases")).json<{ aliases: { name: string; foodId: string }[] }>().aliases;

  test("names are listed by frequency with their suggestions, and what strangers typed is text", async () => {
    await sight("Xqzvw Deluxe", 3);
    await sight("Appel tart thing", 2);
    await sight(`Zzyx ${HOSTILE}`);
    const page = await reviewer.get(base);
    assert.equal(page.statusCode, 200, page.body.slice(0, 500));
    const at = ["Xqzvw Deluxe", "Appel tart thing", "Zzyx"].map((name) => page.body.indexOf(name));
    assert.deepEqual(
      at,
      at.toSorted((a, b) => a - b),
    );
    assert.ok(at.every((index) => index > 0));
    assertHostileIsText(page.body);
    for (const query of ["?timeframe=7d", "?spendIn=eur", "?page=2", "?page=x&timeframe=%00&spendIn=%3Cb%3E"]) {
      assert.equal((await reviewer.get(base + query)).statusCode, 200, query);
    }
  });

  test("a food is searched as one types, as JSON of this session's application", async () => {
    const response = await reviewer.get(`${base}/foods?q=banana`);
    const { foods } = response.json<{ foods: { foodId: string; name: string }[] }>();
    assert.equal(foods[0]!.foodId, "banana");
    assert.deepEqual((await reviewer.get(`${base}/foods?q=%20`)).json(), { foods: [] });
    assert.equal((await reviewer.get(`${base}/foods?q=${"x".repeat(5_000)}`)).statusCode, 200);
  });

  test("a meaning shows what it would change, nothing is saved before it is applied, and then it is listed no more", async () => {
    const id = await sight("Blorbo Bananas", 4);
    const one = await reviewer.get(`${base}/${id}?q=banana`);
    assert.equal(one.statusCode, 200, one.body.slice(0, 500));
    assert.match(one.body, /value="food:banana"/);
    assertHostileIsText(one.body);
    const preview = await reviewer.get(`${base}/${id}/preview?means=food%3Abanana`);
    assert.equal(preview.statusCode, 200, preview.body.slice(0, 500));
    assert.match(preview.body, /Submissions looked at<\/dt>\s*<dd>4</);
    assert.deepEqual(await aliases(), []);
    const applied = await reviewer.post(`${base}/${id}/apply`, { means: "food:banana" });
    assert.equal(applied.headers.location, `${base}?done=applied`);
    assert.deepEqual(
      (await aliases()).map(({ name, foodId }) => [name, foodId]),
      [["Blorbo Bananas", "banana"]],
    );
    assert.equal((await reviewer.get(`${base}/${id}`)).statusCode, 404);
    const again = await reviewer.post(`${base}/${id}/apply`, { means: "not-food" });
    assert.equal(again.headers.location, base, "somebody else was first");
    const audit = "SELECT action, subject FROM audit_entries WHERE action = 'name.decide' ORDER BY at LIMIT 1";
    assert.deepEqual(await service.database.query({ name: "t.audit", text: audit }), [
      { action: "name.decide", subject: id },
    ]);
  });

  test("not a food, at one merchant only, is applied as it is", async () => {
    const id = await sight("Plonk bag", 2);
    const query = new URLSearchParams({ means: "not-food", merchantName: HOSTILE });
    const preview = await reviewer.get(`${base}/${id}/preview?${query}`);
    assert.match(preview.body, /Not a food/);
    assertHostileIsText(preview.body);
    const applied = await reviewer.post(`${base}/${id}/apply`, Object.fromEntries(query));
    assert.equal(applied.statusCode, 303, applied.body.slice(0, 500));
    assert.equal((await aliases()).find(({ name }) => name === "Plonk bag")?.foodId, "not-food");
  });

  test("a meaning that is none, or that the API refuses, is shown at the form", async () => {
    const id = await sight("Frobnitz");
    for (const means of ["", "food:", "whatever"]) {
      assert.equal((await reviewer.get(`${base}/${id}/preview?means=${means}`)).statusCode, 400, means);
      assert.equal((await reviewer.post(`${base}/${id}/apply`, { means })).statusCode, 400, means);
    }
    const unknown = await reviewer.post(`${base}/${id}/apply`, { means: `food:${HOSTILE}` });
    assert.equal(unknown.statusCode, 400);
    assert.match(unknown.body, /role="alert"/);
    assert.doesNotMatch(unknown.body, /<img/);
    for (const strange of ["x", "..%2f..%2fusers", "019b0000-0000-8000-8000-000000000000"]) {
      assert.equal((await reviewer.get(`${base}/${strange}`)).statusCode, 404, strange);
    }
  });

  test("names: each page and change is refused with another application's role, a smaller one, none, and cross-site", async () => {
    const id = await sight("Guarded name");
    await checkGuard(service, client, [
      { method: "GET", path: "/names", right: "see" },
      { method: "GET", path: "/names/foods?q=x", right: "see" },
      { method: "GET", path: `/names/${id}`, right: "see" },
      { method: "GET", path: `/names/${id}/preview?means=not-food`, right: "see" },
      { method: "POST", path: `/names/${id}/apply`, right: "review" },
    ]);
    const viewer = await signIn(service, [{ role: "viewer" }]);
    assert.doesNotMatch((await viewer.get(`${base}/${id}/preview?means=not-food`)).body, /\/apply/);
  });
});
