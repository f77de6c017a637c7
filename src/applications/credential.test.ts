import assert from "node:assert/strict";
import { createHash, timingSafeEqual } from "node:crypto";
import { test } from "node:test";
import { newApplication } from "../../test/support/applications.ts";
import type { Application } from "./application.ts";
import { acceptedCredential, credentialNameError, credentialState, NO_SECRET_HASH } from "./credential.ts";
import type { Credential } from "./credential.ts";

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();
const NOW = new Date("2026-01-31T12:00:00Z");
const FIRST = "01890000-0000-7000-8000-000000000000";

function shop(first: string | Buffer, credentials: Credential[] = [], over: Partial<Application> = {}) {
  const secretHash = typeof first === "string" ? hashOf(first) : first;
  const application = { ...newApplication(FIRST, { secretHash, ...over }).application, credentials };
  return (secret: string, at = NOW, equal: (a: Buffer, b: Buffer) => boolean = timingSafeEqual) =>
    acceptedCredential(application, hashOf(secret), equal, at)?.id ?? null;
}

const credential = (id: string, secret: string, expiresAt: Date | null = null): Credential => ({
  id,
  secretHash: hashOf(secret),
  expiresAt,
  scopes: null,
});

test("only the hash of the exact secret is accepted", () => {
  const accepted = shop("sec_right");
  assert.equal(accepted("sec_right"), FIRST);
  for (const wrong of ["", "sec_righ", "sec_right ", "SEC_RIGHT"]) assert.equal(accepted(wrong), null, wrong);
});

test("a replaced secret is accepted together with the new one until it expires, and not a moment longer", () => {
  const until = new Date("2026-02-01T12:00:00Z");
  const accepted = shop("sec_new", [], { previousSecretHash: hashOf("sec_old"), previousSecretUntil: until });
  const last = new Date(until.getTime() - 1);
  assert.deepEqual([accepted("sec_old", last), accepted("sec_new", last)], [FIRST, FIRST]);
  assert.deepEqual([accepted("sec_old", until), accepted("sec_new", until)], [null, FIRST]);
  assert.equal(accepted("sec_other", last), null);
});

test("each credential opens by its own secret, until it expires", () => {
  const until = new Date("2026-02-01T12:00:00Z");
  const accepted = shop("sec_first", [credential("a", "sec_a"), credential("b", "sec_b", until)]);
  const last = new Date(until.getTime() - 1);
  assert.deepEqual([accepted("sec_first", last), accepted("sec_a", last), accepted("sec_b", last)], [FIRST, "a", "b"]);
  assert.deepEqual(
    [accepted("sec_first", until), accepted("sec_a", until), accepted("sec_b", until)],
    [FIRST, "a", null],
  );
});

test("a first secret that is revoked opens nothing, the other credentials do", () => {
  const accepted = shop(NO_SECRET_HASH, [credential("a", "sec_a")]);
  assert.deepEqual([accepted("sec_a"), accepted("sec_first"), accepted("")], ["a", null, null]);
});

test("a secret is compared with all of them, so the time shows no place in the list", () => {
  const accepted = shop("sec_first", [credential("a", "sec_a"), credential("b", "sec_b")]);
  for (const secret of ["sec_first", "sec_a", "sec_b", "sec_wrong"]) {
    let compared = 0;
    accepted(secret, NOW, (a, b) => {
      compared += 1;
      return timingSafeEqual(a, b);
    });
    assert.equal(compared, 3, secret);
  }
});

test("a credential is active until it is revoked or expires", () => {
  const listed = {
    id: "a",
    name: "Till",
    scopes: null,
    createdAt: NOW,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  assert.equal(credentialState(listed, NOW), "active");
  assert.equal(credentialState({ ...listed, expiresAt: NOW }, NOW), "expired");
  assert.equal(credentialState({ ...listed, expiresAt: NOW }, new Date(NOW.getTime() - 1)), "active");
  assert.equal(credentialState({ ...listed, expiresAt: NOW, revokedAt: NOW }, NOW), "revoked");
});

test("a name is one short line", () => {
  for (const name of ["Till", "x".repeat(64), "💳".repeat(64), "Kasse 4, Köln"])
    assert.equal(credentialNameError(name), null);
  for (const wrong of ["", " ", " Till", "Till ", "x".repeat(65), "a\nb", "a\0b", "a\u202eb", "a\u200bb"]) {
    assert.ok(credentialNameError(wrong), JSON.stringify(wrong));
  }
});
