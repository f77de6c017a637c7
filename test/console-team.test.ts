import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { WITH_CONSOLE, sendForm, signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'`;

suite("the team and the audit log of the console", () => {
  let service: TestService;
  let operator: Person;
  let client: Client;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient();
    operator = await signIn(service, [{ role: "operator" }]);
  });
  after(() => service.close());

  const add = (fields: Readonly<Record<string, string>>) =>
    operator.post("/console/team", {
      email: "bo@example.org",
      name: "Bo",
      role: "reviewer",
      application: "",
      ...fields,
    });
  const idOf = (page: string, email: string) =>
    new RegExp(`${email}[\\s\\S]*?/console/team/([0-9a-f-]{36})/`).exec(page)?.[1] ?? assert.fail(`no ${email}`);

  test("an operator adds somebody, whose link is shown once; the person signs in with that role", async () => {
    const added = await add({ application: client.applicationId });
    assert.equal(added.statusCode, 201);
    const [, token = ""] = /link\?token=([\w-]{43})/.exec(added.body) ?? [];
    const password = "correct horse battery";
    const used = await sendForm(service.app, "/console/link", { token, password, repeated: password });
    const cookie = String(used.headers["set-cookie"]).split(";")[0]!;
    const home = await service.app.server.inject({ url: "/console", headers: { cookie } });
    assert.ok(home.body.includes(client.applicationId));
    assert.equal((await service.app.server.inject({ url: "/console/team", headers: { cookie } })).statusCode, 403);
    const page = await operator.get("/console/team");
    assert.match(page.body, /Reviewer of Test application/);
    assert.ok(!page.body.includes(token));
  });

  test("each error of a new person is named, and what was typed stays", async () => {
    for (const [fields, message] of [
      [{ email: "no" }, "not an e-mail address"],
      [{ name: " " }, "Type a name"],
      [{ role: "king" }, "Choose a role"],
      [{}, "added already"],
    ] as const) {
      const response = await add(fields);
      assert.equal(response.statusCode, 400);
      assert.ok(response.body.includes(message), message);
    }
    assert.ok((await add({ role: "king", name: "Cy" })).body.includes('value="Cy"'));
    assert.equal(
      (await add({ email: "x@example.org", application: "0197b0a0-0000-7000-8000-000000000009" })).statusCode,
      404,
    );
  });

  test("roles are given and taken, a new link ends the old one, and a removed person is gone", async () => {
    const id = idOf((await operator.get("/console/team")).body, "bo@example.org");
    const given = await operator.post(`/console/team/${id}/grant`, { role: "manager", application: "" });
    assert.equal(given.headers.location, "/console/team?done=granted");
    assert.match((await operator.get("/console/team?done=granted")).body, /Manager of all applications/);
    assert.match((await operator.post(`/console/team/${id}/link`)).body, /link\?token=[\w-]{43}/);
    await operator.post(`/console/team/${id}/revoke`);
    assert.match((await operator.get("/console/team")).body, /no role/);
    await operator.post(`/console/team/${id}/remove`);
    assert.ok(!(await operator.get("/console/team")).body.includes("bo@example.org"));
    assert.equal((await operator.post(`/console/team/${id}/remove`)).statusCode, 404);
  });

  test("nobody takes their own access, and an operator of one application changes nobody", async () => {
    for (const action of ["revoke", "remove"]) {
      assert.equal((await operator.post(`/console/team/${operator.id}/${action}`)).statusCode, 400);
    }
    const ofOne = await signIn(service, [{ role: "operator", applicationId: client.applicationId }]);
    for (const path of ["/console/team", "/console/audit"]) assert.equal((await ofOne.get(path)).statusCode, 403);
    for (const path of ["", "/grant", "/revoke", "/remove", "/link"]) {
      const target = path === "" ? "/console/team" : `/console/team/${operator.id}${path}`;
      assert.equal((await ofOne.post(target, { role: "operator" })).statusCode, 403, path);
      assert.equal((await sendForm(service.app, target, {})).statusCode, 403, `${path} without a session`);
      const foreign = await operator.post(target, {}, { "sec-fetch-site": "cross-site" });
      assert.equal(foreign.statusCode, 403, `${path} from another site`);
    }
  });

  test("a name with HTML in it is shown as text", async () => {
    await add({ email: "hostile@example.org", name: HOSTILE });
    const page = await operator.get("/console/team");
    assert.ok(!page.body.includes("<img"));
    assert.ok(page.body.includes("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"));
  });

  test("the audit log shows who did what and how it ended, page by page, and by application", async () => {
    const log = await operator.get("/console/audit");
    for (const action of ["console.user-add", "console.user-grant", "console.user-remove"]) {
      assert.ok(log.body.includes(`<code>${action}</code>`), action);
    }
    assert.match(log.body, /<bdi>Ada<\/bdi>/);
    const id = idOf((await operator.get("/console/team")).body, "hostile@example.org");
    for (let count = 0; count < 60; count += 1) await operator.post(`/console/team/${id}/grant`, { role: "viewer" });
    const first = await operator.get("/console/audit");
    const [, before = ""] = /before=([0-9a-f-]{36})/.exec(first.body) ?? [];
    const second = await operator.get(`/console/audit?before=${before}`);
    assert.equal(first.body.match(/<tr>/g)!.length, 51);
    assert.ok(second.body.includes("console.user-add"));
    assert.match(
      (await operator.get(`/console/audit?application=${client.applicationId}`)).body,
      /Nothing was done yet/,
    );
  });
});
