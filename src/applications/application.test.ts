import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { newApplication } from "../../test/support/applications.ts";
import { clientIdFrom, clientSecretFrom, logoUrlError } from "./application.ts";
import { cached } from "./cache.task.ts";
import type { CallingApplication } from "./credential.ts";

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();

function application(secret: string): CallingApplication {
  const { application: stored } = newApplication("01890000-0000-7000-8000-000000000000", { clientId: "app_1" });
  return { ...stored, secretHash: hashOf(secret), credentials: [] };
}

test("a secret contains all of its 256 bits, and an id is plain text", () => {
  const random = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i));
  assert.deepEqual(Buffer.from(clientSecretFrom(random).replace("sec_", ""), "base64url"), random);
  assert.match(clientIdFrom(random.subarray(0, 16)), /^app_[0-9a-f]{32}$/);
});

test("a logo has a public https address", () => {
  assert.equal(logoUrlError("https://shop.example/logo.svg"), null);
  for (const address of ["", "logo.png", "//shop.example/l.png", "http://shop.example/l.png", "javascript:alert(1)"]) {
    assert.equal(logoUrlError(address), "must be an https address", address);
  }
  for (const address of ["data:image/png;base64,AA", "file:///etc/passwd", "https://user:pass@shop.example/l.png"]) {
    assert.equal(logoUrlError(address), "must be an https address", address);
  }
});

/** A cache in front of one stored application, with a clock that the test sets; `lookups` counts reads of the store. */
function caching() {
  const state = { nowMs: 0, lookups: 0, lists: 0, stored: application("sec_old") as CallingApplication | null };
  const find = cached(
    async () => {
      state.lookups += 1;
      return state.stored;
    },
    async () => {
      state.lists += 1;
      return state.stored === null ? [] : ["app_1"];
    },
    () => state.nowMs,
  );
  const authenticates = async (secret: string, isThrottled = false, clientId = "app_1") => {
    const hasSecret = ({ secretHash }: CallingApplication) => secretHash.equals(hashOf(secret));
    const found = await find(clientId, hasSecret, isThrottled);
    return found !== null && hasSecret(found);
  };
  return { state, authenticates };
}

test("right credentials are looked up once in two seconds", async () => {
  const { state, authenticates } = caching();
  for (let i = 0; i < 5; i++) assert.ok(await authenticates("sec_old"));
  assert.equal(state.lookups, 1);
  state.nowMs = 2_000;
  assert.ok(await authenticates("sec_old"));
  assert.equal(state.lookups, 2);
});

test("calls during a lookup wait for it", async () => {
  const { state, authenticates } = caching();
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => authenticates("sec_old"))), [true, true, true]);
  assert.equal(state.lookups, 1);
});

test("a wrong secret causes a lookup each time, like an unknown id, and does not empty the cache", async () => {
  const { state, authenticates } = caching();
  assert.ok(await authenticates("sec_old"));
  for (let i = 0; i < 3; i++) assert.ok(!(await authenticates("guess")));
  assert.equal(state.lookups, 4);
  assert.ok(await authenticates("sec_old"));
  assert.equal(state.lookups, 4);
});

test("a new secret works at once, the old one for at most two seconds, an unknown client as soon as it exists", async () => {
  const { state, authenticates } = caching();
  assert.ok(await authenticates("sec_old"));
  state.stored = application("sec_new");
  assert.ok(await authenticates("sec_old"), "still cached");
  assert.ok(await authenticates("sec_new"));
  assert.ok(!(await authenticates("sec_old")), "the lookup of the new one replaced it");
  state.stored = null;
  state.nowMs = 5_000;
  assert.ok(!(await authenticates("sec_new")));
  state.stored = application("sec_new");
  assert.ok(await authenticates("sec_new"));
});

test("over the limit of failures wrong credentials are not looked up, and valid ones work", async () => {
  const { state, authenticates } = caching();
  for (let i = 0; i < 50; i++) assert.ok(!(await authenticates("guess", true, `app_${i + 2}`)));
  assert.deepEqual([state.lookups, state.lists], [0, 1]);
  for (let i = 0; i < 50; i++) assert.ok(!(await authenticates("guess", true)));
  assert.deepEqual([state.lookups, state.lists], [1, 1]);
  assert.ok(await authenticates("sec_old", true));
  state.stored = application("sec_new");
  state.nowMs = 2_000;
  assert.ok(await authenticates("sec_new", true), "a new secret within two seconds");
  assert.deepEqual([state.lookups, state.lists], [2, 2]);
});
