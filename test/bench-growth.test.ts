import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { slopeOf } from "../bench/figures.ts";
import { share } from "../bench/growth/indexes.ts";
import { classesFor, firstOf, placeOf } from "../bench/growth/shape.ts";
import { slicesOf } from "../bench/steady.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";

let own: TestDatabase;
before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

const SUBMISSIONS = 20_000;

test("each user of a grown database has submissions without gaps, from one to a tenth of all", async () => {
  const classes = classesFor(SUBMISSIONS);
  const { kind, user, nth } = placeOf(classes, "n");
  const { rows } = await own.database.pool.query<{ kind: number; users: number; most: number; gaps: number }>(
    `WITH placed AS (SELECT n, ${kind} AS kind, ${user} AS number, ${nth} AS nth FROM generate_series(0::bigint, $1 - 1) AS n),
          users AS (SELECT kind, number, count(*) AS count, max(nth) AS last, count(DISTINCT nth) AS different
                    FROM placed GROUP BY kind, number)
     SELECT kind, count(*)::int AS users, max(count)::int AS most,
            (count(*) FILTER (WHERE last <> count OR different <> count))::int AS gaps
     FROM users GROUP BY kind ORDER BY kind`,
    [SUBMISSIONS],
  );
  assert.deepEqual(
    rows.map(({ users }) => users),
    classes.map(({ users }) => users),
  );
  assert.ok(rows.every(({ gaps }) => gaps === 0));
  assert.equal(rows[0]!.most, SUBMISSIONS / 10);
  assert.ok(rows.at(-1)!.most <= 2);
});

test("the first submission of a user is where it is said to be", async () => {
  const classes = classesFor(SUBMISSIONS);
  for (const [place, each] of classes.entries()) {
    const { kind, user, nth } = placeOf(classes, "n");
    const { rows } = await own.database.pool.query<{ wrong: number }>(
      `SELECT count(*)::int AS wrong
       FROM (SELECT number, ${firstOf(each, "number")} AS n FROM generate_series(0::bigint, ${each.users - 1}) AS number) AS firsts
       WHERE (${kind}, ${user}, ${nth}) IS DISTINCT FROM (${place}, number, 1)`,
    );
    assert.equal(rows[0]!.wrong, 0, each.name);
  }
});

test("connections share tasks: each task is done once", async () => {
  const done: string[] = [];
  await share(["a", "b"] as never[], [1, 2, 3, 4, 5], async (client, task) => {
    await new Promise((next) => setTimeout(next, task));
    done.push(`${client as unknown as string}${task}`);
  });
  assert.deepEqual(done.map((each) => each.slice(1)).toSorted(), ["1", "2", "3", "4", "5"]);
  assert.equal(new Set(done.map((each) => each[0])).size, 2);
});

test("a slope is by how much a value grows", () => {
  const line = Array.from({ length: 10 }, (_, x) => [x, 3 + 2 * x] as const);
  assert.ok(Math.abs(slopeOf(line) - 2) < 1e-9);
  assert.equal(slopeOf([[1, 5]]), 0);
  assert.equal(slopeOf([]), 0);
});

test("slices show the backlog: what was accepted, and has not ended", () => {
  // Ten a second for 20 s, each accepted after 5 ms. In the first half nothing waits, then half of what comes stays.
  const requests = Array.from({ length: 200 }, (_, n) => [n * 100, 5] as const);
  const samples = Array.from({ length: 20 }, (_, second) => {
    const accepted = second * 10 + 1;
    return { atMs: second * 1_000 + 50, ended: second < 10 ? accepted : 100 + (accepted - 100) / 2, due: second };
  });
  const [first, second] = slicesOf(requests, samples);
  assert.equal(first!.backlogMax, 0);
  assert.equal(Math.round(second!.backlogMax), 46);
  assert.equal(first!.perSecond, 10);
  assert.deepEqual([first!.medianMs, first!.due], [5, 4]);
});
