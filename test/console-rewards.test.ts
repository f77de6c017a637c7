import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { HOSTILE, assertHostileIsText, checkGuard } from "./support/console-guard.ts";
import { startSection } from "./support/console-section.ts";
import type { Client, TestService } from "./support/service.ts";

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly points: number;
  readonly stock: number | null;
  readonly terms: readonly string[];
  readonly validTill: string | null;
  readonly freeCodes: number | null;
}

suite("rewards in the console", () => {
  let service: TestService;
  let client: Client;
  let manager: Person;
  let base: string;
  before(async () => {
    ({ service, client, person: manager, base } = await startSection("rewards", "manager"));
  });
  after(() => service.close());

  const addReward = async (body: object) =>
    (await client.call("POST", "/rewards", body)).json<{ reward: Shown }>().reward.id;
  const reward = async (id: string) => (await client.call("GET", `/rewards/${id}`)).json<{ reward: Shown }>().reward;
  const count = async () => (await client.call("GET", "/rewards")).json<{ count: number }>().count;
  const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  const textOf = (markup: string) => markup.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);
  /** The fields of the form on a page, as a browser sends them without changes. */
  const fieldsOf = (body: string): Record<string, string> => {
    const main = body.slice(body.indexOf("<main"));
    const inputs = [...main.matchAll(/<input[^>]*\bname="([\w-]+)"[^>]*?\bvalue="([^"]*)"/gs)];
    const areas = [...main.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>\n?([^<]*)<\/textarea/gs)];
    const selects = [...main.matchAll(/<select[^>]*name="(\w+)"[^]*?value="([^"]*)" selected/g)];
    return Object.fromEntries(
      [...inputs, ...areas, ...selects]
        .map(([, name, value]) => [name!, textOf(value!)])
        .filter(([name]) => name !== "formToken"),
    ) as Record<string, string>;
  };

  test("a reward is added once however often its form is sent, and what is refused is shown with what was typed", async () => {
    const page = await manager.get(`${base}/new`);
    const fields = {
      ...fieldsOf(page.body),
      name: "A free coffee",
      points: "200",
      terms: "One a visit\r\n\r\nNot on Sundays",
    };
    const before = await count();
    const sent = await Promise.all(
      Array.from({ length: 3 }, () => manager.post(base, { ...fields, validTill: "2031-01-31T10:30" })),
    );
    const addresses = new Set(sent.map(({ headers }) => headers.location));
    assert.equal(addresses.size, 1);
    assert.equal(await count(), before + 1);
    const [address = ""] = addresses;
    const { points, terms, stock, validTill } = await reward(/rewards\/([0-9a-f-]+)/.exec(address)![1]!);
    assert.deepEqual(
      { points, terms, stock, validTill },
      { points: 200, terms: ["One a visit", "Not on Sundays"], stock: null, validTill: "2031-01-31T10:30:00.000Z" },
    );
    assert.match((await manager.get(address)).body, /role="status">The reward is added/);
    for (const wrong of [
      { points: "many" },
      { stock: "-1" },
      { imageUrl: "http://x" },
      { value: "5" },
      { validTill: "x" },
      { tier: "9" },
    ]) {
      const refused = await manager.post(base, { name: HOSTILE, points: "1", ...wrong });
      assert.equal(refused.statusCode, 400, JSON.stringify(wrong));
      assert.match(refused.body, /role="alert"/);
      assert.match(refused.body, /aria-invalid="true"/, JSON.stringify(wrong));
      assertHostileIsText(refused.body);
    }
    assert.equal(await count(), before + 1);
  });

  test("a form sends what was changed in it only: a stock that went down meanwhile stays down", async () => {
    const id = await addReward({
      name: "Mug",
      points: 10,
      stock: 5,
      terms: ["One", "Two"],
      brand: HOSTILE,
      validTill: "2031-01-31T10:30:45Z",
    });
    const page = await manager.get(`${base}/${id}/edit`);
    assertHostileIsText(page.body);
    const fields = fieldsOf(page.body);
    await client.call("PATCH", `/rewards/${id}`, { stock: 3 });
    const changed = await manager.post(`${base}/${id}`, { ...fields, points: "12" });
    assert.equal(changed.headers.location, `${base}/${id}?done=changed`, changed.body.slice(0, 500));
    const { points, stock, terms, validTill } = await reward(id);
    assert.deepEqual(
      { points, stock, terms, validTill },
      { points: 12, stock: 3, terms: ["One", "Two"], validTill: "2031-01-31T10:30:45.000Z" },
    );
    const same = await manager.post(`${base}/${id}`, fields);
    assert.equal(same.headers.location, `${base}/${id}?done=same`);
    await manager.post(`${base}/${id}`, { ...fields, stock: "" });
    assert.equal((await reward(id)).stock, null, "an empty field clears it");
  });

  test("codes are added one a line, with counts and duplicates; a wrong line adds none", async () => {
    const id = await addReward({ name: "Cinema", points: 10, codes: "pool" });
    const wrong = await manager.post(`${base}/${id}/codes`, { codes: `GOOD-1\r\n${HOSTILE}\r\nGOOD-2` });
    assert.equal(wrong.statusCode, 400);
    assert.match(wrong.body, /Line 2/);
    assertHostileIsText(wrong.body);
    assert.equal((await reward(id)).freeCodes, 0);
    const added = await manager.post(`${base}/${id}/codes`, { codes: "GOOD-1\r\n GOOD-2 \r\n\r\nGOOD-1\r\n" });
    assert.match(added.body, /Codes added: 2\. Free codes now: 2\./);
    assert.match(added.body, /there already: 1</);
    const many = Array.from({ length: 2_100 }, (_, i) => `M-${i}`).join("\n");
    assert.match((await manager.post(`${base}/${id}/codes`, { codes: many })).body, /Codes added: 2,100\./);
    assert.equal((await reward(id)).freeCodes, 2_102);
    const again = await manager.post(`${base}/${id}/codes`, { codes: many });
    assert.match(again.body, /Codes added: 0\./, "a reload adds nothing");
    assert.equal((await manager.post(`${base}/${id}/codes`, { codes: " \n" })).statusCode, 400);
    const without = await addReward({ name: "No pool", points: 10 });
    assert.equal((await manager.post(`${base}/${without}/codes`, { codes: "A1" })).statusCode, 400);
  });

  test("the list has what is left and what was redeemed; a removed reward is gone, its vouchers stay", async () => {
    const id = await addReward({ name: HOSTILE, brand: HOSTILE, points: 30, stock: 1, codes: "made" });
    const userId = await client.enrol();
    await client.call("POST", `/users/${userId}/adjustments`, { points: 50, reason: "Gift", reference: "gift" });
    const redeemed = await client.call("POST", `/users/${userId}/redemptions`, { rewardId: id, reference: "r" });
    const { code } = redeemed.json<{ transaction: { reward: { code: string } } }>().transaction.reward;
    const list = await manager.get(base);
    assert.equal(list.statusCode, 200);
    assertHostileIsText(list.body);
    assert.match(list.body, /Sold out/);
    assert.match(list.body, /<h2>Redeemed/);
    const viewer = await signIn(service, [{ role: "viewer" }]);
    assert.doesNotMatch((await viewer.get(base)).body, /rewards\/new/);
    assert.doesNotMatch((await viewer.get(`${base}/${id}`)).body, /\/edit|\/remove|\/codes/);
    assertHostileIsText((await manager.get(`${base}/${id}/remove`)).body);
    assert.equal((await manager.post(`${base}/${id}/remove`)).headers.location, `${base}?done=removed`);
    assert.equal((await manager.get(`${base}/${id}`)).statusCode, 404);
    assert.equal((await client.call("GET", `/vouchers/${code}`)).statusCode, 200);
  });

  test("rewards: each page and change is refused with another application's role, a smaller one, none, and cross-site", async () => {
    const id = await addReward({ name: "Guarded", points: 10, codes: "pool" });
    await checkGuard(service, client, [
      { method: "GET", path: "/rewards", right: "see" },
      { method: "GET", path: `/rewards/${id}`, right: "see" },
      { method: "GET", path: "/rewards/new", right: "manage" },
      { method: "POST", path: "/rewards", right: "manage" },
      { method: "GET", path: `/rewards/${id}/edit`, right: "manage" },
      { method: "POST", path: `/rewards/${id}`, right: "manage" },
      { method: "POST", path: `/rewards/${id}/codes`, right: "manage" },
      { method: "GET", path: `/rewards/${id}/remove`, right: "manage" },
      { method: "POST", path: `/rewards/${id}/remove`, right: "manage" },
    ]);
    assert.equal((await reward(id)).name, "Guarded");
  });
});
