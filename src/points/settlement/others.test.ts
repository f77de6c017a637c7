import assert from "node:assert/strict";
import { test } from "node:test";
import { creditOthers } from "./others.ts";
import { NEW_USER } from "./standing.ts";

test("a bonus for another user counts for their tier at once; the user's own is counted with the record", () => {
  const users = new Map([
    ["friend", { ...NEW_USER, tier: { points: 150 } }],
    ["new", { ...NEW_USER, tier: { points: 10 } }],
    ["tierless", NEW_USER],
  ]);
  const bonuses = [
    { userId: "new", points: 50 },
    { userId: "friend", points: 100 },
    { userId: "tierless", points: 100 },
    { userId: "elsewhere", points: 100 },
  ];
  creditOthers(users, "new", bonuses);
  assert.deepEqual(
    [...users].map(([id, { tier }]) => [id, tier?.points ?? null]),
    [
      ["friend", 250],
      ["new", 10],
      ["tierless", null],
    ],
  );
});
