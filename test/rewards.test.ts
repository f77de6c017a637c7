import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Refusal } from "../src/cli/command.ts";
import { runCommand } from "./support/commands.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService({ isWorking: false });
  client = await service.newClient();
});
after(() => service.close());

const COFFEE = { name: "A free coffee", points: 200 };
const add = async (reward: object = {}, of: Client = client) => {
  const response = await of.call("POST", "/rewards", { ...COFFEE, ...reward });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().reward;
};
const load = (id: string, codes: readonly unknown[], of: Client = client) =>
  of.call("POST", `/rewards/${id}/codes`, { codes });
const names = (list: { rewards: { name: string }[] }) => list.rewards.map(({ name }) => name);

test("a reward is added, listed in pages, read, changed, and removed", async () => {
  const own = await service.newClient();
  for (const name of ["One", "Two", "Three"]) await add({ name }, own);
  const first = await own.call("GET", "/rewards?pageSize=2");
  assert.deepEqual([names(first.json()), first.json().count], [["Three", "Two"], 3]);
  assert.match(String(first.headers["link"]), /page=2>; rel="next"/);
  assert.deepEqual(names((await own.call("GET", "/rewards?pageSize=2&page=2")).json()), ["One"]);
  assert.deepEqual(names((await own.call("GET", "/rewards?First=true")).json()), ["Three"]);
  assert.equal((await own.call("GET", "/rewards?pagesize=1&serch=x")).statusCode, 400);
  const { id } = (await own.call("GET", "/rewards")).json().rewards[0];
  const change = { points: 5, stock: 7, terms: ["Once"], validFrom: "2026-01-01T01:00:00+01:00" };
  const changed = (await own.call("PATCH", `/rewards/${id}`, change)).json().reward;
  assert.deepEqual(
    [changed.name, changed.points, changed.stock, changed.terms, changed.validFrom],
    ["Three", 5, 7, ["Once"], "2026-01-01T00:00:00.000Z"],
  );
  assert.deepEqual((await own.call("GET", `/rewards/${id}`)).json().reward, changed);
  const cleared = (await own.call("PATCH", `/rewards/${id}`, { stock: null, validFrom: null })).json().reward;
  assert.deepEqual([cleared.stock, cleared.validFrom, cleared.points], [null, null, 5]);
  assert.deepEqual((await own.call("DELETE", `/rewards/${id}`)).json(), { id });
  for (const method of ["GET", "DELETE"] as const) {
    assert.equal((await own.call(method, `/rewards/${id}`)).statusCode, 404);
  }
  assert.equal((await own.call("PATCH", `/rewards/${id}`, { points: 1 })).statusCode, 404);
  assert.deepEqual(names((await own.call("GET", "/rewards")).json()), ["Two", "One"]);
});

test("what is no reward is refused with every error, also as a change", async () => {
  const { id } = await add();
  const wrong: [object, string][] = [
    [{ name: " " }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ points: -1 }, "points"],
    [{ points: 0.5 }, "points"],
    [{ points: 2 ** 53 }, "points"],
    [{ points: "5" }, "points"],
    [{ description: "x".repeat(1_001) }, "description"],
    [{ imageUrl: "http://example.org/x.png" }, "imageUrl"],
    [{ logoUrl: "javascript:alert(1)" }, "logoUrl"],
    [{ value: -1, currency: "GBP" }, "value"],
    [{ value: 5 }, "currency"],
    [{ currency: "pounds" }, "currency"],
    [{ terms: Array.from({ length: 21 }, () => "x") }, "terms"],
    [{ terms: ["x".repeat(256)] }, "terms[0]"],
    [{ tier: 5 }, "tier"],
    [{ stock: -1 }, "stock"],
    [{ stock: 1.5 }, "stock"],
    [{ validTill: "tomorrow" }, "validTill"],
    [{ validFrom: "2026-02-01T00:00:00Z", validTill: "2026-02-01T00:00:00Z" }, "validTill"],
  ];
  for (const [members, name] of wrong) {
    for (const response of [
      await client.call("POST", "/rewards", { ...COFFEE, ...members }),
      await client.call("PATCH", `/rewards/${id}`, members),
    ]) {
      assert.equal(response.statusCode, 400, JSON.stringify(members));
      assert.deepEqual(Object.keys(response.json().errors), [name], JSON.stringify(members));
    }
  }
  const kind = await client.call("POST", "/rewards", { ...COFFEE, codes: "own" });
  assert.deepEqual(Object.keys(kind.json().errors), ["codes"]);
  await client.call("PATCH", `/rewards/${id}`, { value: 5, currency: "GBP" });
  const half = await client.call("PATCH", `/rewards/${id}`, { currency: "" });
  assert.equal(half.statusCode, 400, "a value without currency");
});

test("a user sees what can be had now, with the points that are missing", async () => {
  const own = await service.newClient();
  const userId = await own.enrol();
  await own.call("POST", `/users/${userId}/adjustments`, { points: 100, reason: "Gift", reference: "gift" });
  await add({ name: "Affordable", points: 100 }, own);
  await add({ name: "Dear", points: 130 }, own);
  await add({ name: "Gold", tier: 3, points: 1 }, own);
  await add({ name: "Later", validFrom: "2099-01-01T00:00:00Z" }, own);
  await add({ name: "Over", validTill: "2020-01-01T00:00:00Z" }, own);
  await add({ name: "Sold out", stock: 0 }, own);
  await add({ name: "No codes", codes: "pool" }, own);
  const pool = await add({ name: "Codes", codes: "pool", points: 5 }, own);
  await load(pool.id, ["A-1"], own);
  const removed = await add({ name: "Removed" }, own);
  await own.call("DELETE", `/rewards/${removed.id}`);
  const list = async (query = "") => (await own.call("GET", `/users/${userId}/rewards${query}`)).json();
  const seen = await list();
  assert.deepEqual([names(seen), seen.count, seen.availablePoints], [["Codes", "Dear", "Affordable"], 3, 100]);
  assert.deepEqual(
    seen.rewards.map((each: Record<string, unknown>) => [each["affordable"], each["missingPoints"], each["freeCodes"]]),
    [
      [true, 0, undefined],
      [false, 30, undefined],
      [true, 0, undefined],
    ],
  );
  assert.deepEqual(names(await list("?tier=3")), ["Codes", "Gold", "Dear", "Affordable"]);
  assert.deepEqual(names(await list("?pageSize=1&page=2")), ["Dear"]);
  assert.equal((await own.call("GET", `/users/${userId}/rewards?tier=9`)).statusCode, 400);
  assert.equal((await own.call("GET", `/users/nonsense/rewards`)).statusCode, 404);
});

test("codes are loaded once in an application, also by requests at once, and given in their order", async () => {
  const own = await service.newClient();
  const [one, two] = [await add({ codes: "pool" }, own), await add({ codes: "pool", points: 0 }, own)];
  const loaded = await load(one.id, ["A-1", "A-2", "A-1"], own);
  assert.deepEqual(loaded.json(), { added: 2, duplicates: ["A-1"], freeCodes: 2 });
  assert.deepEqual((await load(two.id, ["A-2", "B-1"], own)).json(), { added: 1, duplicates: ["A-2"], freeCodes: 1 });
  const codes = Array.from({ length: 200 }, (_, i) => `C-${i}`);
  const lists = [codes, codes.toReversed(), codes, codes.toReversed()];
  const responses = await Promise.all(lists.map((list, i) => load(i % 2 === 0 ? one.id : two.id, list, own)));
  assert.ok(responses.every(({ statusCode }) => statusCode === 200));
  assert.equal(
    responses.reduce((sum, response) => sum + response.json().added, 0),
    200,
  );
  const userId = await own.enrol();
  const body = { rewardId: two.id, reference: "first code" };
  const redeemed = await own.call("POST", `/users/${userId}/redemptions`, body);
  assert.equal(redeemed.json().transaction.reward.code, "B-1");
  const other = await service.newClient();
  assert.equal((await load(one.id, ["X"], other)).statusCode, 404);
  const foreign = await add({ codes: "pool" }, other);
  assert.equal((await load(foreign.id, ["A-1"], other)).json().added, 1, "codes of applications are apart");
});

test("what is no code, too many of them, and a reward without a pool are refused", async () => {
  const { id } = await add({ codes: "pool" });
  const errors = async (codes: readonly unknown[], of = id) => Object.keys((await load(of, codes)).json().errors ?? {});
  assert.deepEqual(await errors(["A", "b c", "", "-x", "a/b"]), ["codes[1]", "codes[2]", "codes[3]", "codes[4]"]);
  assert.deepEqual(await errors(["A", "x".repeat(65)]), ["codes[1]"]);
  assert.deepEqual(await errors([]), ["codes"]);
  assert.deepEqual(await errors(Array.from({ length: 1_001 }, (_, i) => `N-${i}`)), ["codes"]);
  assert.deepEqual(await errors([5]), ["codes[0]"]);
  const made = await add({ codes: "made" });
  assert.deepEqual(await errors(["A"], made.id), ["codes"]);
  assert.equal((await load("nonsense", ["A"])).statusCode, 404);
  await service.database.query({ name: "test.fill", text: "UPDATE rewards SET loaded_codes = 99999 WHERE id = $1" }, [
    id,
  ]);
  assert.equal((await load(id, ["L-1"])).statusCode, 200);
  assert.deepEqual(await errors(["L-2"]), ["codes"]);
});

test("an application has at most 500 rewards, also if they are added at once", async () => {
  const own = await service.newClient();
  await add({}, own);
  await service.database.query(
    {
      name: "test.many-rewards",
      text: `INSERT INTO rewards (id, application_id, details, points, codes, created_at, updated_at)
             SELECT gen_random_uuid(), application_id, details, points, codes, created_at, updated_at
             FROM rewards, generate_series(1, 494) WHERE application_id = $1`,
    },
    [own.applicationId],
  );
  const responses = await Promise.all(Array.from({ length: 12 }, () => own.call("POST", "/rewards", COFFEE)));
  assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 5);
  assert.deepEqual(Object.keys(responses.find(({ statusCode }) => statusCode === 400)!.json().errors), ["name"]);
});

test("rewards of another application are unknown", async () => {
  const { id } = await add({ codes: "pool" });
  const other = await service.newClient();
  assert.equal((await other.call("GET", `/rewards/${id}`)).statusCode, 404);
  assert.equal((await other.call("PATCH", `/rewards/${id}`, { points: 0 })).statusCode, 404);
  assert.equal((await other.call("DELETE", `/rewards/${id}`)).statusCode, 404);
  assert.equal((await load(id, ["A"], other)).statusCode, 404);
  assert.deepEqual((await other.call("GET", "/rewards")).json(), { rewards: [], count: 0 });
  assert.equal((await client.call("GET", `/rewards/${id}`)).json().reward.points, 200);
});

test("the operator adds, changes, lists and removes rewards, and loads codes from a table with a report", async (t) => {
  const own = await service.newClient();
  const folder = mkdtempSync(join(tmpdir(), "codes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = async (...args: string[]) => {
    const [printed] = await runCommand<Record<string, unknown>>(service.database, [
      "reward",
      args[0]!,
      "--client-id",
      own.clientId,
      ...args.slice(1),
    ]);
    return printed!;
  };
  const added = await run(
    "add",
    "--name",
    "Gift card",
    "--points",
    "900",
    "--codes",
    "pool",
    "--terms",
    "Once|In shops",
  );
  assert.deepEqual([added["name"], added["terms"], added["freeCodes"]], ["Gift card", ["Once", "In shops"], 0]);
  const rewardId = String(added["id"]);
  const set = await run(
    "set",
    "--reward-id",
    rewardId,
    "--stock",
    "5",
    "--tier",
    "gold",
    "--value",
    "9.50",
    "--currency",
    "eur",
  );
  assert.deepEqual([set["stock"], set["tier"], set["value"], set["currency"], set["points"]], [5, 3, 9.5, "EUR", 900]);
  const file = join(folder, "codes.csv");
  const rows = Array.from({ length: 2_500 }, (_, i) => `${i},CSV-${i}`);
  writeFileSync(file, `number,code\n${rows.join("\n")}\n2500,CSV-7\n2501,not a code\n`);
  const loaded = await run("codes", "--reward-id", rewardId, "--file", file);
  assert.deepEqual(loaded, {
    rewardId,
    rows: 2_502,
    added: 2_500,
    duplicates: { count: 1, lines: [2_502] },
    refused: { count: 1, lines: [2_503] },
    freeCodes: 2_500,
  });
  const again = await run("codes", "--reward-id", rewardId, "--file", file);
  assert.deepEqual([again["added"], again["duplicates"]], [0, { count: 2_501, lines: [2, 3, 4] }]);
  writeFileSync(file, "code\n");
  const nothing = await run("codes", "--reward-id", rewardId, "--file", file);
  assert.deepEqual([nothing["rows"], nothing["freeCodes"]], [0, 2_500]);
  assert.equal(((await run("list"))["rewards"] as unknown[]).length, 1);
  for (const [args, why] of [
    [["set", "--reward-id", rewardId, "--points", "-5"], /--points must be/],
    [["set", "--reward-id", rewardId, "--tier", "steel"], /--tier must be/],
    [["set", "--reward-id", rewardId, "--image-url", "http://x.org"], /--image-url must be an https address/],
    [["set", "--reward-id", "x", "--points", "5"], /no reward/],
    [["codes", "--reward-id", rewardId, "--file", join(folder, "none.csv")], /cannot be opened/],
    [["codes", "--reward-id", "x", "--file", file], /no reward/],
  ] as const) {
    await assert.rejects(run(...args), (error) => error instanceof Refusal && why.test(error.message), args.join(" "));
  }
  await run("remove", "--reward-id", rewardId);
  assert.deepEqual((await run("list"))["rewards"], []);
});
