import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { WITH_CONSOLE, signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const MANY = 3_000;
/** A page with fifty applications has 12 kB; one with all of them had more than 400 kB. */
const PAGE_BYTES_MAX = 60_000;
/** Rows of one statement: fifty applications, and one more to know that there are more. */
const ROWS_MAX = 51;

suite("the console of an installation with thousands of applications", () => {
  let service: TestService;
  let client: Client;
  let operator: Person;
  let base: string;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE, isWorking: false });
    client = await service.newClient();
    base = `/console/${client.applicationId}`;
    operator = await signIn(service, [{ role: "operator" }]);
    const text = `INSERT INTO applications (id, client_id, secret_hash, name, is_sandbox, redirect_allow_list, created_at, updated_at)
      SELECT gen_random_uuid(), 'app_many' || n, sha256(''), 'Shop number ' || n, false, '{}', now(), now()
      FROM generate_series(1, ${MANY}) AS n`;
    await service.database.query({ name: "many-applications", text }, []);
  });
  after(() => service.close());

  /** Does something and returns the statements about applications that were sent, with the number of their rows. */
  const counted = async (work: () => Promise<unknown>) => {
    const { database } = service as { database: { query: TestService["database"]["query"] } };
    const { query } = database;
    const seen: { name: string; rows: number }[] = [];
    database.query = async (statement, values) => {
      const rows = await query(statement, values);
      if (statement.name.includes("applications")) seen.push({ name: statement.name, rows: rows.length });
      return rows;
    };
    try {
      await work();
    } finally {
      database.query = query;
    }
    return seen;
  };

  test("no page grows with the applications, and no request reads more of them than a page lists", async () => {
    for (const path of ["/console", `${base}/receipts`, `${base}/names`, "/console/team", "/console/audit"]) {
      const seen = await counted(async () => {
        const page = await operator.get(path);
        assert.equal(page.statusCode, 200, path);
        assert.ok(page.body.length < PAGE_BYTES_MAX, `${path}: ${page.body.length} bytes`);
      });
      assert.ok(
        seen.every(({ rows }) => rows <= ROWS_MAX),
        `${path}: ${JSON.stringify(seen)}`,
      );
    }
  });

  test("data, pictures and streams read the one application alone", async () => {
    const paths = [
      "/names/foods?q=apple",
      "/review/foods?name=apple",
      "/receipts/0197b0a0-0000-7000-8000-00000000000a/picture",
    ];
    for (const path of paths) {
      const seen = await counted(() => operator.get(base + path));
      assert.deepEqual(new Set(seen.map(({ name }) => name)), new Set(["applications.find"]), path);
    }
  });

  test("the switch has some applications and a link to the first page, which finds the others", async () => {
    const page = (await operator.get(`${base}/receipts`)).body;
    const [menu = ""] = /<details class="switch">[\s\S]*?<\/details>/.exec(page) ?? [];
    assert.equal(menu.match(/\/receipts"/g)!.length, 50);
    assert.match(menu, /<a href="\/console">Your applications<\/a>/);
    const found = (await operator.get("/console?q=NUMBER+2999")).body;
    assert.match(found, /<bdi>Shop number 2999<\/bdi>/);
    assert.equal(found.match(/class="card"/g)!.length, 1);
    assert.match((await operator.get("/console?q=nothing+like+it")).body, /Nothing is here/);
    const second = (await operator.get("/console?page=2&q=shop")).body;
    assert.match(second, /href="\/console\?q=shop&amp;page=3"/);
    assert.match((await operator.get("/console?page=999999")).body, /rel="prev"/);
  });

  test("somebody with two applications has both, and finds no other", async () => {
    const other = await service.newClient();
    const person = await signIn(
      service,
      [client, other].map(({ applicationId }) => ({ role: "viewer", applicationId })),
    );
    const home = (await person.get("/console")).body;
    assert.equal(home.match(/class="card"/g)!.length, 2);
    assert.ok(!home.includes('name="q"'));
    assert.ok(!(await person.get("/console?q=shop")).body.includes("Shop number"));
    const [menu = ""] =
      /<details class="switch">[\s\S]*?<\/details>/.exec((await person.get(`${base}/names`)).body) ?? [];
    assert.equal(menu.match(/\/names"/g)!.length, 2);
    assert.ok(!menu.includes("Your applications"));
  });

  test("a role is given for an application by its name or id; one that is none is not found", async () => {
    const send = (email: string, application: string) =>
      operator.post("/console/team", { email, name: "Bo", role: "viewer", application });
    assert.equal((await send("bo@example.org", "Shop number 7")).statusCode, 201);
    assert.equal((await send("cy@example.org", client.applicationId)).statusCode, 201);
    assert.equal((await send("di@example.org", "Shop number")).statusCode, 404);
    const team = (await operator.get("/console/team")).body;
    assert.match(team, /Viewer of Shop number 7</);
    assert.match(team, /Viewer of Test application</);
    const [, id = ""] = /bo@example.org[\s\S]*?\/console\/team\/([0-9a-f-]{36})\//.exec(team) ?? [];
    const grant = (application: string) => operator.post(`/console/team/${id}/grant`, { role: "manager", application });
    assert.equal((await grant("no application")).statusCode, 404);
    assert.equal((await grant("Shop number 8")).statusCode, 303);
    assert.match((await operator.get("/console/team")).body, /Manager of Shop number 8</);
  });

  test("the audit log is filtered by an application's name; nothing is done in one that is none", async () => {
    const changed = await operator.post(`${base}/developers/endpoints`, { url: "http://192.168.1.1/x" });
    assert.equal(changed.statusCode, 400);
    const name = encodeURIComponent(client.applicationId);
    assert.match((await operator.get(`/console/audit?application=${name}`)).body, /endpoint\.add/);
    assert.match((await operator.get("/console/audit?application=Shop+number+9")).body, /Nothing was done yet/);
    assert.match((await operator.get("/console/audit?application=no+such")).body, /Nothing was done yet/);
  });
});
