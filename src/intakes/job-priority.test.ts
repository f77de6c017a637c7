import assert from "node:assert/strict";
import { test } from "node:test";
import { createJobPriorities } from "./job-priority.ts";

test("the jobs of an application that sends thousands come after those of others, until it has paused", () => {
  let nowMs = 0;
  const priorityOf = createJobPriorities(() => nowMs);
  const priorities = Array.from({ length: 6_000 }, () => priorityOf("greedy"));
  assert.deepEqual(
    [priorities[0], priorities[499], priorities[500], priorities[4_999], priorities[5_000]],
    [0, 0, -1, -1, -2],
  );
  assert.equal(priorityOf("other"), 0);
  nowMs += 11_000;
  assert.equal(priorityOf("greedy"), -2, "the window before still counts");
  nowMs += 21_000;
  assert.equal(priorityOf("greedy"), 0);
});
