import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { CONSOLE_LANGUAGES } from "../src/console/language.ts";
import { SECTIONS } from "../src/console/page.ts";
import { HOUR_MS } from "../src/time.ts";
import { runCommand } from "./support/commands.ts";
import { WITH_CONSOLE, formTokenIn, sendForm, signIn } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";

const PASSWORD = "correct horse battery";

suite("the console", () => {
  let service: TestService;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
  });
  after(() => service.close());

  test("nothing of it is reachable unless it is switched on", async () => {
    const without = await startService({ isWorking: false });
    for (const path of ["/console", "/console/sign-in", "/console/link"]) {
      assert.equal((await without.app.server.inject(path)).statusCode, 404);
    }
    await without.close();
  });

  test("a page without a session leads to signing in, and back to itself afterwards", async () => {
    const response = await service.app.server.inject("/console/nothing/here/at/all");
    assert.equal(response.statusCode, 404, "an address that no page has is not found");
    const home = await service.app.server.inject("/console?x=1");
    assert.equal(home.statusCode, 303);
    assert.equal(home.headers.location, "/console/sign-in?next=%2Fconsole%3Fx%3D1");
    const page = await service.app.server.inject(home.headers.location);
    assert.match(page.body, /name="next" value="\/console\?x=1"/);
    const foreign = await service.app.server.inject("/console/sign-in?next=//evil.example");
    assert.match(foreign.body, /name="next" value="\/console"/);
  });

  test("a page of the console is never cached, framed, or allowed to load from elsewhere", async () => {
    const { headers } = await service.app.server.inject("/console/sign-in");
    assert.equal(headers["cache-control"], "no-store");
    assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/);
  });

  test("a request from the network cannot claim to come from the console", async () => {
    const client = await service.newClient();
    const person = await signIn(service, [{ role: "operator" }]);
    for (const headers of [
      { cookie: person.cookie },
      { cookie: person.cookie, "x-client-id": client.clientId },
      { cookie: person.cookie, "x-client-id": client.clientId, "x-client-secret": "", "x-console": "1" },
    ]) {
      const response = await service.app.server.inject({ url: "/webhooks/endpoints?api-version=1.0", headers });
      assert.equal(response.statusCode, 401);
    }
  });

  test("an application without a role of the person is not found, as one that does not exist", async () => {
    const [mine, other] = [await service.newClient(), await service.newClient()];
    const person = await signIn(service, [{ role: "viewer", applicationId: mine.applicationId }]);
    const home = await person.get("/console");
    assert.equal(home.statusCode, 200);
    assert.ok(home.body.includes(mine.applicationId));
    assert.ok(!home.body.includes(other.applicationId));
  });

  test("a page is in the browser's language until the person chooses one, which is kept with the account", async () => {
    const person = await signIn(service, [{ role: "operator" }]);
    const page = async (accepted: string) => {
      const headers = { cookie: person.cookie, "accept-language": accepted };
      return (await service.app.server.inject({ url: "/console/account", headers })).body;
    };
    const languageOf = (body: string) => /<html lang="(\w+)" dir="(\w+)">/.exec(body)?.slice(1).join(" ");
    const german = await page("xx, de-AT;q=0.9, en;q=0.8");
    assert.equal(languageOf(german), "de ltr");
    assert.match(german, /<h1><bdi>Ihr Konto<\/bdi><\/h1>/);
    for (const { tag, name, direction } of CONSOLE_LANGUAGES) {
      assert.match(german, new RegExp(`value="${tag}" lang="${tag}"[^>]*>\\s*${name}\\s*</button>`), "each in itself");
      const response = await person.post("/console/language", { language: tag, next: "/console/account" });
      assert.equal(response.headers.location, "/console/account");
      assert.equal(languageOf(await page("de")), `${tag} ${direction}`);
    }
    await person.post("/console/language", { language: "fr" });
    await person.post("/console/language", { language: "xx" });
    assert.equal(languageOf(await page("de")), "fr ltr", "what is no language changes nothing");
    const signInPage = await service.app.server.inject({
      url: "/console/sign-in",
      headers: { "accept-language": "fr" },
    });
    assert.equal(languageOf(signInPage.body), "fr ltr");
  });

  test("a session ends after two hours without use, after twelve in any case, and by signing out", async () => {
    const isSignedIn = async (person: { get: (path: string) => Promise<{ statusCode: number }> }) =>
      (await person.get("/console")).statusCode === 200;
    const start = service.clock.ms;
    const person = await signIn(service, [{ role: "operator" }]);
    for (let hours = 1.5; hours < 12; hours += 1.5) {
      service.clock.ms = start + hours * HOUR_MS;
      assert.ok(await isSignedIn(person), `after ${hours} hours of use`);
    }
    service.clock.ms = start + 12.1 * HOUR_MS;
    assert.ok(!(await isSignedIn(person)));
    service.clock.ms = start;
    const idle = await signIn(service, [{ role: "operator" }]);
    service.clock.ms = start + 2.1 * HOUR_MS;
    assert.ok(!(await isSignedIn(idle)));
    service.clock.ms = start;
    const leaving = await signIn(service, [{ role: "operator" }]);
    const response = await leaving.post("/console/sign-out");
    assert.equal(response.headers.location, "/console/sign-in");
    assert.ok(!(await isSignedIn(leaving)));
  });

  test("a form without the token of its session, or from another site, changes nothing", async () => {
    const person = await signIn(service, [{ role: "operator" }]);
    const stranger = await signIn(service, [{ role: "operator" }]);
    const foreign = formTokenIn(await stranger.get("/console"));
    for (const fields of [{ formToken: "" }, { formToken: foreign }, { formToken: "x" }]) {
      assert.equal((await person.post("/console/sign-out", fields)).statusCode, 403);
    }
    for (const site of ["cross-site", "same-site"]) {
      assert.equal((await person.post("/console/sign-out", {}, { "sec-fetch-site": site })).statusCode, 403);
    }
    assert.equal((await person.get("/console")).statusCode, 200);
  });
});

suite("the sections of the console", () => {
  let service: TestService;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
  });
  after(() => service.close());

  test("a key in the address that no change has shows nothing, on any section", async () => {
    const { applicationId } = await service.newClient();
    const person = await signIn(service, [{ role: "operator" }]);
    const own = Object.keys(SECTIONS).map((section) => `/${applicationId}/${section}`);
    for (const path of [...own, "/account", "/team", "/audit"]) {
      const page = await person.get(`/console${path}?done=constructor`);
      // The queue of receipts leads to what waits, and is a page where nothing does.
      assert.equal(page.statusCode, 200, path);
      assert.ok(!page.body.includes('role="status"'), path);
    }
    assert.match((await person.get("/console/account?done=passkeyAdded")).body, /role="status">The passkey is added/);
  });
});

suite("signing in to the console", () => {
  let service: TestService;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
  });
  after(() => service.close());

  const command = async (...words: string[]) =>
    (await runCommand<{ link: string }>(service.database, ["console", "user", ...words]))[0]!;
  const linkOf = async (...words: string[]) => {
    const { link } = await command(...words);
    return new URL(link).searchParams.get("token")!;
  };
  const useLink = (token: string, password = PASSWORD, repeated = password) =>
    sendForm(service.app, "/console/link", { token, password, repeated });
  const attempt = (email: string, password: string) =>
    sendForm(service.app, "/console/sign-in", { email, password, next: "/console" });

  test("somebody is added on the command line, sets a password by the link once, and signs in with it", async () => {
    const token = await linkOf("add", "--email", "Ada@example.org", "--name", "Ada", "--role", "operator");
    const page = await service.app.server.inject(`/console/link?token=${token}`);
    assert.match(page.body, /Welcome, Ada/);
    assert.match((await useLink(token, "short")).body, /at least 12 characters/);
    assert.match((await useLink(token, PASSWORD, "another password")).body, /not the same/);
    const used = await useLink(token);
    assert.equal(used.statusCode, 303);
    const cookie = String(used.headers["set-cookie"]);
    assert.match(cookie, /^console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    const headers = { cookie: cookie.split(";")[0]! };
    assert.equal((await service.app.server.inject({ url: "/console", headers })).statusCode, 200);
    assert.equal((await useLink(token)).statusCode, 404);
    assert.equal((await attempt("ada@EXAMPLE.org", PASSWORD)).statusCode, 303);
    assert.equal((await attempt("ada@example.org", "wrong password")).statusCode, 401);
    const stored = await service.database.query({ name: "t", text: "SELECT password_hash FROM console_users" }, []);
    assert.match(JSON.stringify(stored), /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("a new link ends the earlier one, and every session of the person", async () => {
    const first = await linkOf("add", "--email", "eve@example.org", "--name", "Eve", "--role", "viewer");
    const second = await linkOf("link", "--email", "eve@example.org");
    assert.equal((await useLink(first)).statusCode, 404);
    const cookie = String((await useLink(second)).headers["set-cookie"]).split(";")[0]!;
    const third = await linkOf("link", "--email", "eve@example.org");
    await useLink(third, "another good password");
    assert.equal((await service.app.server.inject({ url: "/console", headers: { cookie } })).statusCode, 303);
  });

  test("five wrong passwords lock the password for a while, also the right one; then it works again", async () => {
    const token = await linkOf("add", "--email", "bo@example.org", "--name", "Bo", "--role", "viewer");
    await useLink(token);
    for (let count = 0; count < 5; count += 1) assert.equal((await attempt("bo@example.org", "no")).statusCode, 401);
    assert.equal((await attempt("bo@example.org", PASSWORD)).statusCode, 401);
    service.clock.ms += 61_000;
    assert.equal((await attempt("bo@example.org", PASSWORD)).statusCode, 303);
  });

  test("an unknown address and a wrong password get the same response", async () => {
    service.clock.ms += 61_000;
    const [unknown, wrong] = [await attempt("nobody@example.org", "no"), await attempt("ada@example.org", "no")];
    assert.equal(unknown.statusCode, wrong.statusCode);
    assert.equal(unknown.body.replaceAll("nobody@", "ada@"), wrong.body);
  });

  test("an address that fails twenty times in a minute gets 429", async () => {
    service.clock.ms += 61_000;
    const statuses = [];
    for (let count = 0; count < 21; count += 1) statuses.push((await attempt("nobody@example.org", "no")).statusCode);
    assert.deepEqual(statuses.slice(-2), [401, 429]);
    service.clock.ms += 61_000;
  });

  test("who loses the roles, or is removed, is signed out at once", async () => {
    const token = await linkOf("add", "--email", "cy@example.org", "--name", "Cy", "--role", "manager");
    const cookie = String((await useLink(token)).headers["set-cookie"]).split(";")[0]!;
    const status = async () => (await service.app.server.inject({ url: "/console", headers: { cookie } })).statusCode;
    assert.equal(await status(), 200);
    await command("revoke", "--email", "cy@example.org");
    assert.equal(await status(), 303);
    await command("remove", "--email", "cy@example.org");
    assert.equal((await attempt("cy@example.org", PASSWORD)).statusCode, 401);
  });

  test("the audit log keeps who did what, and cannot be changed", async () => {
    const rows = await service.database.query({ name: "t2", text: "SELECT action FROM audit_entries ORDER BY id" }, []);
    const actions = new Set(rows.map((row) => (row as { action: string }).action));
    for (const action of ["console.user-add", "console.set-password", "console.sign-in", "console.user-remove"]) {
      assert.ok(actions.has(action), action);
    }
    for (const change of ["DELETE FROM audit_entries", "UPDATE audit_outcomes SET status = 1"]) {
      await assert.rejects(service.database.query({ name: change, text: change }, []), /append-only/);
    }
  });
});
