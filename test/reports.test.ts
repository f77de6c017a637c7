import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createFiles } from "../src/files.ts";
import { lockKey } from "../src/postgres/cell.ts";
import { eraseUser } from "../src/users/erase.task.ts";
import { uuidv7 } from "../src/ids.ts";
import { openBalances } from "../src/points/opening-balances/store.ts";
import { NO_TIERS } from "../src/points/tiers/keeper.store.ts";
import { parseCsv } from "../src/csv/csv.ts";
import { FRESH_MS, LEAD_MS } from "../src/programs/versions.ts";
import { readMerchants } from "../src/receipts/store.ts";
import { foldAll } from "../src/reports/fold.task.ts";
import { applicationsWithGaps } from "../src/reports/rebuild.store.ts";
import { rebuildFigures } from "../src/reports/rebuild.task.ts";
import { DAY_MS } from "../src/time.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { checkFigures } from "./support/simulation/figures-invariants.ts";
import { importFolder } from "./support/table-import.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

type Row = Record<string, string | number | null>;
interface Report {
  readonly rows: Row[];
  readonly columns: string[];
  readonly from: string;
  readonly till: string;
  readonly completeSince: string | null;
}

/** A Wednesday. */
const START = Date.parse("2026-11-18T10:00:00Z");
const SHOPS: ReadonlySet<string> = new Set(readMerchants().map(({ name }) => name));
const never = new AbortController().signal;
let service: TestService;
let printed = pageOf(GROCERIES);
before(async () => {
  service = await startService({ ocr: { read: async () => printed, close: async () => {} } });
  service.clock.ms = START;
});
after(() => service.close());

async function read(client: Client, name: string, query = "timeframe=today"): Promise<Report> {
  const response = await client.call("GET", `/reports/${name}?${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<Report>();
}

const rowsOf = async (client: Client, name: string, query?: string): Promise<Row[]> =>
  (await read(client, name, query)).rows.map((row) => Object.fromEntries(Object.entries(row).filter(isNoStart)));
const isNoStart = ([column]: readonly [string, unknown]): boolean => column !== "from";

/** Moves the clock to a time of a later day. */
function moveTo(day: string): void {
  service.clock.ms += Date.parse(`${day}T10:00:00Z`) - Math.floor(nowMs() / DAY_MS) * DAY_MS - 10 * 3_600_000;
}

/** Within a second of the service's clock: tests stay away from midnight. */
function nowMs(): number {
  return service.clock.ms;
}

let references = 0;

async function eat(client: Client, userId: string, names: readonly string[], reference = `ref-${references++}`) {
  const response = await client.call("POST", "/track/meals", {
    userId,
    transactionId: reference,
    mealName: "Dinner",
    imageUrl: "https://example.org/x.jpg",
    mealType: "dinner",
    loggedAt: new Date(nowMs()).toISOString(),
    ingredients: names.map((name, i) => ({ foodId: `r-${i}`, name, weight: 100, unit: "g" })),
  });
  assert.equal(response.statusCode, 202, response.body);
  const { id } = response.json<{ id: string }>();
  for (;;) {
    const { status } = (await client.call("GET", `/track/meals/${id}/status`)).json<{ status: string }>();
    if (/^(?:completed|failed)$/i.test(status)) return id;
    await sleep(10);
  }
}

async function scan(client: Client, userId: string, rows: readonly string[], merchantName: string): Promise<string> {
  printed = pageOf(rows);
  const id = await acceptedReceipt(service, client, { fields: formFor(userId, { merchantName }) });
  await statusUntil<{ status: string }>(client, id, ({ status }) => status === "Completed" || status === "Failed");
  return id;
}

async function post<Body = Record<string, unknown>>(client: Client, path: string, body: object): Promise<Body> {
  const response = await client.call("POST", path, body);
  assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
  return response.json<Body>();
}

const gift = (client: Client, userId: string, points: number) =>
  post(client, `/users/${userId}/adjustments`, { points, reason: "Gift", reference: randomUUID() });
const bonus = (client: Client, userId: string, type: number, points: number) =>
  post(client, `/users/${userId}/bonuses`, { points, type, reason: "Bonus", reference: randomUUID() });
const redeem = (client: Client, userId: string, points: number) =>
  client.call("POST", `/users/${userId}/redemptions`, {
    points,
    reward: { name: "Coffee" },
    reference: randomUUID(),
  });
const records = async (client: Client, userId: string) =>
  (await client.call("GET", `/users/${userId}/transactions`)).json<{
    transactions: { id: string; operation: number; totalPoints: number; transaction: { transactionSource: number } }[];
  }>().transactions;
const reverse = (client: Client, userId: string, id: string) =>
  post(client, `/users/${userId}/transactions/${id}/reversal`, { reason: "Mistake" });

test("each report shows what happened today, to the request; another application sees none of it", async () => {
  const [client, other] = [await service.newClient(), await service.newClient()];
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  await eat(client, ada, ["Apple", "Zzq flarn", "Red wine"], "dinner");
  await eat(client, bob, ["Banana"], "dinner");
  await eat(client, bob, ["Xqzzk"]);
  await scan(client, ada, GROCERIES, "Larkmeadow Market");
  await bonus(client, ada, 1, 30);
  await bonus(client, bob, 5, 7);
  await gift(client, ada, 50);
  assert.equal((await redeem(client, ada, 20)).statusCode, 200);
  const points = async (userId: string) =>
    (await client.call("GET", `/users/${userId}/summary`)).json<{ user: { availablePoints: number } }>().user
      .availablePoints;

  assert.deepEqual(await rowsOf(client, "users"), [{ enrolled: 2, erased: 0, active: 1 }]);
  assert.deepEqual(await rowsOf(client, "submissions"), [
    { source: "meal", outcome: "completed", errorCode: null, submissions: 1 },
    { source: "meal", outcome: "failed", errorCode: "DUPLICATE_MEAL", submissions: 1 },
    { source: "meal", outcome: "failed", errorCode: "NO_VALID_FOOD_ITEMS", submissions: 1 },
    { source: "receipt", outcome: "completed", errorCode: null, submissions: 1 },
  ]);
  const matching = await rowsOf(client, "matching");
  assert.deepEqual(matching[0], {
    source: "meal",
    items: 3,
    matched: 1,
    unmatched: 0,
    abstained: 1,
    excluded: 1,
    matchRate: 0.5,
  });
  const items = await rowsOf(client, "items");
  assert.deepEqual(
    items.filter(({ foodGroup }) => foodGroup === "fruit").map(({ healthGrade, items: n }) => [healthGrade, n]),
    [["A", 1]],
  );
  const [row] = await rowsOf(client, "points");
  const owed = (await points(ada)) + (await points(bob));
  const { referralBonus, otherBonus, adjusted, redeemed, change, outstanding } = row!;
  assert.deepEqual([referralBonus, otherBonus, adjusted, redeemed, change, outstanding], [30, 7, 50, -20, owed, owed]);
  const [impact] = await rowsOf(client, "impact");
  assert.ok(impact!["awards"] === 2 && Number(impact!["co2eKg"]) > 0 && Number(impact!["greenProducts"]) > 0);
  const [shop] = await rowsOf(client, "shops");
  assert.deepEqual([shop!["shop"], shop!["receipts"]], [null, 1], "no chain of the dictionary");
  assert.deepEqual(await rowsOf(client, "review"), [{ held: 0, heldSince: null, disputed: 0 }]);
  const [endpoint] = await rowsOf(client, "webhooks");
  assert.deepEqual([endpoint!["state"], endpoint!["failed"]], ["enabled", 0]);

  const names = ["users", "submissions", "matching", "items", "points", "impact", "shops"];
  const before = await Promise.all(names.map((name) => read(client, name)));
  await foldAll(service.database, SHOPS, never);
  assert.deepEqual(await Promise.all(names.map((name) => read(client, name))), before, "also once it is added up");
  for (const name of ["submissions", "matching", "items", "shops"]) assert.deepEqual(await rowsOf(other, name), []);
  assert.deepEqual(await rowsOf(other, "users"), [{ enrolled: 0, erased: 0, active: 0 }]);
  await checkFigures(service.database, client.applicationId, SHOPS);
});

test("with format=csv a report has the same rows as CSV", async () => {
  const client = await service.newClient();
  await eat(client, await client.enrol(), ["Apple", "Banana"]);
  // No report of webhooks: deliveries end between the two requests.
  for (const name of ["points", "items", "users"]) {
    const response = await client.call("GET", `/reports/${name}?timeframe=week&format=csv`);
    assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
    const { rows, columns } = await read(client, name, "timeframe=week");
    const texts = rows.map((row) => Object.fromEntries(columns.map((column) => [column, String(row[column] ?? "")])));
    assert.deepEqual(parseCsv(response.body), texts);
  }
});

test("the command shows and writes the same report", async () => {
  const client = await service.newClient();
  await eat(client, await client.enrol(), ["Apple"]);
  const folder = importFolder();
  try {
    const file = folder.write("report.csv", "");
    const about = [
      "report",
      "show",
      "submissions",
      `--client-id=${client.clientId}`,
      "--timeframe=2026-11-01/2026-11-30",
    ];
    const [shown] = await runCommand<Report>(service.database, [...about, "--by=month", `--csv=${file}`]);
    const read = await client.call("GET", "/reports/submissions?timeframe=2026-11-01/2026-11-30&by=month");
    assert.deepEqual(shown, read.json());
    assert.equal(
      readFileSync(file, "utf8"),
      "from,source,outcome,errorCode,submissions\n2026-11-01,meal,completed,,1\n",
    );
    await assert.rejects(runCommand(service.database, [...about, "--by=hour"]), /by must be day, week, month/);
    await assert.rejects(runCommand(service.database, ["report", "show", "x", ...about.slice(3)]), /no report x/);
  } finally {
    folder.remove();
  }
});

test("users who are active on many days count once in a day, week and month; points outstanding go on from day to day", async () => {
  const client = await service.newClient();
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  const startMs = service.clock.ms;
  try {
    for (const [day, users] of [
      ["2026-11-25", [ada, ada, bob]],
      ["2026-11-26", [ada]],
      ["2026-11-30", [ada, bob]],
      ["2026-12-01", [bob]],
    ] as const) {
      moveTo(day);
      for (const userId of users) await eat(client, userId, ["Apple"]);
      await gift(client, ada, 10);
      await foldAll(service.database, SHOPS, never);
    }
    const timeframe = "timeframe=2026-11-25/2026-12-01";
    const active = async (by: string) =>
      (await read(client, "users", `${timeframe}&by=${by}`)).rows.map((row) => [row["from"], row["active"]]);
    assert.deepEqual(await active("day"), [
      ["2026-11-25", 2],
      ["2026-11-26", 1],
      ["2026-11-27", 0],
      ["2026-11-28", 0],
      ["2026-11-29", 0],
      ["2026-11-30", 2],
      ["2026-12-01", 1],
    ]);
    assert.deepEqual(await active("week"), [
      ["2026-11-23", 2],
      ["2026-11-30", 2],
    ]);
    assert.deepEqual(await active("month"), [
      ["2026-11-01", 2],
      ["2026-12-01", 1],
    ]);
    const byDay = (await read(client, "points", timeframe)).rows;
    let outstanding = 0;
    for (const row of byDay) assert.equal((outstanding += Number(row["change"])), row["outstanding"]);
    const later = (await read(client, "points", "timeframe=2026-11-29/2026-12-01")).rows;
    assert.deepEqual(later, byDay.slice(4), "from any first day on");
    const byMonth = await read(client, "points", `${timeframe}&by=month`);
    assert.deepEqual(
      [byMonth.from, byMonth.till, byMonth.rows[1]!["outstanding"]],
      ["2026-11-01", "2026-12-31", outstanding],
    );
    await checkFigures(service.database, client.applicationId, SHOPS);
  } finally {
    service.clock.ms = startMs;
  }
});

test("figures equal the records after many requests at once, while they are added up and computed again", async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 6 }, () => client.enrol()));
  let isOver = false;
  const meanwhile = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work();
      await sleep(5);
    }
  };
  const { database } = service;
  const computed = { applications: [client.applicationId], shops: SHOPS };
  const folding = [1, 2].map(() => meanwhile(() => foldAll(database, SHOPS, never)));
  // Nothing is missing, so it has nothing to add, whatever is booked meanwhile.
  const rebuilds: unknown[] = [];
  const rebuilding = meanwhile(async () => {
    const rebuilt = await rebuildFigures(database, { ...computed, isStored: true });
    rebuilds.push(...(rebuilt.kind === "rebuilt" ? rebuilt.differences : []));
  });
  await Promise.all(
    users.map(async (userId, n) => {
      for (let i = 0; i < 4; i++) {
        await Promise.all([
          eat(client, userId, ["Apple", i % 2 === 0 ? "Beef mince" : "Zzq flarn"], i === 3 ? "same" : undefined),
          gift(client, userId, 25),
          bonus(client, userId, 1 + (i % 5), 5),
          redeem(client, userId, 10),
        ]);
        const [award] = (await records(client, userId)).filter((each) => each.transaction.transactionSource === 2);
        if (award && i === 2) await reverse(client, userId, award.id);
      }
      if (n % 3 === 0) await service.erase(userId);
    }),
  );
  isOver = true;
  await Promise.all([...folding, rebuilding]);
  assert.deepEqual(rebuilds, []);
  await checkFigures(database, client.applicationId, SHOPS);
});

test("an erasure leaves the figures as they are, but for the points that nobody can claim; no figure names the user", async () => {
  const client = await service.newClient();
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  for (const userId of [ada, bob]) {
    await eat(client, userId, ["Apple", "Zzq flarn"]);
    await eat(client, userId, ["Xqzzk"]);
    await bonus(client, userId, 2, 40);
  }
  const opened = { email: null, userId: ada, points: 100, lifetimePoints: 140, reference: null, reason: "Moved" };
  const newId = () => uuidv7(nowMs(), randomBytes(10));
  const importing = { publish: null, tiers: NO_TIERS, now: () => new Date(nowMs() + 1_000), newId };
  await service.database.tx((tx) => openBalances(tx, client.applicationId, [opened], importing));
  await redeem(client, ada, 15);
  await scan(client, ada, GROCERIES, "Larkmeadow Market");
  const names = ["submissions", "matching", "items", "impact", "shops"];
  const all = () => Promise.all(names.map((name) => rowsOf(client, name)));
  const before = await all();
  const [points] = await rowsOf(client, "points");
  assert.deepEqual([points!["opening"], points!["welcomeBonus"]], [100, 80]);
  const { availablePoints } = (await client.call("GET", `/users/${ada}/summary`)).json<{
    user: { availablePoints: number };
  }>().user;
  const files = createFiles({ dir: join(service.dataDir, "files") });
  const erase = () => eraseUser({ database: service.database, files, erasedReceiptDays: 0 }, ada, new Date(nowMs()));
  assert.equal((await erase())?.images, 1);
  await erase();
  assert.deepEqual(await all(), before);
  const [after] = await rowsOf(client, "points");
  const gone = { forfeited: -availablePoints, change: Number(points!["change"]) - availablePoints };
  assert.deepEqual(after, { ...points, ...gone, outstanding: gone.change });
  await foldAll(service.database, SHOPS, never);
  await checkFigures(service.database, client.applicationId, SHOPS);
  assert.deepEqual(await all(), before);
  for (const table of ["report_deltas", "report_days", "report_kept"]) {
    const { rows } = await service.database.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${table} AS t`);
    assert.deepEqual(
      rows.filter(({ text }) => text.includes(ada) || text.includes(bob) || /flarn|xqzzk/i.test(text)),
      [],
    );
  }
});

test("an installation that had no figures gets those of its past, once, while it goes on", async () => {
  const client = await service.newClient();
  const { database } = service;
  const userId = await client.enrol();
  await eat(client, userId, ["Apple", "Zzq flarn"]);
  await eat(client, userId, ["Xqzzk"]);
  await bonus(client, userId, 3, 12);
  await gift(client, userId, 5);
  const names = ["users", "submissions", "matching", "items", "points", "impact"];
  const all = async () => (await Promise.all(names.map((name) => read(client, name)))).map(({ rows }) => rows);
  const before = await all();
  // As a release before the reports has left it.
  for (const table of ["report_deltas", "report_days"]) {
    await database.pool.query(`DELETE FROM ${table} WHERE application_id = $1`, [client.applicationId]);
  }
  await database.pool.query("UPDATE balances SET last_award_at = NULL WHERE user_id = $1", [userId]);
  await database.pool.query("INSERT INTO report_gaps VALUES ($1, $2)", [client.applicationId, new Date(START)]);
  assert.equal((await read(client, "users")).completeSince, "2026-11-19");
  assert.deepEqual(await applicationsWithGaps(database, new Date(START)), []);
  assert.deepEqual(await applicationsWithGaps(database, new Date(START + 1)), [client.applicationId]);
  const rebuild = (...more: string[]) =>
    runCommand<{ records: number; days: number }>(database, [
      "report",
      "rebuild",
      `--client-id=${client.clientId}`,
      ...more,
    ]);
  await assert.rejects(rebuild("--check"), /figures differ/);
  const [first] = await rebuild();
  assert.deepEqual([first!.records, first!.days], [3, 1]);
  assert.deepEqual(await all(), before);
  assert.equal((await read(client, "users")).completeSince, null);
  assert.equal((await rebuild())[0]!.days, 0);
  // The user was active today already.
  await eat(client, userId, ["Banana"]);
  assert.deepEqual((await rowsOf(client, "users"))[0], { enrolled: 1, erased: 0, active: 1 });
  await rebuild("--check");
});

test("of two computations at once one says that another is running", async () => {
  const options = { applications: null, shops: SHOPS, isStored: true };
  const held = service.database.tx(async (tx) => {
    await tx.query({
      name: "test.lock",
      text: `SELECT pg_advisory_xact_lock(${lockKey("hashtext('report-rebuild')")})`,
    });
    return rebuildFigures(service.database, options);
  });
  assert.deepEqual(await held, { kind: "running" });
  assert.equal((await rebuildFigures(service.database, options)).kind, "rebuilt");
});

test("chains are counted by name, the greenest first, and all other shops together", async () => {
  const client = await service.newClient();
  const { applicationId } = client;
  const of = (shop: string, receipts: number, items: number, green: number) => ({
    [`shop.receipts.${shop}`]: receipts,
    [`shop.items.${shop}`]: items,
    [`shop.green.${shop}`]: green,
    [`shop.co2e.${shop}`]: items * 1_000_000,
  });
  const figures = {
    ...of("Tesco", 2, 4, 1),
    ...of("Asda", 1, 2, 2),
    ...of("Corner.Shop", 1, 1, 1),
    ...of("", 1, 3, 0),
  };
  await service.database.pool.query("INSERT INTO report_deltas VALUES ($1, $2, $3)", [
    applicationId,
    "2026-11-18",
    JSON.stringify(figures),
  ]);
  const expected = [
    ["Asda", 1, 2, 1, 1],
    ["Tesco", 2, 4, 0.25, 1],
    [null, 2, 4, 0.25, 1],
  ];
  const shops = async () =>
    (await rowsOf(client, "shops")).map((row) =>
      ["shop", "receipts", "items", "greenShare", "co2eKgPerItem"].map((column) => row[column]),
    );
  assert.deepEqual(await shops(), expected);
  await foldAll(service.database, SHOPS, never);
  assert.deepEqual(await shops(), expected);
  const { rows } = await service.database.pool.query("SELECT FROM report_days WHERE figure LIKE '%Corner%'");
  assert.equal(rows.length, 0);
});

test("campaigns are counted with their budgets, also after an erasure, by what each gave", async () => {
  const client = await service.newClient();
  const [ada, bob] = [await client.enrol(), await client.enrol()];
  const during = { from: "2026-11-01", till: "2026-12-31" };
  const campaigns = [
    { id: "fruit.week", name: "Fruit", ...during, effect: { multiplier: 2 }, budget: 1_000 },
    { id: "first", name: "First", ...during, effect: { pointsPerRecord: 3 }, firstUsers: 1 },
  ];
  const saved = await post<{ program: { version: number } }>(client, "/programs", {
    definition: { name: "Autumn", campaigns },
  });
  await post(client, `/programs/${saved.program.version}/publish`, {});
  service.clock.ms += LEAD_MS + FRESH_MS;
  for (const userId of [ada, bob]) await eat(client, userId, ["Apple"]);
  const [row] = await rowsOf(client, "points");
  const base = Number(row!["health"]) + Number(row!["climate"]);
  const given = await rowsOf(client, "campaigns");
  assert.deepEqual(given, [
    { campaign: "first", awards: 1, points: 3, pointsInAll: 3, budget: null, users: 1, firstUsers: 1 },
    { campaign: "fruit.week", awards: 2, points: base, pointsInAll: base, budget: 1_000, users: 2, firstUsers: null },
  ]);
  assert.equal(row!["extra"], base + 3);
  await service.erase(ada);
  assert.deepEqual(await rowsOf(client, "campaigns"), given);
  await checkFigures(service.database, client.applicationId, SHOPS);
});

test("reports are bounded: unknown ones, wrong parameters and too many periods are refused", async () => {
  const client = await service.newClient();
  const refused = async (path: string, status: number, error?: RegExp) => {
    const response = await client.call("GET", path);
    assert.equal(response.statusCode, status, response.body);
    if (error) assert.match(response.body, error);
  };
  await refused("/reports/nothing", 404);
  await refused("/reports/points?by=hour", 400, /must be day, week, month/);
  await refused("/reports/points?timeframe=soon&format=xml", 400, /timeframe.*format/);
  await refused("/reports/points?from=2026-01-01", 400, /not a parameter/);
  await refused("/reports/points?timeframe=2020-01-01/2026-01-01", 400, /too long/);
  await refused("/reports/points?timeframe=2000-01-01/2026-01-01&by=month", 400, /too long/);
  assert.equal((await read(client, "points", "timeframe=P10Y&by=month")).rows.length, 121);
  assert.equal((await read(client, "points", "timeframe=all")).rows.length, 1);
});
