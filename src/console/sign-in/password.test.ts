import assert from "node:assert/strict";
import { test } from "node:test";
import { formatHash, lockMs, parseHash } from "./password.ts";

test("four wrong passwords are free, then each locks for twice as long, up to a quarter of an hour", () => {
  assert.deepEqual([1, 4, 5, 6, 7, 11, 40].map(lockMs), [0, 0, 15_000, 30_000, 60_000, 900_000, 900_000]);
});

test("a stored hash has its parameters in it", () => {
  const hash = { memoryKiB: 19_456, passes: 2, parallelism: 1, salt: Buffer.alloc(16, 1), tag: Buffer.alloc(32, 250) };
  const text = formatHash(hash);
  assert.match(text, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^=$]+\$[^=$]+$/);
  assert.deepEqual(parseHash(text), hash);
  assert.equal(parseHash(text.replace("argon2id", "argon2i")), null);
  assert.equal(parseHash(""), null);
});
