import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { PARTS, definitionIn, schemaOf, withPart } from "../src/console/programme/draft.ts";
import { fieldsOfSchema } from "../src/console/programme/schema-form.ts";
import { WITH_CONSOLE, signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { HOSTILE, assertHostileIsText, checkGuard } from "./support/console-guard.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const EXAMPLE = definitionIn(readFileSync(join(import.meta.dirname, "../docs/programs/example.json"), "utf8"))!;
const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const textOf = (markup: string) => markup.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/** The fields of markup, as a browser sends them without changes. */
function fieldsIn(markup: string): URLSearchParams {
  const inputs = [
    ...markup.matchAll(/<input(?=[^>]*\bname="([^"]+)")(?![^>]*type="checkbox")[^>]*?\bvalue="([^"]*)"/gs),
  ];
  const areas = [...markup.matchAll(/<textarea[^>]*?name="([^"]+)"[^>]*>\n?([^<]*)<\/textarea/gs)];
  const selects = [...markup.matchAll(/<select\s[^>]*?name="([^"]+)"[^>]*>(.*?)<\/select/gs)].flatMap((match) => {
    const chosen = /value="([^"]*)" selected/.exec(match[2]!);
    return chosen ? [[match[0], match[1]!, chosen[1]!] as const] : [];
  });
  return new URLSearchParams([...inputs, ...areas, ...selects].map(([, name, value]) => [name, textOf(value)]));
}

test("the form of each part returns what it shows, for the whole example of the documentation", () => {
  const words = { label: (name: string) => name, remove: "Remove", more: "Add" };
  for (const part of PARTS) {
    const shown = fieldsOfSchema(schemaOf(part), EXAMPLE[part], part, { words, errors: {} });
    assert.deepEqual(withPart(EXAMPLE, part, fieldsIn(shown.text)), EXAMPLE, part);
  }
});

suite("the programme in the console", () => {
  let service: TestService;
  let client: Client;
  let manager: Person;
  let base: string;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE });
    client = await service.newClient();
    manager = await signIn(service, [{ role: "manager", applicationId: client.applicationId }]);
    base = `/console/${client.applicationId}/programme`;
  });
  after(() => service.close());

  const versions = async () =>
    (await client.call("GET", "/programs")).json<{
      programs: { version: number; state: string; definition: { name: string }; note: string }[];
      count: number;
    }>();
  const draftOf = async (definition: object) =>
    (await client.call("POST", "/programs", { definition, note: HOSTILE })).json<{ program: { version: number } }>()
      .program.version;
  const keyIn = (body: string) => /name="key" value="([^"]+)"/.exec(body)![1]!;

  test("a draft is edited as JSON or by the form of a part, and saved once", async () => {
    const page = await manager.get(`${base}/draft`);
    assert.equal(page.statusCode, 200, page.body.slice(0, 500));
    const json = JSON.stringify({ name: HOSTILE });
    const fields = { key: keyIn(page.body), json, do: "part:points", "points.receipt.multiplier": "2", note: HOSTILE };
    const changed = await manager.post(`${base}/draft`, fields);
    assert.equal(changed.statusCode, 200);
    assertHostileIsText(changed.body);
    const next = textOf(/<textarea[^>]*name="json"[^>]*>\n?([^<]*)</.exec(changed.body)![1]!);
    assert.deepEqual(JSON.parse(next), { name: HOSTILE, points: { receipt: { multiplier: 2 } } });
    assert.equal((await versions()).count, 0, "nothing is saved yet");
    const save = { key: fields.key, json: next, do: "save", note: HOSTILE };
    const saved = await Promise.all([manager.post(`${base}/draft`, save), manager.post(`${base}/draft`, save)]);
    for (const { headers } of saved) assert.equal(headers.location, `${base}/1?done=saved`);
    assert.equal((await versions()).count, 1);
    for (const path of ["", "/1", "/draft?from=1"]) assertHostileIsText((await manager.get(base + path)).body, path);
  });

  test("errors of a draft are at their members, in the JSON's words and at the field", async () => {
    const before = (await versions()).count;
    const wrong = { name: "Wrong", points: { receipt: { multiplier: 1.234 } }, limits: { day: { points: "many" } } };
    const first = await manager.post(`${base}/draft`, { json: JSON.stringify(wrong), do: "save" });
    assert.equal(first.statusCode, 400);
    assert.match(first.body, /<code>definition\.limits\.day\.points<\/code>/);
    assert.match(
      first.body,
      /name="limits\.day\.points"[^>]*aria-invalid="true"[^>]*aria-describedby="error-limits\.day\.points"/,
    );
    const unknown = await manager.post(`${base}/draft`, { json: '{"name":"x","tires":{}}', do: "save" });
    assert.match(unknown.body, /did you mean tiers/);
    for (const json of ["", "[]", "{", "null", HOSTILE]) {
      const refused = await manager.post(`${base}/draft`, { json, do: "save" });
      assert.equal(refused.statusCode, 400);
      assert.match(refused.body, /role="alert"/);
      assert.doesNotMatch(refused.body, /<img/);
    }
    assert.equal((await versions()).count, before);
  });

  test("a version is previewed, published with a moment, withdrawn, and an earlier one comes back as a new version", async () => {
    const userId = await client.enrol();
    await client.call("POST", `/users/${userId}/adjustments`, { points: 5, reason: "Gift", reference: "gift" });
    const version = await draftOf({ name: HOSTILE, points: { receipt: { multiplier: 3 } } });
    const path = `${base}/${version}`;
    const page = await manager.get(path);
    assertHostileIsText(page.body);
    const fields = { key: keyIn(page.body) };
    const asked = await manager.post(`${path}/preview`, { ...fields, days: "7", pointValue: "0.01" });
    assert.match(String(asked.headers.location), new RegExp(`^${base}/previews/[0-9a-f-]{36}$`));
    let shown = await manager.get(String(asked.headers.location));
    for (let reads = 0; reads < 200 && shown.body.includes("data-reload"); reads += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      shown = await manager.get(String(asked.headers.location));
    }
    assert.match(shown.body, /Nothing was submitted in this time|All points/);
    const odd = await manager.post(`${path}/preview`, { days: "many" });
    assert.equal(odd.statusCode, 400);
    assert.match(odd.body, /role="alert"/);

    const late = await manager.post(`${path}/publish`, { startsAt: "2001-01-01T00:00" });
    assert.equal(late.statusCode, 400);
    assert.match(late.body, /role="alert"/);
    const { key } = { key: keyIn((await manager.get(path)).body) };
    const published = await manager.post(`${path}/publish`, { key, startsAt: "2031-01-01T06:30" });
    assert.equal(published.headers.location, `${path}?done=published`, published.body.slice(0, 500));
    assert.match((await manager.get(path)).body, /Scheduled/);
    const withdrawn = await manager.post(`${path}/withdraw`, { key: keyIn((await manager.get(path)).body) });
    assert.equal(withdrawn.headers.location, `${path}?done=withdrawn`);
    const backKey = keyIn((await manager.get(path)).body);
    const back = await Promise.all([0, 1].map(() => manager.post(`${path}/roll-back`, { key: backKey })));
    for (const { headers } of back) assert.equal(headers.location, `${base}/${version + 1}?done=saved`);
    const { programs } = await versions();
    assert.deepEqual([programs[0]!.version, programs[0]!.definition.name], [version + 1, HOSTILE]);
    assert.equal(programs[0]!.note, `As version ${version}`);
    const list = await manager.get(base);
    assertHostileIsText(list.body);
    assert.match(list.body, /Withdrawn/);
  });

  test("programme: each page and change is refused with another application's role, a smaller one, none, and cross-site", async () => {
    const version = await draftOf({ name: "Guarded" });
    const one = `/programme/${version}`;
    const { preview } = (await client.call("POST", "/programs/preview", { version })).json<{
      preview: { id: string };
    }>();
    await checkGuard(service, client, [
      { method: "GET", path: "/programme", right: "see" },
      { method: "GET", path: one, right: "see" },
      { method: "GET", path: `/programme/previews/${preview.id}`, right: "see" },
      { method: "GET", path: "/programme/draft", right: "manage" },
      { method: "POST", path: "/programme/draft", right: "manage" },
      { method: "POST", path: `${one}/preview`, right: "manage" },
      { method: "POST", path: `${one}/publish`, right: "manage" },
      { method: "POST", path: `${one}/withdraw`, right: "manage" },
      { method: "POST", path: `${one}/roll-back`, right: "manage" },
    ]);
    const viewer = await signIn(service, [{ role: "viewer" }]);
    assert.doesNotMatch((await viewer.get(`${base}/${version}`)).body, /\/publish|\/draft|\/preview"/);
    for (const strange of ["0", "1x", "..%2f1", "99999"]) {
      assert.equal((await manager.get(`${base}/${strange}`)).statusCode, 404, strange);
    }
  });
});
