import assert from "node:assert/strict";
import { after, before, mock, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { findApplication } from "../src/applications/store.ts";
import { streamAs } from "../src/http/call-as.ts";
import type { Statement } from "../src/postgres/statement.ts";
import { signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { HOSTILE, assertHostileIsText, checkGuard } from "./support/console-guard.ts";
import { startSection } from "./support/console-section.ts";
import type { Client, TestService } from "./support/service.ts";

interface Balance {
  readonly availablePoints: number;
  readonly lifetimePoints: number;
}

suite("people in the console", () => {
  let service: TestService;
  let client: Client;
  let manager: Person;
  let base: string;
  before(async () => {
    ({ service, client, person: manager, base } = await startSection("people", "manager"));
  });
  after(() => service.close());

  let references = 0;
  const give = async (userId: string, points: number, reason = "Gift") => {
    const body = { points, reason, reference: `gift-${references++}` };
    const response = await client.call("POST", `/users/${userId}/adjustments`, body);
    return response.json<{ transaction: { id: string } }>().transaction.id;
  };
  const balance = async (userId: string) =>
    (await client.call("GET", `/users/${userId}/summary`)).json<{ user: Balance }>().user;
  const isBusy = async (userId: string) => (await client.call("GET", `/users/${userId}/export`)).statusCode === 503;
  /** The hidden fields of the form that books. */
  const fieldsOf = (body: string) =>
    Object.fromEntries(
      [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
        .map((match) => [match[1]!, match[2]!])
        .filter(([name]) => name !== "formToken"),
    ) as Record<string, string>;
  const audit = (action: string) =>
    service.database.query<{ subject: string; entry: string }>(
      {
        name: `t.audit-${action}`,
        text: "SELECT subject, to_json(audit_entries)::text AS entry FROM audit_entries WHERE action = $1",
      },
      [action],
    );

  test("a person is found by the whole address or the id, and nobody of another application", async () => {
    const userId = await client.enrol("ida.find@example.org");
    for (const who of ["ida.find@example.org", " IDA.find@Example.org", userId, userId.toUpperCase()]) {
      const response = await manager.post(base, { who });
      assert.equal(response.headers.location, `${base}/${userId}`, who);
    }
    const other = await service.newClient();
    const theirs = await other.enrol("theirs@example.org");
    for (const who of ["theirs@example.org", theirs, "ida.fin@example.org", "ida", HOSTILE, "../users"]) {
      assert.equal((await manager.post(base, { who })).statusCode, 404, who);
    }
    assertHostileIsText((await manager.post(base, { who: HOSTILE })).body);
    assert.equal((await manager.get(`${base}/${theirs}`)).statusCode, 404);
  });

  test("the page of a person has the balance, the months and the history; changes only for who may make them", async () => {
    const userId = await client.enrol("ida.page@example.org");
    for (let count = 0; count < 21; count += 1) await give(userId, 10, HOSTILE);
    const page = await manager.get(`${base}/${userId}`);
    assert.equal(page.statusCode, 200, page.body.slice(0, 500));
    assert.match(page.body, /To spend<\/dt>\s*<dd>210</);
    assert.match(page.body, /rel="next" href="[^"]+\?page=2"/);
    assertHostileIsText(page.body);
    const second = await manager.get(`${base}/${userId}?page=2`);
    assert.equal(second.body.split("/records/").length - 1, 1);
    const viewer = await signIn(service, [{ role: "viewer" }]);
    const seen = await viewer.get(`${base}/${userId}`);
    assert.doesNotMatch(seen.body, /\/adjust|\/erase|\/export/);
    assert.ok(page.body.includes("/adjust"));
    assert.ok(page.rawPayload.length < 100_000);
  });

  test("the page of a person does not wait for sums of many records, and has the months once they are made", async () => {
    const userId = await client.enrol();
    await give(userId, 10);
    // As if the request had added up records for as long as it may.
    const query = service.database.query.bind(service.database);
    const spied = mock.method(service.database, "query", async (statement: Statement<never>, values?: unknown[]) => {
      if (statement.name === "statistics.unkept") return [{ records: 1_000_000 }];
      return statement.name === "record-sums.keep-next" ? [{ blocks: 0 }] : query(statement, values);
    });
    const meanwhile = await manager.get(`${base}/${userId}`);
    const { statusCode, headers } = await client.call("GET", `/users/${userId}/statistics`);
    spied.mock.restore();
    assert.deepEqual([statusCode, headers["retry-after"]], [503, "1"]);
    assert.equal(meanwhile.statusCode, 200);
    assert.match(meanwhile.body, /To spend<\/dt>\s*<dd>10</);
    assert.match(meanwhile.body, /sums of many records are still being made/);
    const page = await manager.get(`${base}/${userId}`);
    assert.match(page.body, /Change of balance/);
    assert.doesNotMatch(page.body, /still being made/);
  });

  test("an adjustment shows the balance after it first, and pressing twice or at once books once", async () => {
    const userId = await client.enrol();
    await give(userId, 100);
    const typed = { points: "-30", reason: HOSTILE, countsAsEarned: "no" };
    const confirm = await manager.post(`${base}/${userId}/adjust`, typed);
    assert.equal(confirm.statusCode, 200);
    assert.match(confirm.body, /Balance after it<\/dt>\s*<dd>70</);
    assertHostileIsText(confirm.body);
    assert.equal((await balance(userId)).availablePoints, 100, "nothing is booked yet");
    const fields: Record<string, string> = { ...fieldsOf(confirm.body), reason: "Late delivery" };
    assert.match(fields["key"] ?? "", /^[0-9a-f-]{36}$/);
    const presses = await Promise.all(
      Array.from({ length: 5 }, () => manager.post(`${base}/${userId}/adjust`, fields)),
    );
    for (const press of [...presses, await manager.post(`${base}/${userId}/adjust`, fields)]) {
      assert.equal(press.headers.location, `${base}/${userId}?done=adjusted`, press.body.slice(0, 300));
    }
    assert.equal((await balance(userId)).availablePoints, 70);
    const done = await manager.get(`${base}/${userId}?done=adjusted`);
    assert.match(done.body, /role="status">The points are booked/);
    assert.doesNotMatch((await manager.get(`${base}/${userId}?done=constructor`)).body, /role="status"/);
  });

  test("an adjustment that the API refuses is shown at its form, with what was typed", async () => {
    const userId = await client.enrol();
    const short = await manager.post(`${base}/${userId}/adjust`, { points: "-5", reason: "Too much" });
    assert.match(short.body, /The balance becomes negative/);
    const refused = await manager.post(`${base}/${userId}/adjust`, fieldsOf(short.body));
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /role="alert"/);
    assert.match(refused.body, /value="-5"/);
    for (const typed of [
      { points: "ten", reason: "x" },
      { points: "0", reason: "x" },
      { points: "1", reason: " " },
    ]) {
      const response = await manager.post(`${base}/${userId}/adjust`, typed);
      assert.equal(response.statusCode, 400);
      assert.match(response.body, /aria-invalid="true" aria-describedby="problem"/);
    }
    assert.equal((await balance(userId)).availablePoints, 0);
  });

  test("a reversal shows exactly what it will book, and books it once", async () => {
    const userId = await client.enrol();
    const record = await give(userId, 80, HOSTILE);
    await give(userId, -30);
    const path = `${base}/${userId}/records/${record}`;
    const page = await manager.get(path);
    assert.equal(page.statusCode, 200, page.body.slice(0, 300));
    assertHostileIsText(page.body);
    const confirm = await manager.post(`${path}/reverse`, { reason: "Given twice" });
    assert.match(confirm.body, /Balance after it<\/dt>\s*<dd>-30</);
    assert.equal((await balance(userId)).availablePoints, 50, "the dry run has booked nothing");
    const fields = fieldsOf(confirm.body);
    const presses = await Promise.all(Array.from({ length: 4 }, () => manager.post(`${path}/reverse`, fields)));
    for (const press of presses) assert.equal(press.headers.location, `${base}/${userId}?done=reversed`);
    assert.equal((await balance(userId)).availablePoints, -30);
    const again = await manager.post(`${path}/reverse`, { reason: "Given twice" });
    assert.equal(again.statusCode, 409);
    assert.match(again.body, /role="alert"/);
    assert.doesNotMatch((await manager.get(path)).body, /\/reverse"/, "it is offered no more");
    assert.equal((await audit("points.reverse"))[0]!.subject, record);
  });

  test("a redemption shows its voucher, and its refund gives the points back once", async () => {
    const userId = await client.enrol();
    await give(userId, 40);
    const reward = { name: HOSTILE, codes: "made" };
    const redeemed = await client.call("POST", `/users/${userId}/redemptions`, {
      points: 40,
      reward,
      reference: "r-1",
    });
    const { id } = redeemed.json<{ transaction: { id: string } }>().transaction;
    const path = `${base}/${userId}/records/${id}`;
    const page = await manager.get(path);
    assert.match(page.body, /Not used yet/);
    assertHostileIsText(page.body);
    assertHostileIsText((await manager.get(`${base}/${userId}`)).body);
    const confirm = await manager.post(`${path}/refund`, { reason: "Sold out at the shop" });
    assert.match(confirm.body, /Balance after it<\/dt>\s*<dd>40</);
    await manager.post(`${path}/refund`, fieldsOf(confirm.body));
    await manager.post(`${path}/refund`, fieldsOf(confirm.body));
    assert.equal((await balance(userId)).availablePoints, 40);
  });

  test("the data is downloaded as one JSON document, and the audit log has the id alone", async () => {
    const userId = await client.enrol("ida.export@example.org");
    await give(userId, 7);
    const response = await manager.post(`${base}/${userId}/export`);
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers["content-disposition"]), /^attachment; filename="user-[0-9a-f-]{36}\.json"$/);
    const { profile, transactions } = response.json<{ profile: { email: string }[]; transactions: unknown[] }>();
    assert.deepEqual([profile[0]!.email, transactions.length], ["ida.export@example.org", 1]);
    const entries = await audit("user.export");
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      [userId],
    );
    assert.doesNotMatch(JSON.stringify(entries), /example\.org/);
  });

  test("a download that is broken off holds nothing: the next one is served", async () => {
    const userId = await client.enrol();
    for (let count = 0; count < 150; count += 1) await give(userId, 1, "A reason that makes the record long".repeat(6));
    const application = await findApplication(service.database, client.applicationId);
    const call = { method: "GET", path: `/users/${userId}/export` } as const;
    for (let count = 0; count < 5; count += 1) {
      const { status, stream } = await streamAs(service.app.server, application!, call, `broken-${count}`);
      assert.equal(status, 200, `download ${count}`);
      stream.destroy();
      for (let waits = 0; waits < 500 && (await isBusy(userId)); waits += 1) await sleep(10);
    }
    assert.equal((await manager.post(`${base}/${userId}/export`)).statusCode, 200);
  });

  test("an erasure needs the typed address, and the person is gone afterwards", async () => {
    const userId = await client.enrol("ida.erase@example.org");
    await give(userId, 7);
    const path = `${base}/${userId}/erase`;
    assert.match((await manager.get(path)).body, /ida\.erase@example\.org/);
    for (const typed of ["", "ida", HOSTILE]) {
      const wrong = await manager.post(path, { typed });
      assert.equal(wrong.statusCode, 422);
      assert.doesNotMatch(wrong.body, /<img/);
    }
    assert.equal((await balance(userId)).availablePoints, 7);
    const erased = await manager.post(path, { typed: "Ida.Erase@example.org " });
    assert.equal(erased.headers.location, `${base}?done=erased`);
    assert.equal((await manager.get(`${base}/${userId}`)).statusCode, 404);
    assert.equal((await manager.post(path, { typed: "ida.erase@example.org" })).statusCode, 404);
    assert.equal((await manager.post(`${base}/${userId}/export`)).statusCode, 404);
    assert.doesNotMatch(JSON.stringify(await audit("user.erase")), /ida/i);
  });

  test("people: each page and change is refused with another application's role, a smaller one, none, and cross-site", async () => {
    const userId = await client.enrol();
    const record = await give(userId, 5);
    const one = `/people/${userId}`;
    await checkGuard(service, client, [
      { method: "GET", path: "/people", right: "see" },
      { method: "POST", path: "/people", right: "see" },
      { method: "GET", path: one, right: "see" },
      { method: "GET", path: `${one}/records/${record}`, right: "see" },
      { method: "GET", path: `${one}/erase`, right: "manage" },
      { method: "POST", path: `${one}/adjust`, right: "manage" },
      { method: "POST", path: `${one}/export`, right: "manage" },
      { method: "POST", path: `${one}/erase`, right: "manage" },
      { method: "POST", path: `${one}/records/${record}/reverse`, right: "manage" },
      { method: "POST", path: `${one}/records/${record}/refund`, right: "manage" },
    ]);
    assert.equal((await balance(userId)).availablePoints, 5);
  });
});
