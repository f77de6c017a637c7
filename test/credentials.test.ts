import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, suite, test } from "node:test";
import { CREDENTIALS_MAX, ENDED_LISTED_MAX } from "../src/applications/credential.ts";
import { addCredential, listCredentials, revokeCredential } from "../src/applications/credentials.store.ts";
import { Refusal } from "../src/cli/command.ts";
import { DAY_MS } from "../src/time.ts";
import { runCommand } from "./support/commands.ts";
import { WITH_CONSOLE, signIn } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

interface Added {
  readonly credentialId: string;
  readonly clientSecret: string;
}
interface Listed {
  readonly credentialId: string;
  readonly name: string | null;
  readonly state: string;
  readonly lastUsedAt: Date | null;
}

suite("credentials of an application", () => {
  let service: TestService;
  let client: Client;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient();
  });
  after(() => service.close());

  const run = async <Result extends object>(...args: string[]) =>
    (await runCommand<Result>(service.database, args))[0]!;
  const add = (of: Client, ...options: string[]) =>
    run<Added>("credential", "add", `--client-id=${of.clientId}`, "--name=Till", ...options);
  const list = async (of: Client) =>
    (await run<{ credentials: Listed[] }>("credential", "list", `--client-id=${of.clientId}`)).credentials;
  const revoke = (of: Client, id: string) =>
    run<object>("credential", "revoke", `--client-id=${of.clientId}`, `--credential-id=${id}`);
  const call = (clientId: string, clientSecret: string, more: Record<string, string> = {}) =>
    service.app.server.inject({
      url: "/webhooks/endpoints?api-version=1.0",
      headers: { "x-client-id": clientId, "x-client-secret": clientSecret, ...more },
    });
  const statusOf = async (of: Client, secret: string) => (await call(of.clientId, secret)).statusCode;
  /** Waits until a call gets 401; one that begins two seconds after the revocation does, however long it takes. */
  const refused = async (statusOfCall: () => Promise<number | undefined>) => {
    for (const end = performance.now() + 2_100; ; await sleep(20)) {
      const isLate = performance.now() > end;
      if ((await statusOfCall()) === 401) return;
      assert.ok(!isLate, "the secret is accepted still");
    }
  };

  test("an added one opens the same application at once, beside the first; its secret is shown once and never stored", async () => {
    const userId = await client.enrol();
    const { credentialId, clientSecret } = await add(client);
    assert.match(clientSecret, /^sec_[\w-]{43}$/);
    assert.deepEqual([await statusOf(client, clientSecret), await statusOf(client, client.clientSecret)], [200, 200]);
    const seen = await service.app.server.inject({
      url: `/users/${userId}/summary?api-version=1.0`,
      headers: { "x-client-id": client.clientId, "x-client-secret": clientSecret },
    });
    assert.equal(seen.statusCode, 200, "it sees the users of its application");
    const [first, added] = await list(client);
    assert.deepEqual([first!.credentialId, first!.name], [client.applicationId, null]);
    assert.deepEqual([added!.credentialId, added!.name, added!.state], [credentialId, "Till", "active"]);
    const stored = await service.database.pool.query("SELECT credentials::text AS row FROM credentials");
    assert.ok(!JSON.stringify(stored.rows).includes(clientSecret.slice(4, 20)));
    assert.ok(!JSON.stringify(await list(client)).includes(clientSecret.slice(4, 20)));
  });

  test("a secret opens no other application, and a part of one, or another's id, opens nothing", async () => {
    const other = await service.newClient();
    const { clientSecret, credentialId } = await add(client);
    assert.equal(await statusOf(other, clientSecret), 401);
    assert.equal(await statusOf(client, other.clientSecret), 401);
    for (const wrong of ["", "sec_", credentialId, clientSecret.slice(0, -1), `${clientSecret} `, "\0", "__proto__"]) {
      assert.equal(await statusOf(client, wrong), 401, wrong);
    }
    for (const clientId of ["__proto__", "constructor", client.applicationId, credentialId, ""]) {
      assert.equal((await call(clientId, clientSecret)).statusCode, 401, clientId);
    }
    await assert.rejects(revoke(other, credentialId), Refusal, "by another application");
    assert.equal(await statusOf(client, clientSecret), 200);
  });

  test("one that expires is refused from that moment on, whatever a process remembers", async () => {
    const own = await service.newClient();
    const { clientSecret } = await add(own, "--expires-in-days=30");
    const { clientSecret: lasting } = await add(own);
    const start = service.now().getTime();
    try {
      assert.equal(await statusOf(own, clientSecret), 200);
      service.setClock(start + 30 * DAY_MS - 60_000);
      assert.equal(await statusOf(own, clientSecret), 200);
      service.setClock(start + 30 * DAY_MS + 1_000);
      assert.deepEqual([await statusOf(own, clientSecret), await statusOf(own, lasting)], [401, 200]);
    } finally {
      service.setClock(start);
    }
    for (const days of ["0", "3651", "-1", "1.5", "x"]) {
      await assert.rejects(add(own, `--expires-in-days=${days}`), Refusal, days);
    }
  });

  test("a revoked one is refused within two seconds where it is remembered, at once elsewhere, and for good", async () => {
    const own = await service.newClient();
    const { credentialId, clientSecret } = await add(own);
    const { clientSecret: other } = await add(own);
    assert.equal(await statusOf(own, clientSecret), 200);
    await revoke(own, credentialId);
    await refused(() => statusOf(own, clientSecret));
    assert.deepEqual([await statusOf(own, other), await statusOf(own, own.clientSecret)], [200, 200]);
    await assert.rejects(revoke(own, credentialId), Refusal, "twice");
    assert.equal((await list(own)).find((each) => each.credentialId === credentialId)?.state, "revoked");

    const { credentialId: unseen, clientSecret: never } = await add(own);
    await revoke(own, unseen);
    assert.equal(await statusOf(own, never), 401, "nobody remembers it");
  });

  test("a connection that stays open is no session: a revoked credential is refused on it", async () => {
    const own = await service.newClient();
    const { credentialId, clientSecret } = await add(own);
    await service.app.server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = service.app.server.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { "x-client-id": own.clientId, "x-client-secret": clientSecret };
    const ports = new Set<number | undefined>();
    const ask = async () => {
      const sent = request({
        host: "127.0.0.1",
        port,
        agent,
        headers,
        path: "/webhooks/endpoints?api-version=1.0",
      }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      ports.add(response.socket.localPort);
      await response.toArray();
      return response.statusCode;
    };
    try {
      assert.equal(await ask(), 200);
      await revoke(own, credentialId);
      await refused(ask);
      assert.equal(ports.size, 1, "one connection");
    } finally {
      agent.destroy();
    }
  });

  test("a call that waits ends when its credential is revoked", async () => {
    const own = await service.newClient();
    const { credentialId, clientSecret } = await add(own);
    const headers = { "x-client-id": own.clientId, "x-client-secret": clientSecret };
    const read = (query: string) => service.app.server.inject({ url: `/events?api-version=1.0${query}`, headers });
    const { next } = (await read("")).json<{ next: string }>();
    const waiting = read(`&after=${next}&wait=20`);
    await sleep(300);
    await revoke(own, credentialId);
    assert.equal((await waiting).statusCode, 401);
  });

  test("the first one can be revoked too, and made again", async () => {
    const own = await service.newClient();
    const { clientSecret } = await add(own);
    await run("app", "rotate-secret", `--client-id=${own.clientId}`, "--keep-old-hours=24");
    await revoke(own, own.applicationId);
    await refused(() => statusOf(own, own.clientSecret));
    assert.equal(await statusOf(own, clientSecret), 200);
    assert.equal((await list(own))[0]!.state, "revoked");
    await assert.rejects(revoke(own, own.applicationId), Refusal, "twice");
    const rotated = await run<Added>("app", "rotate-secret", `--client-id=${own.clientId}`);
    assert.equal(await statusOf(own, rotated.clientSecret), 200);
    assert.equal((await list(own))[0]!.state, "active");
  });

  test("an application has a bounded number, also when many are added at once; one that ended makes room", async () => {
    const own = await service.newClient();
    const wanted = () => {
      const [id, now] = [randomUUID(), new Date()];
      const hash = createHash("sha256").update(id).digest();
      const added = {
        id,
        applicationId: own.applicationId,
        name: "x",
        secretHash: hash,
        expiresAt: null,
        scopes: null,
      };
      return service.database.tx((tx) => addCredential(tx, { ...added, createdAt: now }));
    };
    const results = await Promise.all(Array.from({ length: CREDENTIALS_MAX + 10 }, wanted));
    assert.equal(results.filter(Boolean).length, CREDENTIALS_MAX);
    await assert.rejects(add(own), Refusal);
    const { applicationId } = own;
    for (let i = 0; i < ENDED_LISTED_MAX + 10; i++) {
      const [, one] = await listCredentials(service.database, applicationId).then((all) =>
        all.filter(({ revokedAt }) => revokedAt === null),
      );
      assert.ok(await revokeCredential(service.database, applicationId, one!.id, new Date()));
      assert.ok(await wanted());
    }
    const listed = await list(own);
    assert.ok(listed.length <= 1 + CREDENTIALS_MAX + ENDED_LISTED_MAX + 1, String(listed.length));
    assert.equal(listed.filter(({ state }) => state === "active").length, 1 + CREDENTIALS_MAX);
  });

  test("a name is one short line without control characters", async () => {
    for (const name of ["a\u0007b", "x".repeat(65), "a\u202eb"]) {
      await assert.rejects(run("credential", "add", `--client-id=${client.clientId}`, `--name=${name}`), Refusal);
    }
  });

  test("when each was used last is written soon, and once a minute at most", async () => {
    const own = await service.newClient();
    const { credentialId, clientSecret } = await add(own);
    const usedAt = async () =>
      (await list(own)).find((each) => each.credentialId === credentialId)!.lastUsedAt?.getTime() ?? null;
    assert.equal(await usedAt(), null);
    const begin = service.now().getTime();
    assert.equal(await statusOf(own, clientSecret), 200);
    while ((await usedAt()) === null) await sleep(50);
    const first = (await usedAt())!;
    assert.ok(first >= begin && first <= service.now().getTime());
    for (let i = 0; i < 20; i++) await statusOf(own, clientSecret);
    await sleep(1_300);
    assert.equal(await usedAt(), first);
    assert.equal(await statusOf(own, "wrong"), 401);
    service.setClock(service.now().getTime() + 61_000);
    await statusOf(own, clientSecret);
    while ((await usedAt()) === first) await sleep(50);
    assert.ok((await usedAt())! >= first + 61_000);
  });

  test("what one credential was sent under a key is not shown to another one", async () => {
    const own = await service.newClient();
    const { clientSecret } = await add(own);
    const { id } = await own.post("/webhooks/endpoints", { url: `${own.receiver.url}/x`, description: "" });
    const rotate = (secret: string) =>
      service.app.server.inject({
        method: "POST",
        url: `/webhooks/endpoints/${id}/rotate-secret?api-version=1.0`,
        headers: { "x-client-id": own.clientId, "x-client-secret": secret, "idempotency-key": "one" },
        payload: {},
      });
    const made = await rotate(own.clientSecret);
    assert.match(made.json<{ secret: string }>().secret, /^whsec_/);
    const asked = await rotate(clientSecret);
    assert.deepEqual([asked.statusCode, asked.json<{ code: string }>().code], [409, "IdempotencyAnswerLost"]);
    assert.ok(!asked.body.includes("whsec_"));
  });

  test("the console adds, lists and revokes them, and shows a secret once", async () => {
    const own = await service.newClient();
    const base = `/console/${own.applicationId}/developers`;
    const developer = await signIn(service, [{ role: "developer", applicationId: own.applicationId }]);
    const made = await developer.post(`${base}/credentials`, { name: "Till <b>4</b>", days: "30", scopes: "*" });
    assert.equal(made.statusCode, 200);
    const [, secret = ""] = /<pre><code>([^<]+)<\/code>/.exec(made.body) ?? [];
    assert.equal(await statusOf(own, secret), 200);
    const page = await developer.get(base);
    assert.ok(page.body.includes("Till &lt;b&gt;4&lt;/b&gt;") && !page.body.includes(secret));
    assert.match(page.body, /never|not yet/);
    const [, added] = await list(own);
    const viewer = await signIn(service, [{ role: "viewer", applicationId: own.applicationId }]);
    const shown = await viewer.get(base);
    assert.ok(shown.body.includes(added!.credentialId) && !shown.body.includes("/revoke"));
    const path = `${base}/credentials/${added!.credentialId}/revoke`;
    assert.equal((await viewer.post(path)).statusCode, 403);
    assert.equal((await viewer.post(`${base}/credentials`, { name: "x", days: "0", scopes: "*" })).statusCode, 403);
    assert.equal((await developer.post(path)).headers.location, `${base}?done=revoked`);
    await refused(() => statusOf(own, secret));
    assert.match((await developer.get(`${base}?done=revoked`)).body, /The secret is revoked/);
    assert.equal((await developer.post(path)).statusCode, 404, "twice");
    const strange = await developer.post(`${base}/credentials/${client.applicationId}/revoke`);
    assert.equal(strange.statusCode, 404, "another application's first secret");
    assert.equal(await statusOf(client, client.clientSecret), 200);
    const wrong = await developer.post(`${base}/credentials`, { name: "x".repeat(65), days: "30", scopes: "*" });
    assert.equal(wrong.statusCode, 400);
    assert.match(wrong.body, /role="alert"/);
    for (const days of ["31", "__proto__", "-1"]) {
      assert.equal(
        (await developer.post(`${base}/credentials`, { name: "x", days, scopes: "*" })).statusCode,
        400,
        days,
      );
    }
    for (const scopes of ["", "users.write,privacy", "__proto__", "constructor", "users"]) {
      const refused = await developer.post(`${base}/credentials`, { name: "x", days: "30", ...(scopes && { scopes }) });
      assert.equal(refused.statusCode, 400, scopes);
    }
  });
});
