import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { Client as Connection } from "pg";
import { eraseUser } from "../src/users/erase.task.ts";
import { exportDocument, exportUserData } from "../src/users/personal-data.store.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

suite("a user's data by the API", () => {
  let service: TestService;
  let client: Client;
  let other: Client;
  before(async () => {
    service = await startService({ isWorking: false });
    client = await service.newClient();
    other = await service.newClient();
  });
  after(() => service.close());

  const adjust = async (userId: string, points: number, reference = randomBytes(6).toString("hex")) =>
    client.call("POST", `/users/${userId}/adjustments`, { points, reason: "Gift", reference });
  const found = async (by: Client, email: string) =>
    (await by.call("GET", `/users?email=${encodeURIComponent(email)}`)).json<{ users: { userID: string }[] }>().users;

  test("a user is found by the whole address only, in any letter case, by its own application alone", async () => {
    const userId = await client.enrol("zoe.find@example.org");
    assert.deepEqual(
      (await found(client, " Zoe.FIND@example.org ")).map(({ userID }) => userID),
      [userId],
    );
    assert.deepEqual(await found(other, "zoe.find@example.org"), []);
    assert.deepEqual(await found(client, "zoe.fin@example.org"), []);
    for (const query of ["", "?email=", "?email=zoe", "?email=%25@example.org&All=true", "?email=a@b.c&email=d@e.f"]) {
      assert.equal((await client.call("GET", `/users${query}`)).statusCode, 400, query);
    }
  });

  test("an export has all that is stored, in chunks as in one piece, for the own application alone", async () => {
    const userId = await client.enrol("zoe.export@example.org");
    for (let count = 0; count < 205; count += 1) await adjust(userId, 1);
    const response = await client.call("GET", `/users/${userId}/export`);
    assert.equal(response.statusCode, 200, response.body.slice(0, 200));
    const { exportedAt, ...parts } = response.json<Record<string, unknown>>();
    assert.ok(Date.parse(String(exportedAt)) > 0);
    const whole = await service.database.snapshot((tx) => exportUserData(tx, userId, STORED_FORMS));
    assert.deepEqual(parts, JSON.parse(JSON.stringify(whole)));
    assert.equal((parts["transactions"] as unknown[]).length, 205);
    assert.equal((await other.call("GET", `/users/${userId}/export`)).statusCode, 404);
    assert.equal((await client.call("GET", `/users/${other.applicationId}/export`)).statusCode, 404);
  });

  test("an export reads no faster than it is read, and holds one chunk of rows", async () => {
    const userId = await client.enrol();
    for (let count = 0; count < 102; count += 1) await adjust(userId, 1);
    let queries = 0;
    const counting = {
      query: (...args: Parameters<typeof service.database.query>) => {
        queries += 1;
        return service.database.query(...args);
      },
    } as never;
    const pieces = exportDocument(counting, userId, STORED_FORMS, new Date());
    for (let read = 0; read < 2; read += 1) await pieces.next();
    assert.equal(queries, 1, "the first part alone");
    const rest = [];
    for await (const piece of pieces) rest.push(piece);
    const largest = Math.max(...rest.map((piece) => piece.split('"sequence":').length - 1));
    assert.equal(largest, 100);
  });

  test("two exports of an application at once: one gets 503, another application is served", async () => {
    const [userId, theirs] = [await client.enrol(), await other.enrol()];
    const path = `/users/${userId}/export`;
    // None of them ends before the others have come: a place is taken first, and then the user is read.
    const blocker = new Connection({ connectionString: service.databaseUrl });
    await blocker.connect();
    await blocker.query(`BEGIN; LOCK TABLE "${service.database.schema}".users IN ACCESS EXCLUSIVE MODE`);
    let refused = 0;
    const calls = [...Array.from({ length: 4 }, () => path), null].map(async (mine) => {
      const response = await (mine ? client.call("GET", mine) : other.call("GET", `/users/${theirs}/export`));
      if (response.statusCode === 503 && ++refused === 3) await blocker.end();
      return response;
    });
    const responses = await Promise.all(calls);
    assert.deepEqual(
      responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
      [200, 200, 503, 503, 503],
    );
    assert.equal(responses.at(-1)!.statusCode, 200);
    assert.equal((await client.call("GET", path)).statusCode, 200, "places are free again");
    assert.equal((await client.call("GET", `/users/${theirs}/export`)).statusCode, 404);
    assert.equal((await client.call("GET", path)).statusCode, 200, "after a 404 too");
  });

  test("an erasure is 204 once and 404 afterwards, as by the command line, and of the own application alone", async () => {
    const userId = await client.enrol("zoe.erase@example.org");
    await adjust(userId, 30);
    assert.equal((await other.call("DELETE", `/users/${userId}`)).statusCode, 404);
    assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 200);
    const erased = await client.call("DELETE", `/users/${userId}`);
    assert.deepEqual([erased.statusCode, erased.body], [204, ""]);
    for (const [method, path] of [
      ["DELETE", ""],
      ["GET", "/summary"],
      ["GET", "/export"],
      ["GET", "/transactions"],
    ] as const) {
      assert.equal((await client.call(method, `/users/${userId}${path}`)).statusCode, 404, path);
    }
    assert.deepEqual(await found(client, "zoe.erase@example.org"), []);
    const kept = "SELECT total_points::int AS points, body::text AS body FROM records WHERE user_id = $1";
    assert.deepEqual(await service.database.query({ name: "t.kept", text: kept }, [userId]), [
      { points: 30, body: "{}" },
    ]);
    assert.notEqual(await client.enrol("zoe.erase@example.org"), userId);
  });

  test("an erasure whose time is over has removed the person, and the rest can be removed later", async () => {
    const userId = await client.enrol("zoe.slow@example.org");
    await adjust(userId, 5);
    const files = { remove: () => Promise.resolve() };
    const { database } = service;
    let asked = 0;
    const isTimeOver = () => (asked += 1) > 2;
    const first = await eraseUser({ database, files, erasedReceiptDays: 0, isTimeOver }, userId, new Date());
    assert.equal(first?.isFinished, false);
    assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 404);
    const rest = await eraseUser({ database, files, erasedReceiptDays: 0 }, userId, new Date());
    assert.equal(rest?.isFinished, true);
    const bodies = await database.query({ name: "t.bodies", text: "SELECT body FROM records WHERE user_id = $1" }, [
      userId,
    ]);
    assert.deepEqual(bodies, [{ body: {} }]);
  });
});
