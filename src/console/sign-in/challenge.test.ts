import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CHALLENGE_MS, challengeEnd, newChallenge } from "./challenge.ts";

const KEY = Buffer.alloc(32, 7);
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test("a challenge is known again for its purpose and its time only", () => {
  fc.assert(
    fc.property(bytes(16), fc.integer({ min: 0, max: 2 ** 45 }), (random, now) => {
      const challenge = newChallenge(random, "sign-in", KEY, now);
      assert.equal(challengeEnd(challenge, "sign-in", KEY, now), now + CHALLENGE_MS);
      assert.equal(challengeEnd(challenge, "sign-in", KEY, now + CHALLENGE_MS), null);
      assert.equal(challengeEnd(challenge, "add x", KEY, now), null);
      assert.equal(challengeEnd(challenge, "sign-in", Buffer.alloc(32, 8), now), null);
    }),
  );
});

test("a challenge with any bit changed is not ours", () => {
  const challenge = newChallenge(Buffer.alloc(16, 1), "sign-in", KEY, 1_000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: challenge.length * 8 - 1 }), (bit) => {
      const changed = Buffer.from(challenge);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      assert.equal(challengeEnd(changed, "sign-in", KEY, 1_000), null);
    }),
  );
  assert.equal(challengeEnd(Buffer.alloc(0), "sign-in", KEY, 0), null);
});
