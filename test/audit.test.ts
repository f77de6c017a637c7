import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, suite, test } from "node:test";
import { sweepChanges } from "../src/audit/store.ts";
import { isAudited, isChanging, runAudited } from "../src/cli/audited.ts";
import { Refusal } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/command-list.ts";
import { parseCommandLine } from "../src/cli/parse.ts";
import { readClientEnv, readEnv, readTargetEnv, toConfig } from "../src/config.ts";
import { OPERATIONS } from "../src/openapi/operations.ts";
import { DAY_MS } from "../src/time.ts";
import { headersWith } from "./support/applications.ts";
import { runCommand } from "./support/commands.ts";
import { WITH_CONSOLE, signIn } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly credentialId: string | null;
  readonly consoleUserId: string | null;
  readonly action: string;
  readonly targetId: string | null;
  readonly madeId: string | null;
  readonly status: number | null;
}

/** What many users do each day, what the ledger or a list has, and what changes nothing. */
const NOT_AUDITED = [
  "enrollUser",
  "openEnrolmentSession",
  "trackMeal",
  "trackFood",
  "uploadReceipt",
  "openReceiptSession",
  "retryReceipt",
  "redeemPoints",
  "confirmRedemption",
  "releaseRedemption",
  "useVoucher",
  "previewCorrection",
  "previewProgram",
  "testWebhookEndpoint",
  "retryWebhookDelivery",
];

/** Commands that only show, or that write their own entries, replace the database, or call the API. */
const COMMANDS_NOT_AUDITED =
  /^(?:.* (?:list|show|check|preview|campaigns|verify|search|sources|unknown|alternatives|find|attempts|delivery|test)|listen|trigger|console user .*|backup .*)$/;

suite("the audit log of keys and commands", () => {
  let service: TestService;
  let client: Client;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient({ isSandbox: true });
  });
  after(() => service.close());

  const entriesOf = async (of: Client, query = "") =>
    (await of.get<{ entries: Entry[]; next: string | null }>(`/audit${query}`)).entries;
  /** The newest entry, once it has its outcome: that is written beside the response. */
  const newest = async (of = client): Promise<Entry> => {
    for (;;) {
      const [entry] = await entriesOf(of);
      assert.ok(entry);
      if (entry.status !== null) return entry;
      await sleep(10);
    }
  };
  const sql = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);

  test("every operation that changes something is in it, or in the list of those that are not", () => {
    const changing = OPERATIONS.filter(({ method, isOpen }) => method !== "GET" && !isOpen);
    const without = changing.filter(({ isAudited: is }) => !is).map(({ id }) => id);
    assert.deepEqual(without.toSorted(), NOT_AUDITED.toSorted());
    assert.deepEqual(
      OPERATIONS.filter(({ method, isAudited: is }) => method === "GET" && is).map(({ id }) => id),
      ["exportUser"],
    );
  });

  test("every command that changes something is in it", () => {
    const without = COMMANDS.filter((command) => !isAudited(command) && !COMMANDS_NOT_AUDITED.test(command.name));
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    );
    for (const command of COMMANDS.filter(isAudited)) assert.ok(!COMMANDS_NOT_AUDITED.test(command.name), command.name);
  });

  test("a change by a key is an entry with the key, the operation, what was changed, what was made, and how it ended", async () => {
    const userId = await client.enrol();
    const before = Date.now() - 1_000;
    const adjusted = await client.post(`/users/${userId}/adjustments`, { points: 5, reason: "Gift", reference: "a-1" });
    const first = await newest();
    assert.deepEqual(
      [first.actor, first.credentialId, first.consoleUserId, first.action, first.targetId, first.madeId, first.status],
      [
        "credential",
        client.applicationId,
        null,
        "adjustPoints",
        userId,
        (adjusted as { transaction: { id: string } }).transaction.id,
        200,
      ],
    );
    assert.ok(Date.parse(first.at) >= before && Date.parse(first.at) <= service.now().getTime() + 1_000);

    const headers = await headersWith(service, client, ["webhooks.write"]);
    const url = `${client.receiver.url}/audited`;
    const made = await client.call("POST", "/webhooks/endpoints", { url, description: "typed text" }, headers);
    const { id } = made.json<{ id: string }>();
    const second = await newest();
    assert.deepEqual([second.action, second.targetId, second.madeId], ["createWebhookEndpoint", null, id]);
    const listed = await runCommand<{ credentials: { credentialId: string }[] }>(service.database, [
      "credential",
      "list",
      `--client-id=${client.clientId}`,
    ]);
    assert.equal(second.credentialId, listed[0]!.credentials.at(-1)!.credentialId, "the key that did it");
    await client.call("DELETE", `/webhooks/endpoints/${id}`, undefined, headers);
    const third = await newest();
    assert.deepEqual([third.action, third.targetId, third.status], ["deleteWebhookEndpoint", id, 200]);
  });

  test("what is refused before it is carried out is not in it; what is refused then is, with its status", async () => {
    const [latest] = await entriesOf(client);
    const userId = await client.enrol();
    const path = `/users/${userId}/adjustments`;
    const readOnly = await headersWith(service, client, ["users.read"]);
    assert.equal(
      (await client.call("POST", path, { points: 5, reason: "x", reference: randomUUID() }, readOnly)).statusCode,
      403,
    );
    assert.equal((await client.call("POST", path, { points: "five" })).statusCode, 400);
    assert.equal((await client.call("POST", path, {}, { "x-client-secret": "wrong" })).statusCode, 401);
    await client.call("POST", "/track/food", { userId });
    await client.call("GET", `/users/${userId}/summary`);
    assert.equal((await entriesOf(client))[0]!.id, latest!.id);
    const unknown = await client.call("POST", `/users/${randomUUID()}/adjustments`, {
      points: 5,
      reason: "x",
      reference: randomUUID(),
    });
    assert.equal(unknown.statusCode, 404);
    assert.deepEqual([(await newest()).status, (await newest()).madeId], [404, null]);
  });

  test("an entry is written before the change: without the log nothing is changed", async () => {
    const userId = await client.enrol();
    await sql("ALTER TABLE changes RENAME TO changes_away");
    try {
      const response = await client.call("POST", `/users/${userId}/adjustments`, {
        points: 5,
        reason: "Gift",
        reference: randomUUID(),
      });
      assert.equal(response.statusCode, 500);
    } finally {
      await sql("ALTER TABLE changes_away RENAME TO changes");
    }
    const { user } = await client.get<{ user: { availablePoints: number } }>(`/users/${userId}/summary`);
    assert.equal(user.availablePoints, 0);
  });

  test("an application sees its own entries, page by page and by time, and no other application's", async () => {
    const own = await service.newClient();
    const other = await service.newClient();
    const userId = await own.enrol();
    for (let i = 0; i < 5; i++)
      await own.post(`/users/${userId}/adjustments`, { points: 1, reason: "Gift", reference: randomUUID() });
    await other.post(`/users/${await other.enrol()}/adjustments`, {
      points: 1,
      reason: "Gift",
      reference: randomUUID(),
    });
    const all = await entriesOf(own, "?pageSize=100");
    assert.equal(all.length, 5);
    assert.equal((await entriesOf(other)).length, 1);
    const seen: string[] = [];
    for (let before: string | null = null; ;) {
      const query: string = `/audit?pageSize=2${before === null ? "" : `&before=${before}`}`;
      const page: { entries: Entry[]; next: string | null } = await own.get(query);
      seen.push(...page.entries.map(({ id }) => id));
      before = page.next;
      if (before === null) break;
    }
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
    assert.equal((await entriesOf(own, "?until=2020-01-01T00:00:00Z")).length, 0);
    assert.equal((await entriesOf(own, "?since=2020-01-01T00:00:00Z&pageSize=100")).length, all.length);
    assert.deepEqual(await entriesOf(own, `?before=${(await entriesOf(other))[0]!.id}&since=2099-01-01T00:00:00Z`), []);
    for (const wrong of ["before=x", "before=__proto__", "since=yesterday", "pageSize=-1", "userId=1", "page=2"]) {
      assert.equal((await own.call("GET", `/audit?${wrong}`)).statusCode, 400, wrong);
    }
    const lacking = await headersWith(service, own, ["reports.read", "privacy"]);
    assert.equal((await own.call("GET", "/audit", undefined, lacking)).statusCode, 403);
  });

  test("after an erasure its entry has the id alone: nothing of the person is in the log", async () => {
    const own = await service.newClient();
    const email = "trace.of.somebody@example.org";
    const userId = await own.enrol(email);
    await own.call("PATCH", `/users/${userId}`, { firstName: "Traceable" });
    await own.post(`/users/${userId}/adjustments`, { points: 1, reason: "For Traceable", reference: email });
    assert.equal((await own.call("GET", `/users/${userId}/export`)).statusCode, 200);
    for (const typed of [encodeURIComponent(email), "Traceable"]) {
      await own.call("DELETE", `/users/${typed}`);
      await own.call("DELETE", `/catalogue/aliases/${typed}`);
      await own.call("PATCH", `/rewards/${typed}`, { name: "Traceable" });
    }
    assert.ok([200, 204].includes((await own.call("DELETE", `/users/${userId}`)).statusCode));
    await newest(own);
    const entries = await entriesOf(own, "?pageSize=100");
    for (const action of ["changeUser", "adjustPoints", "exportUser", "eraseUser"]) {
      assert.ok(
        entries.some((entry) => entry.action === action && entry.targetId === userId),
        action,
      );
    }
    const stored = await sql(
      "SELECT changes::text AS row FROM changes UNION ALL SELECT change_outcomes::text FROM change_outcomes",
    );
    const text = JSON.stringify(stored.rows);
    for (const trace of ["Traceable", "trace.of", "somebody"]) assert.ok(!text.includes(trace), trace);
  });

  test("entries and outcomes cannot be changed or deleted, until they are older than they are kept", async () => {
    for (const change of [
      "UPDATE changes SET action = 'x'",
      "DELETE FROM changes",
      "UPDATE change_outcomes SET status = 1",
      "DELETE FROM change_outcomes",
    ]) {
      await assert.rejects(sql(change), /append-only/, change);
    }
    const at = new Date(Date.now() - 402 * DAY_MS);
    const hex = at.getTime().toString(16).padStart(12, "0");
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${randomUUID().slice(24)}`;
    await sql("INSERT INTO changes (id, at, action) VALUES ($1, $2, 'old')", [id, at]);
    await sql("INSERT INTO change_outcomes (change_id, status) VALUES ($1, 200)", [id]);
    await assert.rejects(sql("UPDATE changes SET action = 'x' WHERE id = $1", [id]), /append-only/);
    const { signal } = new AbortController();
    const before = (await sql("SELECT count(*)::int AS n FROM changes")).rows[0] as { n: number };
    assert.equal(await sweepChanges(service.database, new Date(Date.now() - 401 * DAY_MS), signal), 1);
    await assert.rejects(sweepChanges(service.database, new Date(), signal), /append-only/);
    const after_ = (await sql("SELECT count(*)::int AS n FROM changes")).rows[0] as { n: number };
    assert.equal(after_.n, before.n - 1);
  });

  test("a person's change in the console is one entry, of the person, though the API carries it out", async () => {
    const own = await service.newClient();
    const person = await signIn(service, [{ role: "developer", applicationId: own.applicationId }]);
    const base = `/console/${own.applicationId}/developers`;
    await person.post(`${base}/endpoints`, { url: `${own.receiver.url}/c`, description: "" });
    const entries = await entriesOf(own);
    assert.deepEqual(
      entries.map(({ actor, action, consoleUserId }) => [actor, action, consoleUserId]),
      [["person", "endpoint.add", person.id]],
    );
    const operator = await signIn(service, [{ role: "operator" }]);
    await own.post(`/users/${await own.enrol()}/adjustments`, { points: 1, reason: "Gift", reference: randomUUID() });
    const page = await operator.get(`/console/audit?application=${own.applicationId}`);
    assert.match(page.body, /API<\/span>\s*<bdi>First secret<\/bdi>/);
    assert.ok(page.body.includes("<code>adjustPoints</code>"));
  });

  test("a command is an entry before it runs, with its application, and how it ended", async () => {
    const own = await service.newClient();
    const run = async (...args: string[]) => {
      const line = parseCommandLine(COMMANDS, args);
      assert.ok(line.kind === "run");
      const printed: object[] = [];
      await runAudited(line.command, {
        database: service.database,
        config: toConfig(readEnv({})),
        now: new Date(),
        options: line.options,
        print: (value) => printed.push(value),
        report: () => {},
        client: readClientEnv({}),
        target: readTargetEnv({}),
        stopped: new AbortController().signal,
      });
      return printed;
    };
    await run("app", "set", `--client-id=${own.clientId}`, "--name=Typed by Ada");
    await run("app", "day-limits", `--client-id=${own.clientId}`);
    await assert.rejects(run("app", "limit", `--client-id=${own.clientId}`, "--per-minute=x"), Refusal);
    const userId = await own.enrol();
    await run("user", "erase", `--user-id=${userId}`);
    await run("app", "list");
    const [added] = (await run("credential", "add", `--client-id=${own.clientId}`, "--name=Till")) as {
      credentialId: string;
    }[];
    const [created] = (await run("app", "create", "--name=Another")) as { applicationId: string }[];
    const entries = await entriesOf(own);
    assert.deepEqual(
      entries.map(({ actor, action, targetId, madeId, status }) => [actor, action, targetId ?? madeId, status]),
      [
        ["command", "credential.add", added!.credentialId, 200],
        ["command", "user.erase", userId, 200],
        ["command", "app.limit", null, 400],
        ["command", "app.set", null, 200],
      ],
    );
    const [listed] = (await run("audit", "list", `--client-id=${own.clientId}`)) as { entries: Entry[] }[];
    assert.deepEqual(
      listed!.entries.map(({ id }) => id),
      entries.map(({ id }) => id),
    );
    const [all] = (await run("audit", "list", "--limit=3")) as { entries: Entry[] }[];
    assert.deepEqual([all!.entries.length, all!.entries[0]!.madeId], [3, created!.applicationId]);
    for (const wrong of ["--limit=0", "--limit=1001", "--before=x", "--since=yesterday"]) {
      await assert.rejects(run("audit", "list", wrong), Refusal, wrong);
    }
  });

  test("what only shows, or is a dry run, is no change", () => {
    assert.ok(!isChanging({ name: "app points" }, { clientId: "app_1" }));
    assert.ok(isChanging({ name: "app points" }, { clientId: "app_1", expireAfterDays: "30" }));
    assert.ok(!isChanging({ name: "user import" }, { clientId: "app_1", file: "x", dryRun: true }));
    assert.ok(!isChanging({ name: "rescore" }, { since: "2026-01-01" }));
    assert.ok(isChanging({ name: "rescore" }, { since: "2026-01-01", book: true }));
  });

  test("a reversal that is a dry run is not in the log, one that is booked is", async () => {
    const own = await service.newClient();
    const userId = await own.enrol();
    const { transaction } = (await own.post(`/users/${userId}/adjustments`, {
      points: 5,
      reason: "Gift",
      reference: randomUUID(),
    })) as {
      transaction: { id: string };
    };
    const path = `/users/${userId}/transactions/${transaction.id}/reversal`;
    await own.post(path, { reason: "Wrong", dryRun: true });
    assert.equal((await newest(own)).action, "adjustPoints");
    await own.post(path, { reason: "Wrong" });
    const entry = await newest(own);
    assert.deepEqual([entry.action, entry.targetId, entry.status], ["reverseTransaction", transaction.id, 200]);
  });
});
