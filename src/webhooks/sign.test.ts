import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  rememberedSecrets,
  signatureHeaders,
  signingSecret,
  signingSecrets,
  TOLERANCE_SECONDS,
  verify,
} from "./sign.ts";

const KEY = Buffer.alloc(32, 7);
const SECRET = signingSecret(KEY, "0192f0c1-0000-7000-8000-000000000001", 1);
const CONTENT = { id: "0192f0c1-0000-7000-8000-000000000002", timestampSeconds: 1_700_000_000, body: '{"a":"ä"}' };
const NOW = CONTENT.timestampSeconds;

test("a signature is the one the Standard Webhooks libraries publish as their example", () => {
  const content = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampSeconds: 1614265330, body: '{"test": 2432232314}' };
  const headers = signatureHeaders(content, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]);
  assert.deepEqual(headers, {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("a secret is 32 bytes, the same each time, and another for each endpoint, generation and installation", () => {
  const endpoint = "0192f0c1-0000-7000-8000-000000000001";
  assert.match(SECRET, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(signingSecret(KEY, endpoint, 1), SECRET);
  assert.notEqual(signingSecret(KEY, endpoint, 2), SECRET);
  assert.notEqual(signingSecret(KEY, "0192f0c1-0000-7000-8000-000000000003", 1), SECRET);
  assert.notEqual(signingSecret(Buffer.alloc(32, 8), endpoint, 1), SECRET);
});

test("whatever is sent verifies, and nothing else does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (body, otherBody) => {
      const headers = signatureHeaders({ ...CONTENT, body }, [SECRET]);
      assert.equal(verify(headers, body, SECRET, NOW).kind, "verified");
      fc.pre(Buffer.from(body).compare(Buffer.from(otherBody)) !== 0);
      assert.equal(verify(headers, otherBody, SECRET, NOW).kind, "refused");
    }),
  );
});

test("while two secrets are valid, a receiver with either of them is satisfied", () => {
  const next = signingSecret(KEY, "0192f0c1-0000-7000-8000-000000000001", 2);
  const headers = signatureHeaders(CONTENT, [next, SECRET]);
  assert.match(headers["webhook-signature"]!, /^v1,\S+ v1,\S+$/);
  for (const secret of [SECRET, next]) assert.equal(verify(headers, CONTENT.body, secret, NOW).kind, "verified");
});

test("a receiver refuses another secret, another id, another time, an old delivery and missing headers", () => {
  const headers = signatureHeaders(CONTENT, [SECRET]);
  const refused = (changed: Record<string, string | undefined>, secret = SECRET, now = NOW) => {
    const verification = verify({ ...headers, ...changed }, CONTENT.body, secret, now);
    return verification.kind === "refused" && verification.reason;
  };
  assert.equal(refused({}, signingSecret(KEY, "x", 1)), "wrong_signature");
  assert.equal(refused({ "webhook-id": "x" }), "wrong_signature");
  assert.equal(refused({ "webhook-timestamp": String(NOW + 1) }), "wrong_signature");
  assert.equal(refused({ "webhook-signature": "v1,AAAA" }), "wrong_signature");
  assert.equal(refused({ "webhook-timestamp": "soon" }), "stale");
  assert.equal(refused({}, SECRET, NOW + TOLERANCE_SECONDS + 1), "stale");
  assert.equal(refused({}, SECRET, NOW - TOLERANCE_SECONDS - 1), "stale");
  for (const name of Object.keys(headers)) assert.equal(refused({ [name]: undefined }), "missing_header");
});

test("after a rotation the secret before signs as well until its time is up, and none older", () => {
  const until = new Date("2026-05-02T12:00:00.000Z");
  const endpointId = "0192f0c1-0000-7000-8000-000000000001";
  const [first, second, third] = [1, 2, 3].map((generation) => signingSecret(KEY, endpointId, generation));
  const secretOf = rememberedSecrets(KEY);
  const at = (generation: number, previousSecretUntil: Date | null, time: string) =>
    signingSecrets(secretOf, { endpointId, generation, previousSecretUntil }, new Date(time));
  assert.deepEqual(at(1, null, "2026-05-01T12:00:00.000Z"), [first]);
  assert.deepEqual(at(2, until, "2026-05-02T11:59:59.999Z"), [second, first]);
  assert.deepEqual(at(2, until, "2026-05-02T12:00:00.000Z"), [second]);
  assert.deepEqual(at(3, until, "2026-05-01T12:00:00.000Z"), [third, second]);
});
