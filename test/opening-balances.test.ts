import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { verifyLedger } from "../src/points/verification.store.ts";
import { openingRowOf } from "../src/points/opening-balances/row.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { importFolder, runImport } from "./support/table-import.ts";

let service: TestService;
let client: Client;
const folder = importFolder();
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
});
after(async () => {
  await service.close();
  folder.remove();
});

const importBalances = (content: string, more: readonly string[] = [], owner: Client = client) =>
  runImport(service.database, "balance import", [
    `--client-id=${owner.clientId}`,
    `--file=${folder.write(`${Math.random()}.csv`, content)}`,
    ...more,
  ]);
const userOf = async (userId: string, owner: Client = client) =>
  (await owner.call("GET", `/users/${userId}/summary`)).json().user;
const balanceOf = async (userId: string, owner: Client = client) => {
  const { availablePoints, lifetimePoints, numOfTransactions } = await userOf(userId, owner);
  return [availablePoints, lifetimePoints, numOfTransactions];
};
const recordsOf = async (userId: string) => (await client.call("GET", `/users/${userId}/transactions`)).json();
const counts = ({ printed }: Awaited<ReturnType<typeof importBalances>>) =>
  ["booked", "already", "empty", "refused"].map((kind) => printed[kind]);

test("opening balances are records with reference and reason; what was spent before does not reduce what was earned", async () => {
  const [one, two, three] = [await client.enrol(), await client.enrol(), await client.enrol()];
  const { email } = await userOf(one);
  const file = [
    "E-Mail;user id;points;lifetime points;reference;reason",
    ` ${email.toUpperCase()};;2000;2300;card 7;Moved from Bonus Club`,
    `;${two.toUpperCase()};40;;;`,
    `;${three};0;0;;`,
  ].join("\r\n");
  const dry = await importBalances(file, ["--dry-run"]);
  assert.deepEqual(
    [counts(dry), await balanceOf(one)],
    [
      [2, 0, 1, 0],
      [0, 0, 0],
    ],
  );
  assert.deepEqual(counts(await importBalances(file)), [2, 0, 1, 0]);
  assert.deepEqual(await balanceOf(one), [2_000, 2_300, 0]);
  assert.deepEqual(await balanceOf(two), [40, 40, 0]);
  const { transactions, count } = await recordsOf(one);
  assert.equal(count, 2);
  for (const [i, points] of [-300, 2_300].entries()) {
    const { operation, status, totalPoints, reason, transaction } = transactions[i];
    assert.deepEqual([operation, status, totalPoints, reason], [3, 2, points, "Moved from Bonus Club"]);
    assert.equal(transaction.externalTransactionID, "card 7");
  }
  assert.equal((await recordsOf(two)).transactions[0].reason, "Opening balance");
  // The second run, with another order of rows and as often as anybody likes, books nothing.
  const lines = file.split("\r\n");
  const again = await importBalances([lines[0], lines[3], lines[2], lines[1]].join("\n"));
  assert.deepEqual([counts(again), again.refusal], [[0, 2, 1, 0], null]);
  assert.deepEqual(await balanceOf(one), [2_000, 2_300, 0]);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a row is refused for what is wrong with it, and the others are booked", async () => {
  const [one, two] = [await client.enrol(), await client.enrol()];
  const { email } = await userOf(two);
  const stranger = await service.newClient();
  const foreign = await stranger.enrol();
  const erased = await client.enrol();
  await service.database.pool.query(
    "UPDATE users SET erased_at = now(), email = '', first_name = '', last_name = '' WHERE id = $1",
    [erased],
  );
  await client.call("POST", `/users/${two}/adjustments`, { points: 5, reason: "Gift", reference: "taken" });
  const full = await client.enrol();
  const setBalance = (points: number) =>
    service.database.pool.query("UPDATE balances SET available_points = $2, lifetime_points = $2 WHERE user_id = $1", [
      full,
      points,
    ]);
  await setBalance(2 ** 52 - 1);
  const rows: [row: string, reason: string][] = [
    [`,${one},10,9,,`, "lifetimePoints must not be less than points"],
    [`,${one},-1,,,`, "points must be a whole number from 0 to 1000000000"],
    [`,${one},"1,000",,,`, "points must be a whole number from 0 to 1000000000"],
    [
      `,${one},1.5,x,,`,
      "points must be a whole number from 0 to 1000000000; lifetimePoints must be a whole number from 0 to 1000000000",
    ],
    [`,${one},9007199254740993,,,`, "points must be a whole number from 0 to 1000000000"],
    [`,${one},=1+1,,,`, "points must be a whole number from 0 to 1000000000"],
    [",,1,,,", "email or userId must not be empty"],
    [",x,1,,,", "userId is no id"],
    [`,${one},1,,${"r".repeat(256)},`, "reference must not be longer than 255 characters"],
    [`,${one},1,,a\0b,`, "reference has a character that cannot be stored"],
    [`,${one},1`, "it has another number of cells than the header"],
    [`${email},${one},1,,,`, "the application has no such user, or the user is being erased"],
    [`,${foreign},1,,,`, "the application has no such user, or the user is being erased"],
    [`,${erased},1,,,`, "the application has no such user, or the user is being erased"],
    ["nobody@example.org,,1,,,", "the application has no such user, or the user is being erased"],
    [`,${two},5,,taken,`, "its reference is used by another adjustment"],
    [`,${full},1,,,`, "the balance would exceed 2^53"],
    [`,${one},7,,mine,=cmd()`, ""],
    [`,${one},8,,mine,`, "its reference is used by another adjustment"],
    [`,${two},7,,mine,`, "its reference is used by another adjustment"],
  ];
  const file = ["email,userId,points,lifetimePoints,reference,reason", ...rows.map(([row]) => row)].join("\n");
  const { printed, refusal, report } = await importBalances(file);
  await setBalance(0);
  assert.deepEqual(
    report.map(({ line, reason }) => [Number(line), reason]),
    rows.flatMap(([, reason], i) => (reason === "" ? [] : [[i + 2, reason]])),
  );
  assert.equal(refusal, `${rows.length - 1} of ${rows.length} rows were refused`);
  assert.equal(printed["booked"], 1);
  assert.deepEqual(await balanceOf(one), [7, 7, 0]);
  assert.equal((await recordsOf(one)).transactions[0].reason, "=cmd()");
  assert.deepEqual(await balanceOf(two), [5, 0, 0]);
  assert.deepEqual(await balanceOf(foreign, stranger), [0, 0, 0]);
  assert.equal(
    (await importBalances("userId,email\nx,y\n")).refusal,
    "the header does not fit: the column points is missing",
  );
});

test("five imports of one file at once, and adjustments of the same users, book each opening balance once", async () => {
  const owner = await service.newClient();
  const users = await Promise.all(Array.from({ length: 60 }, () => owner.enrol()));
  const header = "userId,points,lifetimePoints";
  const rows = users.map((id, i) => `${id},${i},${2 * i + 1}`);
  const shuffled = (by: number) => rows.map((_, i) => rows[(i * 7 + by) % rows.length]!);
  const runs = await Promise.all([
    ...[0, 11, 23, 31, 47].map((by) => importBalances([header, ...shuffled(by)].join("\n"), [], owner)),
    ...users.map(async (id, i) => {
      const body = { points: 3, reason: "Gift", reference: `gift ${i}` };
      assert.equal((await owner.call("POST", `/users/${id}/adjustments`, body)).statusCode, 200);
    }),
  ]);
  const printed = runs.flatMap((run) => (run ? [run] : []));
  assert.equal(
    printed.reduce((sum, run) => sum + Number(run.printed["booked"]), 0),
    60,
  );
  assert.equal(
    printed.reduce((sum, run) => sum + Number(run.printed["already"]), 0),
    240,
  );
  for (const [i, id] of users.entries()) assert.deepEqual(await balanceOf(id, owner), [i + 3, 2 * i + 1, 0]);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("of one reference for two users in two imports at once only one is booked", async () => {
  const owner = await service.newClient();
  const [one, two] = [await owner.enrol(), await owner.enrol()];
  for (let i = 0; i < 10; i += 1) {
    const row = (id: string) => importBalances(`userId,points,reference\n${id},5,same ${i}\n`, [], owner);
    const runs = await Promise.all([row(one), row(two)]);
    assert.deepEqual(runs.map((run) => String(run.printed["booked"])).sort(), ["0", "1"]);
  }
  const [a, b] = [await balanceOf(one, owner), await balanceOf(two, owner)];
  assert.equal(a[0] + b[0], 50);
});

test("no event is sent unless it is asked for; then it is that of an adjustment", async () => {
  const owner = await service.newClient({ isSandbox: true });
  const [silent, loud] = [await owner.enrol(), await owner.enrol()];
  await importBalances(`userId,points\n${silent},10\n`, [], owner);
  await importBalances(`userId,points,lifetimePoints\n${loud},10,15\n`, ["--send-events"], owner);
  const events = await owner.until((all) => all.length === 2);
  const { transactions } = (await owner.call("GET", `/users/${loud}/transactions`)).json();
  const [spent, earned] = transactions;
  assert.deepEqual(
    events.toSorted((a, b) => Number(b["totalPoints"]) - Number(a["totalPoints"])),
    [
      [earned, 15, 15],
      [spent, 10, 15],
    ].map(([record, availablePoints, lifetimePoints]) => ({
      event: "points.adjusted",
      userId: loud,
      transactionID: record.id,
      externalTransactionID: `opening balance of ${loud}`,
      totalPoints: record.totalPoints,
      availablePoints,
      lifetimePoints,
      createdAt: record.createdAt,
      reason: "Opening balance",
    })),
  );
  assert.deepEqual(events.map(nameOf), ["points.adjusted", "points.adjusted"]);
});

test("any row is read or refused, and what is read keeps its sums", () => {
  const cell = fc.oneof(
    fc.string(),
    fc.nat().map(String),
    fc.constantFrom("", " 5 ", "+5", "5e3", "٣", "0x10", "Infinity"),
  );
  fc.assert(
    fc.property(fc.record({ email: cell, userId: cell, points: cell, lifetimePoints: cell, reason: cell }), (cells) => {
      const row = openingRowOf(cells, "Opening balance");
      if (typeof row === "string") return assert.ok(row.length > 0);
      assert.ok(Number.isSafeInteger(row.points) && row.points >= 0 && row.lifetimePoints >= row.points);
      assert.equal(String(row.points), cells.points.trim().replace(/^0+(?=\d)/, ""));
    }),
  );
});
