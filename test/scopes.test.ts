import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, suite, test } from "node:test";
import { SCOPES, SCOPE_MEANINGS } from "../src/applications/scope.ts";
import type { Scope } from "../src/applications/scope.ts";
import { Refusal } from "../src/cli/command.ts";
import type { Operation } from "../src/http/operation.ts";
import { OPERATIONS } from "../src/openapi/operations.ts";
import { headersWith } from "./support/applications.ts";
import { runCommand } from "./support/commands.ts";
import { documentAt } from "./support/conformance.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const ID = "01890000-0000-7000-8000-000000000000";
/** Those that need credentials. */
const CLOSED = OPERATIONS.flatMap((operation) =>
  operation.scope === undefined ? [] : [{ ...operation, scope: operation.scope }],
);

suite("scopes of credentials", () => {
  let service: TestService;
  let client: Client;
  before(async () => {
    service = await startService({ isWorking: false });
    client = await service.newClient({ isSandbox: true });
  });
  after(() => service.close());

  /** Calls an operation for things that do not exist, with a body that is none. */
  const callOf = ({ method, path, body, form }: Operation, headers: Record<string, string>) =>
    service.app.server.inject({
      method,
      url: `${path.replaceAll(/:\w+/g, ID)}?api-version=1.0`,
      headers: { ...headers, ...((body ?? form) && { "content-type": "application/json" }) },
      ...((body ?? form) && { payload: "{" }),
    });
  const codeOf = (response: { body: string }) => (JSON.parse(response.body || "{}") as { code?: string }).code;

  test("every operation needs its scope, and no other one opens it; its body is not read before", async () => {
    const without = new Map<Scope, Record<string, string>>();
    const alone = new Map<Scope, Record<string, string>>();
    const lacking = await service.newClient({ isSandbox: true });
    const limited = await service.newClient({ isSandbox: true });
    for (const scope of SCOPES) {
      const others = SCOPES.filter((other) => other !== scope);
      without.set(scope, await headersWith(service, lacking, others));
      alone.set(scope, await headersWith(service, limited, [scope]));
    }
    assert.ok(CLOSED.length > 75, `${CLOSED.length} operations`);
    for (const operation of CLOSED) {
      for (const prefix of ["", "/issuers"]) {
        const called = { ...operation, path: prefix + operation.path };
        const refused = await callOf(called, without.get(operation.scope)!);
        const where = `${operation.id} ${refused.body}`;
        assert.equal(refused.statusCode, 403, where);
        const { code, requiredScope } = refused.json<{ code: string; requiredScope: string }>();
        assert.deepEqual([code, requiredScope], ["InsufficientScope", operation.scope], where);
        const allowed = await callOf(called, alone.get(operation.scope)!);
        assert.notEqual(codeOf(allowed), "InsufficientScope", operation.id);
        assert.notEqual(allowed.statusCode, 401, operation.id);
      }
    }
  });

  test("the first secret, and one that was added without scopes, may do everything", async () => {
    const everything = await headersWith(service, client, null);
    for (const headers of [client.headers, everything]) {
      for (const operation of CLOSED) {
        assert.notEqual(codeOf(await callOf(operation, headers)), "InsufficientScope", operation.id);
      }
    }
  });

  test("what a credential may not do is not done: nothing is stored, no key is used, a HEAD shows no more than a GET", async () => {
    const reading = await headersWith(service, client, ["users.read"]);
    const person = { email: "no@example.org", firstName: "No", lastName: "Body" };
    const keyed = { "idempotency-key": "scope" };
    const refused = await client.call("POST", "/users/enroll", person, { ...reading, ...keyed });
    assert.equal(refused.statusCode, 403);
    const { rowCount } = await service.database.pool.query("SELECT FROM users WHERE application_id = $1", [
      client.applicationId,
    ]);
    assert.equal(rowCount, 0);
    const again = await client.call("POST", "/users/enroll", person, keyed);
    assert.deepEqual([again.statusCode, again.headers["idempotency-replayed"]], [200, undefined]);
    const writing = await headersWith(service, client, ["users.write"]);
    const userId = again.json<{ user: { userID: string } }>().user.userID;
    const head = await service.app.server.inject({
      method: "HEAD",
      url: `/users/${userId}/summary?api-version=1.0`,
      headers: writing,
    });
    assert.equal(head.statusCode, 403);
  });

  test("a credential that may write does not see what was stored under a key by one that may do more", async () => {
    const person = { email: "seen@example.org", firstName: "Seen", lastName: "Once" };
    const keyed = { "idempotency-key": "seen" };
    assert.equal((await client.call("POST", "/users/enroll", person, keyed)).statusCode, 200);
    const writing = await headersWith(service, client, ["users.write"]);
    const asked = await client.call("POST", "/users/enroll", person, { ...writing, ...keyed });
    assert.deepEqual([asked.statusCode, codeOf(asked)], [409, "IdempotencyAnswerLost"]);
  });

  test("a request is refused before its body has arrived", async () => {
    await service.app.server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = service.app.server.server.address() as AddressInfo;
    const headers = await headersWith(service, client, ["users.read"]);
    const socket = connect(port, "127.0.0.1");
    const lines = Object.entries({ ...headers, host: "rewards.test", "content-length": "100000" });
    socket.write(
      `POST /track/food?api-version=1.0 HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    const [chunk] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    assert.match(chunk.toString(), /^HTTP\/1\.1 403 /);
  });

  test("wrong names of scopes add no credential, also those of prototypes; the table refuses them as well", async () => {
    const add = (scopes: string) =>
      runCommand<{ scopes: string[] }>(service.database, [
        "credential",
        "add",
        `--client-id=${client.clientId}`,
        "--name=x",
        `--scopes=${scopes}`,
      ]);
    for (const wrong of ["__proto__", "constructor", "users", "users.read,", "*", "Users.Read", "toString"]) {
      await assert.rejects(add(wrong), Refusal, wrong);
    }
    const [added] = await add("privacy, users.read");
    assert.deepEqual(added!.scopes, ["users.read", "privacy"]);
    for (const scopes of [["__proto__"], []]) {
      await assert.rejects(headersWith(service, client, scopes as never), JSON.stringify(scopes));
    }
  });

  test("the documentation lists each scope", () => {
    const text = readFileSync(join(import.meta.dirname, "../docs/requests.md"), "utf8");
    const listed = [...text.matchAll(/^\| `([a-z.]+)` \| (.+) \|$/gm)].map(([, scope, meaning]) => [scope, meaning]);
    const scopes = listed.filter(([scope]) => (SCOPES as readonly string[]).includes(scope!));
    assert.deepEqual(scopes, Object.entries(SCOPE_MEANINGS));
  });

  test("the OpenAPI document has each operation's scope, and what each scope is", () => {
    const { paths, components } = documentAt("http://rewards.test");
    for (const { method, path, scope } of OPERATIONS) {
      const item = paths[path.replaceAll(/:(\w+)/g, "{$1}")]![method.toLowerCase()] as {
        security: Record<string, string[]>[];
        description: string;
        responses: Record<string, object>;
      };
      const expected = scope === undefined ? [] : [{ clientId: [], clientSecret: [scope] }];
      assert.deepEqual(item.security, expected, path);
      assert.equal(scope !== undefined && item.description.endsWith(`Scope: \`${scope}\`.`), scope !== undefined, path);
      assert.equal("403" in item.responses, scope !== undefined, path);
    }
    const { clientSecret } = components["securitySchemes"] as { clientSecret: { description: string } };
    for (const scope of SCOPES) assert.ok(clientSecret.description.includes(`\`${scope}\``), scope);
  });
});
